/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-segment-receiver.h"
#include "ns3/gridftp-segment-sack-blocks.h"
#include "ns3/gridftp-segment-scoreboard.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * SACK at the receiver and on the sender's scoreboard: values worked out by hand, and the
 * scoreboard compared with one that walks over all segments for each ACK, as ns-3's TcpTxBuffer
 * does.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param blocks in order @return them
SackBlocks
Blocks(std::initializer_list<SackBlock> blocks)
{
    SackBlocks made;
    for (const SackBlock& block : blocks)
    {
        made.Append(block);
    }
    return made;
}

/// @param blocks of an ACK @return "begin-end begin-end ..."
std::string
Text(const SackBlocks& blocks)
{
    std::string text;
    for (const SackBlock& block : blocks.Get())
    {
        text += (text.empty() ? "" : " ") + std::to_string(block.begin) + "-" +
                std::to_string(block.end);
    }
    return text;
}

/// What a receiver reports.
class SackReceiverTest : public TestCase
{
  public:
    SackReceiverTest()
        : TestCase("SACK: a receiver reports the block that changed last first, four at most")
    {
    }

  private:
    using Answer = SegmentReceiver::Answer;

    void DoRun() override
    {
        CheckBlocks();
        CheckOverlaps();
        CheckAnswers();
    }

    void CheckBlocks()
    {
        SegmentReceiver receiver(1, true);
        const auto after = [&receiver](uint64_t start) {
            receiver.Receive(start, 10);
            return Text(receiver.GetSackBlocks());
        };
        NS_TEST_EXPECT_MSG_EQ(after(0), "", "in order");
        NS_TEST_EXPECT_MSG_EQ(after(20), "20-30", "behind a gap");
        NS_TEST_EXPECT_MSG_EQ(after(40), "40-50 20-30", "another gap");
        NS_TEST_EXPECT_MSG_EQ(after(60), "60-70 40-50 20-30", "");
        NS_TEST_EXPECT_MSG_EQ(after(80), "80-90 60-70 40-50 20-30", "");
        NS_TEST_EXPECT_MSG_EQ(after(100), "100-110 80-90 60-70 40-50", "the fifth is forgotten");
        NS_TEST_EXPECT_MSG_EQ(after(30), "30-50 100-110 80-90 60-70", "without the forgotten part");
        NS_TEST_EXPECT_MSG_EQ(after(70), "60-90 30-50 100-110", "a gap between two is filled");
        NS_TEST_EXPECT_MSG_EQ(after(10), "60-90 100-110", "what is acknowledged goes");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetNext(), 50, "");
        NS_TEST_EXPECT_MSG_EQ(after(50), "100-110", "");
        NS_TEST_EXPECT_MSG_EQ(after(90), "", "");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetNext(), 110, "");
        NS_TEST_EXPECT_MSG_EQ(receiver.HasGap(), false, "");
    }

    /// Segments that were sent again with other boundaries.
    void CheckOverlaps()
    {
        SegmentReceiver receiver(1, true);
        receiver.Receive(20, 10);
        receiver.Receive(15, 10);
        NS_TEST_EXPECT_MSG_EQ(Text(receiver.GetSackBlocks()), "15-30", "its new part is in front");
        receiver.Receive(25, 10);
        NS_TEST_EXPECT_MSG_EQ(Text(receiver.GetSackBlocks()), "15-35", "or behind");
        receiver.Receive(16, 10);
        NS_TEST_EXPECT_MSG_EQ(Text(receiver.GetSackBlocks()), "15-35", "nothing of it is new");
        receiver.Receive(50, 10);
        receiver.Receive(45, 20);
        // ns-3 stores the whole segment in place of what it contains, and joins blocks that touch
        NS_TEST_EXPECT_MSG_EQ(Text(receiver.GetSackBlocks()), "45-65 50-60 15-35", "contained");
        receiver.Receive(0, 15);
        NS_TEST_EXPECT_MSG_EQ(Text(receiver.GetSackBlocks()), "45-65 50-60", "");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetNext(), 35, "");
        receiver.Receive(30, 20);
        NS_TEST_EXPECT_MSG_EQ(receiver.GetNext(), 65, "");
        NS_TEST_EXPECT_MSG_EQ(Text(receiver.GetSackBlocks()), "", "");
    }

    void CheckAnswers()
    {
        SegmentReceiver receiver(3, true);
        receiver.HandleAckSent();
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(0, 10) == Answer::LATER), true, "the first of 3");
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(20, 10) == Answer::ACK), true, "a gap");
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(20, 10) == Answer::ACK), true, "again");
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(10, 10) == Answer::ACK), true, "the gap is filled");
        receiver.HandleAckSent();
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(30, 10) == Answer::LATER), true, "in order");
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(35, 10) == Answer::LATER), true, "and in part new");
        NS_TEST_EXPECT_MSG_EQ((receiver.Receive(45, 10) == Answer::ACK), true, "the third");
    }
};

