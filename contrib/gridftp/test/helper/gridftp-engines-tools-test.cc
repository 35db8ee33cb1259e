/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-tool-kind.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Connections of these scenarios are not closed, so that not even a packet may differ.
constexpr double EXACT = 0;
/// What plain TCP sends just when the session ends may be in the mean queue or not.
constexpr double ONE_PACKET = 1;

/// @param draw random draws @return a tool that moves the file by datagrams
std::string
DrawTool(Draw& draw)
{
    std::vector<std::string> names;
    for (const auto& kind : GetToolKinds())
    {
        if (kind.IsOfDatagrams())
        {
            names.emplace_back(kind.name);
        }
    }
    return names[draw.Below(names.size())];
}

/// @param draw random draws @param made gets what one of such sessions has to itself
void
AddOwn(Draw& draw, Members& made)
{
    made.Add("tool", DrawTool(draw));
    made.Add("tool-rate", std::to_string(draw.Between(500, 60'000)) + "kbps");
    made.Add("tool-payload", std::to_string(draw.Between(100, 1456)) + "B");
    made.Add("tool-send-buffer", draw.Of({"1500B", "20000B", "64KiB", "1MiB"}));
    made.Add("file-size", std::to_string(draw.Between(1, 400'000)) + "B");
}

/// @param draw random draws @return such a session and its path
Members
DrawSession(Draw& draw)
{
    Members made;
    AddOwn(draw, made);
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("bandwidth", draw.Of({"3Mbps", "10Mbps", "100Mbps"}));
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
    return DrawSession(draw).GetObject();
}

/// @param draw random draws @return several such sessions
std::string
DrawSeveral(Draw& draw)
{
    Members made = DrawSession(draw);
    std::string all = "{}";
    const uint64_t more = draw.Between(1, 3);
    for (uint64_t i = 0; i < more; ++i)
    {
        Members other;
        AddOwn(draw, other);
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
    Members made = DrawSession(draw);
    Members background;
    background.Add("tcp", draw.Of({"reno", "newreno"}));
    background.Add("start", std::to_string(draw.Between(0, 500'000)) + "us");
    made.AddList("background", background.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return a session that something goes wrong with
std::string
DrawFaulty(Draw& draw)
{
    Members made = DrawSession(draw);
    Members fault;
    const std::string kind = draw.Of({"control-reset", "link-down"});
    fault.Add("kind", kind);
    fault.Add("at", std::to_string(draw.Between(0, 800)) + "ms");
    fault.Add("for", kind == "link-down" ? draw.Of({"300ms", "5s", "0s"}) : "0s");
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {
        new EnginesTest("datagrams", &DrawAlone, 0, 20, EXACT),
        new EnginesTest("datagrams, several sessions", &DrawSeveral, 20, 35, EXACT),
        new EnginesTest("datagrams beside plain TCP", &DrawBeside, 35, 50, ONE_PACKET),
        new EnginesTest("datagrams that something goes wrong with", &DrawFaulty, 50, 65, EXACT)};
});

const OwnTestCases g_drawn(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("datagrams", &DrawAlone, 1000, 1200, EXACT),
                new EnginesTest("datagrams, several sessions", &DrawSeveral, 1200, 1400, EXACT),
                new EnginesTest("datagrams beside plain TCP", &DrawBeside, 1400, 1600, ONE_PACKET)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
