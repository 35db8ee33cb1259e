/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-sender-bench.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-red.h"
#include "ns3/gridftp-segment-ecn.h"
#include "ns3/gridftp-segment-link.h"
#include "ns3/gridftp-segment-red-queue.h"
#include "ns3/gridftp-segment-sender.h"
#include "ns3/test.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * ECN of the classic stack, worked out by hand from RFC 3168 with ns-3's readings.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint64_t SEGMENT_BYTES = SenderBench::SEGMENT;
constexpr Nanoseconds MS_NS = SenderBench::MILLISECOND;

/// The receiving end.
class EcnReceiverTest : public TestCase
{
  public:
    EcnReceiverTest()
        : TestCase("ECN: a receiver echoes a mark until CWR comes")
    {
    }

  private:
    void DoRun() override
    {
        SegmentEcn ecn;
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(), false, "nothing was marked");
        ecn.HandleMark(0);
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(), true, "the first byte of a stream counts, too");
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(), true, "all ACKs until CWR (RFC 3168, 6.1.3)");
        ecn.HandleReduction();
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(), false, "CWR has come");
        ecn.HandleMark(3000);
        ecn.HandleReduction();
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(), true, "a segment with CWR that is marked as well");
        ecn.HandleReduction();
        ecn.HandleMark(2000);
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(),
                              false,
                              "a marked segment that others have overtaken: ns-3 ignores it");
        ecn.HandleMark(3000);
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(), false, "nor does the same one count twice");
        ecn.HandleMark(3001);
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(), true, "behind it");
    }
};

/// The sending end.
class EcnFlagsTest : public TestCase
{
  public:
    EcnFlagsTest()
        : TestCase("ECN: which segments are ECT, and which one carries CWR")
    {
    }

  private:
    /// @param ecn it @param start first byte of a segment that it sends @return "ect", "ect cwr" or
    /// ""
    static std::string Send(SegmentEcn& ecn, uint64_t start)
    {
        const auto flags = ecn.HandleSegment(start, SEGMENT_BYTES);
        return std::string(flags.isEct ? "ect" : "") + (flags.hasCwr ? " cwr" : "");
    }

    void DoRun() override
    {
        SegmentEcn ecn;
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 0), "ect", "new data");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 1000), "ect", "");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 0), "", "sent again: not ECT (RFC 3168, 6.1.5)");
        NS_TEST_EXPECT_MSG_EQ(ecn.HandleAck(0, false, true), false, "no new data: ns-3 ignores it");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 2000), "ect", "");
        NS_TEST_EXPECT_MSG_EQ(ecn.HandleAck(1000, true, true), true, "");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 1000), "", "CWR is for new data (RFC 3168, 6.1.2)");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 3000), "ect cwr", "");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 4000), "ect", "once");
        NS_TEST_EXPECT_MSG_EQ(ecn.HandleAck(2000, true, true), true, "CWR is still under way");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 5000), "ect", "so that none is sent");
        NS_TEST_EXPECT_MSG_EQ(ecn.HandleAck(3000, true, true), true, "");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 6000), "ect", "not acknowledged: 3000 is missing");
        NS_TEST_EXPECT_MSG_EQ(ecn.HandleAck(4000, true, true), true, "it was in vain");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 7000), "ect cwr", "");
        NS_TEST_EXPECT_MSG_EQ(ecn.HandleAck(8000, true, true), true, "");
        NS_TEST_EXPECT_MSG_EQ(ecn.HandleAck(8000, false, false), false, "a duplicate without ECE");
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 8000), "ect", "ends the wait for CWR (ns-3)");
        CheckBothRoles();
    }

    /// ns-3 has one state for both roles of an end.
    void CheckBothRoles()
    {
        SegmentEcn ecn;
        ecn.HandleMark(0);
        ecn.HandleAck(1000, true, true);
        NS_TEST_EXPECT_MSG_EQ(ecn.TakeEcho(), false, "an echo that comes replaces one that is due");
        ecn.HandleMark(1000);
        NS_TEST_EXPECT_MSG_EQ(Send(ecn, 0), "ect", "and a mark that comes the CWR");
    }
};

/// A sender, and ACKs that a test makes.
class EcnSending : public SenderBench
{
  public:
    /// @param control name of the congestion control @param hasSack with SACK @param initial
    /// segments at first @param written segments that the application has written
    EcnSending(const char* control, bool hasSack, uint32_t initial = 10, uint64_t written = 100)
        : SenderBench(MakeTcp(control, hasSack), initial)
    {
        Start(written);
    }

    void SendSegment(SegmentSender&, uint64_t start, uint32_t size) override
    {
        const auto flags = sender.GetEcn().HandleSegment(start, size);
        Note(std::to_string(start / SEGMENT_BYTES) + (flags.isEct ? "" : "r") +
             (flags.hasCwr ? "c" : ""));
    }

