/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-core-test.h"
#include "gridftp-random.h"
#include "gridftp-ring.h"
#include "gridftp-rtt-estimator.h"
#include "gridftp-segment-link.h"
#include "gridftp-segment-meter.h"
#include "gridftp-segment-receiver.h"
#include "gridftp-segment-scoreboard.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The receiver against a set of bytes.
class SegmentReceiverTest : public TestCase
{
  public:
    SegmentReceiverTest()
        : TestCase("segment engine: a receiver knows its first missing byte")
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(12);
        for (int round = 0; round < 500; ++round)
        {
            Go(draw, static_cast<uint32_t>(1 + draw.Below(3)));
        }
        // RFC 5681, Section 4.2: every second segment, but the first one at once as in ns-3
        SegmentReceiver receiver(2);
        for (const bool atOnce : {true, false, true, false, true})
        {
            const auto answer = receiver.Receive(receiver.GetNext(), 10);
            NS_TEST_EXPECT_MSG_EQ((answer == SegmentReceiver::Answer::ACK), atOnce, "");
            if (atOnce)
            {
                receiver.HandleAckSent();
            }
        }
    }

    /// @param draw segments @param delayedAck segments per ACK
    void Go(Draw& draw, uint32_t delayedAck)
    {
        constexpr uint64_t BYTES = 200;
        SegmentReceiver receiver(delayedAck);
        std::set<uint64_t> have;
        uint64_t missing = 0;
        while (missing < BYTES)
        {
            const uint64_t start = draw.Below(2) == 0 ? missing : draw.Below(BYTES);
            const auto size = static_cast<uint32_t>(1 + draw.Below(20));
            const bool gap = have.lower_bound(missing) != have.end();
            const bool usual = start == missing && !gap;
            const uint64_t before = missing;
            bool late = false;
            if (delayedAck == 1 && usual && draw.Below(2) == 0)
            {
                NS_TEST_ASSERT_MSG_EQ(receiver.TryReceive(start, size), true, "the short way");
            }
            else
            {
                NS_TEST_ASSERT_MSG_EQ((!usual && receiver.TryReceive(start, size)), false, "");
                const auto answer = receiver.Receive(start, size);
                late = answer == SegmentReceiver::Answer::LATER;
                NS_TEST_ASSERT_MSG_EQ(
                    (late && (gap || start != missing) && start + size <= missing),
                    false,
                    "what is there already is acknowledged at once");
                NS_TEST_ASSERT_MSG_EQ((late && start > missing), false, "so is a gap");
                if (!late)
                {
                    receiver.HandleAckSent();
                }
            }
            for (uint64_t byte = start; byte < start + size; ++byte)
            {
                have.insert(byte);
            }
            while (have.count(missing) > 0)
            {
                ++missing;
            }
            const bool isGap = have.lower_bound(missing) != have.end();
            NS_TEST_ASSERT_MSG_EQ((late && (isGap || missing > before + size)),
                                  false,
                                  "so is what leaves a gap, or fills one beyond its own bytes");
            NS_TEST_ASSERT_MSG_EQ(receiver.GetNext(), missing, "first missing byte");
        }
    }
};

/// The scoreboard's sums against what it was told.
class SegmentScoreboardTest : public TestCase
{
  public:
    SegmentScoreboardTest()
        : TestCase("segment engine: a scoreboard sends each lost segment again once")
    {
    }

  private:
    void DoRun() override
    {
        CheckTimeout();
        CheckGuesses();
        Draw draw(13);
        for (int round = 0; round < 2000; ++round)
        {
            Go(draw);
        }
    }

