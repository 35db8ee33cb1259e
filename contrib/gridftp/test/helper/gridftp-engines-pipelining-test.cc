/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random draws @return a session that asks for several files at a time
std::string
DrawPipelining(Draw& draw)
{
    Members made;
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 4)));
    made.Add("data-channels", "cached");
    made.Add("pipelining", std::to_string(draw.Between(1, 64)));
    made.Add("files", std::to_string(draw.Between(1, 30)));
    made.Add("file-size", std::to_string(draw.Between(1, 100'000)) + "B");
    made.Add("file-sizes", draw.Of({"fixed", "lognormal"}));
    made.Add("chunk-size", draw.Of({"30000B", "100MB"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps"}));
    made.Add("queue", draw.Of({"60p", "400p"}));
    made.Add("delayed-ack", std::to_string(draw.Between(1, 2)));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    const std::string security = draw.Of({"none", "none", "gsi"});
    made.Add("control-security", security);
    made.Add("data-security", security == "gsi" ? draw.Of({"gsi", "none"}) : "none");
    made.Add("auth-cpu", draw.Of({"0s", "10ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made.GetObject();
}

/// @return one in which a segment that acknowledges and brings replies starts the client's
/// retransmission timer and its delayed ACK, both of 200 ms: the server holds back its ACK of the
/// second segment of what was said ahead, and replies no sooner, since the file takes longer
std::string
MakeTimersOfOneMoment(Draw& /* draw */)
{
    Members made;
    made.Add("mode", "fixed");
    made.Add("parallelism", "2");
    made.Add("data-channels", "cached");
    made.Add("pipelining", "14");
    made.Add("control-security", "gsi"); // whose armour makes lines long
    made.Add("files", "14");
    made.Add("file-size", "52929B");
    made.Add("delay", "1ms");
    made.Add("bandwidth", "1Mbps");
    made.Add("delayed-ack", "2");
    return made.GetObject();
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("pipelining", &DrawPipelining, 0, 20),
            new EnginesTest("two timers of one moment", &MakeTimersOfOneMoment, 0, 1)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("pipelining", &DrawPipelining, 20, 200)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
