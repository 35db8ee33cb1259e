/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fault-draw.h"
#include "gridftp-ns3-rules.h"
#include "gridftp-test-cases.h"

#include "ns3/config.h"
#include "ns3/gridftp-ns3-engine.h"
#include "ns3/gridftp-option-table.h"
#include "ns3/gridftp-segment-engine.h"
#include "ns3/test.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param words of a command line @param more of them @return what it asks for
Scenario
ParseWords(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    const auto request = ParseTransfer(std::vector<std::string_view>(words.begin(), words.end()));
    return request ? request->scenario : Scenario();
}

/// @param scenario what @return what came of its session on engine ns3
SessionResult
RunNs3(const Scenario& scenario)
{
    const auto result = RunOnNs3(scenario, {});
    Config::Reset();
    SessionResult none;
    none.reason = "no result";
    return result ? result->sessions.front() : none;
}

/// Each kind of fault, at either end: engine ns3 does what engine segment does.
class FaultKindsTest : public TestCase
{
  public:
    FaultKindsTest()
        : TestCase("engines: each kind of fault, and the tries that follow")
    {
    }

  private:
    void DoRun() override
    {
        const Words upload{"--direction=upload"};
        const Words download{"--direction=download"};
        const Words third{"--direction=third-party"};
        Compare(upload, "kind=control-reset,at=9s,for=3s");
        Compare(upload, "kind=server-dies,at=9s,for=3s");
        Compare(download, "kind=server-dies,at=9s,for=3s");
        Compare(third, "kind=server-dies,server=sender,at=9s,for=3s");
        Compare(upload, "kind=server-silent,at=9s,for=40s");
        Compare(download, "kind=server-silent,at=9s,for=40s");
        Compare(upload, "kind=dtp-dies,at=9s,for=2s");
        Compare(upload, "kind=data-reset,server=client,at=9s,connection=1");
        Compare(upload, "kind=data-reset,server=server,at=9s,connection=1");
        Compare(download, "kind=data-reset,server=client,at=9s,connection=1");
        Compare(download, "kind=data-reset,server=server,at=9s,connection=1");
        Compare(upload, "kind=link-down,at=9s,for=20s");
        Compare(download, "kind=link-down,at=9s,for=20s");
        Compare({"--sink=disk", "--sink-rate=100Mbps"}, "kind=disk-stall,at=9s,for=30s");
        Compare(upload, "kind=control-reset,at=9s");
        Compare(download, "kind=control-cut,at=1s,for=9s,idle=2s");
        Compare(third, "kind=control-cut,server=sender,at=1s,for=9s,idle=2s");
        Compare(upload, "kind=reply-lost,at=9s,for=5s");
        Compare(download, "kind=reply-lost,at=9s,for=5s");
        Compare(upload, "kind=foreign-connection,at=9s,for=1s");
        Compare(download, "kind=foreign-connection,server=client,at=9s,for=1s");
        Compare(upload, "kind=mtu-black-hole,at=9s,for=20s");
        Compare(download, "kind=mtu-black-hole,at=9s,for=20s,mtu=576B");
    }

    /// @param words of the transfer @param fault of it
    void Compare(const Words& words, const std::string& fault)
    {
        Words all{"--file-size=6MB",
                  "--chunk-size=3MB",
                  "--bandwidth=2.5Mbps",
                  "--mode=fixed",
                  "--parallelism=2",
                  "--stall-timeout=10s",
                  "--retries=5",
                  "--fault=" + fault};
        const Scenario scenario = ParseWords(words, all);
        const auto own = RunOnSegments(WithNs3Rules(scenario));
        NS_TEST_ASSERT_MSG_EQ(bool(own), true, fault);
        const SessionResult& a = own->sessions.front();
        const SessionResult b = RunNs3(scenario);
        NS_TEST_EXPECT_MSG_EQ(b.reason, "", fault);
        NS_TEST_EXPECT_MSG_EQ(b.durationNs, a.durationNs, fault);
        NS_TEST_ASSERT_MSG_EQ(a.retries.has_value() && b.retries.has_value(), true, fault);
        NS_TEST_EXPECT_MSG_EQ(b.retries->bytesResent, a.retries->bytesResent, fault);
        NS_TEST_EXPECT_MSG_EQ(b.retries->restarts.empty(), false, fault);
        NS_TEST_EXPECT_MSG_EQ(Tell(b), Tell(a), fault);
    }

    /// @param session any @return its new tries
    static std::string Tell(const SessionResult& session)
    {
        std::string text;
        for (const auto& restart : session.retries->restarts)
        {
            text += std::to_string(restart.timeNs) + ' ' + restart.reason + ' ' +
                    std::to_string(restart.heldBytes) + ' ' + std::to_string(restart.waitNs) + '\n';
        }
        return text;
    }
};