/// The scoreboard, by hand.
class SackScoreboardTest : public TestCase
{
  public:
    SackScoreboardTest()
        : TestCase("SACK: a scoreboard finds what is lost, and what is lost again")
    {
    }

  private:
    /// @param segments of 10 bytes, sent at 0, 1, 2, ... ns @return a board with them
    static SegmentScoreboard Make(uint32_t segments)
    {
        SegmentScoreboard board;
        board.ActivateWithSack();
        for (uint32_t i = 0; i < segments; ++i)
        {
            board.Append(uint64_t{10} * i, 10, i);
        }
        return board;
    }

    void DoRun() override
    {
        CheckLosses();
        CheckLostAgain();
        CheckParts();
        CheckTimeout();
    }

    /// RFC 6675: three segments behind another one say that it is lost.
    void CheckLosses()
    {
        auto board = Make(10);
        auto reported = board.Update(Blocks({{10, 20}}));
        NS_TEST_EXPECT_MSG_EQ(reported.bytes, 10, "");
        NS_TEST_EXPECT_MSG_EQ(reported.delivered, 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(100), 90, "");
        reported = board.Update(Blocks({{40, 50}, {10, 20}}));
        NS_TEST_EXPECT_MSG_EQ(reported.bytes, 10, "one is known");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().has_value(), false, "two say nothing");
        NS_TEST_EXPECT_MSG_EQ(board.IsHeadLost(), false, "");
        reported = board.Update(Blocks({{40, 60}, {10, 20}}));
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(1), 0, "the third says it of the first");
        NS_TEST_EXPECT_MSG_EQ(board.IsHeadLost(), true, "");
        NS_TEST_EXPECT_MSG_EQ(board.GetLostBytes(), 10, "but not of 20 and 30: two behind them");
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(100), 60, "100 - 30 reported - 10 lost");
        board.Update(Blocks({{40, 70}, {10, 20}}));
        NS_TEST_EXPECT_MSG_EQ(board.GetLostBytes(), 30, "now");
        NS_TEST_EXPECT_MSG_EQ(board.SendAgain(0, 10, 20), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(0), 20, "");
        NS_TEST_EXPECT_MSG_EQ(board.SendAgain(20, 10, 21), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.SendAgain(30, 10, 22), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().has_value(), false, "all are sent again");
        NS_TEST_EXPECT_MSG_EQ(board.FindUnreported().has_value(), false, "below 60 too");
        NS_TEST_EXPECT_MSG_EQ(board.IsSentAgain(30), true, "");
        NS_TEST_EXPECT_MSG_EQ(board.IsSentAgain(35), false, "no boundary");
        NS_TEST_EXPECT_MSG_EQ(board.IsSentAgain(50), false, "not sent again");
        NS_TEST_EXPECT_MSG_EQ(board.Discard(70), 30, "without what was reported before");
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(30), 30, "");
    }

    /// ns-3's issues 1190 and 1349.
    void CheckLostAgain()
    {
        auto board = Make(10);
        board.Update(Blocks({{30, 60}}));
        NS_TEST_EXPECT_MSG_EQ(board.GetLostBytes(), 30, "");
        board.SendAgain(0, 10, 20);
        board.SendAgain(10, 10, 21);
        board.SendAgain(20, 10, 22);
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(100), 70, "100 - 30 - 30 + 30");
        board.Update(Blocks({{10, 20}, {30, 60}}));
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(100),
                              50,
                              "1190: 10 is in flight no more; 0, sent before it, is lost again");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(1), 0, "1349");
        board.SendAgain(0, 10, 23);
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().has_value(), false, "20 was sent later than 10");
        board.Append(100, 10, 30);
        board.Update(Blocks({{100, 110}, {10, 20}, {30, 60}}));
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(1), 0, "both were sent before 100");
        board.SendAgain(0, 10, 31);
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(1), 20, "");
    }

    /// Segments that a small window cut, and blocks of parts of segments.
    void CheckParts()
    {
        auto board = Make(4);
        NS_TEST_EXPECT_MSG_EQ(board.Update(Blocks({{12, 20}})).bytes,
                              0,
                              "a part of one says nothing");
        NS_TEST_EXPECT_MSG_EQ(board.Update(Blocks({{15, 35}})).bytes, 10, "one as a whole");
        board.MarkHeadLost();
        NS_TEST_EXPECT_MSG_EQ(board.SendAgain(0, 4, 10), 4, "cut");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(0), 4, "the rest");
        NS_TEST_EXPECT_MSG_EQ(board.Discard(4), 4, "");
        NS_TEST_EXPECT_MSG_EQ(board.Update(Blocks({{50, 60}, {30, 40}})).bytes,
                              0,
                              "of what was never sent, and then nothing more is looked at");
        NS_TEST_EXPECT_MSG_EQ(board.Update(Blocks({{30, 40}})).bytes, 10, "");
    }

    /// After a timeout what is reported stays so (RFC 6675, Section 5.1).
    void CheckTimeout()
    {
        auto board = Make(6);
        board.Update(Blocks({{20, 30}}));
        board.MarkAllLost();
        NS_TEST_EXPECT_MSG_EQ(board.GetLostBytes(), 50, "");
        NS_TEST_EXPECT_MSG_EQ(board.GetFlight(60), 0, "");
        NS_TEST_EXPECT_MSG_EQ(board.SendAgain(0, 10, 9), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.SendAgain(*board.FindLost(), 10, 9), 10, "");
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().has_value(),
                              false,
                              "30 is above what is reported: new data come first");
        board.Discard(30);
        NS_TEST_EXPECT_MSG_EQ(board.FindLost().value_or(0), 30, "nothing is reported any more");
    }
};

