/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-tool-kind.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Connections of these scenarios are not closed, so that not even a packet may differ.
constexpr double EXACT = 0;
/// What plain TCP sends just when the session ends may be in the mean queue or not.
constexpr double ONE_PACKET = 1;

/// It sends until it is told that the session is over, as no other tool does.
constexpr std::string_view GREEDY = "fobs";

/// @param draw random draws @return a tool that moves the file by datagrams, and then is silent
std::string
DrawTool(Draw& draw)
{
    std::vector<std::string> names;
    for (const auto& kind : GetToolKinds())
    {
        if (kind.IsOfDatagrams() && kind.name != GREEDY)
        {
            names.emplace_back(kind.name);
        }
    }
    return names[draw.Below(names.size())];
}

/// @param draw random draws @param tool that moves the file @param made gets what one of such
/// sessions has to itself
void
AddOwn(Draw& draw, const std::string& tool, Members& made)
{
    made.Add("tool", tool);
    made.Add("tool-rate", std::to_string(draw.Between(500, 60'000)) + "kbps");
    made.Add("tool-payload", std::to_string(draw.Between(100, 1456)) + "B");
    made.Add("tool-send-buffer", draw.Of({"1500B", "20000B", "64KiB", "1MiB"}));
    made.Add("tool-fobs-batch", std::to_string(draw.Between(1, 20)));
    made.Add("tool-fobs-period", draw.Of({"0s", "0s", "1ms", "10ms"}));
    made.Add("tool-fobs-acknowledge", std::to_string(draw.Between(1, 200)));
    made.Add("tool-fobs-control", draw.Of({"off", "on"}));
    made.Add("file-size", std::to_string(draw.Between(1, 400'000)) + "B");
}

/// @param draw random draws @param tool that moves the file @return such a session and its path
Members
DrawSession(Draw& draw, const std::string& tool)
{
    Members made;
    AddOwn(draw, tool, made);
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("bandwidth", draw.Of({"3Mbps", "10Mbps", "100Mbps"}));
    // Not as fast as links can be: what a greedy tool sends is mostly dropped, and takes time here
    made.Add("access-bandwidth", draw.Of({"33Mbps", "130Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("queue", draw.Of({"5p", "20p", "400p"}));
    made.Add("random-loss", draw.Of({"0", "0", "0.001", "0.02"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random draws @return one session, all of its tool's parameters as by default but few
std::string
DrawAlone(Draw& draw)
{
    return DrawSession(draw, DrawTool(draw)).GetObject();
}

/// @param draw random draws @return a session of the tool that sends until it is told to stop
std::string
DrawGreedy(Draw& draw)
{
    return DrawSession(draw, std::string(GREEDY)).GetObject();
}

/// @param draw random draws @return several such sessions
std::string
DrawSeveral(Draw& draw)
{
    Members made = DrawSession(draw, DrawTool(draw));
    std::string all = "{}";
    const uint64_t more = draw.Between(1, 3);
    for (uint64_t i = 0; i < more; ++i)
    {
        Members other;
        AddOwn(draw, DrawTool(draw), other);
        other.Add("start", std::to_string(draw.Between(1, 500'000)) + "us");
        all += ", " + other.GetObject();
    }
    made.AddList("sessions", all);
    return made.GetObject();
}

/// @param draw random draws @return such a session beside plain TCP
std::string
DrawBeside(Draw& draw)
{
    Members made = DrawSession(draw, DrawTool(draw));
    Members background;
    background.Add("tcp", draw.Of({"reno", "newreno"}));
    background.Add("start", std::to_string(draw.Between(0, 500'000)) + "us");
    made.AddList("background", background.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return such a session beside cross traffic
std::string
DrawLoaded(Draw& draw)
{
    Members made = DrawSession(draw, DrawTool(draw));
    Members background;
    background.Add("load", draw.Of({"0.001", "0.1", "0.5", "1"}));
    background.Add("start", std::to_string(draw.Between(0, 100'000)) + "us");
    background.Add("stop", draw.Of({"0s", "0s", "300ms", "5s"}));
    made.AddList("background", background.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return a session that something goes wrong with
std::string
DrawFaulty(Draw& draw)
{
    Members made = DrawSession(draw, DrawTool(draw));
    Members fault;
    const std::string kind = draw.Of({"control-reset", "link-down"});
    fault.Add("kind", kind);
    fault.Add("at", std::to_string(draw.Between(0, 800)) + "ms");
    fault.Add("for", kind == "link-down" ? draw.Of({"300ms", "5s", "0s"}) : "0s");
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

/// After 6 s a report comes in the very nanosecond in which the sender's next packet is due: which
/// is first changes when all later ones go.
/// @return a session of UDT
std::string
MakeTie(Draw& /* draw */)
{
    Members made;
    made.Add("tool", "udt");
    made.Add("tool-payload", "247B");
    made.Add("file-size", "817359B");
    made.Add("direction", "upload");
    made.Add("bandwidth", "3Mbps");
    made.Add("delay", "32350us");
    made.Add("queue", "5p");
    made.Add("access-bandwidth", "131Mbps");
    made.Add("access-delay", "2519us");
    made.Add("link-header", "2B");
    made.Add("random-loss", "0.001");
    made.Add("seed", "353477");
    return made.GetObject();
}

/// After 1.1 s the timers of two senders of UDT expire at once. One has just been set anew, to when
/// it would have expired anyway: it comes behind the other one.
/// @return sessions that meet at the kernel's ticks
std::string
MakeTimerTie(Draw& /* draw */)
{
    Members made;
    made.Add("tool", "rbudp");
    made.Add("tool-rate", "5Mbps");
    made.Add("file-size", "300kB");
    made.Add("direction", "download");
    made.Add("bandwidth", "20Mbps");
    made.Add("delay", "2ms");
    made.Add("queue", "10p");
    made.Add("access-delay", "10ms");
    made.Add("link-header", "2B");
    made.Add("run", "90");
    std::string all;
    for (const auto& [delay, start] : {std::pair("45ms", "294ms"), std::pair("30ms", "104ms")})
    {
        Members other;
        other.Add("tool", "udt");
        other.Add("tool-udt-pacing", "tick");
        other.Add("delay", delay);
        other.Add("start", start);
        all += (all.empty() ? "" : ", ") + other.GetObject();
    }
    made.AddList("sessions", all);
    return made.GetObject();
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("datagrams", &DrawAlone, 0, 20, EXACT),
            new EnginesTest("datagrams, several sessions", &DrawSeveral, 20, 35, EXACT),
            new EnginesTest("datagrams beside plain TCP", &DrawBeside, 35, 50, ONE_PACKET),
            new EnginesTest("datagrams that something goes wrong with", &DrawFaulty, 50, 65, EXACT),
            new EnginesTest("datagrams beside cross traffic", &DrawLoaded, 65, 80, EXACT),
            new EnginesTest("FOBS", &DrawGreedy, 80, 95, EXACT),
            new EnginesTest("UDT, a report when a packet is due", &MakeTie, 95, 96, EXACT),
            new EnginesTest("UDT, two timers at once", &MakeTimerTie, 96, 97, EXACT)};
});

const OwnTestCases g_drawn(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("datagrams", &DrawAlone, 1000, 1200, EXACT),
                new EnginesTest("datagrams, several sessions", &DrawSeveral, 1200, 1400, EXACT),
                new EnginesTest("datagrams beside plain TCP", &DrawBeside, 1400, 1600, ONE_PACKET),
                new EnginesTest("datagrams beside cross traffic", &DrawLoaded, 1600, 1800, EXACT),
                new EnginesTest("FOBS", &DrawGreedy, 1800, 1900, EXACT)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
