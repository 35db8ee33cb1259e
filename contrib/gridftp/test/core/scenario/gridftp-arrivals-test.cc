/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-arrivals.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t SECOND = 1'000'000'000;

/// What an arrival process draws.
class ArrivalTimesTest : public TestCase
{
  public:
    ArrivalTimesTest()
        : TestCase("arrivals: exponential or fixed intervals, the same for the same key")
    {
    }

  private:
    void DoRun() override
    {
        const Arrivals fixed{.count = 3, .interval = 5, .process = ArrivalProcess::FIXED};
        NS_TEST_EXPECT_MSG_EQ(
            (DrawArrivalTimes(fixed, 100, {}) == std::vector<int64_t>{105, 110, 115}),
            true,
            "fixed");
        ExpectExponential();
        const Arrivals few{.count = 4, .interval = SECOND};
        const auto times = DrawArrivalTimes(few, 0, {1, 2, 3});
        NS_TEST_EXPECT_MSG_EQ((times == DrawArrivalTimes(few, 0, {1, 2, 3})), true, "again");
        for (const ArrivalsKey other : {ArrivalsKey{2, 2, 3}, {1, 3, 3}, {1, 2, 4}})
        {
            NS_TEST_EXPECT_MSG_EQ((times == DrawArrivalTimes(few, 0, other)), false, "another key");
        }
    }

    /// Mean and deviation are the mean interval, 1 - exp(-x) of the intervals are below x of it.
    void ExpectExponential()
    {
        constexpr int64_t COUNT = 40'000;
        const auto times = DrawArrivalTimes({.count = COUNT, .interval = SECOND}, 7, {1, 1, 0});
        std::vector<double> intervals;
        int64_t before = 7;
        for (const int64_t time : times)
        {
            intervals.push_back(static_cast<double>(time - before) / SECOND);
            before = time;
        }
        const double sum = std::accumulate(intervals.begin(), intervals.end(), 0.0);
        const double squares =
            std::inner_product(intervals.begin(), intervals.end(), intervals.begin(), 0.0);
        // Five standard errors: 1 / sqrt(n) of the mean, sqrt(20 / n) of the mean square
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / COUNT, 1, 0.025, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(squares / COUNT, 2, 0.112, "mean square");
        for (const double x : {0.01, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0})
        {
            const auto below = std::ranges::count_if(intervals, [x](double i) { return i < x; });
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(below) / COUNT,
                                      1 - std::exp(-x),
                                      0.0125,
                                      "below " << x);
        }
    }
};

/// --arrivals adds sessions.
class ArrivalOptionTest : public TestCase
{
  public:
    ArrivalOptionTest()
        : TestCase("arrivals: what --arrivals adds, and what it refuses")
    {
    }

  private:
    /// @param arguments of a command line @return what they ask for
    static Expected<TransferRequest> Parse(const std::vector<std::string_view>& arguments)
    {
        return ParseTransfer(arguments);
    }

    void DoRun() override
    {
        const auto parsed =
            Parse({"--file-size=1GB",
                   "--session=mode=aimd",
                   "--arrivals=count=2,interval=3s,process=fixed,start=10s,file-size=5MB",
                   "--arrivals=count=1"});
        NS_TEST_ASSERT_MSG_EQ(bool(parsed), true, "is understood");
        const auto& sessions = parsed->scenario.sessions;
        NS_TEST_ASSERT_MSG_EQ(sessions.size(), 5, "the first, another one, two and one");
        NS_TEST_EXPECT_MSG_EQ(sessions[2].start, 13 * SECOND, "an interval after the start");
        NS_TEST_EXPECT_MSG_EQ(sessions[3].start, 16 * SECOND, "and another one");
        NS_TEST_EXPECT_MSG_EQ(sessions[3].fileSize, 5'000'000, "as is said");
        NS_TEST_EXPECT_MSG_EQ(sessions[3].mode, "mi", "as the first session, not as the last");
        NS_TEST_EXPECT_MSG_EQ(sessions[4].fileSize, 1'000'000'000, "as the first session");
        NS_TEST_EXPECT_MSG_GT(sessions[4].start, 0, "drawn");
        Refuse("count=0",
               "--arrivals 'count=0' is out of range; allowed: a whole number, 1 to 5000");
        Refuse("process=x", "--arrivals 'process=x' is unknown; allowed: poisson, fixed");
        Refuse("contu=2", "--arrivals 'contu=2' is unknown; did you mean 'count='?");
        Refuse("count=5000",
               "--session, --arrivals and --background add up to 5001; allowed: 1 session to 5000 "
               "sessions and background connections together");
        Refuse("start=1000000s,process=fixed,interval=1ms",
               "a session of --arrivals arrives at 1000000001ms; allowed: a time such as 10ms, 0ns "
               "to 1000000s");
    }

    /// @param text of --arrivals @param fault the line
    void Refuse(const std::string& text, const std::string& fault)
    {
        const auto parsed = Parse({"--arrivals=" + text});
        NS_TEST_EXPECT_MSG_EQ((parsed ? "no error" : parsed.GetError().message), fault, text);
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ArrivalTimesTest, new ArrivalOptionTest};
});

} // namespace
