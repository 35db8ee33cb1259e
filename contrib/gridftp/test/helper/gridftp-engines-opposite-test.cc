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
 * Sessions in the same and in opposite directions, of which one ends before the other, on both
 * engines: the packets with which its connections close meet those of the other one.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random numbers @return sessions in opposite directions
std::string
DrawOpposite(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", draw.Of({"0B", "2B", "18B", "38B"}));
    Members first;
    AddTransfer(draw, first);
    Members second;
    AddTransfer(draw, second);
    second.Add("start", std::to_string(draw.Between(0, 2000)) + "ms");
    made.AddList("sessions", first.GetObject() + ", " + second.GetObject());
    return made.GetObject();
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EqualTest("sessions in opposite directions", &DrawOpposite, 0, 24)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EqualTest("sessions in opposite directions", &DrawOpposite, 1000, 1240)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
