/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-buffer-policy.h"
#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * What is drawn of every scenario. Queues of a few packets are not, since the segment engine leaves
 * out how the answer to a FIN is sent again; neither are segments of a few bytes, whose control
 * lines fill the queue.
 * @param draw random draws
 * @param window of each connection; drawn where it is empty
 * @param schedule of the path; empty: bandwidth and delay are drawn
 * @return the members
 */
Members
DrawScenario(Draw& draw, const std::string& window = "", const std::string& schedule = "")
{
    const auto number = [&draw](int64_t low, int64_t high) {
        return std::to_string(draw.Between(low, high));
    };
    const int64_t packet = std::stoll(draw.Of({"200", "576", "1500", "1500", "1500", "9000"}));
    Members made;
    if (schedule.empty())
    {
        made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "33Mbps", "100Mbps", "622Mbps"}));
        made.Add("delay", draw.Of({"1us", "1ms", "7ms", "10ms", "50ms"}));
    }
    else
    {
        made.Add("path-schedule", schedule);
    }
    made.Add("queue", draw.Of({"20p", "30p", "60p", "100p", "400p"}));
    made.Add("packet-size", std::to_string(packet));
    const std::string drawn = std::to_string((packet - 40) * draw.Between(1, 60)) + "B";
    made.Add("window", window.empty() ? drawn : window);
    made.Add("block-size", draw.Of({"1000B", "64KiB", "1MiB"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("initial-window", number(1, 10));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("run", number(1, 1000));
    if (draw.Below(2) == 0)
    {
        // On a path that changes one that never has fewer connections, see DrawChanging()
        made.Add("mode", schedule.empty() ? draw.Of({"mi", "mi-plus", "aimd"}) : "mi");
    }
    else
    {
        made.Add("mode", "fixed");
        made.Add("parallelism", number(1, 16));
    }
    return made;
}

/// @param draw random draws @return several chunks, of which the queue drops some packets
std::string
DrawChunks(Draw& draw)
{
    Members made = DrawScenario(draw);
    const int64_t size = draw.Between(1, 300'000);
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size",
             std::to_string(draw.Between(std::max<int64_t>(1, size / 6), size)) + "B");
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    return made.GetObject();
}

/// @param draw random draws @return a chunk of which any packet may be lost
std::string
DrawLosses(Draw& draw)
{
    Members made = DrawScenario(draw);
    const std::string size = std::to_string(draw.Between(1, 100'000)) + "B";
    made.Add("file-size", size);
    made.Add("chunk-size", size);
    made.Add("delayed-ack", draw.Of({"1", "2", "3"}));
    // Not more: what ns-3 shows of timeouts ends where they follow one another after 60 s
    made.Add("random-loss", draw.Of({"0.003", "0.03", "0.1", "0.2", "0.3"}));
    return made.GetObject();
}

/// @param draw random draws @return several chunks, of which any packet may be lost, and the FINs
/// between them: what comes before a FIN that is sent again does not wait for it
std::string
DrawLossyChunks(Draw& draw)
{
    Members made = DrawScenario(draw);
    const int64_t size = draw.Between(1, 200'000);
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size",
             std::to_string(draw.Between(std::max<int64_t>(1, size / 6), size / 2 + 1)) + "B");
    made.Add("data-channels", draw.Of({"fresh", "fresh", "cached"}));
    made.Add("random-loss", draw.Of({"0.003", "0.01", "0.03"}));
    return made.GetObject();
}

/// @param draw random draws @return chunks whose windows grow until the queue is full
std::string
DrawWide(Draw& draw)
{
    Members made = DrawScenario(draw, "1MiB");
    made.Add("file-size", std::to_string(draw.Between(1'000'000, 4'000'000)) + "B");
    made.Add("chunk-size", "2MB");
    // With more, the 226 may come before the ACK of the last segment, and ns-3's FIN, see the
    // manual
    made.Add("delayed-ack", "1");
    return made.GetObject();
}

/**
 * Windows that move, or applications that take their time. What a reader takes lets the sender go
 * on, and so data come just when it reads again, in the same nanosecond: with several connections
 * it would depend on which comes first (doc/gridftp.rst), and so it would with a writer.
 * @param draw random draws
 * @param kind 0: a policy; 1: a reader, with one connection and no losses; 2: a writer
 * @return a chunk of which some packets are lost, or several
 */
std::string
DrawApplications(Draw& draw, int kind)
{
    const auto rate = [&draw] {
        const int64_t most = int64_t{1} << draw.Between(18, 27);
        return std::to_string(draw.Between(most / 2, most)) + "bps";
    };
    const int64_t packet = std::stoll(draw.Of({"200", "576", "1500", "1500", "1500", "9000"}));
    const int64_t size = draw.Between(1, 1'000'000);
    const std::string loss = kind == 1 ? "0" : draw.Of({"0", "0", "0.001", "0.03"});
    const int64_t chunk = loss == "0" ? draw.Between(std::max<int64_t>(1, size / 4), size) : size;
    Members made;
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "33Mbps", "100Mbps", "622Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "10ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("queue", draw.Of({"30p", "60p", "100p", "400p"}));
    made.Add("packet-size", std::to_string(packet));
    made.Add("window", std::to_string((packet - 40) * draw.Between(1, 60)) + "B");
    made.Add("block-size", draw.Of({"1000B", "64KiB", "1MiB"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("initial-window", std::to_string(draw.Between(1, 10)));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(kind == 1 ? 1 : draw.Between(1, 16)));
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(chunk) + "B");
    // ns-3 repeats FINs behind a long queue, which make its mean longer
    made.Add("data-channels", chunk < size ? "cached" : draw.Of({"fresh", "cached"}));
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("random-loss", loss);
    auto names = NamesOf(GetBufferPolicies());
    std::erase_if(names, &NeedsApplications); // gridftp-engines-sizing-test.cc draws those
    if (kind == 0)
    {
        std::erase(names, "fixed");
    }
    made.Add("buffers", kind == 2 ? "fixed" : std::string(draw.Of(names)));
    made.Add("max-buffer", draw.Of({"1MiB", "16MiB", "600000B"}));
    made.Add("send-buffer", draw.Of({"0B", "0B", "30000B"}));
    made.Add("read-rate", kind == 1 ? rate() : "0bps");
    made.Add("write-rate", kind == 2 ? rate() : "0bps");
    return made.GetObject();
}

/// @param draw random draws @return windows that a policy moves
std::string
DrawBuffers(Draw& draw)
{
    return DrawApplications(draw, 0);
}

/// @param draw random draws @return windows that a slow reader moves, too
std::string
DrawReaders(Draw& draw)
{
    return DrawApplications(draw, 1);
}

/// @param draw random draws @return a slow writer
std::string
DrawWriters(Draw& draw)
{
    return DrawApplications(draw, 2);
}

/**
 * Packets reach the queue at the moments in which the link takes the next one: what ACKs send does,
 * too, as a round trip takes a whole number of transmissions. Their own transmission began when the
 * link took the packet before, or one some before that. ns-3 then handles first what was scheduled
 * first.
 * @param draw random draws
 * @return a chunk of which the queue drops packets
 */
std::string
DrawTies(Draw& draw)
{
    constexpr int64_t TRANSMISSION_NS = 1'201'600; // of 1502 bytes at 10 Mbit/s
    const int64_t faster = int64_t{1} << draw.Below(4);
    const int64_t lead = TRANSMISSION_NS * draw.Between(1, 2);
    constexpr int64_t ACK_NS = 33'600;
    const int64_t delay = TRANSMISSION_NS * draw.Between(1, 5) + TRANSMISSION_NS / faster -
                          ACK_NS * (faster + 2) / (2 * faster);
    Members made;
    made.Add("bandwidth", "10Mbps");
    made.Add("access-bandwidth", std::to_string(10 * faster) + "Mbps");
    made.Add("access-delay", std::to_string(lead - TRANSMISSION_NS / faster) + "ns");
    made.Add("delay", std::to_string(delay) + "ns");
    made.Add("queue", std::to_string(draw.Between(20, 30)) + "p");
    made.Add("window", "1MiB");
    made.Add("initial-window", std::to_string(draw.Between(1, 10)));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 6)));
    made.Add("file-size", std::to_string(draw.Between(100'000, 600'000)) + "B");
    made.Add("chunk-size", "600KB");
    if (draw.Below(2) == 0)
    {
        // What decides is the queue that a packet meets, to the packet
        made.Add("queue-discipline", "red");
        made.Add("red-weight", "1");
        made.Add("red-max-threshold", std::to_string(draw.Between(10, 20)) + "p");
        made.Add("red-gentle", "off");
    }
    return made.GetObject();
}

/// @param draw random draws @return a tuner that has N fall, so that kept connections are closed
/// while others carry data; their last packets cross the bottleneck, too
std::string
DrawFalling(Draw& draw)
{
    Members made;
    made.Add("mode", draw.Of({"aimd", "apt", "apt"}));
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    made.Add("data-channels", "cached");
    made.Add("file-size", std::to_string(draw.Between(8, 16)) + "MB");
    made.Add("chunk-size", "1MB");
    made.Add("bandwidth", draw.Of({"10Mbps", "100Mbps"}));
    made.Add("delay", draw.Of({"1ms", "10ms", "25ms"}));
    made.Add("queue", draw.Of({"20p", "100p", "400p"}));
    made.Add("delayed-ack", std::to_string(draw.Between(1, 2)));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made.GetObject();
}

/// Options with their values.
using Options = std::vector<std::pair<const char*, const char*>>;

/// A download with 8, then 6 connections, whose two last ACKs delay data at the bottleneck.
const Options FALLING = {{"mode", "apt"},
                         {"direction", "download"},
                         {"data-channels", "cached"},
                         {"file-size", "10MB"},
                         {"chunk-size", "2MB"},
                         {"bandwidth", "10Mbps"},
                         {"delay", "10ms"},
                         {"queue", "20p"},
                         {"delayed-ack", "1"}};

/// An upload whose receiver closes kept connections before it has acknowledged all by itself.
const Options CLOSED = {{"mode", "fixed"},
                        {"direction", "upload"},
                        {"data-channels", "cached"},
                        {"delayed-ack", "2"},
                        {"queue", "5p"},
                        {"window", "32KiB"},
                        {"chunk-size", "481305B"}};

/// One with an RTO that is over before the delayed ACK would have come, and one where it is not.
const Options CLOSED_EARLY = {{"file-size", "1183946B"},
                              {"parallelism", "7"},
                              {"bandwidth", "30Mbps"},
                              {"delay", "10ms"},
                              {"random-loss", "0.01"},
                              {"run", "474"}};
const Options CLOSED_LATE = {{"file-size", "1887629B"},
                             {"parallelism", "6"},
                             {"bandwidth", "10Mbps"},
                             {"delay", "1ms"},
                             {"tcp", "newreno"},
                             {"min-rto", "250ms"},
                             {"run", "157"}};

/// @return a scenario of nothing but these options
template <const Options&... PARTS>
std::string
MakeGiven(Draw& /* draw */)
{
    Members made;
    for (const Options* part : {&PARTS...})
    {
        for (const auto& [name, value] : *part)
        {
            made.Add(name, value);
        }
    }
    return made.GetObject();
}

/// @param draw random draws @param least ns @param most ns @return a time
std::string
DrawTime(Draw& draw, int64_t least, int64_t most)
{
    return std::to_string(draw.Between(least, most)) + "ns";
}

/**
 * What shares queues that drop nothing. Times to the nanosecond, so that packets of different
 * sessions hardly ever come to a queue in the same one.
 * @param draw random draws
 * @return a session
 */
Members
DrawShared(Draw& draw)
{
    Members made;
    made.Add("bandwidth", draw.Of({"10Mbps", "100Mbps"}));
    made.Add("delay", DrawTime(draw, 1, 20'000'000));
    made.Add("access-delay", DrawTime(draw, 1, 1'000'000));
    made.Add("queue", "1000p");
    made.Add("window", draw.Of({"16KiB", "64KiB"}));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 6)));
    made.Add("file-size", std::to_string(draw.Between(50'000, 400'000)) + "B");
    made.Add("chunk-size", "2MB");
    made.Add("delayed-ack", "1");
    return made;
}

