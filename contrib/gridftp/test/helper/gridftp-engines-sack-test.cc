/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-engines-options.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Transfers with SACK, timestamps and limited transmit on both engines.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random numbers @return a path with losses, and a TCP
Members
DrawLossy(Draw& draw)
{
    constexpr int64_t HEADERS = 52; // with timestamps
    Members made;
    const int64_t packet = std::stoll(draw.Of({"576", "1500", "1500", "9000"}));
    const int64_t segment = packet - HEADERS;
    const int64_t window = std::stoll(draw.Of({"4", "8", "20", "64", "200", "500"}));
    made.Add("packet-size", std::to_string(packet));
    // Not always a whole number of segments
    made.Add("window", std::to_string(segment * window + draw.Between(0, segment - 1)) + "B");
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps", "1Gbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("queue", draw.Of({"5p", "20p", "60p", "400p"}));
    made.Add("random-loss", draw.Of({"0", "0", "0.001", "0.01", "0.03"}));
    made.Add("reverse-random-loss", draw.Of({"0", "0", "0.01", "0.05"}));
    made.Add("delayed-ack", draw.Of({"1", "1", "2", "3"}));
    made.Add("initial-window", draw.Of({"2", "10"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("file-size", std::to_string(draw.Between(1, 1500) * packet) + "B");
    AddOptions(draw, 1, made);
    return made;
}

/// @param draw random numbers @return one transfer, over one to eight connections
std::string
DrawTransfer(Draw& draw)
{
    Members made = DrawLossy(draw);
    made.Add("mode", "fixed");
    made.Add("parallelism", draw.Of({"1", "1", "2", "4", "8"}));
    made.Add("data-channels", "cached");
    return made.GetObject();
}

/// @param draw random numbers @return one whose connections have data both ways, or windows that
/// move
std::string
DrawFurther(Draw& draw)
{
    Members made = DrawLossy(draw);
    return DrawFurtherTransfer(draw,
                               made,
                               {"drs-kernel", "linux-receiver"},
                               {"0Mbps", "2Mbps", "50Mbps"});
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new OptionEnginesTest("SACK, timestamps, limited transmit", &DrawTransfer, 0, 24),
            new OptionEnginesTest("the same with further connections", &DrawFurther, 24, 40)};
});

const OwnTestCases g_drawn(
    []() -> std::vector<TestCase*> {
        return {
            new OptionEnginesTest("SACK, timestamps, limited transmit", &DrawTransfer, 1000, 1300),
            new OptionEnginesTest("the same with further connections", &DrawFurther, 1300, 1500)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
