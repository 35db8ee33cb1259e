/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-draw.h"
#include "gridftp-core-test.h"
#include "gridftp-idle-observer.h"
#include "gridftp-result.h"
#include "gridftp-segment-engine.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-segment-state.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A run and what it cost.
struct Outcome
{
    std::string result; //!< all of it but its cost
    CostResult cost;    //!< the cost
};

/// @param line a scenario as JSON @param skips chunks may be skipped @return what came of it
Outcome
RunLine(const std::string& line, bool skips)
{
    const auto scenario = ParseScenarioJson(line);
    if (!scenario)
    {
        return {scenario.GetError().message, {}};
    }
    SegmentRunObservers observers;
    observers.skipsChunks = skips;
    auto result = RunOnSegments(*scenario, observers);
    if (!result)
    {
        return {result.GetError().message, {}};
    }
    Outcome run{"", result->cost};
    result->cost = {};
    run.result = ResultToJson(*scenario, *result, {});
    return run;
}

/// Chunks that are skipped leave no trace but in the cost.
class FastForwardTest : public TestCase
{
  public:
    FastForwardTest()
        : TestCase("fast-forward: no digit changes")
    {
    }

  private:
    void DoRun() override
    {
        // Times pass 100 s and offsets 1 GB, ports get a digit: lines of other lengths on the way
        const Outcome whole =
            Compare(R"({"mode": "mi", "file-size": "3GB", "chunk-size": "20MB"})");
        NS_TEST_EXPECT_MSG_GT(whole.cost.skippedChunks, 75, "most of 150 chunks");
        NS_TEST_EXPECT_MSG_LT(whole.cost.skippedChunks, 145, "not those with other lines");
        NS_TEST_EXPECT_MSG_GT(2 * whole.cost.skippedEvents, whole.cost.events, "most events");
        // Of what is measured in each chunk, sums and histograms are added
        const Outcome detailed = Compare(R"({"mode": "mi", "file-size": "500MB", )"
                                         R"("chunk-size": "10MB", "detail": "on"})");
        NS_TEST_EXPECT_MSG_GT(detailed.cost.skippedChunks, 20, "most of 50 chunks");
        const Outcome down = Compare(R"({"direction": "download", "mode": "fixed", )"
                                     R"("file-size": "100MB", "chunk-size": "1MB"})");
        NS_TEST_EXPECT_MSG_GT(down.cost.skippedChunks, 50, "the client of a download, too");
        // What has a part in a chunk and is not compared, or never comes again
        for (const char* more : {R"("start-jitter": "5ms")",
                                 R"("random-loss": "0.0001")",
                                 R"("queue-discipline": "red")",
                                 R"("data-channels": "cached")",
                                 R"("background": [{"stop": "20s"}])",
                                 R"("data-channels": "cached", "pipelining": "2")",
                                 R"("buffers": "drs-kernel", "window": "16KiB", "queue": "10")",
                                 R"("stripes": "2x2")"})
        {
            const Outcome other = Compare(R"({"mode": "fixed", "file-size": "20MB", )"
                                          R"("chunk-size": "1MB", )" +
                                          std::string(more) + "}");
            NS_TEST_EXPECT_MSG_EQ(other.cost.skippedChunks, 0, more);
        }
        const uint32_t draws = CountDraws(ALL_DRAWS);
        uint64_t skipped = 0;
        for (uint32_t i = 0; i < draws; ++i)
        {
            skipped += Compare(DrawLine(i)).cost.skippedChunks;
        }
        NS_TEST_EXPECT_MSG_EQ((draws < ALL_DRAWS / 2 || skipped > 8 * draws),
                              true,
                              "many of those drawn");
    }

    /// @param number of a draw @return a scenario whose chunks may come again
    static std::string DrawLine(uint64_t number)
    {
        Draw draw(7000 + number);
        const auto key = [](const std::string& name, const auto& value) {
            return "\"" + name + "\": \"" + value + "\", ";
        };
        const int64_t chunk = draw.Between(5'000, 300'000);
        const int64_t chunks = draw.Between(8, 130);
        return "{" + key("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps", "622Mbps"})) +
               key("delay", draw.Of({"1ms", "10ms", "50ms"})) +
               key("queue", draw.Of({"5", "20", "100"})) +
               key("window", draw.Of({"8KiB", "64KiB", "256KiB"})) +
               key("mode", draw.Of({"fixed", "mi", "mi-plus", "aimd"})) +
               key("direction", draw.Of({"upload", "download"})) +
               key("delayed-ack", draw.Of({"1", "2"})) +
               key("tcp", draw.Of({"reno", "newreno", "cubic"})) +
               key("detail", number % 2 == 0 ? "off" : "on") +
               key("chunk-size", std::to_string(chunk) + "B") + "\"file-size\": \"" +
               std::to_string(chunk * chunks) + "B\"}";
    }

    /// @param line a scenario as JSON @return the run with chunks skipped
    Outcome Compare(const std::string& line)
    {
        Outcome fast = RunLine(line, true);
        const Outcome slow = RunLine(line, false);
        NS_TEST_EXPECT_MSG_GT(slow.cost.events, 0, "it is refused: " << slow.result);
        NS_TEST_EXPECT_MSG_EQ(fast.result, slow.result, line);
        NS_TEST_EXPECT_MSG_EQ(fast.cost.events, slow.cost.events, line);
        NS_TEST_EXPECT_MSG_EQ(slow.cost.skippedChunks, 0, line);
        return fast;
    }

    static constexpr uint32_t ALL_DRAWS = 60; //!< without sanitizers
};

