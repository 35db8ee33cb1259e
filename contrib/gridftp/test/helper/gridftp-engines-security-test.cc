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

constexpr double SPARE_PACKETS = 20; //!< that may differ, of connections that close

/// @param draw random draws @param direction of the data @return members of a transfer whose
/// channels are authenticated
Members
DrawTransfer(Draw& draw, const std::string& direction)
{
    const int64_t packet = std::stoll(draw.Of({"576", "1500", "1500", "9000"}));
    const int64_t size = draw.Between(1, 300'000);
    Members made;
    made.Add("direction", direction);
    made.Add("control-security", "gsi");
    made.Add("data-security", draw.Of({"gsi", "gsi", "none"}));
    made.Add("auth-cpu", draw.Of({"0s", "37us", "10ms"}));
    made.Add("delegation-cpu", draw.Of({"0s", "250ms"}));
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "622Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("queue", draw.Of({"30p", "60p", "400p"}));
    made.Add("packet-size", std::to_string(packet));
    // A message of the handshake fits into a send buffer
    made.Add("window", std::to_string((packet - 40) * draw.Between(8, 60)) + "B");
    made.Add("block-size", draw.Of({"1000B", "64KiB", "1MiB"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("delayed-ack", draw.Of({"1", "2"}));
    made.Add("initial-window", draw.Of({"1", "2", "10"}));
    made.Add("data-channels", direction == "download" ? "fresh" : draw.Of({"fresh", "cached"}));
    made.Add("random-loss", draw.Of({"0", "0", "0.005"}));
    made.Add("start-jitter", draw.Of({"0ms", "1ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 5)));
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(draw.Between((size + 2) / 3, size)) + "B");
    return made;
}

/// @param draw random draws @return a transfer whose channels are authenticated
std::string
DrawSecured(Draw& draw)
{
    Members made = DrawTransfer(draw, draw.Of({"upload", "download", "third-party"}));
    made.Add("stripes", draw.Of({"1x1", "1x1", "2x2", "1x3"}));
    made.Add("send-pool", draw.Of({"0B", "0B", "2MB"}));
    made.Add("read-rate", draw.Of({"0Mbps", "0Mbps", "3Mbps"}));
    return made.GetObject();
}

/// @param draw random draws @return the same, where servers refuse for a while
std::string
DrawRefused(Draw& draw)
{
    const std::string direction = draw.Of({"upload", "download", "third-party"});
    Members made = DrawTransfer(draw, direction);
    made.Add("retries", std::to_string(draw.Between(0, 3)));
    made.Add("retry-wait", "300ms");
    Members fault;
    fault.Add("kind", draw.Of({"auth-refused", "control-reset", "server-silent"}));
    fault.Add("server", direction == "third-party" ? draw.Of({"receiver", "sender"}) : "server");
    fault.Add("at", std::to_string(draw.Between(0, 300'000'000)) + "ns");
    fault.Add("for", draw.Of({"10ms", "1s"}));
    made.Add("stall-timeout", "10s");
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("secured", &DrawSecured, 0, 12, SPARE_PACKETS),
            new EnginesTest("secured, and refused", &DrawRefused, 0, 6, SPARE_PACKETS)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("secured", &DrawSecured, 12, 200, SPARE_PACKETS),
                new EnginesTest("secured, and refused", &DrawRefused, 6, 100, SPARE_PACKETS)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
