/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-policy.h"
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

constexpr double SPARE_PACKETS = 4; //!< that may differ, of connections that close

/**
 * Windows that move, slow readers, closed windows and third parties together. With a slow reader
 * no packet is lost and there is one connection: what is read lets the sender go on, and so data
 * come just when it reads again, see the manual.
 * @param draw random draws
 * @param applications whether these size the buffers, or TCP does
 * @return a transfer of which some packets are lost, or several chunks
 */
std::string
DrawTransfer(Draw& draw, bool applications)
{
    const int64_t packet = std::stoll(draw.Of({"200", "576", "1500", "1500", "9000"}));
    const int64_t size = draw.Between(1, 2'000'000);
    const bool isSlow = draw.Below(4) == 0;
    const std::string loss = isSlow ? "0" : draw.Of({"0", "0", "0.001", "0.01"});
    const int64_t chunk = loss == "0" ? draw.Between(std::max<int64_t>(1, size / 3), size) : size;
    const int64_t rate = int64_t{1} << draw.Between(18, 27);
    auto names = NamesOf(GetBufferPolicies());
    std::erase_if(names, [applications](auto name) {
        return NeedsApplications(name) != applications || name == "fixed";
    });
    const std::string policy(draw.Of(names));
    const bool isOne = isSlow || policy == "drs-ftp";
    Members made;
    made.Add("direction", draw.Of({"upload", "download", "third-party", "third-party"}));
    made.Add("client-delay", draw.Of({"0ms", "10us", "3ms", "40ms"}));
    made.Add("bandwidth", draw.Of({"10Mbps", "33Mbps", "100Mbps"}));
    made.Add("delay", draw.Of({"1ms", "7ms", "10ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("queue", isSlow ? "2000p" : draw.Of({"60p", "100p", "1000p"}));
    made.Add("packet-size", std::to_string(packet));
    made.Add("window", std::to_string((packet - 40) * draw.Between(2, 60)) + "B");
    made.Add("block-size", draw.Of({"1000B", "64KiB", "1MiB"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("initial-window", std::to_string(draw.Between(1, 10)));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(isOne ? 1 : draw.Between(1, 4)));
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(chunk) + "B");
    made.Add("data-channels", "cached"); // closing ones differ behind a long queue, see the manual
    made.Add("random-loss", loss);
    made.Add("buffers", policy);
    made.Add("buffer-interval", draw.Of({"100ms", "300ms", "1s"}));
    made.Add("buffer-rtt", draw.Of({"last", "least"}));
    made.Add("buffer-peer", draw.Of({"drs", "drs", "drs", "stock"}));
    made.Add("max-buffer", draw.Of({"1MiB", "16MiB", "600000B"}));
    made.Add("send-buffer", draw.Of({"0B", "0B", "30000B"}));
    made.Add("read-rate", isSlow ? std::to_string(draw.Between(rate / 2, rate)) + "bps" : "0bps");
    return made.GetObject();
}

/// @param draw random draws @return buffers that TCP sizes
std::string
DrawWindows(Draw& draw)
{
    return DrawTransfer(draw, false);
}

/// @param draw random draws @return buffers that the applications size
std::string
DrawSizing(Draw& draw)
{
    return DrawTransfer(draw, true);
}

/// A control connection on which SBUFs are sent again that have arrived: the ACKs in such segments,
/// which are older, do not count.
/// @return the scenario
std::string
MakeStaleSizings(Draw& /* draw */)
{
    Members made;
    made.Add("bandwidth", "1Mbps");
    made.Add("delay", "1ms");
    made.Add("queue", "400p");
    made.Add("packet-size", "9000B");
    made.Add("window", "179200B");
    made.Add("block-size", "1000B");
    made.Add("tcp", "cubic");
    made.Add("direction", "download");
    made.Add("layout", "static");
    made.Add("initial-window", "8");
    made.Add("start-jitter", "1ms");
    made.Add("run", "211");
    made.Add("mode", "fixed");
    made.Add("parallelism", "1");
    made.Add("file-size", "2043462B");
    made.Add("chunk-size", "2043462B");
    made.Add("data-channels", "cached");
    made.Add("delayed-ack", "2");
    made.Add("random-loss", "0.001");
    made.Add("buffers", "drs-ftp");
    made.Add("buffer-interval", "10ms");
    made.Add("max-buffer", "1MiB");
    return made.GetObject();
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {
        new EnginesTest("windows, readers and third parties", &DrawWindows, 0, 10, SPARE_PACKETS),
        new EnginesTest("buffers that applications size", &DrawSizing, 0, 15, SPARE_PACKETS),
        new EnginesTest("SBUFs that have come already", &MakeStaleSizings, 0, 1, SPARE_PACKETS)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {
            new EnginesTest("windows, readers and third parties",
                            &DrawWindows,
                            10,
                            220,
                            SPARE_PACKETS),
            new EnginesTest("buffers that applications size", &DrawSizing, 15, 230, SPARE_PACKETS)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
