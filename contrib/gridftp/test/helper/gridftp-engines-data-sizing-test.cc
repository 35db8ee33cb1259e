/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-ns3-rules.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr double SPARE_PACKETS =
    20; //!< that may differ, of 8 connections that close after each chunk

/// @param draw random draws @param reads slowly @return buffers that SBUFs on data connections size
std::string
DrawDataSizing(Draw& draw, bool reads)
{
    const int64_t packet = std::stoll(draw.Of({"200", "576", "1500", "1500", "1500", "9000"}));
    const int64_t size = draw.Between(1, 2'000'000);
    const std::string loss = draw.Of({"0", "0", "0.001", "0.03"});
    const std::string direction = draw.Of({"upload", "download", "third-party"});
    const int64_t chunk = draw.Between(std::max<int64_t>(1, size / 5), size);
    // With losses, a packet more of one that closes is another that is lost
    const bool isOne = loss != "0" || chunk == size;
    const std::string queue = draw.Of({"30", "60", "100", "400"});
    const std::string megabits = draw.Of({"1", "10", "33", "100", "622"});
    // Behind a long queue ns-3 repeats FINs, see the manual
    const bool isShort = std::stoll(queue) * packet * 8 < std::stoll(megabits) * 150'000;
    Members made;
    made.Add("buffers", "drs-gridftp");
    made.Add("buffer-rtt", draw.Of({"last", "least"}));
    made.Add("buffer-interval", draw.Of({"3ms", "17ms", "50ms", "110ms", "1s"}));
    made.Add("direction", direction);
    made.Add("client-delay", draw.Of({"0ms", "10us", "3ms", "40ms"}));
    made.Add("bandwidth", megabits + "Mbps");
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "10ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("queue", queue + "p");
    made.Add("packet-size", std::to_string(packet));
    made.Add("window", std::to_string((packet - 40) * draw.Between(1, 60)) + "B");
    made.Add("max-buffer", draw.Of({"1MiB", "16MiB", "600000B"}));
    made.Add("send-buffer", draw.Of({"0B", "0B", "30000B"}));
    made.Add("block-size", draw.Of({"1000B", "16KiB", "64KiB", "1MiB"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("initial-window", std::to_string(draw.Between(1, 10)));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("mode", "fixed");
    // What another connection's application reads may fall into the same nanosecond, see the manual
    made.Add("parallelism", std::to_string(reads ? 1 : draw.Between(1, 8)));
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(isOne ? size : chunk) + "B");
    made.Add("data-channels", isOne || isShort ? draw.Of({"fresh", "cached"}) : "cached");
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("random-loss", loss);
    const int64_t rate = int64_t{1} << draw.Between(20, 27);
    made.Add("read-rate", reads ? std::to_string(draw.Between(rate / 2, rate)) + "bps" : "0bps");
    return made.GetObject();
}

/// @param draw random draws @return SBUFs to senders whose data are read at once
std::string
DrawSizing(Draw& draw)
{
    return DrawDataSizing(draw, false);
}

/// @param draw random draws @return SBUFs to senders whose data are read at a rate
std::string
DrawSizingReaders(Draw& draw)
{
    return DrawDataSizing(draw, true);
}

/// The round-trip time is of the data's path, however far away the client is.
class DataPathTest : public TestCase
{
  public:
    DataPathTest()
        : TestCase("engines: SBUFs on data connections measure the data's path")
    {
    }

  private:
    /// @param engine of the run @param clientDelay of the client's link @return the result
    BufferResult Run(Engine engine, const std::string& clientDelay)
    {
        Members made;
        made.Add("buffers", "drs-gridftp");
        made.Add("direction", "third-party");
        made.Add("client-delay", clientDelay);
        made.Add("bandwidth", "100Mbps");
        made.Add("delay", "50ms");
        made.Add("access-delay", "0ms");
        made.Add("queue", "1000p");
        made.Add("max-buffer", "256KiB");
        made.Add("block-size", "8KiB");
        made.Add("mode", "fixed");
        made.Add("parallelism", "2");
        made.Add("file-size", "50MB");
        const auto scenario = ParseScenarioJson(made.GetObject());
        const auto result = engine == Engine::NS3 ? RunOnNs3(*scenario, {})
                                                  : RunOnSegments(WithNs3Rules(*scenario));
        Config::Reset();
        return *result->sessions.front().buffers;
    }

    void DoRun() override
    {
        for (const Engine engine : {Engine::SEGMENT, Engine::NS3})
        {
            const auto near = Run(engine, "0ms");
            const auto far = Run(engine, "300ms");
            NS_TEST_ASSERT_MSG_EQ(near.rttS.has_value() && far.rttS.has_value(), true, "measured");
            NS_TEST_EXPECT_MSG_EQ(*near.rttS, *far.rttS, "whatever the client's delay");
            NS_TEST_EXPECT_MSG_EQ(near.mostBytes, far.mostBytes, "and so the buffer");
            // Not below that of the path; above it by what is left of a block, and while the sender
            // has more to send than its window lets through
            NS_TEST_EXPECT_MSG_GT(*near.rttS, 0.1, "the path");
            NS_TEST_EXPECT_MSG_LT(*near.rttS, 0.15, "and no control connection");
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {
        new EnginesTest("SBUFs on data connections", &DrawSizing, 0, 15, SPARE_PACKETS),
        new EnginesTest("SBUFs on data connections, slow readers",
                        &DrawSizingReaders,
                        0,
                        20,
                        SPARE_PACKETS),
    };
});

const OwnTestCases g_longCases([]() -> std::vector<TestCase*> { return {new DataPathTest}; },
                               OwnTestCases::Suite::LONG);

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {
            new EnginesTest("SBUFs on data connections", &DrawSizing, 15, 260, SPARE_PACKETS),
            new EnginesTest("SBUFs on data connections, slow readers",
                            &DrawSizingReaders,
                            20,
                            100,
                            SPARE_PACKETS),
        };
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