    /// An ACK comes. @param ms when @param segments below the first one missing @param hasEcho with
    /// ECE @param blocks of its SACK option @return numbers of the segments that are sent for it,
    /// with r where they are not ECT and c where they carry CWR
    std::string Ack(int64_t ms,
                    uint64_t segments,
                    bool hasEcho = false,
                    std::initializer_list<SackBlock> blocks = {})
    {
        sender.SetOptions(0, MakeBlocks(blocks, SEGMENT_BYTES));
        sender.SetEcho(hasEcho);
        sender.HandleAck(ms * MS_NS, segments * SEGMENT_BYTES);
        return Take();
    }

  private:
    /// @param control see constructor @param hasSack see there @return settings
    static SegmentTcp MakeTcp(const char* control, bool hasSack)
    {
        SegmentTcp tcp;
        tcp.control = FindCongestionControl(control);
        tcp.hasSack = hasSack;
        tcp.hasEcn = true;
        return tcp;
    }
};

/// RFC 3168, Section 6.1.2.
class EcnSenderTest : public TestCase
{
  public:
    EcnSenderTest()
        : TestCase("ECN: an echo reduces cwnd once per window")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* control : {"reno", "newreno"})
        {
            for (const bool hasSack : {false, true})
            {
                CheckReduction(control, hasSack);
                CheckRecovery(control, hasSack);
            }
            CheckLoss(control);
        }
        CheckLossWithSack();
        CheckIdle();
        CheckCubic();
    }

    /// @param test a sender @return whether it has slowed down because of an echo
    static bool IsSlowed(const EcnSending& test)
    {
        return test.sender.GetState() == CongestionState::CWR;
    }

    /// @param control name of the congestion control @param hasSack with SACK
    void CheckReduction(const char* control, bool hasSack)
    {
        EcnSending test(control, hasSack);
        NS_TEST_EXPECT_MSG_EQ(test.Take(), "0 1 2 3 4 5 6 7 8 9", control);
        NS_TEST_EXPECT_MSG_EQ(test.Ack(101, 1, true), "", "9 are in flight");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetSsthresh(), 4500, "half of that, at once");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), 4500, "");
        NS_TEST_EXPECT_MSG_EQ(IsSlowed(test), true, "");
        for (uint64_t ack = 2; ack <= 6; ++ack)
        {
            NS_TEST_EXPECT_MSG_EQ(test.Ack(101, ack, true), "", "still more than cwnd");
        }
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), 4500, "echoes of the same window");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(102, 7, true), "10c", "3 are in flight: room for one");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(103, 8, true), "11", "before CWR is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(104, 9), "12", "");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(105, 10), "13", "");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), 4500, "no growth up to the end of the window");
        NS_TEST_EXPECT_MSG_EQ(IsSlowed(test), true, "ns-3 leaves it behind that end");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(202, 11), "14", "");
        NS_TEST_EXPECT_MSG_EQ(IsSlowed(test), false, "");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), 4722, "4500 + 1000 * 1000 / 4500");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(203, 12, true), "", "3 are in flight");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), 2000, "half of that, but at least 2");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetTotals().retransmissions, 0, "");
    }

    /// An echo ends fast recovery. @param control name of the congestion control @param hasSack
    /// with SACK
    void CheckRecovery(const char* control, bool hasSack)
    {
        EcnSending test(control, hasSack);
        const auto block = [hasSack](uint64_t end) -> SackBlock {
            return hasSack ? SackBlock{1, end} : SackBlock{0, 0};
        };
        test.Take();
        for (uint64_t i = 0; i < 3; ++i)
        {
            hasSack ? test.Ack(101, 0, false, {block(2 + i)}) : test.Ack(101, 0);
        }
        NS_TEST_EXPECT_MSG_EQ((test.sender.GetState() == CongestionState::RECOVERY), true, "");
        test.Ack(201, 5, true);
        NS_TEST_EXPECT_MSG_EQ(IsSlowed(test), true, control << ": a partial ACK with an echo");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), test.sender.GetSsthresh(), "");
    }

    /// Duplicate ACKs lead to no fast retransmit (ns-3). @param control name of the congestion
    /// control
    void CheckLoss(const char* control)
    {
        EcnSending test(control, false);
        test.Ack(101, 1, true);
        for (int i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(test.Ack(102, 1), "", control << ": 1 is lost");
        }
        test.Take();
        test.sender.HandleTimeout(400 * MS_NS);
        NS_TEST_EXPECT_MSG_EQ(test.Take(), "1r", "the timeout finds it");
        NS_TEST_EXPECT_MSG_EQ((test.sender.GetState() == CongestionState::LOSS), true, "");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), SEGMENT_BYTES, "");
    }

    /// With SACK what is lost is sent again as cwnd allows, without a recovery.
    void CheckLossWithSack()
    {
        EcnSending test("newreno", true);
        test.Take();
        test.Ack(101, 1, true); // cwnd 4500, 9 are in flight
        NS_TEST_EXPECT_MSG_EQ(test.Ack(102, 1, false, {{2, 7}}), "1r", "9 - 5 - 1 are in flight");
        NS_TEST_EXPECT_MSG_EQ(IsSlowed(test), true, "");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(103, 1, false, {{2, 10}}), "10 11 12", "1 is");
        // Three ACKs have counted as duplicates. This one ends the slowing down and reports more:
        // one duplicate, not three, of which each is the first for ns-3's assertion
        NS_TEST_EXPECT_MSG_EQ(test.Ack(202, 11, false, {{12, 13}}), "13 14 15", "");
        NS_TEST_EXPECT_MSG_EQ((test.sender.GetState() == CongestionState::DISORDER), true, "");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetTotals().timeouts, 0, "");
    }

    /// RFC 2581, Section 4.1, is not for a sender that has slowed down: here ns-3's own socket has
    /// taken over from TcpSocketReno.
    void CheckIdle()
    {
        for (const bool hasEcho : {false, true})
        {
            EcnSending test("reno", false, 2, 22);
            for (uint64_t ack = 1; ack <= 10; ++ack)
            {
                test.Ack(100, ack);
            }
            NS_TEST_EXPECT_MSG_EQ(test.sender.GetSent(),
                                  22 * SEGMENT_BYTES,
                                  "slow start: 12 in flight");
            test.Ack(200, 11, hasEcho);
            test.Ack(201, 22);
            NS_TEST_EXPECT_MSG_EQ(IsSlowed(test), hasEcho, "all of that window, and no more");
            test.sender.GetBuffer().Append(50 * SEGMENT_BYTES);
            test.Take();
            test.sender.Send(10'000 * MS_NS);
            NS_TEST_EXPECT_MSG_EQ(test.Take(),
                                  (hasEcho ? "22 23 24 25 26" : "22 23"),
                                  "half of the 11 that were in flight; else the initial window");
        }
    }

    /// What an echo takes of cwnd is the congestion control's.
    void CheckCubic()
    {
        EcnSending test("cubic", false);
        test.Ack(101, 1, true);
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetSsthresh(), 7000, "0.7 of 10 (RFC 9438, 4.6)");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), 7000, "");
    }
};