/// The same scoreboard without any shortcut: each rule is a walk over all segments.
class WalkedBoard
{
  public:
    struct Item
    {
        uint64_t start;          //!< first byte
        uint64_t end;            //!< behind it
        bool lost{false};        //!< seems lost
        bool again{false};       //!< was sent again
        bool sacked{false};      //!< reported
        bool isUncounted{false}; //!< does not count as delivered
        int64_t sentNs{0};       //!< when
    };

    void Append(uint64_t start, uint32_t size, int64_t now)
    {
        items.push_back({.start = start, .end = start + size, .sentNs = now});
    }

    uint64_t Discard(uint64_t ack)
    {
        uint64_t delivered = 0;
        while (!items.empty() && items[0].end <= ack)
        {
            delivered += items[0].isUncounted ? 0 : items[0].end - items[0].start;
            items.erase(items.begin());
        }
        if (!items.empty() && items[0].start < ack)
        {
            items[0].start = ack;
        }
        if (highest && *highest <= ack)
        {
            highest.reset();
        }
        return delivered;
    }

    SegmentScoreboard::Reported Update(const SackBlocks& blocks)
    {
        SegmentScoreboard::Reported reported;
        int64_t newest = std::numeric_limits<int64_t>::min();
        for (const SackBlock& block : blocks.Get())
        {
            if (items.empty() || items.back().end < block.begin)
            {
                return reported;
            }
            for (Item& item : items)
            {
                const bool isWhole = item.start >= block.begin && item.end <= block.end;
                if (item.sacked || !isWhole)
                {
                    continue;
                }
                reported.bytes += item.end - item.start;
                reported.delivered += item.isUncounted ? 0 : item.end - item.start;
                newest = std::max(newest, item.sentNs);
                item.lost = item.again = false;
                item.sacked = item.isUncounted = true;
                highest = !highest || *highest <= item.end ? item.start : *highest;
            }
        }
        if (reported.bytes > 0)
        {
            Mark(newest);
        }
        return reported;
    }

