/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-host-cpu.h"
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

/// @param draw random draws @return clients of one server, whose CPU has more to do, too
std::string
DrawShared(Draw& draw)
{
    Members made;
    made.Add("direction", "download");
    made.Add("server-host", "shared");
    made.Add("control-security", "gsi");
    made.Add("data-security", draw.Of({"gsi", "gsi", "gsi", "none"}));
    made.Add("auth-cpu", draw.Of({"37us", "2ms", "10ms"}));
    made.Add("delegation-cpu", draw.Of({"0s", "20ms", "250ms"}));
    made.Add("cpu-rate", draw.Of({"0bps", "0bps", "7Mbps", "300Mbps"}));
    made.Add("request-cpu", draw.Of({"0ms", "0ms", "13ms"}));
    made.Add("bandwidth", draw.Of({"100Mbps", "622Mbps"}));
    made.Add("delay", draw.Of({"7ms", "10ms", "50ms"}));
    made.Add("queue", "2000p");
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("mode", "fixed");
    made.Add("block-size", "20000B");
    made.Add("file-size", std::to_string(draw.Between(1000, 300'000)) + "B");
    made.Add("chunk-size", draw.Of({"100000B", "100MB"}));
    std::string sessions;
    for (int64_t i = draw.Between(2, 3); i > 0; --i)
    {
        Members session;
        session.Add("start", draw.Of({"0s", "0s", "9ms", "300ms"}));
        session.Add("parallelism", std::to_string(draw.Between(1, 4)));
        sessions += (sessions.empty() ? "" : ", ") + session.GetObject();
    }
    made.AddList("sessions", sessions);
    return made.GetObject();
}

/// @return a client that is refused, resets, and so does not acknowledge the refusal: an ACK would
/// have the server send an RST, which takes one of the drawn losses
std::string
MakeRefusedOnce(Draw& /* draw */)
{
    Members made;
    made.Add("direction", "download");
    made.Add("control-security", "gsi");
    made.Add("auth-cpu", "37us");
    made.Add("delegation-cpu", "250ms");
    made.Add("bandwidth", "1Mbps");
    made.Add("delay", "50ms");
    made.Add("access-delay", "10us");
    made.Add("queue", "60p");
    made.Add("delayed-ack", "1");
    made.Add("random-loss", "0.005");
    made.Add("run", "681");
    made.Add("mode", "fixed");
    made.Add("parallelism", "2");
    made.Add("file-size", "281515B");
    made.Add("chunk-size", "240771B");
    made.Add("data-channels", "fresh");
    made.Add("retries", "3");
    made.Add("retry-wait", "300ms");
    Members fault;
    fault.Add("kind", "auth-refused");
    fault.Add("server", "server");
    fault.Add("at", "170227304ns");
    fault.Add("for", "1s");
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

/// Sessions take the same time where they wait for one CPU, which does the same.
class SharedCpuTest : public SharedTest
{
  public:
    using SharedTest::SharedTest;

  private:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        SharedTest::Compare(scenario, own, reference, line);
        for (size_t k = 0; k < own.sessions.size(); ++k)
        {
            const auto& here = own.sessions[k].host;
            const auto& there = reference.sessions[k].host;
            NS_TEST_ASSERT_MSG_EQ(here.has_value() && there.has_value(), true, line);
            NS_TEST_EXPECT_MSG_EQ(bool(here->sender == there->sender), true, line);
            NS_TEST_EXPECT_MSG_EQ(bool(here->receiver == there->receiver), true, line);
            NS_TEST_EXPECT_MSG_GT(here->sender.cpu.Get(CpuUse::AUTHENTICATION), 0, line);
        }
    }
};

/// @return one in which the FIN of a data connection is lost, and an ACK of its last data that
/// comes with the other end's FIN starts its timer anew
std::string
MakeLostFin(Draw& /* draw */)
{
    Members made;
    made.Add("direction", "upload");
    made.Add("control-security", "gsi");
    made.Add("data-security", "gsi");
    made.Add("auth-cpu", "37us");
    made.Add("delegation-cpu", "0s");
    made.Add("bandwidth", "10Mbps");
    made.Add("delay", "1us");
    made.Add("access-delay", "5ms");
    made.Add("queue", "400p");
    made.Add("packet-size", "9000");
    made.Add("window", "259840B");
    made.Add("block-size", "64KiB");
    made.Add("tcp", "newreno");
    made.Add("delayed-ack", "2");
    made.Add("initial-window", "1");
    made.Add("data-channels", "fresh");
    made.Add("random-loss", "0.005");
    made.Add("start-jitter", "1ms");
    made.Add("run", "896");
    made.Add("mode", "fixed");
    made.Add("parallelism", "1");
    made.Add("file-size", "299935B");
    made.Add("chunk-size", "233571B");
    made.Add("retries", "1");
    made.Add("stall-timeout", "10s");
    made.Add("link-header", "1000B");
    made.Add("retry-wait", "300ms");
    Members fault;
    fault.Add("kind", "server-silent");
    fault.Add("server", "server");
    fault.Add("at", "274803287ns");
    fault.Add("for", "1s");
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("secured", &DrawSecured, 0, 12, SPARE_PACKETS),
            new EnginesTest("secured, and refused", &DrawRefused, 0, 6, SPARE_PACKETS),
            new EnginesTest("secured, and refused once", &MakeRefusedOnce, 0, 1),
            new EnginesTest("secured, and a FIN lost behind data", &MakeLostFin, 0, 1),
            new SharedCpuTest("secured, at a shared host", &DrawShared, 0, 8)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("secured", &DrawSecured, 12, 200, SPARE_PACKETS),
                new EnginesTest("secured, and refused", &DrawRefused, 6, 100, SPARE_PACKETS),
                new SharedCpuTest("secured, at a shared host", &DrawShared, 8, 120)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
