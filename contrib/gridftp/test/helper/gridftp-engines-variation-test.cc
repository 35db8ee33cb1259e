/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random numbers @return members of a path with jitter, reordering or both
Members
DrawVariation(Draw& draw)
{
    Members made;
    const uint64_t kind = draw.Below(3);
    if (kind != 0)
    {
        made.Add("delay-jitter", draw.Of({"20us", "1ms", "3ms", "10ms", "150ms"}));
        made.Add("delay-jitter-distribution",
                 draw.Of({"uniform", "normal", "pareto", "paretonormal"}));
        made.Add("delay-jitter-correlation", draw.Of({"0", "0", "0.25", "0.8"}));
        made.Add("delay-jitter-order", draw.Of({"free", "free", "fifo"}));
    }
    if (kind != 1)
    {
        made.Add("reorder", draw.Of({"0.001", "0.02", "0.25", "0.9", "1"}));
        made.Add("reorder-correlation", draw.Of({"0", "0", "0.5"}));
        made.Add("reorder-gap", draw.Of({"1p", "1p", "5p"}));
    }
    made.Add("delay-jitter-at", draw.Of({"both", "both", "data", "acks"}));
    if (draw.Below(6) == 0)
    {
        made.Add("path-schedule", "0s:20Mbps:7ms,200ms:3Mbps:,300ms:30Mbps:20ms,repeat=500ms");
    }
    else
    {
        made.Add("bandwidth", draw.Of({"1Mbps", "5Mbps", "10Mbps", "33Mbps", "100Mbps"}));
        made.Add("delay", draw.Of({"1us", "1ms", "5ms", "20ms", "50ms"}));
    }
    made.Add("queue", draw.Of({"10p", "50p", "100p", "500p"}));
    if (draw.Below(5) == 0)
    {
        made.Add("random-loss", "0.003");
    }
    if (draw.Below(8) == 0)
    {
        made.Add("queue-discipline", "red");
    }
    if (draw.Below(6) == 0)
    {
        made.Add("host-overhead", draw.Of({"10us", "100us", "1ms"}));
    }
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random numbers @return a session alone: connections of all kinds, new or stored ones
std::string
DrawAlone(Draw& draw)
{
    Members made = DrawVariation(draw);
    const int64_t size = draw.Between(100'000, 2'000'000);
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size",
             std::to_string(draw.Below(3) == 0 ? size : draw.Between(size / 4, size)) + "B");
    made.Add("data-channels", draw.Of({"cached", "fresh", "fresh"}));
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    made.Add("window", draw.Of({"32KiB", "64KiB", "128KiB", "512KiB"}));
    made.Add("buffers", draw.Of({"fixed", "fixed", "fixed", "drs-kernel", "linux-receiver"}));
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("tcp", draw.Of({"reno", "newreno", "cubic", "highspeed"}));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 8)));
    return made.GetObject();
}

/// @param draw random numbers @return another tool
std::string
DrawTool(Draw& draw)
{
    Members made = DrawVariation(draw);
    const std::string tool = draw.Of({"udt", "rbudp", "fobs", "bbftp"});
    made.Add("tool", tool);
    if (tool == "bbftp")
    {
        made.Add("tool-streams", std::to_string(draw.Between(1, 6)));
    }
    else if (tool != "udt")
    {
        made.Add("tool-rate", draw.Of({"2Mbps", "12Mbps", "60Mbps"}));
    }
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("file-size", std::to_string(draw.Between(100'000, 300'000)) + "B");
    return made.GetObject();
}

/// @param draw random numbers @return a session next to plain TCP
std::string
DrawCompeting(Draw& draw)
{
    Members made = DrawVariation(draw);
    made.Add("file-size", std::to_string(draw.Between(100'000, 1'000'000)) + "B");
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 4)));
    Members other;
    other.Add("start", std::to_string(draw.Between(0, 500)) + "ms");
    if (draw.Between(0, 1) == 1)
    {
        other.Add("stop", std::to_string(draw.Between(600, 1'500)) + "ms");
    }
    made.AddList("background", other.GetObject());
    return made.GetObject();
}

/// @param draw random numbers @param made gets a session with new connections for each chunk
void
AddFresh(Draw& draw, Members& made)
{
    const int64_t size = draw.Between(100'000, 2'000'000);
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(draw.Between(size / 4, size)) + "B");
    made.Add("data-channels", "fresh");
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("window", draw.Of({"32KiB", "128KiB", "512KiB"}));
    made.Add("delayed-ack", draw.Of({"1", "2"}));
    made.Add("tcp", draw.Of({"reno", "newreno", "cubic", "highspeed"}));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 8)));
}

/// @param draw random numbers @return a session whose data connections talk back: SBUFs, security
std::string
DrawTalking(Draw& draw)
{
    Members made = DrawVariation(draw);
    AddFresh(draw, made);
    if (draw.Below(2) == 0)
    {
        made.Add("buffers", "drs-gridftp");
        return made.GetObject();
    }
    made.Add("control-security", "gsi");
    made.Add("data-security", "gsi");
    made.Add("protection", draw.Of({"integrity", "confidentiality"}));
    made.Add("integrity-rate", "200Mbps");
    made.Add("confidentiality-rate", "100Mbps");
    return made.GetObject();
}

/// @param draw random numbers @return a session one of whose data connections is reset
std::string
DrawReset(Draw& draw)
{
    Members made = DrawVariation(draw);
    AddFresh(draw, made);
    made.Add("retries", "3");
    Members fault;
    fault.Add("kind", "data-reset");
    fault.Add("server", draw.Of({"server", "client"}));
    fault.Add("at", std::to_string(draw.Between(50, 2'000)) + "ms");
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("jitter and reordering", &DrawAlone, 0, 40),
            new EnginesTest("jitter and reordering, other tools", &DrawTool, 0, 16),
            new EqualTest("jitter and reordering, competing with plain TCP", &DrawCompeting, 0, 24),
            new EqualTest("jitter and reordering, SBUFs or security", &DrawTalking, 0, 16),
            new EqualTest("jitter and reordering, a reset connection", &DrawReset, 0, 16)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("jitter and reordering", &DrawAlone, 1000, 1200),
                new EnginesTest("jitter and reordering, other tools", &DrawTool, 1000, 1050),
                new EqualTest("jitter and reordering, competing with plain TCP",
                              &DrawCompeting,
                              1000,
                              1100),
                new EqualTest("jitter and reordering, SBUFs or security", &DrawTalking, 1000, 1100),
                new EqualTest("jitter and reordering, a reset connection", &DrawReset, 1000, 1100)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
