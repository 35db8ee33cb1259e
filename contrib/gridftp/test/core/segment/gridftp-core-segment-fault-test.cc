/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-fault-draw.h"
#include "gridftp-option-table.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t SECOND = 1'000'000'000;

/// @param words of a command line @return what it asks for
Expected<TransferRequest>
ParseWords(const Words& words)
{
    return ParseTransfer(std::vector<std::string_view>(words.begin(), words.end()));
}

/// What came of a transfer.
struct Outcome
{
    bool hasEnded{false};  //!< before the end of time
    TransferResult result; //!< of it
};

/// @param words of a command line that is right @return what comes of it
Outcome
Simulate(const Words& words)
{
    constexpr int64_t END = 2'000'000 * SECOND;
    const auto request = ParseWords(words);
    if (!request)
    {
        return {};
    }
    SegmentSimulator simulator(request->scenario);
    const bool hasEnded = simulator.Advance(END);
    return {hasEnded, simulator.GetResult()};
}

/// @param more words @param words of a command line @return both
Words
JoinWords(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// Single faults, whose course is known.
class FaultTestCase : public TestCase
{
  public:
    FaultTestCase()
        : TestCase("segment engine: each kind of fault is seen, and mended by a new try")
    {
    }

  private:
    /// A fault, and what the client sees of it.
    struct Seen
    {
        const char* direction; //!< of the data
        const char* fault;     //!< as --fault takes it
        const char* reason;    //!< of the client
    };

    void DoRun() override
    {
        for (const Seen& seen : std::initializer_list<Seen>{
                 {"upload", "kind=control-reset,at=9s,for=1s", "control connection failed"},
                 {"upload", "kind=server-dies,at=9s,for=3s", "control connection failed"},
                 {"download", "kind=server-dies,at=9s,for=3s", "control connection failed"},
                 {"third-party",
                  "kind=server-dies,server=sender,at=9s,for=3s",
                  "sender: control connection failed"},
                 {"upload", "kind=server-silent,at=39s,for=30s", "no reply to PASV for 10 s"},
                 // The RST of a data connection arrives first; the client waits for the reply
                 {"upload", "kind=dtp-dies,at=9s,for=3s", "the server answered 426 the DTP died"},
                 {"download", "kind=dtp-dies,server=client,at=9s,for=3s", "the DTP died (426)"},
                 {"upload",
                  "kind=data-reset,at=9s,server=client",
                  "data connection 0 was reset or gave up its retries (426)"},
                 {"third-party",
                  "kind=data-reset,at=9s,server=receiver",
                  "the sender answered 426 data connection 0 was reset or gave up its retries"},
                 {"upload", "kind=link-down,at=9s,for=20s", "no reply to ESTO for 10 s"},
                 {"download", "kind=link-down,at=9s,for=20s", "no data for 10 s (426)"},
                 {"upload",
                  "kind=disk-stall,at=9s,for=60s",
                  "the server answered 426 the storage has stored nothing for 10 s"},
                 {"download",
                  "kind=disk-stall,server=client,at=9s,for=60s",
                  "the storage has stored nothing for 10 s (426)"},
                 {"upload", "kind=control-reset,at=9s", "control connection failed"},
                 {"download",
                  "kind=control-cut,idle=15s,at=9s,for=20s",
                  "no reply to ERET for 10 s"},
                 {"upload", "kind=reply-lost,at=9s,for=60s", "no reply to ESTO for 10 s"},
                 {"download", "kind=reply-lost,at=9s,for=60s", "no reply to ERET for 10 s"},
                 {"upload",
                  "kind=foreign-connection,at=9s,for=3s",
                  "the server answered 426 a foreign data connection was closed without an end of "
                  "data"},
                 {"download",
                  "kind=foreign-connection,server=client,at=9s,for=3s",
                  "a foreign data connection was closed without an end of data (426)"},
                 {"upload",
                  "kind=mtu-black-hole,at=9s,for=60s",
                  "the server answered 426 no data for 10 s"},
                 {"download", "kind=mtu-black-hole,at=9s,for=60s", "no data for 10 s (426)"}})
        {
            Check(seen);
        }
    }

    /// @param seen a fault
    void Check(const Seen& seen)
    {
        const Words words{std::string("--direction=") + seen.direction,
                          "--mode=fixed",
                          "--bandwidth=20Mbps",
                          "--file-size=200MB",
                          "--chunk-size=100MB",
                          "--sink=disk",
                          "--sink-rate=200Mbps",
                          "--stall-timeout=10s",
                          std::string("--fault=") + seen.fault};
        const Outcome once = Simulate(words);
        const std::string what = std::string(seen.direction) + " " + seen.fault;
        NS_TEST_EXPECT_MSG_EQ(once.hasEnded, true, what);
        NS_TEST_EXPECT_MSG_EQ(once.result.sessions.front().reason, seen.reason, what);
        const Outcome again = Simulate(JoinWords(words, {"--retries=9", "--retry-wait=1s"}));
        NS_TEST_EXPECT_MSG_EQ(again.result.reason, "", what);
        const auto& tries = again.result.sessions.front().retries;
        NS_TEST_ASSERT_MSG_EQ((tries && !tries->restarts.empty()), true, what);
        NS_TEST_EXPECT_MSG_EQ(tries->restarts.front().reason, seen.reason, what);
    }
};

/// Random transfers with random faults.
class FaultScheduleTestCase : public TestCase
{
  public:
    /// @param seed of the draws @param count how many
    FaultScheduleTestCase(uint64_t seed, uint32_t count)
        : TestCase("segment engine: " + std::to_string(count) + " random fault schedules, seed " +
                   std::to_string(seed)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(m_seed);
        uint32_t mended = 0;
        for (uint32_t i = 0; i < m_count; ++i)
        {
            const FaultyTransfer drawn = DrawFaultyTransfer(draw, 15);
            const auto parsed = ParseWords(JoinWords(drawn.words, drawn.faults));
            NS_TEST_ASSERT_MSG_EQ(Reason(parsed), "no error", drawn.GetCommand());
            const Outcome outcome = Simulate(JoinWords(drawn.words, drawn.faults));
            NS_TEST_EXPECT_MSG_EQ(outcome.hasEnded, true, drawn.GetCommand());
            const SessionResult& session = outcome.result.sessions.front();
            CheckResent(drawn, session);
            mended +=
                session.reason.empty() && session.retries && !session.retries->restarts.empty() ? 1
                                                                                                : 0;
            if (!session.reason.empty())
            {
                CheckMarker(drawn, session);
            }
        }
        NS_TEST_EXPECT_MSG_GT(mended, m_count / 8, "many are mended");
    }

    /// What was stored twice came since the last marker. @param drawn a transfer @param session
    /// what came of it
    void CheckResent(const FaultyTransfer& drawn, const SessionResult& session)
    {
        if (!session.retries)
        {
            return;
        }
        const uint64_t ends = session.retries->restarts.size() + (session.reason.empty() ? 0 : 1);
        const uint64_t most = drawn.GetMostPastMarker();
        NS_TEST_EXPECT_MSG_LT_OR_EQ(session.retries->bytesResent, ends * most, drawn.GetCommand());
    }

    /// A second run completes what failed. @param drawn a transfer @param session what came of it
    void CheckMarker(const FaultyTransfer& drawn, const SessionResult& session)
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(session.reason, "not stored"), false, drawn.GetCommand());
        NS_TEST_ASSERT_MSG_EQ(session.restartMarker.has_value(), true, drawn.GetCommand());
        const std::string marker =
            session.restartMarker->empty() ? "none" : FormatRanges(*session.restartMarker);
        const Outcome second = Simulate(JoinWords(drawn.words, {"--restart=" + marker}));
        NS_TEST_EXPECT_MSG_EQ(second.result.reason,
                              "",
                              drawn.GetCommand() + ", then without faults --restart=" + marker);
    }

    uint64_t m_seed;  //!< of the draws
    uint32_t m_count; //!< how many
};

/// The cases of this file.
const OwnTestCases g_cases([] {
    return std::vector<TestCase*>{new FaultTestCase, new FaultScheduleTestCase(1, CountDraws(60))};
});

/// More of the same.
const OwnTestCases g_drawn(
    [] { return std::vector<TestCase*>{new FaultScheduleTestCase(2, CountDraws(1000))}; },
    OwnTestCases::Suite::DRAWN);

} // namespace
