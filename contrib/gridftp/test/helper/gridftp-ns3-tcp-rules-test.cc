/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-engines-drawn.h"
#include "gridftp-ns3-rules.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Which rules of which ns-3 both engines are compared by, and transfers that these rules decide.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Of the ns-3 that the tests are linked with; both builds define it.
const std::string NS3_VERSION = GRIDFTP_NS3_VERSION;

/// @return whether the suites compare by the rule of ns-3's issue 125
bool
AreReadsAnnounced()
{
    return WithNs3Rules({}).tcp.rules.announcesReads;
}

/// What the suites print of the rules that they compare by, and that a release has those of its
/// number.
class TcpRulesTest : public TestCase
{
  public:
    TcpRulesTest()
        : TestCase("engines: compared by the TCP rules of ns-3 " + NS3_VERSION +
                   ", where a read that reopens the window is " +
                   (AreReadsAnnounced() ? "announced at once" : "not announced") + " (issue 125)")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int LAST_WITHOUT = 48; // ns-3.48
        const bool isRelease = NS3_VERSION.starts_with("3.");
        if (isRelease)
        {
            const int minor = std::stoi(NS3_VERSION.substr(2));
            NS_TEST_EXPECT_MSG_EQ(AreReadsAnnounced(),
                                  (minor > LAST_WITHOUT),
                                  "ns-3 " << NS3_VERSION);
        }
        NS_TEST_EXPECT_MSG_EQ(Scenario().tcp.rules.announcesReads,
                              false,
                              "without a word, the rules of ns-3.44");
    }
};

/// @param draw random draws @param packet bytes @param window segments, at least 1
/// @return members of a session
Members
DrawSession(Draw& draw, int64_t packet, int64_t window)
{
    constexpr int64_t HEADERS = 40;
    const int64_t segment = packet - HEADERS;
    Members made;
    made.Add("packet-size", std::to_string(packet));
    // Not always a whole number of segments
    made.Add("window", std::to_string(segment * window + draw.Between(0, segment - 1)) + "B");
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("queue", draw.Of({"20p", "60p", "400p"}));
    made.Add("delayed-ack", draw.Of({"1", "2", "3"}));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random draws @param made gets a tool
void
DrawTool(Draw& draw, Members& made)
{
    if (draw.Below(2) == 0)
    {
        made.Add("tool", "bbftp");
        made.Add("tool-streams", std::to_string(draw.Between(1, 4)));
        return;
    }
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 8)));
}

/// @param draw random draws @return windows of few segments, which each segment nearly closes
std::string
DrawSmallWindows(Draw& draw)
{
    const int64_t packet = std::stoll(draw.Of({"200", "576", "1500", "1500", "9000"}));
    Members made = DrawSession(draw, packet, draw.Between(1, 4));
    made.Add("file-size", std::to_string(draw.Between(1, 100) * packet) + "B");
    DrawTool(draw, made);
    made.Add("random-loss", draw.Of({"0", "0", "0.01", "0.1"}));
    return made.GetObject();
}

/// @param draw random draws @return windows that what comes behind a lost segment fills, scaled or
/// not
std::string
DrawFilledWindows(Draw& draw)
{
    const int64_t packet = std::stoll(draw.Of({"576", "1500", "1500", "9000"}));
    Members made = DrawSession(draw, packet, draw.Between(4, 80));
    made.Add("initial-window", draw.Of({"2", "10"}));
    made.Add("file-size", std::to_string(draw.Between(100, 1500) * packet) + "B");
    DrawTool(draw, made);
    made.Add("random-loss", draw.Of({"0.001", "0.003", "0.01"}));
    return made.GetObject();
}

/// @param draw random draws @return small windows of data connections that a handshake secures
std::string
DrawSecured(Draw& draw)
{
    const int64_t packet = std::stoll(draw.Of({"576", "1500", "9000"}));
    // A message of the handshake fits into a send buffer
    Members made = DrawSession(draw, packet, draw.Between(8, 16));
    made.Add("file-size", std::to_string(draw.Between(1, 200) * packet) + "B");
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 4)));
    made.Add("control-security", "gsi");
    made.Add("data-security", "gsi");
    made.Add("random-loss", draw.Of({"0", "0.003", "0.01"}));
    return made.GetObject();
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TcpRulesTest,
            new EnginesTest("windows of few segments", &DrawSmallWindows, 0, 40, 20),
            new EnginesTest("windows filled behind a loss", &DrawFilledWindows, 40, 60, 20),
            new EnginesTest("small windows, secured", &DrawSecured, 60, 70, 20)};
});

const OwnTestCases g_drawn(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("windows of few segments", &DrawSmallWindows, 1000, 1300, 20),
                new EnginesTest("windows filled behind a loss", &DrawFilledWindows, 1300, 1500, 20),
                new EnginesTest("small windows, secured", &DrawSecured, 1500, 1600, 20)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
