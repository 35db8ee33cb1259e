/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-engines-options.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Transfers with ECN on both engines.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Both engines are equal, and queues mark packets in many scenarios.
class EcnEnginesTest : public OptionEnginesTest
{
  public:
    using OptionEnginesTest::OptionEnginesTest;

  protected:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        OptionEnginesTest::Compare(scenario, own, reference, line);
        ++m_runs;
        m_marked += own.links.front().marks.value_or(0) > 0 ? 1 : 0;
    }

  private:
    void DoTeardown() override
    {
        constexpr uint32_t ENOUGH = 8; // of fewer, none may have marks
        NS_TEST_EXPECT_MSG_GT_OR_EQ(3 * m_marked + (m_runs < ENOUGH ? m_runs : 0),
                                    m_runs,
                                    "a third has marks, or more");
    }

    uint32_t m_runs{0};   //!< scenarios
    uint32_t m_marked{0}; //!< of them, with marks in the direction of the data
};

/// A session is the same although others share its queue.
class EcnSharedTest : public DrawnTest
{
  public:
    using DrawnTest::DrawnTest;

  private:
    void Compare(const Scenario& /* scenario */,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        // What goes on behind it differs by a packet of 40 bytes more or less, of its connections
        // that close, so that a queue with random numbers chooses other packets
        const SessionResult& here = own.sessions.front();
        const SessionResult& there = reference.sessions.front();
        NS_TEST_EXPECT_MSG_EQ(here.durationNs, there.durationNs, line);
        NS_TEST_EXPECT_MSG_EQ(here.bytes, there.bytes, line);
        NS_TEST_EXPECT_MSG_EQ(here.tcp->totals.segments, there.tcp->totals.segments, line);
        NS_TEST_EXPECT_MSG_EQ(here.tcp->totals.retransmissions,
                              there.tcp->totals.retransmissions,
                              line);
        NS_TEST_EXPECT_MSG_EQ(here.tcp->totals.timeouts, there.tcp->totals.timeouts, line);
        NS_TEST_EXPECT_MSG_EQ(own.links.front().marks.value(),
                              reference.links.front().marks.value(),
                              line);
    }
};

/// @param draw random numbers @param made gets a queue that is long enough for marks
void
AddMarkingQueue(Draw& draw, Members& made)
{
    const auto discipline = draw.Of({"red", "codel", "fq-codel", "pie"});
    made.Add("queue-discipline", discipline);
    made.Add("queue", draw.Of({"30p", "100p", "1000p"}));
    if (discipline == "red")
    {
        const int64_t least = draw.Between(1, 5);
        made.Add("red-min-threshold", std::to_string(least) + "p");
        made.Add("red-max-threshold", std::to_string(least + draw.Between(2, 20)) + "p");
        made.Add("red-max-probability", draw.Of({"0.05", "0.2", "1"}));
        made.Add("red-weight", draw.Of({"0.02", "0.3", "1"}));
        return;
    }
    if (discipline == "pie")
    {
        made.Add("pie-target", draw.Of({"500us", "2ms"}));
        made.Add("pie-update", draw.Of({"1ms", "5ms"}));
        made.Add("pie-burst", draw.Of({"0ms", "10ms"}));
        return;
    }
    made.Add("codel-target", draw.Of({"200us", "1ms", "5ms"}));
    made.Add("codel-interval", draw.Of({"10ms", "30ms"}));
}

