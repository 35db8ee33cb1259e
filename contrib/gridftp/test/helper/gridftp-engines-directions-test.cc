/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-directions.h"
#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Paths whose two directions differ, and traffic in both, on both engines.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random numbers @return a session alone on an asymmetric path
std::string
DrawAsymmetric(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", draw.Of({"0B", "2B", "18B", "38B"}));
    AddTransfer(draw, made);
    return made.GetObject();
}

/// @param draw random numbers @return the same, on links that add what PPP does
std::string
DrawPpp(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", "2B");
    AddTransfer(draw, made);
    return made.GetObject();
}

/// @param draw random numbers @param withLoad whether some of it are datagrams @return a session
/// next to traffic in either direction
std::string
DrawTraffic(Draw& draw, bool withLoad)
{
    Members made = DrawPath(draw);
    made.Add("link-header", draw.Of({"0B", "2B", "18B", "38B"}));
    AddTransfer(draw, made);
    std::string background;
    for (int64_t i = draw.Between(1, 2); i > 0; --i)
    {
        Members one;
        one.Add("direction", draw.Of({"upload", "download"}));
        one.Add("start", std::to_string(draw.Between(0, 1000)) + "ms");
        if (withLoad && draw.Below(2) == 0)
        {
            one.Add("load", draw.Of({"0.05", "0.3", "0.5"}));
        }
        background += (background.empty() ? "" : ", ") + one.GetObject();
    }
    made.AddList("background", background);
    return made.GetObject();
}

/// @param draw random numbers @return a session next to plain TCP in either direction
std::string
DrawTcpTraffic(Draw& draw)
{
    return DrawTraffic(draw, false);
}

/// @param draw random numbers @return a session next to plain TCP and datagrams in either direction
std::string
DrawLoads(Draw& draw)
{
    return DrawTraffic(draw, true);
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EqualTest("two directions", &DrawAsymmetric, 0, 10),
            new EqualTest("two directions, ns-3's links", &DrawPpp, 10, 16, LinkKind::NS3),
            new EqualTest("traffic in reverse", &DrawTcpTraffic, 16, 26),
            new EqualTest("load in reverse", &DrawLoads, 26, 32)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EqualTest("two directions", &DrawAsymmetric, 1000, 1080),
                new EqualTest("two directions, ns-3's links", &DrawPpp, 1080, 1100, LinkKind::NS3),
                new EqualTest("traffic in reverse", &DrawTcpTraffic, 1100, 1160),
                new EqualTest("load in reverse", &DrawLoads, 1160, 1200)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
