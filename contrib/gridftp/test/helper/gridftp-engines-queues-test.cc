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

/// @param draw random draws @param made gets the path @param changes whether the path changes over
/// time
void
AddPath(Draw& draw, Members& made, bool changes)
{
    if (changes)
    {
        made.Add("path-schedule", "0s:20Mbps:7ms,200ms:3Mbps:,300ms:30Mbps:20ms,repeat=500ms");
    }
    else
    {
        made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "33Mbps", "100Mbps"}));
        made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    }
}

/// @param draw random draws @param changes whether the path changes over time @return members of a
/// path whose routers have RED
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
    AddPath(draw, made, changes);
    made.Add("window", draw.Of({"32KiB", "128KiB"}));
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random draws @param disciplines to choose from @param changes whether the path
/// changes over time @return members of a path whose routers have one of them
Members
DrawDelayQueue(Draw& draw, const std::vector<std::string>& disciplines, bool changes = false)
{
    Members made;
    made.Add("queue-discipline", draw.Of(disciplines));
    made.Add("codel-target", draw.Of({"200us", "1ms", "5ms", "5ms", "20ms"}));
    made.Add("codel-interval", draw.Of({"10ms", "100ms", "100ms", "300ms"}));
    made.Add("fq-codel-flows", draw.Of({"1", "2", "5", "1024", "1024"}));
    made.Add("fq-codel-quantum", draw.Of({"300B", "1514B", "6000B"}));
    made.Add("pie-target", draw.Of({"1ms", "5ms", "15ms"}));
    made.Add("pie-update", draw.Of({"1ms", "15ms"}));
    made.Add("pie-burst", draw.Of({"0ms", "10ms", "150ms"}));
    made.Add("queue", draw.Of({"10p", "50p", "100p", "1000p"}));
    AddPath(draw, made, changes);
    made.Add("window", draw.Of({"32KiB", "128KiB", "512KiB"}));
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

/// @param draw random draws @return whether the path of a session alone changes over time
bool
DrawChanges(Draw& draw)
{
    return draw.Below(4) == 0;
}

/// @param draw random draws @param made the path @return a session alone on it
std::string
DrawAlone(Draw& draw, Members made)
{
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

/// @param draw random draws @param made the path @return RBUDP, whose datagrams fill the queue
std::string
DrawDatagrams(Draw& draw, Members made)
{
    made.Add("tool", "rbudp");
    made.Add("tool-rate", draw.Of({"2Mbps", "12Mbps", "60Mbps"}));
    made.Add("file-size", std::to_string(draw.Between(100'000, 2'000'000)) + "B");
    return made.GetObject();
}

/// @param draw random draws @param made the path @return a session that competes with plain TCP
std::string
DrawCompeting(Draw& draw, Members made)
{
    AddChunks(draw, made);
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 4)));
    Members other;
    other.Add("start", std::to_string(draw.Between(0, 500)) + "ms");
    made.AddList("background", other.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return a session alone, with RED
std::string
DrawRedAlone(Draw& draw)
{
    const bool changes = DrawChanges(draw);
    return DrawAlone(draw, DrawRed(draw, changes));
}

/// @param draw random draws @return datagrams, with RED
std::string
DrawRedDatagrams(Draw& draw)
{
    return DrawDatagrams(draw, DrawRed(draw));
}

/// @param draw random draws @return a session that competes with plain TCP, with RED
std::string
DrawRedCompeting(Draw& draw)
{
    return DrawCompeting(draw, DrawRed(draw));
}

/// @param draw random draws @param discipline of the routers @return a session alone
std::string
DrawDelayAlone(Draw& draw, const std::string& discipline)
{
    const bool changes = DrawChanges(draw);
    return DrawAlone(draw, DrawDelayQueue(draw, {discipline}, changes));
}

/// @param draw random draws @return a session alone, with CoDel
std::string
DrawCodel(Draw& draw)
{
    return DrawDelayAlone(draw, "codel");
}

/// @param draw random draws @return a session alone, with PIE
std::string
DrawPie(Draw& draw)
{
    return DrawDelayAlone(draw, "pie");
}

/// @param draw random draws @return a session alone, with FQ-CoDel
std::string
DrawFqCodel(Draw& draw)
{
    return DrawDelayAlone(draw, "fq-codel");
}

/// @param draw random draws @return bbFTP with FQ-CoDel, whose connections have ports of their own
std::string
DrawBbftp(Draw& draw)
{
    Members made = DrawDelayQueue(draw, {"fq-codel"});
    made.Add("tool", "bbftp");
    made.Add("tool-streams", std::to_string(draw.Between(1, 12)));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("file-size", std::to_string(draw.Between(100'000, 2'000'000)) + "B");
    return made.GetObject();
}

/// @param draw random draws @return datagrams, with CoDel, FQ-CoDel or PIE
std::string
DrawDelayDatagrams(Draw& draw)
{
    return DrawDatagrams(draw, DrawDelayQueue(draw, {"codel", "fq-codel", "pie"}));
}

/// @param draw random draws @return a session that competes with plain TCP, with CoDel, FQ-CoDel or
/// PIE
std::string
DrawDelayCompeting(Draw& draw)
{
    return DrawCompeting(draw, DrawDelayQueue(draw, {"codel", "fq-codel", "pie"}));
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("RED", &DrawRedAlone, 0, 40),
            new EnginesTest("RED on ns-3's own devices", &DrawRedAlone, 40, 50, 1, LinkKind::NS3),
            new EnginesTest("RED with datagrams", &DrawRedDatagrams, 0, 15),
            new SharedTest("RED, competing with plain TCP", &DrawRedCompeting, 0, 15),
            new EnginesTest("CoDel", &DrawCodel, 0, 20),
            new EnginesTest("PIE", &DrawPie, 0, 20),
            new EnginesTest("FQ-CoDel", &DrawFqCodel, 0, 20),
            new EnginesTest("FQ-CoDel, bbFTP", &DrawBbftp, 0, 4),
            new EnginesTest("CoDel on ns-3's own devices", &DrawCodel, 40, 45, 1, LinkKind::NS3),
            new EnginesTest("CoDel, FQ-CoDel or PIE with datagrams", &DrawDelayDatagrams, 0, 10),
            new SharedTest("CoDel, FQ-CoDel or PIE, competing with plain TCP",
                           &DrawDelayCompeting,
                           0,
                           10)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("RED", &DrawRedAlone, 1000, 1300),
                new EnginesTest("RED with datagrams", &DrawRedDatagrams, 1000, 1100),
                new SharedTest("RED, competing with plain TCP", &DrawRedCompeting, 1000, 1100),
                new EnginesTest("CoDel", &DrawCodel, 1000, 1200),
                new EnginesTest("PIE", &DrawPie, 1000, 1200),
                new EnginesTest("FQ-CoDel", &DrawFqCodel, 1000, 1200),
                new EnginesTest("FQ-CoDel, bbFTP", &DrawBbftp, 1000, 1040),
                new EnginesTest("CoDel, FQ-CoDel or PIE with datagrams",
                                &DrawDelayDatagrams,
                                1000,
                                1100),
                new SharedTest("CoDel, FQ-CoDel or PIE, competing with plain TCP",
                               &DrawDelayCompeting,
                               1000,
                               1100)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
