/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random draws @return members of a session that bbFTP moves
Members
DrawSession(Draw& draw)
{
    Members made;
    made.Add("tool", "bbftp");
    made.Add("tool-streams", std::to_string(draw.Between(1, 9)));
    made.Add("tool-window", draw.Of({"given", "product"}));
    made.Add("tool-compression", draw.Of({"1", "1", "2.5"}));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("file-size", std::to_string(draw.Between(1, 4'000'000)) + "B");
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("queue", draw.Of({"5p", "20p", "400p"}));
    made.Add("window", draw.Of({"8KiB", "64KiB", "256KiB"}));
    made.Add("send-buffer", draw.Of({"0B", "64KiB"}));
    made.Add("delayed-ack", draw.Of({"1", "2"}));
    made.Add("initial-window", draw.Of({"2", "10"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random draws @return a session alone, any TCP
std::string
DrawAlone(Draw& draw)
{
    Members made = DrawSession(draw);
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    return made.GetObject();
}

/// @param draw random draws @return a session whose data are lost at random
std::string
DrawLossy(Draw& draw)
{
    Members made = DrawSession(draw);
    made.Add("tcp", draw.Of({"reno", "newreno"}));
    made.Add("random-loss", draw.Of({"0.001", "0.01", "0.05"}));
    return made.GetObject();
}

/// @param draw random draws @return a session beside plain TCP that lasts longer
std::string
DrawBeside(Draw& draw)
{
    Members made = DrawSession(draw);
    made.Add("tcp", draw.Of({"reno", "newreno"}));
    Members background;
    background.Add("start", std::to_string(draw.Between(0, 2000)) + "ms");
    made.AddList("background", background.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return a session that something goes wrong with
std::string
DrawFaulty(Draw& draw)
{
    Members made = DrawSession(draw);
    made.Add("tcp", draw.Of({"reno", "newreno"}));
    Members fault;
    const std::string kind = draw.Of({"control-reset", "data-reset", "link-down"});
    fault.Add("kind", kind);
    fault.Add("at", std::to_string(draw.Between(0, 4000)) + "ms");
    // Of one that lasts for ever engine ns3 cannot count the timeouts, see ConnectionObserver
    fault.Add("for", kind == "link-down" ? draw.Of({"700ms", "5s"}) : draw.Of({"0s", "5s"}));
    if (kind == "data-reset")
    {
        fault.Add("connection", std::to_string(draw.Between(0, 3)));
        fault.Add("server", draw.Of({"server", "client"}));
    }
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return a GridFTP session beside one that bbFTP moves
std::string
DrawTools(Draw& draw)
{
    Members made;
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 3)));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("file-size", std::to_string(draw.Between(100'000, 3'000'000)) + "B");
    made.Add("queue", "1000p");
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    Members other;
    other.Add("tool", "bbftp");
    other.Add("tool-streams", std::to_string(draw.Between(1, 4)));
    other.Add("start", std::to_string(draw.Between(0, 500)) + "ms");
    made.AddList("sessions", "{}, " + other.GetObject());
    return made.GetObject();
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("bbFTP", &DrawAlone, 0, 20, 20),
            new EnginesTest("bbFTP and random loss", &DrawLossy, 20, 35, 20),
            new EnginesTest("bbFTP beside plain TCP", &DrawBeside, 35, 50, 20),
            new EnginesTest("bbFTP that something goes wrong with", &DrawFaulty, 50, 70, 20),
            new SharedTest("bbFTP beside GridFTP", &DrawTools, 70, 76)};
});

const OwnTestCases g_drawn(
    []() -> std::vector<TestCase*> {
        return {
            new EnginesTest("bbFTP", &DrawAlone, 1000, 1200, 20),
            new EnginesTest("bbFTP that something goes wrong with", &DrawFaulty, 1200, 1300, 20)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