/// @param draw random numbers @return a path whose queues mark packets, and a TCP
Members
DrawMarking(Draw& draw)
{
    constexpr int64_t HEADERS = 52; // with timestamps
    Members made;
    const int64_t packet = std::stoll(draw.Of({"576", "1500", "1500", "9000"}));
    const int64_t segment = packet - HEADERS;
    const int64_t window = std::stoll(draw.Of({"30", "64", "200", "500"}));
    made.Add("packet-size", std::to_string(packet));
    made.Add("window", std::to_string(segment * window + draw.Between(0, segment - 1)) + "B");
    made.Add("bandwidth", draw.Of({"1Mbps", "5Mbps", "20Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "3ms", "20ms"}));
    AddMarkingQueue(draw, made);
    // Losses as well: ns-3's senders recover in another way while they are slowing down
    made.Add("random-loss", draw.Of({"0", "0", "0", "0.001", "0.01", "0.03"}));
    made.Add("reverse-random-loss", draw.Of({"0", "0", "0.01", "0.05"}));
    made.Add("reverse-queue-discipline", draw.Of({"same", "same", "drop-tail"}));
    made.Add("delayed-ack", draw.Of({"1", "1", "2", "3"}));
    made.Add("initial-window", draw.Of({"2", "10"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("ecn", "on");
    AddOptions(draw, 0, made);
    return made;
}

/// @param draw random numbers @return bytes of a file of up to 1500 packets
int64_t
DrawFileSize(Draw& draw)
{
    return draw.Between(300'000, 2'000'000);
}

/// @param draw random numbers @return one transfer over one to eight connections, in one chunk or
/// several
std::string
DrawTransfer(Draw& draw)
{
    Members made = DrawMarking(draw);
    const int64_t size = DrawFileSize(draw);
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size",
             std::to_string(size / draw.Of(std::array<int64_t, 4>{1, 1, 2, 5})) + "B");
    made.Add("mode", "fixed");
    made.Add("parallelism", draw.Of({"1", "1", "2", "4", "8"}));
    made.Add("data-channels", "cached");
    return made.GetObject();
}

/// @param draw random numbers @return one whose connections have data both ways, or windows that
/// move, or packets that overtake others, or hosts that take time
std::string
DrawFurther(Draw& draw)
{
    Members made = DrawMarking(draw);
    made.Add("file-size", std::to_string(DrawFileSize(draw)) + "B");
    return DrawFurtherTransfer(draw,
                               made,
                               {"drs-kernel", "linux-receiver", "drs-gridftp"},
                               {"0Mbps", "10Mbps", "50Mbps"});
}

/// @param draw random numbers @return a session that competes with a plain connection, which has
/// ECN as well
std::string
DrawCompeting(Draw& draw)
{
    Members made = DrawMarking(draw);
    made.Add("file-size", std::to_string(DrawFileSize(draw)) + "B");
    made.Add("mode", "fixed");
    made.Add("parallelism", draw.Of({"1", "2", "4"}));
    made.Add("data-channels", "cached");
    Members other;
    other.Add("start", std::to_string(draw.Between(0, 500)) + "ms");
    made.AddList("background", other.GetObject());
    return made.GetObject();
}

/// @return one connection whose queue begins to mark packets behind 2 GiB, where ns-3's sequence
/// numbers are further on than half of what they count
std::string
DrawLong(Draw& /* draw */)
{
    return R"({"ecn": "on", "queue-discipline": "codel", "queue": "1000p", "packet-size": "9000",
        "window": "1MiB", "path-schedule": "0s:10Gbps:100us,2s:1Gbps:", "access-bandwidth": "40Gbps",
        "file-size": "3GB", "chunk-size": "3GB", "mode": "fixed", "parallelism": "1"})";
}

/// @return one with SACK whose ACKs end the slowing down and report more losses at once, where
/// ns-3's own socket ends the process (see TcpSocketGuarded)
std::string
DrawEndOfSlowing(Draw& /* draw */)
{
    return R"({"ecn": "on", "sack": "on", "timestamps": "on", "tcp": "cubic", "run": "39",
        "queue-discipline": "codel", "codel-target": "200us", "codel-interval": "10ms",
        "queue": "1000p", "window": "300KiB", "bandwidth": "10Mbps", "delay": "1ms",
        "delay-jitter": "5ms", "random-loss": "0.03", "file-size": "3MB", "mode": "fixed",
        "parallelism": "2", "data-channels": "cached"})";
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EcnEnginesTest("ECN", &DrawTransfer, 0, 24),
            new EcnEnginesTest("ECN with further connections", &DrawFurther, 24, 40),
            new EcnSharedTest("ECN, competing with plain TCP", &DrawCompeting, 40, 45),
            new EcnEnginesTest("ECN with SACK, duplicates at the end", &DrawEndOfSlowing, 46, 47)};
});

const OwnTestCases g_drawn(
    []() -> std::vector<TestCase*> {
        return {new EcnEnginesTest("ECN", &DrawTransfer, 1000, 1120),
                new EcnEnginesTest("ECN with further connections", &DrawFurther, 1120, 1180),
                new EcnSharedTest("ECN, competing with plain TCP", &DrawCompeting, 1180, 1200),
                new EcnEnginesTest("ECN behind 2 GiB", &DrawLong, 1200, 1201)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
