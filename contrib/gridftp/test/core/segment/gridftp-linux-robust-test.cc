/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-idle-observer.h"
#include "gridftp-linux-draw.h"
#include "gridftp-option-table.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The latest end of a transfer, ns: a thousand retries of five minutes.
constexpr int64_t END = 300'000 * int64_t{1'000'000'000};

/// More events than any of these transfers needs.
constexpr uint64_t MOST_EVENTS = 100'000'000;

/// How far a share may be off where few are run.
constexpr uint32_t FEW = 4;

/// What a transfer gave.
struct Outcome
{
    std::string refusal{};   //!< why the command line is not allowed; empty: it is
    bool hasEnded{false};    //!< before END
    TransferResult result{}; //!< of it
};

/// @param words of a command line @return what the transfer gives
Outcome
Simulate(const Words& words)
{
    const auto request = ParseTransfer(std::vector<std::string_view>(words.begin(), words.end()));
    if (!request)
    {
        return {.refusal = request.GetError().message};
    }
    SegmentSimulator simulator(request->scenario);
    simulator.AllowFastForward();
    const bool hasEnded = simulator.Advance(END);
    return {.refusal = {}, .hasEnded = hasEnded, .result = simulator.GetResult()};
}

/// @param words of a command line @return it, as one would type it
std::string
DescribeCommand(const Words& words)
{
    std::string text = "gridftp-transfer";
    for (const auto& word : words)
    {
        text += " " + word;
    }
    return text;
}

/// Plain uploads on paths that lose packets.
class LinuxGoodputTestCase : public TestCase
{
  public:
    /// @param seed of the first one @param count how many
    LinuxGoodputTestCase(uint64_t seed, uint32_t count)
        : TestCase("Linux stack: " + std::to_string(count) +
                   " random uploads have a tenth of what Mathis' formula, window and bottleneck "
                   "allow, seed " +
                   std::to_string(seed)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        uint32_t judged = 0;
        uint32_t low = 0;
        for (uint32_t i = 0; i < m_count; ++i)
        {
            Draw draw(m_seed + i);
            const LossyTransfer made = DrawLossyTransfer(draw);
            const std::string command = DescribeCommand(made.words);
            const Outcome outcome = Simulate(made.words);
            NS_TEST_ASSERT_MSG_EQ(outcome.refusal, "", command);
            NS_TEST_EXPECT_MSG_EQ(outcome.hasEnded, true, command);
            if (!made.HasRoom())
            {
                continue;
            }
            ++judged;
            NS_TEST_ASSERT_MSG_EQ(outcome.result.reason, "", command);
            const SessionResult& session = outcome.result.sessions.front();
            const ConnectionTotals& totals = session.tcp->totals;
            const auto sent = static_cast<double>(totals.segments + totals.retransmissions);
            const double drops = static_cast<double>(outcome.result.links.front().drops);
            const double bound = made.GetBoundBps(made.loss + drops / sent);
            if (session.GetGoodputBps() < 0.1 * bound)
            {
                ++low;
                // A connection that waits for its retransmission timer, which doubles
                NS_TEST_EXPECT_MSG_GT(totals.timeouts,
                                      0,
                                      command << ": " << session.GetGoodputBps() << " of " << bound
                                              << " bit/s, and no timeout");
            }
        }
        NS_TEST_EXPECT_MSG_GT(judged + FEW, m_count / 2, "most have room for their packets");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(low, 1 + judged / 50, "few wait for timeouts most of the time");
    }

    uint64_t m_seed;  //!< of the first one
    uint32_t m_count; //!< how many
};

/// Transfers of any kind.
class LinuxScenariosTestCase : public TestCase
{
  public:
    /// @param seed of the first one @param count how many
    LinuxScenariosTestCase(uint64_t seed, uint32_t count)
        : TestCase("Linux stack: " + std::to_string(count) +
                   " random scenarios end, and what is done is exact, seed " +
                   std::to_string(seed)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        uint32_t refused = 0;
        uint32_t done = 0;
        uint32_t whole = 0;
        uint32_t failed = 0;
        for (uint32_t i = 0; i < m_count; ++i)
        {
            Draw draw(m_seed + i);
            const FaultyTransfer made = DrawLinuxTransfer(draw);
            Words words = made.words;
            words.insert(words.end(), made.faults.begin(), made.faults.end());
            const Outcome outcome = Simulate(words);
            if (!outcome.refusal.empty())
            {
                ++refused;
                continue;
            }
            const std::string command = DescribeCommand(words);
            NS_TEST_EXPECT_MSG_EQ(outcome.hasEnded, true, command);
            NS_TEST_EXPECT_MSG_LT(outcome.result.cost.events, MOST_EVENTS, command);
            Check(outcome.result, command);
            done += outcome.result.reason.empty() ? 1 : 0;
            whole += made.faults.empty() ? 1 : 0;
            failed += made.faults.empty() && !outcome.result.reason.empty() ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(refused, FEW + m_count / 5, "few are refused");
        NS_TEST_EXPECT_MSG_GT(done + FEW, m_count / 2, "most are done");
        // A hundred connections share four packets here and there, and a client waits for 10 s
        NS_TEST_EXPECT_MSG_LT_OR_EQ(failed, 1 + whole / 20, "without faults nearly all are done");
    }

    /// ConcludeResult() has compared the bytes of each session with its files.
    /// @param result of a transfer @param command of it
    void Check(const TransferResult& result, const std::string& command)
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(result.reason, "nothing more happened") ||
                                  Contains(result.reason, "146 years") ||
                                  Contains(result.reason, "not stored"),
                              false,
                              command << ": " << result.reason);
        for (const SessionResult& session : result.sessions)
        {
            const bool hasWork = session.reason.empty() && session.tcp;
            NS_TEST_EXPECT_MSG_EQ(hasWork && session.tcp->totals.segments == 0, false, command);
        }
    }

    uint64_t m_seed;  //!< of the first one
    uint32_t m_count; //!< how many
};

