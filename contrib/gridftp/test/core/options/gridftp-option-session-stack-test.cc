/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-json.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// TCP of the hosts of one session.
class SessionStackTest : public TestCase
{
  public:
    SessionStackTest()
        : TestCase("options: the TCP of the hosts of a session or background connection")
    {
    }

  private:
    void DoRun() override
    {
        CheckLinuxNextToClassic();
        CheckClassicNextToLinux();
        CheckRefusals();
        CheckGoodput();
    }

    /// @param words of a command line @return its scenario
    Scenario Parse(std::initializer_list<std::string_view> words)
    {
        const auto request = ParseTransfer(std::vector<std::string_view>(words));
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", *words.begin());
        return request ? request->scenario : Scenario();
    }

    /// A stack brings its values, but for those that the same item has; those of the command line
    /// are the first session's.
    void CheckLinuxNextToClassic()
    {
        const Scenario scenario = Parse({"--initial-window=4",
                                         "--tcp=newreno",
                                         "--session=stack=linux,delayed-ack=1",
                                         "--session=initial-window=3,sack=on",
                                         "--background=stack=linux,tcp=bbr,window=1MiB"});
        const auto& sessions = scenario.sessions;
        NS_TEST_ASSERT_MSG_EQ(sessions.size(), 3, "sessions");
        NS_TEST_EXPECT_MSG_EQ(sessions[0].hostTcp.initialWindow, 4, "as given");
        NS_TEST_EXPECT_MSG_EQ((sessions[0].hostTcp == scenario.tcp), true, "the first session's");
        NS_TEST_EXPECT_MSG_EQ((sessions[1].hostTcp.stack == TcpStack::LINUX), true, "Linux");
        NS_TEST_EXPECT_MSG_EQ(sessions[1].hostTcp.initialWindow, 10, "RFC 6928");
        NS_TEST_EXPECT_MSG_EQ(sessions[1].hostTcp.delayedAck, 1, "as given");
        NS_TEST_EXPECT_MSG_EQ(sessions[1].hostTcp.sack, true, "of Linux");
        NS_TEST_EXPECT_MSG_EQ(sessions[1].tcp, "cubic", "of Linux");
        NS_TEST_EXPECT_MSG_EQ(sessions[1].buffers.policy, "linux-receiver", "of Linux");
        NS_TEST_EXPECT_MSG_EQ((sessions[2].hostTcp.stack == TcpStack::CLASSIC), true, "as first");
        NS_TEST_EXPECT_MSG_EQ(sessions[2].hostTcp.initialWindow, 3, "as given");
        NS_TEST_EXPECT_MSG_EQ(sessions[2].hostTcp.sack, true, "as given");
        NS_TEST_EXPECT_MSG_EQ(sessions[2].tcp, "newreno", "as first");
        const BackgroundSpec& background = scenario.background.front();
        NS_TEST_EXPECT_MSG_EQ(background.hostTcp.timestamps, true, "of Linux");
        NS_TEST_EXPECT_MSG_EQ(background.tcp, "bbr", "as given");
        NS_TEST_EXPECT_MSG_EQ(background.buffers.policy, "fixed", "it asks for its window");
        // What a result says is read back as it is
        const auto again = ParseScenarioJson(ScenarioToJson(scenario));
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(again), true, "read back");
        for (size_t i = 0; i < sessions.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((again->sessions[i].hostTcp == sessions[i].hostTcp), true, i);
        }
        NS_TEST_EXPECT_MSG_EQ((again->background.front().hostTcp == background.hostTcp),
                              true,
                              "background");
    }

    /// The other way round.
    void CheckClassicNextToLinux()
    {
        const Scenario scenario =
            Parse({"--stack=linux", "--tcp=bbr", "--session=stack=classic,window=1MiB"});
        const SessionSpec& session = scenario.sessions.back();
        NS_TEST_EXPECT_MSG_EQ((scenario.sessions.front().hostTcp.stack == TcpStack::LINUX),
                              true,
                              "the first");
        NS_TEST_EXPECT_MSG_EQ((session.hostTcp.stack == TcpStack::CLASSIC), true, "the second");
        NS_TEST_EXPECT_MSG_EQ(session.hostTcp.initialWindow, 2, "classic");
        NS_TEST_EXPECT_MSG_EQ(session.hostTcp.delayedAck, 1, "classic");
        NS_TEST_EXPECT_MSG_EQ(session.hostTcp.sack, false, "classic");
        NS_TEST_EXPECT_MSG_EQ(session.hostTcp.timestamps, false, "classic");
        NS_TEST_EXPECT_MSG_EQ(session.tcp, "reno", "classic");
        NS_TEST_EXPECT_MSG_EQ(session.buffers.policy, "fixed", "classic");
    }

    /// What is not allowed.
    void CheckRefusals()
    {
        using Case = std::pair<std::vector<std::string_view>, std::string>;
        const std::string one = " is not for --engine=ns3, where all hosts have one TCP; allowed "
                                "there: ";
        for (const auto& [words, message] : {
                 Case{{"--engine=ns3", "--session=stack=linux"},
                      "--session 'stack=linux'" + one + "classic"},
                 Case{{"--engine=ns3", "--sack=on", "--background=sack=off"},
                      "--background 'sack=off'" + one + "on"},
                 Case{{"--session=stack=linux,tcp=highspeed"},
                      "--session 'tcp=highspeed' is not for --stack=linux; allowed with it: "
                      "cubic, reno, bbr, bbr3"},
                 Case{{"--stack=linux", "--tcp=bbr", "--session=stack=classic,tcp=bbr"},
                      "--session 'tcp=bbr' is not for --engine=segment"},
             })
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(ParseTransfer(words)).substr(0, message.size()),
                                  message,
                                  words.back());
        }
    }

    /// A window of 64 KiB holds the classic session at 64 KiB per RTT of 40 ms; the window of the
    /// Linux session follows the path.
    void CheckGoodput()
    {
        const Scenario scenario = Parse({"--bandwidth=100Mbps",
                                         "--delay=20ms",
                                         "--mode=fixed",
                                         "--file-size=20MB",
                                         "--queue=1000p",
                                         "--session=stack=linux"});
        SegmentSimulator simulator(scenario);
        simulator.Advance(INT64_MAX);
        const TransferResult result = simulator.GetResult();
        NS_TEST_ASSERT_MSG_EQ(result.reason, "", "both end");
        constexpr double WINDOW_BPS = 65536 * 8 / 0.04;
        NS_TEST_EXPECT_MSG_LT(result.sessions[0].GetGoodputBps(), WINDOW_BPS, "classic");
        NS_TEST_EXPECT_MSG_GT(result.sessions[1].GetGoodputBps(), 4 * WINDOW_BPS, "Linux");
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] { return std::vector<TestCase*>{new SessionStackTest}; });

} // namespace
