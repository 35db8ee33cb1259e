/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-engines-drawn.h"
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

/// What a host costs, some of it. Times to the nanosecond, so that two cores are hardly ever done
/// in the same one.
void
DrawHost(Draw& draw, Members& made, const std::string& end)
{
    const auto add = [&](const std::string& name, const std::string& value) {
        if (draw.Below(2) == 0)
        {
            made.Add(end + "-" + name, value);
        }
    };
    const auto time = [&draw](int64_t most) {
        return std::to_string(draw.Between(1, most)) + "ns";
    };
    add("cores", std::to_string(draw.Between(1, 4)));
    add("queues", std::to_string(draw.Between(1, 4)));
    add("nic", draw.Of({"20Mbps", "90Mbps", "700Mbps"}));
    add("backlog", draw.Of({"8p", "20p", "300p"}));
    add("interrupt-delay", time(400'000));
    add("interrupt-after", std::to_string(draw.Between(1, 20)) + "p");
    add("interrupt-cpu", time(20'000));
    add("packet-cpu", time(20'000));
    add("segment-cpu", time(90'000));
    add("ack-cpu", time(40'000));
    add("stream-cpu", time(30'000));
    add("connection-cpu", time(900'000));
    add("copy-rate", draw.Of({"171Mbps", "999Mbps", "8123Mbps"}));
    add("call-cpu", time(900'000));
    add("call-size", draw.Of({"10000B", "64KiB"}));
    add("file-cpu", time(500'000));
    add("file-rate", draw.Of({"333Mbps", "4321Mbps"}));
    add("rpc-cpu", time(50'000));
}

/// @return what all of them have
Members
DrawTransfer(Draw& draw)
{
    Members made;
    made.Add("bandwidth", draw.Of({"10Mbps", "33Mbps", "100Mbps", "622Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "20ms"}));
    made.Add("queue", draw.Of({"60p", "100p", "400p"}));
    made.Add("window", std::to_string(1460 * draw.Between(2, 60)) + "B");
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("file-size", std::to_string(draw.Between(100'000, 1'500'000)) + "B");
    made.Add("parallelism", std::to_string(draw.Between(1, 8)));
    made.Add("mode", "fixed");
    DrawHost(draw, made, "sender");
    DrawHost(draw, made, "receiver");
    return made;
}

/// @return GridFTP sessions in all directions, from and to storages, with limits of buffers
std::string
DrawHosts(Draw& draw)
{
    Members made = DrawTransfer(draw);
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("block-size", std::to_string(draw.Between(20'000, 300'000)) + "B");
    made.Add("source", draw.Of({"memory", "memory", "disk", "nfs"}));
    made.Add("source-rate", "411Mbps");
    made.Add("sink", draw.Of({"memory", "memory", "disk", "nfs"}));
    made.Add("sink-rate", "305Mbps");
    const bool isMoving = draw.Below(3) == 0;
    made.Add("buffers", isMoving ? "linux-receiver" : "fixed");
    made.Add("receiver-rmem-max", draw.Of({"0B", "20000B", "131072B"}));
    made.Add("receiver-tcp-rmem-default", draw.Of({"0B", "87380B"}));
    made.Add("receiver-tcp-rmem-max", draw.Of({"0B", "300000B"}));
    made.Add("receiver-adv-win-scale", draw.Of({"1", "2"}));
    made.Add("sender-wmem-max", draw.Of({"0B", "20000B", "131072B"}));
    made.Add("sender-tcp-wmem-max", draw.Of({"0B", "99000B"}));
    return made.GetObject();
}

/// What connections say when they close, which at such hosts is in the way of others.
/// @param draw its seed tells which @return one of those whose ends differed
std::string
PickClosing(Draw& draw)
{
    static const std::vector<std::string> closings{
        // Hosts of two queues, where commands overtake a FIN and its answer is of another queue
        // than the
        // next SYN
        "\"file-size\": \"1545B\", \"chunk-size\": \"1511B\", \"sender-cores\": \"2\", "
        "\"sender-queues\": \"2\", \"sender-segment-cpu\": \"34604ns\", \"sender-ack-cpu\": "
        "\"12894ns\", \"receiver-cores\": \"2\", \"receiver-queues\": \"2\", "
        "\"receiver-interrupt-delay\": \"336286ns\", \"receiver-ack-cpu\": \"19572ns\"",
        "\"file-size\": \"2B\", \"chunk-size\": \"1B\", \"parallelism\": \"2\", "
        "\"receiver-cores\": \"2\", \"receiver-queues\": \"2\", \"receiver-interrupt-delay\": "
        "\"274597ns\"",
        "\"file-size\": \"2B\", \"chunk-size\": \"1B\", \"sender-cores\": \"2\", "
        "\"sender-queues\": \"2\", \"sender-ack-cpu\": \"29862ns\"",
        // Data acknowledged by the answer to a FIN alone
        "\"delayed-ack\": \"2\", \"file-size\": \"137065B\", \"chunk-size\": \"127778B\", "
        "\"receiver-cores\": \"2\", \"receiver-queues\": \"2\", \"receiver-ack-cpu\": \"32049ns\"",
        // Data sent again for nothing, behind which a FIN comes
        "\"bandwidth\": \"10Mbps\", \"queue\": \"23p\", \"file-size\": \"255274B\", "
        "\"chunk-size\": \"245124B\", \"parallelism\": \"2\", \"tcp\": \"newreno\", "
        "\"block-size\": \"157167B\", \"receiver-copy-rate\": \"999Mbps\"",
        // No FIN at all where the last data sent were sent again
        "\"delay\": \"1us\", \"queue\": \"72p\", \"window\": \"39420B\", \"delayed-ack\": \"2\", "
        "\"file-size\": \"600383B\", \"chunk-size\": \"564663B\", \"parallelism\": \"5\", \"tcp\": "
        "\"newreno\", \"block-size\": \"44897B\", \"sender-stream-cpu\": \"17174ns\", "
        "\"sender-call-cpu\": \"873472ns\", \"receiver-stream-cpu\": \"7694ns\"",
        // FINs that go with the last data when those are sent again, to an end that closes, too
        "\"bandwidth\": \"10Mbps\", \"delay\": \"20ms\", \"queue\": \"92p\", \"window\": "
        "\"27740B\", \"delayed-ack\": \"2\", \"file-size\": \"677589B\", \"chunk-size\": "
        "\"608991B\", \"parallelism\": \"8\", \"tcp\": \"newreno\", \"block-size\": \"37074B\", "
        "\"sender-segment-cpu\": \"87463ns\", \"sender-copy-rate\": \"171Mbps\", "
        "\"receiver-interrupt-delay\": \"364123ns\"",
        // The end of the data, and behind it an ACK that costs nothing
        "\"bandwidth\": \"10Mbps\", \"delay\": \"7ms\", \"delayed-ack\": \"2\", \"file-size\": "
        "\"172088B\", \"receiver-segment-cpu\": \"36949ns\"",
    };
    return "{\"mode\": \"fixed\", \"data-channels\": \"fresh\", \"link-header\": \"2\", " +
           closings[draw.GetSeed() % closings.size()] + "}";
}

/// @return sessions of chunks, each with connections of its own
std::string
DrawFreshHosts(Draw& draw)
{
    Members made = DrawTransfer(draw);
    made.Add("chunk-size", std::to_string(draw.Between(50'000, 400'000)) + "B");
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    made.Add("data-channels", "fresh");
    made.Add("block-size", std::to_string(draw.Between(20'000, 300'000)) + "B");
    return made.GetObject();
}

/// @return sessions of which any packet may be lost
std::string
DrawLossyHosts(Draw& draw)
{
    Members made = DrawTransfer(draw);
    made.Add("random-loss", draw.Of({"0.001", "0.01"}));
    return made.GetObject();
}

/// @return stripes, each a host
std::string
DrawStripedHosts(Draw& draw)
{
    Members made = DrawTransfer(draw);
    made.Add("stripes", draw.Of({"2x2", "1x3", "3x2"}));
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    return made.GetObject();
}

/// @return another tool, whose packets cost as much
std::string
DrawToolHosts(Draw& draw)
{
    Members made = DrawTransfer(draw);
    made.Add("tool", draw.Of({"rbudp", "udt", "bbftp"}));
    made.Add("tool-rate", draw.Of({"9Mbps", "30Mbps"}));
    return made.GetObject();
}

std::vector<TestCase*>
MakeHostsTestCases()
{
    return {new EnginesTest("hosts where a connection closes", &PickClosing, 0, 8),
            new EnginesTest("hosts that cost something", &DrawHosts, 0, 40),
            new EnginesTest("chunks between hosts that cost something", &DrawFreshHosts, 0, 20),
            new EnginesTest("hosts that cost something, and losses", &DrawLossyHosts, 0, 15),
            new EnginesTest("stripes on hosts that cost something", &DrawStripedHosts, 0, 10),
            new EnginesTest("other tools on hosts that cost something", &DrawToolHosts, 0, 10)};
}

std::vector<TestCase*>
MakeMoreHostsTestCases()
{
    return {new EnginesTest("hosts that cost something", &DrawHosts, 40, 340),
            new EnginesTest("chunks between hosts that cost something", &DrawFreshHosts, 20, 320),
            new EnginesTest("hosts that cost something, and losses", &DrawLossyHosts, 15, 115),
            new EnginesTest("stripes on hosts that cost something", &DrawStripedHosts, 10, 60),
            new EnginesTest("other tools on hosts that cost something", &DrawToolHosts, 10, 60)};
}

const OwnTestCases g_cases(&MakeHostsTestCases);
const OwnTestCases g_more(&MakeMoreHostsTestCases, OwnTestCases::Suite::DRAWN);

} // namespace
