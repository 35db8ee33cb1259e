/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"
#include "gridftp-tool-fates.h"
#include "gridftp-udt-arrivals.h"
#include "gridftp-udt-timers.h"

#include "ns3/test.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What a receiver makes of the times of arrivals.
class UdtArrivalsTest : public TestCase
{
  public:
    UdtArrivalsTest()
        : TestCase("udt: speed of arrivals, capacity by pairs, growing delay")
    {
    }

  private:
    void DoRun() override
    {
        CheckSpeed();
        CheckCapacity();
        CheckTrend();
    }

    /// The median is of the first 15 places of the ring, the mean of all 16.
    void CheckSpeed()
    {
        UdtArrivals arrivals(0);
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetSpeed(), 1, "16 gaps of 1 s, to begin with");
        Nanoseconds now = 0;
        for (int i = 0; i < 8; ++i)
        {
            arrivals.Add(now += MILLISECOND, 5);
        }
        // Of 15: eight of 1 ms, seven of 1 s; the ninth is 1 s, and of 16 eight are: too few.
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetSpeed(), 0, "half of them");
        arrivals.Add(now += 3 * MILLISECOND, 5);
        // The ninth is 3 ms: eight of 1 ms and it are near, 11 ms in all: 818.2.
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetSpeed(), 819, "rounded up");
        for (int i = 0; i < 7; ++i)
        {
            arrivals.Add(now += MILLISECOND, 5);
        }
        // The gap of 3 ms stays, one of 8 ms would be too long for a median of 1 ms.
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetSpeed(), 889, "16 in 18 ms: 888.9");
        arrivals.Add(now += 8 * MILLISECOND, 5);
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetSpeed(), 883, "15 in 17 ms: 882.4");
        arrivals.Add(now += MILLISECOND / 8, 5);
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetSpeed(), 875, "14 in 16 ms");
    }

    /// Packets 16 n and 16 n + 1; the first gaps are 1 ms.
    void CheckCapacity()
    {
        UdtArrivals arrivals(0);
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetCapacity(), 1000, "to begin with");
        Nanoseconds now = 0;
        for (uint32_t pair = 0; pair < 32; ++pair)
        {
            arrivals.Add(now += 5 * MILLISECOND, 16 * pair);
            arrivals.Add(now += 500 * MICROSECOND, 16 * pair + 1);
            arrivals.Add(now += MILLISECOND, 16 * pair + 2);
        }
        // Of 63: 32 of 0.5 ms, 31 of 1 ms; the 33rd is 1 ms. 32 + 16 + 1 ms for 65.
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetCapacity(), 1327, "65 in 49 ms: 1326.5");
        arrivals.Add(now += 5 * MILLISECOND, 1600);
        arrivals.Add(now += 500 * MICROSECOND, 1601);
        // Now the median is 0.5 ms: 33 of 0.5, 31 of 1, 0.5 once more.
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetCapacity(), 1355, "65 in 48 ms: 1354.2");
        arrivals.Add(now += MILLISECOND, 1617);
        // The first of this pair is lost: 1.0 ms since that of the last one, and 0.5.
        NS_TEST_EXPECT_MSG_EQ(arrivals.GetCapacity(), 1341, "65 in 48.5 ms: 1340.2");
    }

    /// The shares of Pathload: 0.66 and 0.45, or 0.54 and 0.55, of 15 steps.
    void CheckTrend()
    {
        NS_TEST_EXPECT_MSG_EQ(IsRising({}), false, "nothing yet");
        std::vector<int64_t> steps(16, 0);
        NS_TEST_EXPECT_MSG_EQ(IsRising(steps), false, "all the same");
        steps.assign(16, 1);
        NS_TEST_EXPECT_MSG_EQ(IsRising(steps), true, "steadily");
        // Ten of 15 rise by 3, five fall by 2: 0.667, and 20 of 40: 0.5.
        steps.assign(16, 3);
        steps[2] = steps[5] = steps[8] = steps[11] = steps[14] = -2;
        NS_TEST_EXPECT_MSG_EQ(IsRising(steps), true, "0.667 and 0.5");
        steps[15] = -3; // nine of 15: 0.6, and 14 of 40: 0.35
        NS_TEST_EXPECT_MSG_EQ(IsRising(steps), false, "0.6 and 0.35");
        steps.assign(16, 4);
        steps[2] = steps[5] = steps[8] = steps[11] = steps[14] = steps[15] = -1;
        // Nine rise by 4, six fall by 1: 0.6, and 30 of 42: 0.71.
        NS_TEST_EXPECT_MSG_EQ(IsRising(steps), true, "0.6 and 0.71");
    }

    /// @param steps of the round-trip time, from 50 ms on @return whether it grows
    static bool IsRising(const std::vector<int64_t>& steps)
    {
        UdtDelayTrend trend;
        int64_t us = 50'000;
        for (const int64_t step : steps)
        {
            trend.Add(us += step);
        }
        return trend.IsRising();
    }
};

/// Round-trip time, EXP timer and the thread that sends.
class UdtTimersTest : public TestCase
{
  public:
    UdtTimersTest()
        : TestCase("udt: round-trip time, EXP timer, and when a thread sees that a packet is due")
    {
    }