    void Mark(int64_t newest)
    {
        uint32_t behind = 0;
        for (size_t i = items.size(); i-- > 0;)
        {
            Item& item = items[i];
            if (item.start > *highest)
            {
                continue;
            }
            behind += item.sacked && i > 0 ? 1 : 0;
            if (item.start < *highest && item.again && item.sentNs < newest)
            {
                item.again = false;
                item.lost = true;
            }
            item.lost = item.lost || (behind >= 3 && !item.sacked);
        }
    }

    void MarkAllLost()
    {
        for (Item& item : items)
        {
            item.lost = !item.sacked;
            item.again = false;
        }
    }

    void MarkHeadLost()
    {
        if (!items.empty())
        {
            items[0].lost = true;
            items[0].again = items[0].sacked = false;
        }
    }

    std::optional<uint64_t> Find(bool onlyLost) const
    {
        for (const Item& item : items)
        {
            const bool isBelow = !highest || item.start < *highest;
            if (isBelow && !item.again && !item.sacked && (item.lost || !onlyLost))
            {
                return item.start;
            }
        }
        return std::nullopt;
    }

    uint32_t SendAgain(uint64_t start, uint32_t bytes, int64_t now)
    {
        size_t i = 0;
        while (items[i].start != start)
        {
            ++i;
        }
        const bool joins =
            i + 1 < items.size() && !items[i + 1].sacked && items[i + 1].lost == items[i].lost;
        const uint64_t most = (joins ? items[i + 1].end : items[i].end) - start;
        const uint64_t end = start + std::min<uint64_t>(bytes, most);
        if (items[i].end < end)
        {
            items[i].again = items[i].again && items[i + 1].again;
            items[i].sentNs = std::max(items[i].sentNs, items[i + 1].sentNs);
            items[i].end = items[i + 1].end;
            items.erase(items.begin() + static_cast<ptrdiff_t>(i) + 1);
        }
        if (items[i].end > end)
        {
            Item rest = items[i];
            rest.start = items[i].end = end;
            items.insert(items.begin() + static_cast<ptrdiff_t>(i) + 1, rest);
        }
        items[i].again = true;
        items[i].isUncounted = false;
        items[i].sentNs = now;
        return static_cast<uint32_t>(end - start);
    }

    uint64_t GetFlight() const
    {
        uint64_t flight = 0;
        for (const Item& item : items)
        {
            const uint64_t size = item.end - item.start;
            flight += (item.lost || item.sacked ? 0 : size) + (item.again ? size : 0);
        }
        return flight;
    }

    std::vector<Item> items;         //!< in order
    std::optional<uint64_t> highest; //!< start of the highest one reported
};