    /// After a timeout everything is sent again, in order, and then nothing.
    void CheckTimeout()
    {
        SegmentScoreboard board;
        board.Activate();
        for (uint64_t i = 0; i < 5; ++i)
        {
            board.Append(1000 + 10 * i, 10);
        }
        NS_TEST_EXPECT_MSG_EQ(board.IsUnmarked(), true, "");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().has_value(), false, "");
        board.MarkAllLost();
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(50), 0, "nothing is in flight");
        for (uint64_t i = 0; i < 5; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(board.FindLost().value_or(0), 1000 + 10 * i, "");
            NS_TEST_EXPECT_MSG_EQ(board.SendAgain(1000 + 10 * i, 10), 10, "");
            NS_TEST_EXPECT_MSG_EQ(board.GetFlight(50), 10 * (i + 1), "");
        }
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().has_value(), false, "");
        NS_TEST_EXPECT_MSG_EQ(board.Discard(1025), 20, "two as a whole");
        NS_TEST_EXPECT_MSG_EQ(board.GetLostBytes(), 25, "");
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(25), 25, "");
        NS_TEST_EXPECT_MSG_EQ(board.Discard(1050), 25, "what was left of three");
        NS_TEST_EXPECT_MSG_EQ(board.IsUnmarked(), true, "");
    }

    /// NewReno's guesses never fall on the first segment.
    void CheckGuesses()
    {
        SegmentScoreboard board;
        board.Activate();
        board.Append(0, 10);
        board.AddGuess();
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(10), 10, "there is none to guess");
        board.Append(10, 10);
        board.Append(20, 10);
        board.AddGuess();
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(30), 20, "");
        board.MarkHeadLost();
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(30), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.IsHeadLost(), true, "");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(1), 0, "");
        // The first one is acknowledged, so the second has not arrived and the guess moves on
        NS_TEST_EXPECT_MSG_EQ(board.Discard(10), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.GetLostBytes(), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(0), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(20), 0, "");
    }

    /// @param draw events
    void Go(Draw& draw)
    {
        SegmentScoreboard board;
        board.Activate();
        uint64_t una = 0;
        uint64_t next = 0;
        uint64_t timeout = 0; // no guesses before all is acknowledged that was sent by then
        for (int step = 0; step < 60; ++step)
        {
            switch (draw.Below(6))
            {
            case 0:
            case 1: {
                const auto size = static_cast<uint32_t>(1 + draw.Below(10));
                board.Append(next, size);
                next += size;
                break;
            }
            case 2:
                una += draw.Below(next - una + 1);
                board.Discard(una);
                break;
            case 3:
                board.MarkHeadLost();
                break;
            case 4:
                if (draw.Below(4) == 0)
                {
                    board.MarkAllLost();
                    timeout = next;
                }
                break;
            default:
                if (una >= timeout)
                {
                    board.AddGuess();
                }
                break;
            }
            if (const auto lost = board.FindLost(); lost && draw.Below(2) == 0)
            {
                NS_TEST_ASSERT_MSG_GT_OR_EQ(*lost, una, "not acknowledged");
                NS_TEST_ASSERT_MSG_LT(*lost, next, "was sent");
                const uint32_t most = 20; // two at once, so that none is cut
                const uint32_t size = board.SendAgain(*lost, most);
                NS_TEST_ASSERT_MSG_EQ((size > 0 && size <= most), true, "what fits");
                NS_TEST_ASSERT_MSG_EQ((board.FindLost() == lost), false, "once");
            }
            NS_TEST_ASSERT_MSG_LT_OR_EQ(board.GetFlight(next - una), 2 * (next - una), "no wrap");
            NS_TEST_ASSERT_MSG_LT_OR_EQ(board.GetLostBytes(), next - una, "");
        }
        board.Discard(next);
        NS_TEST_ASSERT_MSG_EQ(board.IsUnmarked(), true, "nothing is left");
    }
};

/// What is measured of a link, and from when on.
class LinkMeterTest : public TestCase
{
  public:
    LinkMeterTest()
        : TestCase("segment engine: a link is measured from a moment on, before it from the start")
    {
    }