  private:
    void DoRun() override
    {
        UdtRoundTrip trip;
        NS_TEST_EXPECT_MSG_EQ(trip.GetBoundNs(), 300 * MILLISECOND, "100 ms and 4 times 50");
        trip.Add(20'001);
        NS_TEST_EXPECT_MSG_EQ(trip.GetUs(), 90'000, "700,000 and 20,001 in eight");
        NS_TEST_EXPECT_MSG_EQ(trip.GetVariationUs(), 57'499, "150,000 and 79,999 in four");
        CheckExpiry();
        CheckTicks();
    }

    /// Looks come every 100 ms.
    void CheckExpiry()
    {
        using Verdict = UdtExpiry::Verdict;
        UdtExpiry expiry;
        expiry.Hear(0);
        NS_TEST_EXPECT_MSG_EQ(expiry.GetNextLook(), 100 * MILLISECOND, "after an arrival");
        NS_TEST_EXPECT_MSG_EQ((expiry.Look(299 * MILLISECOND, 10 * MILLISECOND) == Verdict::QUIET),
                              true,
                              "300 ms");
        NS_TEST_EXPECT_MSG_EQ(expiry.GetNextLook(), 399 * MILLISECOND, "after a look");
        NS_TEST_EXPECT_MSG_EQ((expiry.Look(300 * MILLISECOND, 291 * MILLISECOND) == Verdict::QUIET),
                              true,
                              "301");
        NS_TEST_EXPECT_MSG_EQ(
            (expiry.Look(300 * MILLISECOND, 290 * MILLISECOND) == Verdict::EXPIRED),
            true,
            "300");
        NS_TEST_EXPECT_MSG_EQ((expiry.Look(899 * MILLISECOND, 10 * MILLISECOND) == Verdict::QUIET),
                              true,
                              "600");
        NS_TEST_EXPECT_MSG_EQ(
            (expiry.Look(900 * MILLISECOND, 10 * MILLISECOND) == Verdict::EXPIRED),
            true,
            "600");
        expiry.Hear(1000 * MILLISECOND);
        Nanoseconds now = 1000 * MILLISECOND;
        for (int n = 1; n <= 16; ++n)
        {
            now += n * 300 * MILLISECOND;
            NS_TEST_EXPECT_MSG_EQ((expiry.Look(now, 0) == Verdict::EXPIRED), true, "n " << n);
        }
        NS_TEST_EXPECT_MSG_EQ((expiry.Look(now + 5099 * MILLISECOND, 0) == Verdict::QUIET),
                              true,
                              "5.1 s");
        NS_TEST_EXPECT_MSG_EQ((expiry.Look(now + 5100 * MILLISECOND, 0) == Verdict::BROKEN),
                              true,
                              "5.1 s");
    }

    /// Of 4 ms: the time-out of a socket ends at the second one, and so on.
    void CheckTicks()
    {
        UdtPacer pacer(UdtPacing::TICK, 4 * MILLISECOND);
        pacer.Wake(41 * MILLISECOND);
        NS_TEST_EXPECT_MSG_EQ(pacer.FindWake(41 * MILLISECOND, 41 * MILLISECOND),
                              41 * MILLISECOND,
                              "it is awake");
        NS_TEST_EXPECT_MSG_EQ(pacer.FindWake(41 * MILLISECOND, 42 * MILLISECOND),
                              48 * MILLISECOND,
                              "44 is the first tick");
        NS_TEST_EXPECT_MSG_EQ(pacer.FindWake(41 * MILLISECOND, 48 * MILLISECOND),
                              48 * MILLISECOND,
                              "just then");
        NS_TEST_EXPECT_MSG_EQ(pacer.FindWake(41 * MILLISECOND, 49 * MILLISECOND),
                              56 * MILLISECOND,
                              "two ticks later");
        NS_TEST_EXPECT_MSG_EQ(pacer.FindWake(42 * MILLISECOND, 42'001 * MICROSECOND),
                              42'001 * MICROSECOND,
                              "slow start: due before the thread has sent the last packet");
        NS_TEST_EXPECT_MSG_EQ(pacer.FindWake(42 * MILLISECOND, 42'003 * MICROSECOND),
                              48 * MILLISECOND,
                              "it sleeps");
        NS_TEST_EXPECT_MSG_EQ(pacer.Plan(41 * MILLISECOND, MILLISECOND, false),
                              42 * MILLISECOND,
                              "a period later");
        // Those due at 42, 43, ... 48 leave at 48, the next one is due at 49.
        for (int i = 0; i < 6; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pacer.Plan(48 * MILLISECOND, MILLISECOND, false),
                                  48 * MILLISECOND,
                                  "back to back " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(pacer.Plan(48 * MILLISECOND, MILLISECOND, false),
                              49 * MILLISECOND,
                              "in time again");
        NS_TEST_EXPECT_MSG_EQ(pacer.Plan(56 * MILLISECOND, MILLISECOND, true),
                              56 * MILLISECOND,
                              "a pair");
        pacer.Stop();
        NS_TEST_EXPECT_MSG_EQ(pacer.Plan(70 * MILLISECOND, MILLISECOND, false),
                              71 * MILLISECOND,
                              "nothing is caught up");
        UdtPacer ideal(UdtPacing::IDEAL, 4 * MILLISECOND);
        NS_TEST_EXPECT_MSG_EQ(ideal.FindWake(41 * MILLISECOND, 42 * MILLISECOND),
                              42 * MILLISECOND,
                              "when it is due");
        NS_TEST_EXPECT_MSG_EQ(ideal.Plan(42 * MILLISECOND, MILLISECOND, false),
                              43 * MILLISECOND,
                              "a period later");
        NS_TEST_EXPECT_MSG_EQ(ideal.Plan(48 * MILLISECOND, MILLISECOND, false),
                              49 * MILLISECOND,
                              "nothing is caught up");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new UdtArrivalsTest, new UdtTimersTest};
});

} // namespace
