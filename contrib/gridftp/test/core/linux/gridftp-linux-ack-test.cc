/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-receiver-test.h"
#include "gridftp-test-cases.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using Bench = LinuxReceiverBench;

/// When ACKs leave.
class LinuxAckTest : public TestCase
{
  public:
    LinuxAckTest()
        : TestCase("Linux receiver: quick, delayed and compressed ACKs")
    {
    }

  private:
    void DoRun() override
    {
        StartQuickly();
        Delay();
        FollowRoute();
        AnswerSmallSegments();
        Compress();
        CompressOften();
        FlushBlocks();
        ReportCongestion();
        AcknowledgeFin();
        BeInteractive();
    }

    /// Each segment is acknowledged for 16 ACKs from the sixth on, the last that lets the window
    /// grow: 65160 + 5 * 2896 bytes are 79640, and 80480 is the most. Then every second one.
    void StartQuickly()
    {
        LinuxSettings settings;
        settings.moderatesReceiveBuffer = false;
        Bench bench(settings);
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(22, 2 * LINUX_MS), 22, "quick ACKs");
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(1, 2 * LINUX_MS), 0, "the first ACK that is delayed");
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(1, 2 * LINUX_MS), 1, "two segments");
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(40, 2 * LINUX_MS), 20, "every second segment");
    }

    /// HZ is 250: ticks of 4 ms. From 1046 ms on, tick 261, the timer runs for 10 ticks of the ATO
    /// and one more. A missed ACK doubles the ATO; up to the RTT it delays the next one.
    void Delay()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        bench.Stream(22, 2 * LINUX_MS);
        bench.now += 2 * LINUX_MS;
        bench.Stream(1, 0);
        NS_TEST_EXPECT_MSG_EQ(bench.now, 1046 * LINUX_MS, "time of the segment");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetDeadline(), 1088 * LINUX_MS, "40 to 44 ms");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.HandleDeadline(1087 * LINUX_MS), false, "too early");
        NS_TEST_EXPECT_MSG_EQ(bench.Expire(), true, "the timer");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.ack, Bench::At(23), "position");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetDeadline(), LinuxReceiver::NEVER, "done");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetSchedule().GetAto(), 80 * LINUX_MS, "doubled");
        bench.now = 1'200 * LINUX_MS;
        bench.Stream(1, 0);
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetDeadline(), 1284 * LINUX_MS, "80 to 84 ms");
        // 16 ms before it expires the next segment sends the ACK, though it is a small one.
        bench.now = 1'268 * LINUX_MS;
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(24), 100), true, "about to expire");
    }

    /// "quickack 1" of a route.
    void FollowRoute()
    {
        LinuxSettings settings;
        settings.acknowledgesAll = true;
        Bench bench(settings);
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(100, 2 * LINUX_MS), 100, "every segment");
    }

    /// Reading the last of the data answers a small segment, or a full one with PSH.
    void AnswerSmallSegments()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        bench.Stream(40, 2 * LINUX_MS);
        bench.Send();
        const uint64_t next = bench.receiver.GetNext();
        NS_TEST_EXPECT_MSG_EQ(bench.Come(next, 100, LinuxSegment::PSH), false, "not at once");
        NS_TEST_EXPECT_MSG_EQ(bench.ReadAll(), true, "when it is read");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(next + 100, 1448, LinuxSegment::PSH), false, "full");
        NS_TEST_EXPECT_MSG_EQ(bench.ReadAll(), true, "when it is read");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(next + 1548, 1448), false, "more may follow");
        NS_TEST_EXPECT_MSG_EQ(bench.ReadAll(), false, "the timer acknowledges");
    }

    /// @param bench whose quick ACKs end, and whose RTT is set
    static void Settle(Bench& bench)
    {
        bench.segment.tsEcr = static_cast<uint32_t>(bench.now / LINUX_MS) + 1 - 10;
        bench.Stream(40, LINUX_MS / 10);
        bench.Send();
    }

    /// A quick ACK, as the window may grow once more, and three duplicate ACKs leave at once; then
    /// one for many, after 5 % of the RTT and the slack.
    void Compress()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        Settle(bench);
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetBuffer().GetRttUs8(), 80'000, "10 ms");
        for (int i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(41 + i), 1448), true, "duplicate ACK");
        }
        for (int i = 4; i < 10; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(41 + i), 1448), false, "compressed");
            NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetDeadline(),
                                  bench.now + 600'000 - (i - 4) * 10'000,
                                  "0.5 ms and 0.1 ms");
            bench.now += 10'000;
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Expire(), true, "one ACK");
        NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), "41-51", "all that came");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(40), 1448), true, "the gap is filled");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.ack, Bench::At(51), "position");
        NS_TEST_EXPECT_MSG_EQ(int(bench.ack.blocks), 0, "no blocks");
    }

    /// 44 ACKs at most become one; without SACK none does.
    void CompressOften()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        Settle(bench);
        int acks = 0;
        for (int i = 0; i < 4 + 44; ++i)
        {
            acks += bench.Come(Bench::At(41 + i), 1448) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(acks, 4, "duplicate ACKs");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(89), 1448), true, "no more than 44");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(90), 1448), false, "again");

        Bench counting(settings, false);
        Settle(counting);
        for (int i = 0; i < 20; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(counting.Come(Bench::At(41 + i), 1448), true, "without SACK");
            NS_TEST_EXPECT_MSG_EQ(int(counting.ack.blocks), 0, "without SACK");
        }
    }

    /// A compressed ACK leaves before its third block is stored: the kernel's ACK reports the
    /// others.
    void FlushBlocks()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        Settle(bench);
        for (int i : {41, 42, 43, 44})
        {
            bench.Come(Bench::At(i), 1448);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(46), 1448), false, "second block");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(48), 1448), true, "third block");
        NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), "46-47 41-45", "without it");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(49), 1448), false, "compressed");
        bench.Expire();
        NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), "48-50 46-47 41-45", "with it");
        // A DSACK is reported if no other segment comes before the ACK leaves.
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(49), 1448), false, "compressed");
        bench.Expire();
        NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), "49-50 48-50 46-47", "DSACK");
        bench.Come(Bench::At(49), 1448);
        bench.Come(Bench::At(50), 1448);
        bench.Expire();
        NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), "48-51 46-47 41-45", "no DSACK");
    }

    /// RFC 3168: ECE from a marked segment on until CWR; the ACKs of both leave at once.
    void ReportCongestion()
    {
        LinuxSettings settings;
        settings.ecn = true;
        Bench bench(settings);
        bench.segment.isEct = true;
        bench.Stream(40, 2 * LINUX_MS);
        bench.Send();
        NS_TEST_EXPECT_MSG_EQ(bench.ack.Has(LinuxSegment::ECE), false, "no congestion");
        bench.segment.isCe = true;
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(1, LINUX_MS), 1, "marked");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.Has(LinuxSegment::ECE), true, "marked");
        bench.segment.isCe = false;
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(1, LINUX_MS), 1, "the second quick ACK");
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(1, LINUX_MS), 0, "delayed");
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(1, LINUX_MS), 1, "two segments");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.Has(LinuxSegment::ECE), true, "still");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(44), 1448, LinuxSegment::CWR), true, "CWR");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.Has(LinuxSegment::ECE), false, "CWR");
    }

    /// A FIN takes a position and is no data; its ACK waits for the application's answer.
    void AcknowledgeFin()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        bench.Stream(40, 2 * LINUX_MS);
        bench.Send();
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(41), 100, LinuxSegment::FIN), true, "early");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.HasFin(), false, "data are missing");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(40), 1448), true, "the gap is filled");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.HasFin(), true, "all data");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.ack, Bench::At(41) + 101, "position");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetReadable(), 1548, "data");
        bench.ReadAll();
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetBuffer().GetMemory(), 0, "all read");

        Bench other(settings);
        other.Stream(40, 2 * LINUX_MS);
        other.Send();
        NS_TEST_EXPECT_MSG_EQ(other.Come(Bench::At(40), 0, LinuxSegment::FIN), false, "delayed");
        NS_TEST_EXPECT_MSG_EQ(other.receiver.HasFin(), true, "the FIN");
        NS_TEST_EXPECT_MSG_EQ(other.Expire(), true, "the timer");
        NS_TEST_EXPECT_MSG_EQ(other.ack.ack, Bench::At(40) + 1, "position");
    }

    /// A host that answers within the ATO delays its ACKs, which its data carry.
    void BeInteractive()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        NS_TEST_EXPECT_MSG_EQ(bench.Come(1, 100, LinuxSegment::PSH), true, "quick");
        bench.ReadAll();
        bench.receiver.HandleDataSent(bench.now + 10 * LINUX_MS);
        bench.Send();
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetSchedule().IsInteractive(), true, "an answer");
        bench.now += 15 * LINUX_MS;
        NS_TEST_EXPECT_MSG_EQ(bench.Come(101, 100, LinuxSegment::PSH), false, "delayed");
        NS_TEST_EXPECT_MSG_EQ(bench.ReadAll(), false, "still");
        bench.Expire();
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetSchedule().IsInteractive(), false, "no answer");
    }
};

const OwnTestCases g_cases([] { return std::vector<TestCase*>{new LinuxAckTest}; });

} // namespace