  private:
    void DoRun() override
    {
        // A packet of 100 bytes takes 100 ns
        DropTailLink link(TransmissionTime(8'000'000'000, 100), 5, 10);
        LinkMeter meter(link, 8'000'000'000);
        link.Cross(0, 100, 0);
        NS_TEST_EXPECT_MSG_EQ(meter.GetUtilisation(), 0, "without a time");
        NS_TEST_EXPECT_MSG_EQ(meter.GetUtilisation(100), 1, "from the start");
        NS_TEST_EXPECT_MSG_EQ(meter.GetUtilisation(200), 0.5, "from the start");
        NS_TEST_EXPECT_MSG_EQ(meter.GetForwardedBytes(50), 50, "of one that is leaving the part");
        meter.Begin(150);
        link.Cross(150, 100, 0);
        meter.Mark(350);
        NS_TEST_EXPECT_MSG_EQ(meter.GetUtilisation(), 0.5, "of 200 ns");
        NS_TEST_EXPECT_MSG_EQ(meter.GetDurationNs(), 200, "ns");
    }
};

/// The bottleneck against a queue of packets moved one by one.
class DropTailLinkTest : public TestCase
{
  public:
    DropTailLinkTest()
        : TestCase("segment engine: a DropTail link of start times is one of packets")
    {
    }

  private:
    void DoRun() override
    {
        CheckTies();
        Draw draw(14);
        for (int round = 0; round < 300; ++round)
        {
            Go(draw, static_cast<int64_t>(1 + draw.Below(6)));
        }
        CheckLoss();
    }

    /// At one nanosecond: whose transmission began first comes first.
    void CheckTies()
    {
        for (const bool ahead : {false, true})
        {
            // A packet of 100 bytes takes 100 ns
            DropTailLink link(TransmissionTime(8'000'000'000, 100), 5, 1);
            const int64_t lead = ahead ? 101 : 99;
            NS_TEST_EXPECT_MSG_EQ(link.Cross(0, 100, 0), 105, "at once");
            NS_TEST_EXPECT_MSG_EQ(link.Cross(10, 100, 0), 205, "waits");
            NS_TEST_EXPECT_MSG_EQ(link.Cross(20, 100, 0), DropTailLink::DROPPED, "full");
            // At 100 the first has left
            const int64_t across = link.Cross(100, 100, lead);
            NS_TEST_EXPECT_MSG_EQ(across, (ahead ? DropTailLink::DROPPED : 305), lead);
            NS_TEST_EXPECT_MSG_EQ(link.GetDrops(), (ahead ? 2U : 1U), lead);
        }
    }

    /// @param draw packets @param limit of the queue
    void Go(Draw& draw, int64_t limit)
    {
        constexpr int64_t DELAY_NS = 7;
        DropTailLink link(TransmissionTime(8'000'000'000, 50), DELAY_NS, limit);
        std::deque<int64_t> waiting; // when each one's transmission starts
        int64_t now = 0;
        int64_t free = 0;
        uint64_t drops = 0;
        int64_t busy = 0;
        std::vector<std::pair<int64_t, int64_t>> busyAt; // until each packet
        int64_t waited = 0;
        for (int i = 0; i < 200; ++i)
        {
            now += 1 + static_cast<int64_t>(draw.Below(80));
            while (!waiting.empty() && waiting.front() <= now)
            {
                waiting.pop_front();
            }
            NS_TEST_ASSERT_MSG_EQ(link.GetLength(now), waiting.size(), "packets waiting");
            const int64_t size = draw.Below(2) == 0 ? 50 : draw.Between(1, 120);
            // A transmission on the access link that starts now is never ahead
            const int64_t across = link.Cross(now, size, 0);
            if (free > now && waiting.size() == static_cast<size_t>(limit))
            {
                ++drops;
                NS_TEST_ASSERT_MSG_EQ(across, DropTailLink::DROPPED, "no room");
                continue;
            }
            const int64_t start = std::max(now, free);
            if (start > now)
            {
                waiting.push_back(start);
            }
            waited += start - now;
            busy += size;
            free = start + size;
            NS_TEST_ASSERT_MSG_EQ(across, free + DELAY_NS, "one byte takes 1 ns");
            NS_TEST_ASSERT_MSG_EQ(link.GetBusyNs(now), busy - (free - now), "until now");
            busyAt.emplace_back(now, busy - (free - now));
        }
        for (const auto& [at, busyUntil] : busyAt)
        {
            NS_TEST_ASSERT_MSG_EQ(link.GetBusyNs(at),
                                  busyUntil,
                                  "with what has come since left out");
        }
        NS_TEST_EXPECT_MSG_EQ(link.GetDrops(), drops, "");
        NS_TEST_EXPECT_MSG_EQ(link.GetBusyNs(free), busy, "");
        NS_TEST_EXPECT_MSG_EQ(link.GetWaitedNs(free), waited, "");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(link.GetMost(INT64_MAX), static_cast<uint64_t>(limit), "");
    }

    /// Random losses are as frequent as they should be, and the same with the same key.
    void CheckLoss()
    {
        constexpr int PACKETS = 100'000;
        constexpr double PROBABILITY = 0.03;
        int lost = 0;
        DropTailLink link(TransmissionTime(8'000'000'000, 50), 0, 1);
        DropTailLink same(TransmissionTime(8'000'000'000, 50), 0, 1);
        link.SetLoss({PROBABILITY, 5});
        same.SetLoss({PROBABILITY, 5});
        for (int i = 0; i < PACKETS; ++i)
        {
            const bool isLost = link.Cross(100 * i, 50, 0) == DropTailLink::LOST;
            NS_TEST_ASSERT_MSG_EQ((same.Cross(100 * i, 50, 0) == DropTailLink::LOST), isLost, i);
            lost += isLost ? 1 : 0;
        }
        // five standard deviations: sqrt(100000 * 0.03 * 0.97) is 54
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, PACKETS * PROBABILITY, 270, "");
    }
};

/// The ring against a deque, the estimator against RFC 6298.
class SegmentPartsTest : public TestCase
{
  public:
    SegmentPartsTest()
        : TestCase("segment engine: the ring is a queue, the timeout is RFC 6298's")
    {
    }

  private:
    void DoRun() override
    {
        CheckRing();
        CheckEstimator();
    }

    /// A ring grows while it wraps around.
    void CheckRing()
    {
        Draw draw(15);
        Ring<uint64_t> ring;
        std::deque<uint64_t> queue;
        for (uint64_t i = 0; i < 20'000; ++i)
        {
            const bool growing = i % 4000 < 2500;
            if (queue.empty() || draw.Below(10) < (growing ? 6U : 4U))
            {
                ring.Push(i);
                queue.push_back(i);
            }
            else
            {
                ring.Pop();
                queue.pop_front();
            }
            NS_TEST_ASSERT_MSG_EQ(ring.GetSize(), queue.size(), "");
            NS_TEST_ASSERT_MSG_EQ(ring.IsEmpty(), queue.empty(), "");
            if (!queue.empty())
            {
                const size_t any = draw.Below(queue.size());
                NS_TEST_ASSERT_MSG_EQ(ring.Front(), queue.front(), "");
                NS_TEST_ASSERT_MSG_EQ(ring.At(any), queue[any], "");
            }
        }
        ring.Clear();
        NS_TEST_EXPECT_MSG_EQ(ring.IsEmpty(), true, "");
    }

    /// RFC 6298, Section 2: alpha is 1/8, beta 1/4, K 4, G 1 ms.
    void CheckEstimator()
    {
        constexpr int64_t MS = 1'000'000;
        RttEstimator rtt(200 * MS);
        NS_TEST_EXPECT_MSG_EQ(rtt.GetRtoNs(), 1001 * MS, "1 s before the first sample, plus G");
        rtt.Add(0);
        NS_TEST_EXPECT_MSG_EQ(rtt.GetRtoNs(), 1001 * MS, "0 is no sample");
        rtt.Add(400 * MS);
        NS_TEST_EXPECT_MSG_EQ(rtt.GetSmoothedNs(), 400 * MS, "");
        NS_TEST_EXPECT_MSG_EQ(rtt.GetRtoNs(), 1200 * MS, "SRTT + 4 SRTT / 2");
        rtt.Add(480 * MS);
        NS_TEST_EXPECT_MSG_EQ(rtt.GetSmoothedNs(), 410 * MS, "7/8 400 + 1/8 480");
        NS_TEST_EXPECT_MSG_EQ(rtt.GetRtoNs(), (410 + 4 * 170) * MS, "3/4 200 + 1/4 80");
        for (int i = 0; i < 200; ++i)
        {
            rtt.Add(20 * MS);
        }
        NS_TEST_EXPECT_MSG_EQ(rtt.GetRtoNs(), 200 * MS, "no less than the least");
        NS_TEST_EXPECT_MSG_EQ_TOL(rtt.GetSmoothedNs(), 20 * MS, 8, "");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SegmentReceiverTest,
            new SegmentScoreboardTest,
            new LinkMeterTest,
            new DropTailLinkTest,
            new SegmentPartsTest};
});

} // namespace ns3::gridftp