/// It goes as far as it is told, whatever is skipped on the way.
class FastForwardStepsTest : public TestCase
{
  public:
    FastForwardStepsTest()
        : TestCase("fast-forward: no further than told, and never where somebody looks on")
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario =
            ParseScenarioJson(R"({"mode": "fixed", "file-size": "100MB", "chunk-size": "1MB"})");
        SegmentSimulator slow(*scenario);
        SegmentSimulator fast(*scenario);
        fast.AllowFastForward();
        constexpr int64_t STEP_NS = 1'234'567'891;
        bool isOver = false;
        while (!isOver)
        {
            const int64_t untilNs = slow.GetNow() + STEP_NS;
            isOver = slow.Advance(untilNs);
            NS_TEST_ASSERT_MSG_EQ(fast.Advance(untilNs), isOver, "at " << untilNs);
            NS_TEST_ASSERT_MSG_EQ(fast.GetNow(), slow.GetNow(), "ns");
            NS_TEST_EXPECT_MSG_EQ(fast.GetSession(0).records->size(),
                                  slow.GetSession(0).records->size(),
                                  "chunks by then");
        }
        NS_TEST_EXPECT_MSG_GT(fast.GetResult().cost.skippedChunks, 10, "some all the same");

        SegmentSimulator seen(*scenario);
        IdleObserver observer;
        seen.SetObserver(observer);
        seen.AllowFastForward();
        seen.Advance(NEVER);
        NS_TEST_EXPECT_MSG_EQ(seen.GetResult().cost.skippedChunks, 0, "somebody looks on");

        SegmentSimulator late(*scenario);
        late.AllowFastForward();
        late.Advance(STEP_NS);
        const uint64_t before = late.GetResult().cost.skippedChunks;
        late.SetObserver(observer);
        late.Advance(NEVER);
        NS_TEST_EXPECT_MSG_EQ(late.GetResult().cost.skippedChunks, before, "from then on");
    }
};

/// What two moments of a simulation have to have in common.
class SegmentStateTest : public TestCase
{
  public:
    SegmentStateTest()
        : TestCase("fast-forward: when two states are equal")
    {
    }

  private:
    void DoRun() override
    {
        const auto make = [](int64_t nowNs, int64_t timeNs, uint64_t position, uint64_t base) {
            SegmentState state(nowNs, nowNs - 100);
            state.AddTime(timeNs);
            state.AddPosition(position, base);
            return state;
        };
        const SegmentState first = make(1000, 1005, 70, 60);
        NS_TEST_EXPECT_MSG_EQ(first.Equals(make(2000, 2005, 170, 160)), true, "only later");
        NS_TEST_EXPECT_MSG_EQ(first.Equals(make(2000, 2006, 170, 160)), false, "a time");
        NS_TEST_EXPECT_MSG_EQ(first.Equals(make(2000, 2005, 171, 160)), false, "a position");
        NS_TEST_EXPECT_MSG_EQ(first.Equals(make(2000, NEVER, 170, 160)), false, "never");
        NS_TEST_EXPECT_MSG_EQ(make(1000, 899, 5, 60).Equals(make(2000, 7, 1, 160)), true, "past");
        NS_TEST_EXPECT_MSG_EQ(make(1000, 900, 5, 60).Equals(make(2000, 7, 1, 160)), false, "");
        SegmentState barred = make(2000, 2005, 170, 160);
        barred.Bar();
        NS_TEST_EXPECT_MSG_EQ(first.Equals(barred), false, "what is not told");
        NS_TEST_EXPECT_MSG_EQ(barred.Equals(barred), false, "not even to itself");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SegmentStateTest, new FastForwardTest, new FastForwardStepsTest};
});

} // namespace ns3::gridftp
