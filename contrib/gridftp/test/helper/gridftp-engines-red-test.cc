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

/// @param draw random draws @param changes whether the path does @return members of a path whose
/// routers have RED
Members
DrawRed(Draw& draw, bool changes = false)
{
    Members made;
    const int64_t least = draw.Between(1, 20);
    made.Add("queue-discipline", "red");
    made.Add("red-min-threshold", std::to_string(least) + "p");
    made.Add("red-max-threshold", std::to_string(least + draw.Between(1, 40)) + "p");
    made.Add("red-max-probability", draw.Of({"0.02", "0.1", "1"}));
    made.Add("red-weight", draw.Of({"0.002", "0.02", "0.3", "1"}));
    made.Add("red-gentle", draw.Of({"on", "on", "off"}));
    made.Add("queue", draw.Of({"10p", "50p", "1000p"}));
    if (changes)
    {
        made.Add("path-schedule", "0s:20Mbps:7ms,200ms:3Mbps:,300ms:30Mbps:20ms,repeat=500ms");
    }
    else
    {
        made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "33Mbps", "100Mbps"}));
        made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    }
    made.Add("window", draw.Of({"32KiB", "128KiB"}));
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random draws @param made gets chunks whose connections stay, see "Engines" of the
/// manual on FINs that are lost
void
AddChunks(Draw& draw, Members& made)
{
    const int64_t size = draw.Between(100'000, 2'000'000);
    const bool isCached = draw.Below(2) == 0;
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(isCached ? draw.Between(size / 4, size) : size) + "B");
    made.Add("data-channels", isCached ? "cached" : "fresh");
    made.Add("direction", draw.Of({"upload", "download"}));
}

/// @param draw random draws @return a session alone
std::string
DrawAlone(Draw& draw)
{
    Members made = DrawRed(draw, draw.Below(4) == 0);
    AddChunks(draw, made);
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 12)));
    made.Add("tcp", draw.Of({"reno", "reno", "newreno", "cubic"}));
    if (draw.Below(4) == 0)
    {
        made.Add("random-loss", "0.003");
    }
    return made.GetObject();
}

/// @param draw random draws @return blasts of datagrams, which fill the queue as they like
std::string
DrawBlast(Draw& draw)
{
    Members made = DrawRed(draw);
    made.Add("tool", "rbudp");
    made.Add("tool-rate", draw.Of({"2Mbps", "12Mbps", "60Mbps"}));
    made.Add("file-size", std::to_string(draw.Between(100'000, 2'000'000)) + "B");
    return made.GetObject();
}

/// @param draw random draws @return a session beside plain TCP
std::string
DrawBeside(Draw& draw)
{
    Members made = DrawRed(draw);
    AddChunks(draw, made);
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 4)));
    Members other;
    other.Add("start", std::to_string(draw.Between(0, 500)) + "ms");
    made.AddList("background", other.GetObject());
    return made.GetObject();
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("RED", &DrawAlone, 0, 40),
            new EnginesTest("RED on ns-3's own devices", &DrawAlone, 40, 50, 1, LinkKind::NS3),
            new EnginesTest("RED before datagrams", &DrawBlast, 0, 15),
            new SharedTest("RED, beside plain TCP", &DrawBeside, 0, 15)};
});

const OwnTestCases g_drawn(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("RED", &DrawAlone, 1000, 1300),
                new EnginesTest("RED before datagrams", &DrawBlast, 1000, 1100),
                new SharedTest("RED, beside plain TCP", &DrawBeside, 1000, 1100)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
