/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr double SPARE_PACKETS =
    20; //!< that may differ, of 12 connections that close after each chunk

/// @param draw random draws @param least ns @param most ns @return a time
std::string
DrawTime(Draw& draw, int64_t least, int64_t most)
{
    return std::to_string(draw.Between(least, most)) + "ns";
}

/// @param draw random draws @param thirdParty or an upload or download @return members of a
/// scenario
Members
DrawTransfer(Draw& draw, bool thirdParty)
{
    const int64_t packet = std::stoll(draw.Of({"200", "576", "1500", "1500", "9000"}));
    const int64_t size = draw.Between(1, 300'000);
    const std::string direction = thirdParty ? "third-party" : draw.Of({"upload", "download"});
    Members made;
    made.Add("direction", direction);
    made.Add("client-delay", draw.Of({"0ms", "10us", "3ms", "40ms"}));
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps", "622Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("queue", draw.Of({"30p", "60p", "400p"}));
    made.Add("packet-size", std::to_string(packet));
    made.Add("window", std::to_string((packet - 40) * draw.Between(1, 60)) + "B");
    made.Add("block-size", draw.Of({"1000B", "64KiB", "1MiB"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    // Kept ones of a download that are too many close with a packet less, see the manual
    made.Add("data-channels", direction == "download" ? "fresh" : draw.Of({"fresh", "cached"}));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("mode", draw.Of({"mi", "mi-plus", "aimd", "apt"}));
    made.Add("initial-parallelism", std::to_string(draw.Between(1, 8)));
    made.Add("max-parallelism", "12"); // or else a queue of 30 has no room for their FINs
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size",
             std::to_string(draw.Between(std::max<int64_t>(1, size / 6), size)) + "B");
    return made;
}

/// @param draw random draws @return a transfer between two servers
std::string
DrawThirdParty(Draw& draw)
{
    return DrawTransfer(draw, true).GetObject();
}

/// @param draw random draws @param thirdParty or of two @return a transfer of which a server fails
std::string
DrawFault(Draw& draw, bool thirdParty)
{
    Members made = DrawTransfer(draw, thirdParty);
    Members fault;
    fault.Add("server", thirdParty ? draw.Of({"receiver", "sender"}) : "server");
    // Most transfers take some seconds, some a fraction of one
    const int64_t most = std::stoll(draw.Of({"10000000", "300000000", "2000000000", "5000000000"}));
    fault.Add("at", DrawTime(draw, 0, most));
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return a transfer between two servers, one of which fails
std::string
DrawThirdPartyFault(Draw& draw)
{
    return DrawFault(draw, true);
}

/// @param draw random draws @return an upload or download whose server fails
std::string
DrawServerFault(Draw& draw)
{
    return DrawFault(draw, false);
}

/**
 * Sessions that share queues that drop nothing, at times to the nanosecond.
 * @param draw random draws
 * @return two or three of them, between servers of their own, and a connection beside them
 */
std::string
DrawThirdParties(Draw& draw)
{
    Members made;
    made.Add("direction", "third-party");
    made.Add("client-delay", DrawTime(draw, 1, 20'000'000));
    made.Add("bandwidth", draw.Of({"10Mbps", "100Mbps"}));
    made.Add("delay", DrawTime(draw, 1, 20'000'000));
    made.Add("access-delay", DrawTime(draw, 1, 1'000'000));
    made.Add("queue", "1000p");
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 6)));
    made.Add("file-size", std::to_string(draw.Between(50'000, 400'000)) + "B");
    std::string sessions = "{}";
    for (int64_t more = draw.Between(1, 2); more > 0; --more)
    {
        Members other;
        other.Add("delay", DrawTime(draw, 20'000'000, 40'000'000));
        other.Add("start", DrawTime(draw, 1, 300'000'000));
        sessions += ", " + other.GetObject();
    }
    made.AddList("sessions", sessions);
    Members background;
    background.Add("delay", DrawTime(draw, 20'000'000, 40'000'000));
    background.Add("start", DrawTime(draw, 1, 100'000'000));
    background.Add("stop", draw.Below(2) == 0 ? "0s" : DrawTime(draw, 200'000'000, 400'000'000));
    made.AddList("background", background.GetObject());
    return made.GetObject();
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("third parties", &DrawThirdParty, 0, 20, SPARE_PACKETS),
            new EnginesTest("third parties that fail", &DrawThirdPartyFault, 0, 20, SPARE_PACKETS),
            new EnginesTest("servers that fail", &DrawServerFault, 0, 15, SPARE_PACKETS),
            new SharedTest("third parties beside each other", &DrawThirdParties, 0, 10)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("third parties", &DrawThirdParty, 20, 300, SPARE_PACKETS),
                new EnginesTest("third parties that fail",
                                &DrawThirdPartyFault,
                                20,
                                300,
                                SPARE_PACKETS),
                new EnginesTest("servers that fail", &DrawServerFault, 15, 200, SPARE_PACKETS)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