/// Both scoreboards on random ACKs.
class SackWalkTest : public TestCase
{
  public:
    SackWalkTest()
        : TestCase("SACK: a scoreboard with shortcuts equals one that walks over all segments")
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(6675);
        for (int round = 0; round < 1500; ++round)
        {
            Go(draw);
        }
        NS_TEST_EXPECT_MSG_GT(m_again, 1000, "segments were lost again, or this shows nothing");
    }

    /// @param draw events
    void Go(Draw& draw)
    {
        SegmentScoreboard board;
        board.ActivateWithSack();
        WalkedBoard walked;
        uint64_t una = 0;
        uint64_t next = 0;
        for (int64_t now = 0; now < 120; ++now)
        {
            switch (draw.Below(8))
            {
            case 0:
            case 1:
            case 2: {
                const auto size =
                    static_cast<uint32_t>(draw.Below(4) == 0 ? 1 + draw.Below(10) : 10);
                board.Append(next, size, now);
                walked.Append(next, size, now);
                next += size;
                break;
            }
            case 3:
                if (draw.Below(3) == 0)
                {
                    una = DrawAck(draw, walked, una);
                    NS_TEST_ASSERT_MSG_EQ(board.Discard(una), walked.Discard(una), "delivered");
                }
                break;
            case 4:
                if (draw.Below(10) == 0)
                {
                    board.MarkAllLost();
                    walked.MarkAllLost();
                }
                break;
            default:
                Report(draw, board, walked, una, next);
                break;
            }
            SendAgain(draw, board, walked, now);
            NS_TEST_ASSERT_MSG_EQ(board.GetFlight(next - una), walked.GetFlight(), "in flight");
            NS_TEST_ASSERT_MSG_EQ(Text(board.FindLost()), Text(walked.Find(true)), "lost");
            NS_TEST_ASSERT_MSG_EQ(Text(board.FindUnreported()), Text(walked.Find(false)), "rule 3");
        }
    }

    /// @param byte or none @return it as text
    static std::string Text(const std::optional<uint64_t>& byte)
    {
        return byte ? std::to_string(*byte) : "none";
    }

    /// @param draw random numbers @param walked segments @param una first byte not acknowledged
    /// @return a byte that a receiver could acknowledge next: at or in a segment not reported
    static uint64_t DrawAck(Draw& draw, const WalkedBoard& walked, uint64_t una)
    {
        if (walked.items.empty())
        {
            return una;
        }
        const auto& item = walked.items[draw.Below(walked.items.size())];
        if (item.sacked)
        {
            return una;
        }
        return item.start + (draw.Below(4) == 0 ? draw.Below(item.end - item.start) : 0);
    }

    /// Blocks, old and new ones. @param draw random numbers @param board the one @param walked the
    /// other @param una first byte not acknowledged @param next first byte not sent
    void Report(Draw& draw,
                SegmentScoreboard& board,
                WalkedBoard& walked,
                uint64_t una,
                uint64_t next)
    {
        if (walked.items.size() < 2)
        {
            return;
        }
        SackBlocks blocks = m_last;
        blocks.Truncate(static_cast<uint32_t>(draw.Below(4)));
        SackBlocks all;
        const uint64_t first = walked.items[0].end; // a receiver does not report the first one
        uint64_t begin = first + draw.Below(next - first + 1);
        if (draw.Below(2) == 0)
        {
            begin = walked.items[1 + draw.Below(walked.items.size() - 1)].start;
        }
        all.Append({begin, begin + 1 + draw.Below(60)});
        for (const SackBlock& block : blocks.Get())
        {
            if (block.begin >= first)
            {
                all.Append(block);
            }
        }
        m_last = all;
        const auto here = board.Update(all);
        const auto there = walked.Update(all);
        NS_TEST_ASSERT_MSG_EQ(here.bytes, there.bytes, "reported, " << una);
        NS_TEST_ASSERT_MSG_EQ(here.delivered, there.delivered, "delivered");
    }

    /// What is lost, or not, is sent again. @param draw random numbers @param board the one @param
    /// walked the other @param now simulation time
    void SendAgain(Draw& draw, SegmentScoreboard& board, WalkedBoard& walked, int64_t now)
    {
        const auto lost = walked.Find(draw.Below(8) != 0);
        if (!lost || draw.Below(2) == 0)
        {
            return;
        }
        const auto most = static_cast<uint32_t>(draw.Below(3) == 0 ? 1 + draw.Below(20) : 10);
        m_again += *lost == m_latest ? 1 : 0;
        m_latest = *lost;
        NS_TEST_ASSERT_MSG_EQ(board.SendAgain(*lost, most, now),
                              walked.SendAgain(*lost, most, now),
                              "sent again");
    }

    SackBlocks m_last;             //!< of the last ACK
    uint64_t m_latest{UINT64_MAX}; //!< segment that was sent again last
    uint32_t m_again{0};           //!< segments that were sent again twice in a row
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SackReceiverTest, new SackScoreboardTest, new SackWalkTest};
});

} // namespace
