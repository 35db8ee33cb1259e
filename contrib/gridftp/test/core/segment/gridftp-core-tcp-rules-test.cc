/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-result.h"
#include "gridftp-segment-engine.h"
#include "gridftp-segment-receiver.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The rules of ns-3's TCP that differ between its releases, in engine segment. That engine ns3 does
 * the same is tested where there is an ns-3 that has them.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A command line as words.
using Words = std::vector<std::string_view>;

/// Reads that are announced (ns-3's issue 125).
class AnnouncedReadsTest : public TestCase
{
  public:
    AnnouncedReadsTest()
        : TestCase("TCP rules: a read that reopens the window is announced, or is not")
    {
    }

  private:
    void DoRun() override
    {
        CheckOneSegment();
        CheckDelayedAcks();
        CheckAsNs3();
    }

    /// @param words of a command line @param announces whether reads are announced @return the
    /// result of its first session
    SessionResult Run(Words words, bool announces)
    {
        for (const std::string_view word :
             {"--mode=fixed", "--parallelism=1", "--access-delay=0s", "--delay=10ms"})
        {
            words.insert(words.begin(), word);
        }
        auto request = ParseTransfer(words);
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", "");
        if (!request)
        {
            return {};
        }
        request->scenario.tcp.rules.announcesReads = announces;
        const auto result = RunOnSegments(request->scenario);
        NS_TEST_EXPECT_MSG_EQ((result && result->done), true, "it is done");
        return result ? result->sessions.front() : SessionResult();
    }

    /// A window of one segment, of which each read sends an ACK. That its duration is of so many
    /// round trips, two transfers show of which one has 100 segments more.
    void CheckOneSegment()
    {
        const auto take100 = [this](std::string_view delayedAck, bool announces) {
            const Words words{"--window=1460B", delayedAck};
            Words shorter = words;
            shorter.emplace_back("--file-size=146000B");
            Words longer = words;
            longer.emplace_back("--file-size=292000B");
            return Run(longer, announces).durationNs - Run(shorter, announces).durationNs;
        };
        // 1500 bytes and PPP's 2 one way, 40 and 2 back, at 100 Mbit/s and twice at 10 Gbit/s
        const double roundTripNs = 20e6 + (1502 + 42) * 8 * (10 + 2 * 0.1);
        constexpr double TOLERANCE_NS = 1000; // of rounding, 100 times
        constexpr double DELAY_NS = 200e6;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(take100("--delayed-ack=2", true)),
                                  100 * roundTripNs,
                                  TOLERANCE_NS,
                                  "the announcement lets the next segment go");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(take100("--delayed-ack=2", false)),
                                  100 * (roundTripNs + DELAY_NS),
                                  TOLERANCE_NS,
                                  "else the delayed ACK does");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(take100("--delayed-ack=1", true)),
                                  100 * roundTripNs,
                                  TOLERANCE_NS,
                                  "a second ACK changes nothing");
    }

    /// An announcement acknowledges, so that the count of segments for a delayed ACK starts again.
    void CheckDelayedAcks()
    {
        SegmentReceiver receiver(2);
        constexpr uint32_t SEGMENT = 100;
        using Answer = SegmentReceiver::Answer;
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(0, SEGMENT) == Answer::ACK), true, "the first");
        receiver.HandleAckSent();
        NS_TEST_EXPECT_MSG_EQ((receiver.CountAgain() == Answer::LATER), true, "announced before");
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(SEGMENT, SEGMENT) == Answer::ACK),
                              true,
                              "the second one since");
    }

    /// How long engine ns3 takes for the same, on ns-3 3.44 and on its development tree of 23 July
    /// 2026, ns.
    void CheckAsNs3()
    {
        const Words lossy{"--window=256KiB",
                          "--file-size=3MB",
                          "--random-loss=0.002",
                          "--tcp=cubic"};
        NS_TEST_EXPECT_MSG_EQ(Run(lossy, false).durationNs, 1'267'092'582, "behind a gap, 3.44");
        NS_TEST_EXPECT_MSG_EQ(Run(lossy, true).durationNs, 1'283'253'294, "behind a gap, newest");
        const Words tool{"--tool=bbftp",
                         "--tool-window=product",
                         "--direction=download",
                         "--file-size=300kB",
                         "--bandwidth=1Mbps",
                         "--delayed-ack=2"};
        NS_TEST_EXPECT_MSG_EQ(Run(tool, false).durationNs, 47'259'738'307, "2500 bytes, 3.44");
        NS_TEST_EXPECT_MSG_EQ(Run(tool, true).durationNs, 6'659'738'307, "2500 bytes, newest");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new AnnouncedReadsTest}; });

} // namespace
