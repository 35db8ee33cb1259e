/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"
#include "gridftp-tool-fates.h"
#include "gridftp-udt-rate-control.h"

#include "ns3/test.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using Said = std::vector<std::pair<std::string_view, std::string_view>>;

/// UDT's rate and window, worked out by hand; packets of 1500 bytes.
class UdtRateTest : public TestCase
{
  public:
    UdtRateTest()
        : TestCase("udt: slow start, increase, decrease, and those of version 1")
    {
    }

  private:
    void DoRun() override
    {
        CheckSlowStart();
        CheckLargestWindow();
        CheckIncrease();
        CheckDecrease();
        CheckRandom();
        CheckFirstLoss();
        CheckDoubling();
        CheckLossRate();
        CheckDelay();
    }

    /// @param said parameters @param largest window @param key of random numbers @return at time 0
    static UdtRateControl Make(const Said& said = {}, uint32_t largest = 8191, uint64_t key = 1)
    {
        const auto values = MakeToolValues(*FindToolKind("udt"), said);
        return UdtRateControl(MakeUdtSettings(values), largest, key, 0);
    }

    /// @param control to be in another state: not in slow start any more, at 1000 packets/s
    static void Leave(UdtRateControl& control)
    {
        control.SetPath(20'000, 1000, 2000);
        control.HandleLoss(0, 1, 100);
    }

    /// @param control any @param us expected period @param what it is about
    void ExpectPeriod(const UdtRateControl& control, double us, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(control.GetPeriodUs(), us, 1e-9 * us, what);
    }

    /// The window grows by what is acknowledged, once in 10 ms, and by one more.
    void CheckSlowStart()
    {
        UdtRateControl control = Make();
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 16, "to begin with");
        NS_TEST_EXPECT_MSG_EQ(control.GetPeriodNs(), 1000, "to begin with");
        control.HandleAck(10 * MILLISECOND - 1, 3, 16);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 16, "too early");
        control.HandleAck(10 * MILLISECOND, 16, 16);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 34, "16, the 17 from -1 to 16, and one");
        control.HandleAck(19 * MILLISECOND, 20, 50);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 34, "too early again");
        control.HandleAck(20 * MILLISECOND, 50, 50);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 69, "34 and one more");
        NS_TEST_EXPECT_MSG_EQ(control.GetPeriodNs(), 1000, "no rate");
        control.SetPath(20'000, 800, 900);
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(60, 1, 118), false, "a loss ends it");
        ExpectPeriod(control, 1250, "of the arrivals, and no decrease");
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 69, "until the next ACK");
        control.HandleAck(30 * MILLISECOND, 60, 119);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 40, "800 in (20 + 10) ms, and 16");
    }

    /// Slow start ends where the window passes that of the receiver.
    void CheckLargestWindow()
    {
        UdtRateControl control = Make({}, 34);
        control.SetPath(20'000, 1000, 2000);
        control.HandleAck(10 * MILLISECOND, 16, 16);
        NS_TEST_EXPECT_MSG_EQ(control.IsSlowStart(), true, "34 is not above 34");
        control.HandleAck(20 * MILLISECOND, 17, 34);
        NS_TEST_EXPECT_MSG_EQ(control.IsSlowStart(), false, "36 is");
        // 1000 us, and an increase at once, by 0.01 packets: 10^7 bit/s x 1.5e-6 / 1500.
        ExpectPeriod(control, 1000 * 10000.0 / (1000 * 0.01 + 10000), "of the arrivals");
        UdtRateControl expired = Make();
        expired.SetPath(20'000, 500, 1);
        expired.HandleExpiry();
        ExpectPeriod(expired, 2000, "an expiry ends it, too");
        expired.HandleExpiry();
        ExpectPeriod(expired, 2000, "and changes nothing afterwards");
    }

    /// What is added in 10 ms, by the power of ten above what is left of the path.
    void CheckIncrease()
    {
        UdtRateControl control = Make();
        Leave(control);
        ExpectPeriod(control, 1000, "1000 packets/s");
        control.SetPath(20'000, 1000, 83'333);
        Nanoseconds now = 0;
        // Above the last period that was decreased (1 us): of 82,333 no more than a ninth, 9259,
        // which is 1.1e8 bit/s: 1e9 x 1.5e-6 / 1500 = 1 packet.
        double us = 1000 * 10000.0 / (1000 * 1.0 + 10000);
        control.HandleAck(now += 10 * MILLISECOND, 1, 1);
        ExpectPeriod(control, us, "a ninth of the capacity");
        control.HandleAck(now + 9 * MILLISECOND, 2, 2);
        ExpectPeriod(control, us, "once in 10 ms");
        control.SetPath(20'000, 1000, 500);
        us = us * 10000.0 / (us * 0.01 + 10000);
        control.HandleAck(now += 10 * MILLISECOND, 2, 2);
        ExpectPeriod(control, us, "nothing is left: the least increase");
        // A decrease that makes 1010 of 897 us; from then on 897 is the bound for caution.
        control.HandleLoss(101, 1, 200);
        const double bound = us;
        us = 1022;
        ExpectPeriod(control, us, "908.27 x 1.125 is 1021.8");
        control.HandleAck(now += 10 * MILLISECOND, 3, 3);
        ExpectPeriod(control, us, "not after a loss");
        control.SetPath(20'000, 1000, 83'333);
        for (int i = 0; us > bound; ++i)
        {
            control.HandleAck(now += 10 * MILLISECOND, 4, 4);
            us = us * 10000.0 / (us * 1.0 + 10000);
            ExpectPeriod(control, us, "cautious " + std::to_string(i));
        }
        // 83,333 - 1,177 is 9.9e8 bit/s: 1e9; with ten times the capacity 1e10 and 10 packets.
        control.SetPath(20'000, 1000, 833'330);
        control.HandleAck(now += 10 * MILLISECOND, 5, 5);
        us = us * 10000.0 / (us * 10.0 + 10000);
        ExpectPeriod(control, us, "all that is left");
        UdtRateControl old = Make({{"udt-increase", "15"}, {"udt-least-increase", "0.5"}});
        Leave(old);
        old.SetPath(20'000, 1000, 83'333);
        old.HandleAck(10 * MILLISECOND, 1, 1);
        us = 1000 * 10000.0 / (1000 * 1.0 + 10000);
        ExpectPeriod(old, us, "version 1 is as cautious");
        old.SetPath(20'000, 1000, 500);
        old.HandleAck(20 * MILLISECOND, 2, 2);
        ExpectPeriod(old, us * 10000.0 / (us * 0.5 + 10000), "its least increase");
    }

    /// A period begins with a loss beyond the last packet at the last decrease.
    void CheckDecrease()
    {
        UdtRateControl control = Make();
        Leave(control);
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(50, 1, 110), true, "a period begins");
        ExpectPeriod(control, 1125, "an eighth more");
        // No earlier period tells how many reports there are: each of the next four counts.
        double expected[] = {1266, 1425, 1604, 1805, 1805, 1805};
        uint32_t last = 120;
        for (const double us : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(last - 10, 1, last), false, "within it");
            ExpectPeriod(control, us, "rounded up to whole microseconds");
            last += us < 1805 ? 10 : 0; // a decrease moves the end of the period
        }
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(151, 1, 200), true, "the next period");
        ExpectPeriod(control, 2031, "2030.6");
        control.HandleAck(10 * MILLISECOND, 130, 200);
        ExpectPeriod(control, 2031, "not after a loss");
        control.HandleAck(20 * MILLISECOND, 150, 210);
        NS_TEST_EXPECT_MSG_LT(control.GetPeriodUs(), 2031, "after a SYN without one");
    }

    /// The number of reports a period bounds every how many of them one decreases.
    void CheckRandom()
    {
        std::set<int> seen[7];
        for (uint64_t key = 0; key < 60; ++key)
        {
            for (const uint32_t period : {2, 3, 6})
            {
                const int decreases = CountDecreases(key, period);
                NS_TEST_EXPECT_MSG_EQ(CountDecreases(key, period), decreases, "the same key");
                seen[period].insert(decreases);
            }
        }
        // The mean begins with 0, of 5 a period it becomes 5 / 8, rounded up 1, then 12 / 8, 2, ...
        NS_TEST_EXPECT_MSG_EQ((seen[2] == std::set<int>{4}), true, "each of them");
        NS_TEST_EXPECT_MSG_EQ((seen[3] == std::set<int>{2, 4}), true, "each, or each second one");
        // Of the reports 2 to 5 of a period: all, those divisible by 2, or one by 3, 4 or 5.
        NS_TEST_EXPECT_MSG_EQ((seen[6] == std::set<int>{1, 2, 4}), true, "1 to 5, at random");
    }

    /// @param key of random numbers @param periods how many @return further decreases of the last
    static int CountDecreases(uint64_t key, uint32_t periods)
    {
        UdtRateControl control = Make({}, 8191, key);
        Leave(control);
        int decreases = 0;
        for (uint32_t period = 1; period <= periods; ++period)
        {
            const uint32_t last = period * 100;
            control.HandleLoss(last - 50, 1, last);
            double us = control.GetPeriodUs();
            decreases = 0;
            for (int report = 0; report < 6; ++report)
            {
                control.HandleLoss(last - 50, 1, last);
                decreases += control.GetPeriodUs() > us ? 1 : 0;
                us = control.GetPeriodUs();
            }
        }
        return decreases;
    }

    /// Version 1: a single packet is forgiven, once in a period.
    void CheckFirstLoss()
    {
        UdtRateControl control = Make({{"udt-first-loss", "forgive"}});
        Leave(control);
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(50, 1, 110), false, "the first one");
        ExpectPeriod(control, 1000, "is forgiven");
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(60, 1, 110), true, "the second one");
        ExpectPeriod(control, 1125, "is not");
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(111, 2, 210), true, "two at once are not");
        ExpectPeriod(control, 1266, "either");
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(211, 1, 310), false, "the next period");
    }

    /// Version 1: after 18 reports, 4, 8 and so on.
    void CheckDoubling()
    {
        UdtRateControl control = Make({{"udt-decrease", "doubling"}});
        Leave(control);
        control.HandleLoss(50, 1, 110);
        double us = control.GetPeriodUs();
        std::vector<int> decreased;
        for (int report = 1; report <= 18 + 4 + 8 + 15; ++report)
        {
            control.HandleLoss(50, 1, 200);
            if (control.GetPeriodUs() > us)
            {
                decreased.push_back(report);
            }
            us = control.GetPeriodUs();
        }
        NS_TEST_EXPECT_MSG_EQ((decreased == std::vector<int>{18, 22, 30}), true, "2, 4, 8, 16");
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(111, 1, 200), true, "its end does not move");
    }

    /// The rate grows as long as less than 1 % is lost, smoothed by an eighth.
    void CheckLossRate()
    {
        UdtRateControl control = Make({{"udt-loss-gate", "rate"}});
        Leave(control); // one loss
        control.HandleLoss(50, 4, 100);
        control.HandleAck(10 * MILLISECOND, 1, 100);
        NS_TEST_EXPECT_MSG_LT(control.GetPeriodUs(), 1125, "5 of 100, an eighth of that: 0.63 %");
        control.HandleLoss(101, 8, 200);
        const double us = control.GetPeriodUs();
        control.HandleAck(20 * MILLISECOND, 2, 200);
        ExpectPeriod(control, us, "8 of 100: 0.63 x 7/8 and 1, 1.55 %");
        // None of 100: 1.35, 1.18, 1.04 %
        for (int syn = 3; syn <= 5; ++syn)
        {
            control.HandleAck(syn * 10 * MILLISECOND, syn, 100 * syn);
            ExpectPeriod(control, us, "still above 1 %");
        }
        control.HandleAck(60 * MILLISECOND, 6, 600);
        NS_TEST_EXPECT_MSG_LT(control.GetPeriodUs(), us, "0.91 %");
    }

    /// A warning is a decrease, and a period of its own.
    void CheckDelay()
    {
        UdtRateControl control = Make();
        control.SetPath(20'000, 1000, 2000);
        control.HandleDelay(90);
        ExpectPeriod(control, 1125, "slow start is over, too");
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(90, 1, 100), false, "within that period");
        NS_TEST_EXPECT_MSG_EQ(control.HandleLoss(101, 1, 110), true, "beyond it");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new UdtRateTest}; });

} // namespace