/// Random transfers with faults of middleboxes, NOOP and a least rate.
class MiddleboxEnginesTest : public TestCase
{
  public:
    /// @param seed of the random numbers @param count how many
    MiddleboxEnginesTest(uint64_t seed, uint32_t count)
        : TestCase("engines: the same results, " + std::to_string(count) +
                   " random transfers with middleboxes, seed " + std::to_string(seed)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(m_seed);
        for (uint32_t i = 0; i < m_count; ++i)
        {
            Check(DrawMiddleboxTransfer(draw));
        }
    }

    /// @param made a transfer: both engines tell the same of it
    void Check(const FaultyTransfer& made)
    {
        const std::string command = made.GetCommand();
        const Scenario scenario = ParseWords(made.words, made.faults);
        NS_TEST_ASSERT_MSG_EQ(scenario.faults.size(), made.faults.size(), command);
        const auto own = RunOnSegments(WithNs3Rules(scenario));
        NS_TEST_ASSERT_MSG_EQ(bool(own), true, command);
        NS_TEST_EXPECT_MSG_EQ(Tell(own->sessions.front()), Tell(RunNs3(scenario)), command);
    }

    /// @param session any @return all of it that has to be equal
    static std::string Tell(const SessionResult& session)
    {
        std::string text = session.reason + '\n' + std::to_string(session.bytes) + ' ' +
                           std::to_string(session.durationNs) + '\n';
        for (const auto& chunk : session.gridftp->chunks)
        {
            text += std::to_string(chunk.startNs) + ' ' + std::to_string(chunk.endNs) + '\n';
        }
        if (session.retries)
        {
            text += std::to_string(session.retries->bytesResent) + '\n';
            for (const auto& restart : session.retries->restarts)
            {
                text += std::to_string(restart.timeNs) + ' ' + restart.reason + ' ' +
                        std::to_string(restart.heldBytes) + '\n';
            }
        }
        return text + (session.restartMarker ? FormatRanges(*session.restartMarker) : "");
    }

    uint64_t m_seed;  //!< of the random numbers
    uint32_t m_count; //!< how many
};

/// Random transfers with random faults.
class Ns3FaultSchedulesTest : public TestCase
{
  public:
    /// @param seed of the draws @param count how many
    Ns3FaultSchedulesTest(uint64_t seed, uint32_t count)
        : TestCase("engine ns3: " + std::to_string(count) + " random fault schedules, seed " +
                   std::to_string(seed)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(m_seed);
        for (uint32_t i = 0; i < m_count; ++i)
        {
            Check(DrawFaultyTransfer(draw, 5));
        }
    }

    /// @param drawn a transfer: it is done, or a second run completes it
    void Check(const FaultyTransfer& drawn)
    {
        const std::string command = drawn.GetCommand() + " --engine=ns3";
        const SessionResult session = RunNs3(ParseWords(drawn.words, drawn.faults));
        NS_TEST_EXPECT_MSG_NE(session.reason, "nothing more happened", command);
        if (session.retries)
        {
            const uint64_t ends =
                session.retries->restarts.size() + (session.reason.empty() ? 0 : 1);
            const uint64_t most = drawn.GetMostPastMarker();
            NS_TEST_EXPECT_MSG_LT_OR_EQ(session.retries->bytesResent, ends * most, command);
        }
        if (session.reason.empty())
        {
            return;
        }
        NS_TEST_ASSERT_MSG_EQ(session.restartMarker.has_value(), true, command);
        const std::string marker =
            session.restartMarker->empty() ? "none" : FormatRanges(*session.restartMarker);
        const SessionResult second = RunNs3(ParseWords(drawn.words, {"--restart=" + marker}));
        NS_TEST_EXPECT_MSG_EQ(second.reason, "", command + ", then --restart=" + marker);
    }

    uint64_t m_seed;  //!< of the draws
    uint32_t m_count; //!< how many
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new Ns3FaultSchedulesTest(1, CountDraws(10)),
            new MiddleboxEnginesTest(1, CountDraws(10))};
});

const OwnTestCases g_longCases([]() -> std::vector<TestCase*> { return {new FaultKindsTest}; },
                               OwnTestCases::Suite::LONG);

const OwnTestCases g_drawnCases(
    []() -> std::vector<TestCase*> {
        return {new Ns3FaultSchedulesTest(2, CountDraws(50)),
                new MiddleboxEnginesTest(2, CountDraws(100))};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