/// RED that marks.
class MarkingRedTest : public TestCase
{
  public:
    MarkingRedTest()
        : TestCase("ECN: RED marks packets instead of dropping them")
    {
    }

  private:
    void DoRun() override
    {
        constexpr RedSpec SPEC{.minThreshold = 2,
                               .maxThreshold = 3,
                               .maxProbability = 1,
                               .weight = 1,
                               .isGentle = true,
                               .packetBytes = 1000};
        constexpr int64_t RATE_BPS = 8'000'000; // a packet in 1 ms
        DropTailLink link(TransmissionTime(RATE_BPS, 0), 0, 5);
        SegmentRedQueue queue(RandomEarlyDetection(SPEC, RATE_BPS, 1), link, 5);
        const auto enqueue = [&queue](bool isEct) {
            return queue.Enqueue(0, {.bytes = 1000, .isEct = isEct});
        };
        // The average is the queue itself. At 2 the first packet only starts the count; at 3 each
        // one is chosen, up to twice the threshold
        NS_TEST_EXPECT_MSG_EQ(enqueue(true) && enqueue(true) && enqueue(true), true, "");
        NS_TEST_EXPECT_MSG_EQ(enqueue(false), false, "not ECT: dropped");
        NS_TEST_EXPECT_MSG_EQ(enqueue(true), true, "ECT: marked");
        NS_TEST_EXPECT_MSG_EQ(enqueue(true), true, "");
        NS_TEST_EXPECT_MSG_EQ(queue.GetLength(), 5, "");
        NS_TEST_EXPECT_MSG_EQ(enqueue(true), false, "the queue is full");
        NS_TEST_EXPECT_MSG_EQ(queue.GetMarks(), 0, "none has left");
        std::string marks;
        while (const auto packet = queue.Dequeue(0))
        {
            marks += packet->isMarked ? 'm' : '-';
        }
        NS_TEST_EXPECT_MSG_EQ(marks, "---mm", "");
        NS_TEST_EXPECT_MSG_EQ(queue.GetMarks(), 2, "");
        // Above twice the threshold all are dropped (ns-3's UseHardDrop)
        SegmentRedQueue deep(RandomEarlyDetection(SPEC, RATE_BPS, 1), link, 100);
        uint64_t taken = 0;
        for (int i = 0; i < 20; ++i)
        {
            taken += deep.Enqueue(0, {.bytes = 1000, .isEct = true}) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(taken, 6, "marked or not, up to twice 3");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EcnReceiverTest, new EcnFlagsTest, new EcnSenderTest, new MarkingRedTest};
});

} // namespace
