/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * @param draw random draws
 * @param direction of the data
 * @param isTuned whether N moves
 * @return members of a session with stripes
 */
Members
DrawStripes(Draw& draw, const std::string& direction, bool isTuned = false)
{
    const int64_t size = draw.Between(1, 400'000);
    Members made;
    // Several that send to a single one are not equal in every digit, see doc/gridftp.rst
    const int64_t senders = draw.Between(1, 4);
    const int64_t receivers = draw.Between(senders > 1 ? 2 : 1, 4);
    made.Add("stripes", std::to_string(senders) + "x" + std::to_string(receivers));
    made.Add("stripe-layout", draw.Of({"blocked", "blocked", "partitioned"}));
    made.Add("stripe-block", draw.Of({"1000B", "10000B", "64KiB", "1MiB"}));
    made.Add("direction", direction);
    made.Add("client-delay", draw.Of({"0ms", "10us", "3ms", "40ms"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("block-size", draw.Of({"1000B", "64KiB", "1MiB"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    if (isTuned)
    {
        made.Add("mode", draw.Of({"mi", "mi-plus", "aimd", "apt"}));
        made.Add("stripe-tuning", draw.Of({"whole", "each"}));
        made.Add("max-parallelism", std::to_string(draw.Between(2, 6)));
        made.Add("file-size", std::to_string(4 * size) + "B"); // up to 16 chunks
    }
    else
    {
        made.Add("mode", "fixed");
        made.Add("parallelism", std::to_string(draw.Between(1, 3)));
        made.Add("file-size", std::to_string(size) + "B");
    }
    made.Add("chunk-size",
             std::to_string(draw.Between(std::max<int64_t>(1, size / 4), size)) + "B");
    return made;
}

/// @param draw random draws @return a transfer with stripes over a queue that may drop
std::string
DrawStriped(Draw& draw)
{
    Members made = DrawStripes(draw, draw.Of({"upload", "download", "third-party"}));
    const int64_t packet = std::stoll(draw.Of({"200", "576", "1500", "1500", "9000"}));
    made.Add("packet-size", std::to_string(packet));
    made.Add("window", std::to_string((packet - 40) * draw.Between(1, 60)) + "B");
    const std::string bandwidth = draw.Of({"1Mbps", "10Mbps", "100Mbps", "622Mbps"});
    made.Add("bandwidth", bandwidth);
    made.Add("queue", draw.Of({"60p", "400p"}));
    const std::string channels = draw.Of({"fresh", "cached"});
    // ns-3 repeats FINs that wait longer than an RTO, as behind three packets of 72 ms
    const bool areLate = bandwidth == "1Mbps" && packet > 1500;
    made.Add("data-channels", areLate ? "cached" : channels);
    return made.GetObject();
}

/// @param draw random draws @return one whose buffers move
std::string
DrawStripedBuffers(Draw& draw)
{
    Members made = DrawStripes(draw, draw.Of({"upload", "download", "third-party"}));
    made.Add("buffers", draw.Of({"drs-kernel", "linux-receiver"}));
    made.Add("bandwidth", draw.Of({"10Mbps", "100Mbps"}));
    made.Add("queue", "400p");
    made.Add("random-loss", draw.Of({"0", "0.001", "0.01"}));
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    return made.GetObject();
}

/// @param draw random draws @return one whose connections a tuner decides on
std::string
DrawStripedTuner(Draw& draw)
{
    Members made = DrawStripes(draw, draw.Of({"upload", "download", "third-party"}), true);
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps"}));
    made.Add("queue", "400p");
    // Kept ones are not equal in every digit where N falls, see doc/gridftp.rst
    made.Add("data-channels", "fresh");
    return made.GetObject();
}

/// @param draw random draws @return one of which a server fails
std::string
DrawStripedFault(Draw& draw)
{
    Members made = DrawStripes(draw, "third-party");
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps"}));
    Members fault;
    fault.Add("server", draw.Of({"receiver", "sender"}));
    const int64_t most = std::stoll(draw.Of({"300000000", "2000000000", "5000000000"}));
    fault.Add("at", std::to_string(draw.Between(0, most)) + "ns");
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

constexpr double SPARE_PACKETS =
    60; //!< that may differ, of 48 connections that close after each chunk

/// What is equal is right, too: a file that has been moved is there, stripe by stripe.
class StripedSumsTest : public DrawnTest
{
  public:
    StripedSumsTest()
        : DrawnTest("stripes carry the file", &DrawStriped, 0, 12)
    {
    }

  private:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        for (const auto* result : {&own, &reference})
        {
            const auto& session = result->sessions.front();
            NS_TEST_EXPECT_MSG_EQ(result->reason, "", line);
            uint64_t bytes = 0;
            uint64_t segments = 0;
            for (const auto& pair : session.stripes)
            {
                bytes += pair.bytes;
                segments += pair.totals.segments;
            }
            if (scenario.sessions.front().stripes.IsStriped())
            {
                NS_TEST_EXPECT_MSG_EQ(bytes, session.bytes, line);
                NS_TEST_EXPECT_MSG_EQ(segments, session.tcp->totals.segments, line);
            }
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {
        new EnginesTest("stripes", &DrawStriped, 0, 25, SPARE_PACKETS),
        new EnginesTest("stripes over ns-3's links",
                        &DrawStriped,
                        25,
                        30,
                        SPARE_PACKETS,
                        LinkKind::NS3),
        new EnginesTest("stripes whose buffers move", &DrawStripedBuffers, 0, 12, SPARE_PACKETS),
        new EnginesTest("stripes that are tuned", &DrawStripedTuner, 0, 12, SPARE_PACKETS),
        new EnginesTest("stripes of a server that fails", &DrawStripedFault, 0, 12, SPARE_PACKETS),
        new StripedSumsTest};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {
            new EnginesTest("stripes", &DrawStriped, 30, 300, SPARE_PACKETS),
            new EnginesTest("stripes whose buffers move",
                            &DrawStripedBuffers,
                            12,
                            150,
                            SPARE_PACKETS),
            new EnginesTest("stripes that are tuned", &DrawStripedTuner, 12, 150, SPARE_PACKETS),
            new EnginesTest("stripes of a server that fails",
                            &DrawStripedFault,
                            12,
                            150,
                            SPARE_PACKETS)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