/// @param draw random draws @return two to four sessions that begin while others transfer
std::string
DrawSessions(Draw& draw)
{
    Members made = DrawShared(draw);
    std::string sessions = "{}";
    for (int64_t more = draw.Between(1, 3); more > 0; --more)
    {
        Members other;
        other.Add("delay", DrawTime(draw, 20'000'000, 40'000'000));
        other.Add("start", DrawTime(draw, 1, 300'000'000));
        sessions += ", " + other.GetObject();
    }
    made.AddList("sessions", sessions);
    return made.GetObject();
}

/// @param draw random draws @return a session and a connection beside it, for a time or to its end
std::string
DrawBackground(Draw& draw)
{
    Members made = DrawShared(draw);
    Members other;
    other.Add("delay", DrawTime(draw, 20'000'000, 40'000'000));
    other.Add("start", DrawTime(draw, 1, 100'000'000));
    other.Add("stop", draw.Below(2) == 0 ? "0s" : DrawTime(draw, 200'000'000, 400'000'000));
    made.AddList("background", other.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return a session that ends before the connection beside it starts
std::string
DrawLateBackground(Draw& draw)
{
    Members made = DrawScenario(draw);
    made.Add("file-size", "1KB");
    made.Add("delayed-ack", "1");
    Members other;
    other.Add("start", draw.Of({"2000s", "3000s"}));
    other.Add("stop", draw.Of({"0s", "4000s"}));
    made.AddList("background", other.GetObject());
    return made.GetObject();
}

/**
 * A bottleneck whose rate changes, and whose delay falls by more than packets are apart; times to
 * the nanosecond.
 * @param draw random draws
 * @param stands whether it now and then stands still
 * @return a value of --path-schedule
 */
std::string
DrawSchedule(Draw& draw, bool stands)
{
    std::string text;
    int64_t at = 0;
    for (int64_t more = draw.Between(1, 12); more >= 0; --more)
    {
        const bool stays = more > 0 && !text.empty() && draw.Below(6) == 0;
        const bool stops = more > 0 && stands && draw.Below(5) == 0;
        text += (text.empty() ? "" : ",") + std::to_string(at) + "ns:" +
                (stays   ? ""
                 : stops ? "0bps"
                         : std::to_string(draw.Between(500'000, 50'000'000)) + "bps") +
                (draw.Below(6) == 0 ? "" : ":" + DrawTime(draw, 0, 60'000'000));
        at += draw.Between(1, draw.Below(4) == 0 ? 2'000'000'000 : 100'000'000);
    }
    return text + (draw.Below(2) == 0 ? ",repeat=" + std::to_string(at) + "ns" : "");
}

/**
 * No connection closes between two chunks: the segment engine leaves out the FINs that ns-3 sends
 * again because the path has become longer, and these hold up what comes behind them when it
 * becomes shorter.
 * @param draw random draws
 * @return chunks over a bottleneck that changes
 */
std::string
DrawChanging(Draw& draw)
{
    Members made = DrawScenario(draw, "", DrawSchedule(draw, false));
    const int64_t size = draw.Between(1, 600'000);
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size",
             std::to_string(draw.Between(std::max<int64_t>(1, size / 4), size)) + "B");
    made.Add("data-channels", "cached");
    return made.GetObject();
}

/// @param draw random draws @return a chunk, late or lost, over a bottleneck that changes and stops
std::string
DrawStanding(Draw& draw)
{
    Members made = DrawScenario(draw, draw.Of({"", "", "64KiB", "1MiB"}), DrawSchedule(draw, true));
    const std::string size = std::to_string(draw.Between(1, 600'000)) + "B";
    made.Add("file-size", size);
    made.Add("chunk-size", size);
    made.Add("random-loss", draw.Of({"0", "0", "0", "0.01"}));
    return made.GetObject();
}

std::vector<TestCase*>
MakeEnginesTestCases()
{
    return {new EnginesTest("chunks", &DrawChunks, 0, 60),
            new EnginesTest("losses", &DrawLosses, 0, 100),
            new EnginesTest("losses between chunks", &DrawLossyChunks, 0, 15),
            new EnginesTest("N that falls", &DrawFalling, 0, 8),
            new EnginesTest("N that falls from 8 to 6", &MakeGiven<FALLING>, 0, 1),
            new EnginesTest("kept connections closed before an RTO",
                            &MakeGiven<CLOSED, CLOSED_EARLY>,
                            0,
                            1),
            new EnginesTest("kept connections closed before a delayed ACK",
                            &MakeGiven<CLOSED, CLOSED_LATE>,
                            0,
                            1),
            new EnginesTest("windows that the queue limits", &DrawWide, 0, 4),
            new EnginesTest("windows that move", &DrawBuffers, 0, 30),
            new EnginesTest("slow readers", &DrawReaders, 0, 30),
            new SharedTest("slow writers", &DrawWriters, 0, 15),
            new EnginesTest("packets that come as the link takes one", &DrawTies, 0, 40),
            new SharedTest("sessions that begin one after the other", &DrawSessions, 0, 40),
            new SharedTest("a connection beside a session", &DrawBackground, 0, 30),
            new EnginesTest("background that never starts", &DrawLateBackground, 0, 5),
            new EnginesTest("a bottleneck that changes", &DrawChanging, 0, 20),
            new EnginesTest("one that stands still", &DrawStanding, 0, 20),
            new EnginesTest("one on ns-3's links", &DrawStanding, 60, 70, 1, LinkKind::NS3)};
}

std::vector<TestCase*>
MakeMoreEnginesTestCases()
{
    return {new EnginesTest("chunks", &DrawChunks, 60, 500),
            new EnginesTest("N that falls", &DrawFalling, 8, 80),
            new EnginesTest("losses", &DrawLosses, 100, 1000),
            new EnginesTest("losses between chunks", &DrawLossyChunks, 15, 400),
            new EnginesTest("windows that move", &DrawBuffers, 30, 600),
            new EnginesTest("slow readers", &DrawReaders, 30, 400),
            new EnginesTest("windows that the queue limits", &DrawWide, 4, 24),
            new EnginesTest("a bottleneck that changes", &DrawChanging, 20, 360),
            new EnginesTest("one that stands still", &DrawStanding, 20, 390),
            new EnginesTest("one on ns-3's links", &DrawStanding, 70, 90, 1, LinkKind::NS3)};
}

const OwnTestCases g_cases(&MakeEnginesTestCases);
const OwnTestCases g_moreCases(&MakeMoreEnginesTestCases, OwnTestCases::Suite::DRAWN);

} // namespace
