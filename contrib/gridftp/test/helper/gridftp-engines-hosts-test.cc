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
    return {new EnginesTest("hosts that cost something", &DrawHosts, 0, 40),
            new EnginesTest("hosts that cost something, and losses", &DrawLossyHosts, 0, 15),
            new EnginesTest("stripes on hosts that cost something", &DrawStripedHosts, 0, 10),
            new EnginesTest("other tools on hosts that cost something", &DrawToolHosts, 0, 10)};
}

std::vector<TestCase*>
MakeMoreHostsTestCases()
{
    return {new EnginesTest("hosts that cost something", &DrawHosts, 40, 340),
            new EnginesTest("hosts that cost something, and losses", &DrawLossyHosts, 15, 115),
            new EnginesTest("stripes on hosts that cost something", &DrawStripedHosts, 10, 60),
            new EnginesTest("other tools on hosts that cost something", &DrawToolHosts, 10, 60)};
}

const OwnTestCases g_cases(&MakeHostsTestCases);
const OwnTestCases g_more(&MakeMoreHostsTestCases, OwnTestCases::Suite::DRAWN);

} // namespace