/// What the Linux stack does not model.
class LinuxRefusalsTestCase : public TestCase
{
  public:
    LinuxRefusalsTestCase()
        : TestCase("Linux stack: what is not modelled is refused by name")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [words, named] : std::initializer_list<std::pair<Words, std::string>>{
                 {{"--buffers=drs-kernel"}, "--buffers=drs-kernel"},
                 {{"--session=buffers=drs-gridftp"}, "--session 'buffers=drs-gridftp'"},
                 {{"--background=buffers=drs-kernel"}, "--background 'buffers=drs-kernel'"}})
        {
            Words all{"--stack=linux"};
            all.insert(all.end(), words.begin(), words.end());
            const std::string refusal = Simulate(all).refusal;
            NS_TEST_EXPECT_MSG_EQ(
                refusal.starts_with(named + " is not modelled with --stack=linux"),
                true,
                words.front() << ": " << refusal);
        }
        const Outcome bbftp = Simulate({"--stack=linux", "--tool=bbftp", "--file-size=1MB"});
        NS_TEST_EXPECT_MSG_EQ(bbftp.refusal + bbftp.result.reason,
                              "",
                              "bbftp asks for its buffers");
    }
};

/// Counts RTT samples and timeouts.
class RttCounter : public IdleObserver
{
  public:
    bool WantsRtt() const override
    {
        return true;
    }

    void HandleRttSample(Nanoseconds /* now */,
                         const ConnectionLabel& /* label */,
                         int64_t sampleNs,
                         int64_t smoothedNs) override
    {
        ++samples;
        least = std::min({least, sampleNs, smoothedNs});
    }

    void HandleRto(Nanoseconds /* now */,
                   const ConnectionLabel& /* label */,
                   int64_t rtoNs) override
    {
        ++timeouts;
        least = std::min(least, rtoNs);
    }

    uint64_t samples{0};      //!< of the RTT
    uint64_t timeouts{0};     //!< changes of the RTO
    int64_t least{INT64_MAX}; //!< least of all these times, ns
};

/// What an observer hears of the RTT.
class LinuxTraceTestCase : public TestCase
{
  public:
    LinuxTraceTestCase()
        : TestCase("Linux stack: RTT samples and timeouts are reported, and change nothing")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string_view> words{"--stack=linux",
                                                  "--mode=fixed",
                                                  "--file-size=2MB",
                                                  "--random-loss=0.01"};
        const auto request = ParseTransfer(words);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "words");
        SegmentSimulator watched(request->scenario);
        RttCounter counter;
        watched.SetObserver(counter);
        NS_TEST_EXPECT_MSG_EQ(watched.Advance(END), true, "it ends");
        SegmentSimulator alone(request->scenario);
        alone.Advance(END);
        NS_TEST_EXPECT_MSG_GT(counter.samples, 500, "nearly each ACK of 1,400 segments");
        NS_TEST_EXPECT_MSG_GT(counter.timeouts, 0, "the first one");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(counter.least, 20'000'000, "two delays of 10 ms");
        NS_TEST_EXPECT_MSG_EQ(watched.GetResult().sessions.front().durationNs,
                              alone.GetResult().sessions.front().durationNs,
                              "the same transfer");
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] {
    return std::vector<TestCase*>{new LinuxRefusalsTestCase,
                                  new LinuxTraceTestCase,
                                  new LinuxGoodputTestCase(1, CountDraws(60)),
                                  new LinuxScenariosTestCase(1, CountDraws(60))};
});

/// More of the same.
const OwnTestCases g_drawn(
    [] {
        return std::vector<TestCase*>{new LinuxGoodputTestCase(1000, CountDraws(1000)),
                                      new LinuxScenariosTestCase(1000, CountDraws(1000))};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
