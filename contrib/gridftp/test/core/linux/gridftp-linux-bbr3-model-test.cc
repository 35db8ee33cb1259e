/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-bbr-rounds-test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds SECOND = 1'000'000'000;
constexpr int64_t RTT_US = BbrRounds::RTT_US;
/// Pacing gain of the phase in which the queue drains.
constexpr double DOWN = 232 / 256.0;

/// Responses to losses and marks, worked out by hand.
class LinuxBbr3ModelTest : public TestCase
{
  public:
    LinuxBbr3ModelTest()
        : TestCase("Linux bbr3: losses, marks, undo, bursts")
    {
    }

  private:
    void DoRun() override
    {
        CutShortTerm();
        RememberBeforeProbe();
        Undo();
        TimeOut();
        AwaitLossRound();
        CutWhileProbing();
        CutOncePerProbing();
        CutOnlyWhileProbing();
        RaiseBound();
        ProbeAgain();
        FindLostPrefix();
        EndStartupByLoss();
        EndStartupByMarks();
        RespondToMarks();
        ComputeBursts();
    }

    /// Losses while cruising: 180/256 of the bandwidth, or what was delivered in the round.
    void CutShortTerm()
    {
        BbrRounds sender = BbrRounds::Cruise();
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100), 500, "CRUISE");
        const uint32_t cwnd = sender.window.cwnd;
        sender.Round(50, 50, 1); // the sample of 100 that began this round counts
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100), 500, "delivered 100");
        const uint32_t first = cwnd * 180 / 256;
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, first, "inflight_lo");
        sender.Round(50, 50, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100 * 180 / 256.0), 500, "");
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, first * 180 / 256, "inflight_lo");
        sender.Round(60, 60, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(60), 500, "delivered 60");
        // Without losses the bounds stay until it probes
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(60), 500, "stays");
        while (sender.GetRate() < BbrRounds::RateOf(99))
        {
            sender.Round(100);
        }
        NS_TEST_EXPECT_MSG_GT(sender.window.now, 2 * SECOND, "until it probes again");
    }

    /// An ACK of a tail loss probe does not say what the path delivers.
    void RememberBeforeProbe()
    {
        for (const bool isProbe : {false, true})
        {
            BbrRounds sender = BbrRounds::Cruise();
            sender.isAckingTlp = isProbe;
            sender.Round(20);
            sender.isAckingTlp = false;
            sender.Round(20, 20, 1);
            const double rate = isProbe ? BbrRounds::RateOf(100) : BbrRounds::RateOf(180 / 2.56);
            NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), rate, 500, "tail loss probe");
        }
    }

    /// A spurious recovery.
    void Undo()
    {
        BbrRounds sender = BbrRounds::Cruise();
        const uint32_t cwnd = sender.window.cwnd;
        sender.control->GetSsthresh(sender.window);
        sender.Round(50, 50, 1);
        NS_TEST_EXPECT_MSG_LT(sender.window.cwnd, cwnd, "reduced");
        sender.window.cwnd = sender.control->GetUndoCwnd(sender.window);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, cwnd, "restored");
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100), 500, "restored");
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, cwnd, "no bound");
    }

    /// The bounds are cut a round after the first loss, when the path has shown what it delivers.
    void AwaitLossRound()
    {
        BbrRounds sender = BbrRounds::Cruise();
        const uint64_t round = sender.window.delivered;
        LinuxRateSample sample;
        sample.priorDelivered = round - 1;
        sample.delivered = 50;
        sample.intervalUs = RTT_US;
        sample.ackedSacked = 50;
        sender.window.delivered += 50;
        sender.control->Control(sender.window, sample);
        const uint32_t cwnd = sender.window.cwnd;
        ++sender.window.lost;
        sender.control->HandleLost(sender.window, {.inFlight = 100});
        sample.ackedSacked = 1;
        sample.priorDelivered = round + 49;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_GT(sender.window.cwnd + 1, cwnd, "sent before the loss");
        sample.priorDelivered = round + 50;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, (cwnd + 1) * 180 / 256, "sent behind it");
    }

    /// A timeout: slow start, then cwnd as before.
    void TimeOut()
    {
        BbrRounds sender = BbrRounds::Cruise();
        const uint32_t cwnd = sender.window.cwnd;
        sender.control->GetSsthresh(sender.window);
        sender.control->HandleState(sender.window, LinuxCaState::LOSS);
        sender.window.state = LinuxCaState::LOSS;
        sender.window.cwnd = 1;
        sender.Acknowledge(50, 1, 1, RTT_US);
        sender.Acknowledge(50, 1, 1, RTT_US);
        NS_TEST_EXPECT_MSG_LT(sender.window.cwnd, 7, "slow start");
        sender.control->HandleState(sender.window, LinuxCaState::OPEN);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, cwnd, "restored");
    }

    /// More than 2 % of what was in flight, 5/256: inflight_hi is what was in flight, at least
    /// 180/256 of the BDP; while cruising 38/256 less.
    void CutWhileProbing()
    {
        BbrRounds few = BbrRounds::Probe();
        few.txInFlight = 120;
        few.Round(100, 100, 2); // 120 * 5 / 256 = 2
        NS_TEST_EXPECT_MSG_GT(few.GetRate(), BbrRounds::RateOf(100, 1.2), "2 of 120");
        BbrRounds sender = BbrRounds::Probe();
        sender.txInFlight = 120;
        sender.window.packetsOut = 150;
        sender.Round(100, 100, 3);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100, DOWN), 500, "DOWN");
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 120, "inflight_hi");
        // The BDP is 101: the bandwidth is rounded up, too
        sender.window.packetsOut = 102;
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100, DOWN), 500, "102");
        sender.window.packetsOut = 101;
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100), 500, "the BDP");
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 120 - 120 * 38 / 256, "headroom");
        BbrRounds low = BbrRounds::Probe();
        low.txInFlight = 20;
        low.window.packetsOut = 150;
        low.Round(100, 100, 3);
        NS_TEST_EXPECT_MSG_EQ(low.window.cwnd, 103 * 180 / 256, "of the BDP and 2 segments");
        BbrRounds limited = BbrRounds::Probe();
        limited.isAppLimited = true;
        limited.txInFlight = 20;
        limited.Round(100, 100, 3);
        NS_TEST_EXPECT_MSG_GT(limited.window.cwnd, 150, "the application was the limit");
        BbrRounds cruising = BbrRounds::Cruise();
        cruising.txInFlight = 120;
        cruising.Round(100, 100, 30);
        cruising.window.packetsOut = 100;
        NS_TEST_EXPECT_MSG_GT(cruising.window.cwnd, 120, "not while cruising");
    }

    /// After a probing that was too high: probing stops at inflight_hi, and goes on at once where
    /// no losses came, beyond it, by 1, 2, 4 ... segments per round.
    void RaiseBound()
    {
        BbrRounds sender = BbrRounds::Probe();
        sender.txInFlight = 120;
        sender.window.packetsOut = 150;
        sender.Round(100, 100, 3); // inflight_hi is 120
        sender.window.packetsOut = 100;
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 103, "headroom");
        int rounds = 0;
        for (; sender.GetRate() < BbrRounds::RateOf(100, 1.2); ++rounds)
        {
            sender.Round(100);
        }
        NS_TEST_EXPECT_MSG_GT(rounds, 45, "2 s");
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 120, "inflight_hi");
        // One segment for 120 ACKs, then for 60, then for 30; 100 ACKs a round
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 120, "100 of 120 ACKs");
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 123, "200 ACKs, 3 times 60");
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 127, "120 ACKs, 4 times 30");
        // What was in flight without losses raises it in any phase
        sender.txInFlight = 140;
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 140, "in flight");
    }

    /// Probing that stops at inflight_hi without losses is repeated at once, beyond it.
    void ProbeAgain()
    {
        BbrRounds sender = BbrRounds::Probe();
        sender.txInFlight = 120;
        sender.window.packetsOut = 150;
        sender.Round(100, 100, 3); // inflight_hi is 120
        sender.window.packetsOut = 100;
        sender.Round(100);
        while (sender.GetRate() < BbrRounds::RateOf(100, 1.2))
        {
            sender.Round(100);
        }
        sender.window.packetsOut = 120;
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100, DOWN), 500, "risky");
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100), 500, "REFILL");
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100, 1.25), 500, "UP");
        // Without losses it does not stop at inflight_hi this time
        sender.Round(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100, 1.25), 500, "beyond");
    }

    /// Losses behind the first ACK that shows too many do not cut inflight_hi further.
    void CutOncePerProbing()
    {
        BbrRounds sender = BbrRounds::Probe();
        sender.txInFlight = 120;
        sender.window.packetsOut = 150;
        sender.Round(100, 100, 3);
        sender.txInFlight = 60;
        sender.Round(100, 100, 30);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 100, "inflight_lo: what was delivered");
    }

    /// A lost segment that was not sent while probing says nothing about inflight_hi.
    void CutOnlyWhileProbing()
    {
        BbrRounds sender = BbrRounds::Cruise();
        sender.window.lost += 50;
        sender.control->HandleLost(sender.window, {.lostBefore = 0, .inFlight = 205});
        while (sender.GetRate() < BbrRounds::RateOf(100, 1.2))
        {
            sender.Round(100);
        }
        NS_TEST_EXPECT_MSG_GT(sender.window.cwnd, 206, "no bound");
    }

    /// The segment at which the loss rate exceeds 2 %: (1 + x) / (199 + x) with 200 in flight.
    void FindLostPrefix()
    {
        BbrRounds sender = BbrRounds::Probe();
        sender.window.lost += 4;
        sender.control->HandleLost(sender.window, {.lostBefore = 0, .inFlight = 205});
        sender.Round(100);
        NS_TEST_EXPECT_MSG_GT(sender.window.cwnd, 206, "4 of 205 are 205 * 5 / 256");
        BbrRounds ignored = BbrRounds::Probe();
        ignored.window.lost += 50;
        ignored.control->HandleLost(ignored.window, {.inFlight = 205, .hasSample = false});
        ignored.Round(100);
        NS_TEST_EXPECT_MSG_GT(ignored.window.cwnd, 206, "was acknowledged before");
        // budget ceil(199 * 5 / 256) = 4, of which 4 were lost before: the segment itself is too
        // much
        BbrRounds cut = BbrRounds::Probe();
        cut.window.lost += 5;
        cut.control->HandleLost(cut.window, {.lostBefore = 0, .inFlight = 200});
        cut.window.lost += 5;
        cut.control->HandleLost(cut.window,
                                {.lostBefore = 0, .inFlight = 150}); // of the same probing
        cut.window.packetsOut = 250;
        cut.Round(100);
        NS_TEST_EXPECT_MSG_EQ(cut.window.cwnd, 199, "without the lost segment");
        // 3 were lost before, so the lost segment still fits: (4 - 3) * 256 / 251 segments
        BbrRounds part = BbrRounds::Probe();
        part.window.lost += 5;
        part.window.packetsOut = 250;
        part.control->HandleLost(part.window, {.lostBefore = 1, .inFlight = 200});
        part.Round(100);
        NS_TEST_EXPECT_MSG_EQ(part.window.cwnd, 200, "with the lost segment");
        // A loss probe that repairs one of 31 segments
        BbrRounds tail = BbrRounds::Probe();
        tail.control->HandleEvent(tail.window, LinuxCaEvent::TLP_RECOVERY);
        tail.Round(100);
        NS_TEST_EXPECT_MSG_GT(tail.GetRate(), BbrRounds::RateOf(100, 1.2), "one of 101");
    }

    /// Six ACKs with losses in a round of recovery.
    void EndStartupByLoss()
    {
        for (const int events : {5, 6})
        {
            BbrRounds sender("bbr3");
            sender.Round(100);
            sender.Round(130);
            sender.window.state = LinuxCaState::RECOVERY;
            sender.txInFlight = 150;
            for (int ack = 1; ack < events; ++ack)
            {
                LinuxRateSample sample;
                sample.priorDelivered = sender.window.delivered - 1;
                sample.delivered = 165;
                sample.intervalUs = RTT_US;
                sample.ackedSacked = 1;
                sample.losses = 1;
                sender.control->Control(sender.window, sample);
            }
            sender.intervalUs = 2 * RTT_US;
            sender.Round(330, 165, 10);
            const bool hasEnded = sender.window.ssthresh != LinuxWindow::NO_SSTHRESH;
            NS_TEST_EXPECT_MSG_EQ(hasEnded, (events == 6), events << " ACKs");
            if (hasEnded)
            {
                // inflight_hi is what a sample delivered, which is more than the BDP; it cruises
                NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 330 - 330 * 38 / 256, "inflight_hi");
            }
        }
    }

    /// Two marked rounds on a low-latency route.
    void EndStartupByMarks()
    {
        for (const uint32_t rtt : {5000U, 5001U})
        {
            BbrRounds sender("bbr3");
            sender.window.minRttUs = rtt;
            sender.window.hasLowEcn = true;
            sender.control->Init(sender.window);
            sender.window.packetsOut = 1000;
            uint32_t segments = 100;
            for (int round = 1; round <= 3; ++round, segments *= 2)
            {
                sender.window.deliveredCe += round == 1 ? 49 : segments;
                sender.Round(segments);
                NS_TEST_EXPECT_MSG_EQ((sender.window.ssthresh == LinuxWindow::NO_SSTHRESH),
                                      (rtt == 5001 || round < 3),
                                      "round " << round);
            }
        }
    }

    /// On a low-latency route each marked round cuts inflight_lo, by up to a third.
    void RespondToMarks()
    {
        for (const bool isLow : {false, true})
        {
            BbrRounds sender = BbrRounds::Cruise();
            sender.window.hasLowEcn = isLow;
            LinuxRateSample sample;
            sample.priorDelivered = sender.window.delivered;
            sample.delivered = 100;
            sample.intervalUs = RTT_US;
            sample.rttUs = 4000;
            sample.ackedSacked = 1;
            sample.isEce = true;
            sender.window.delivered += 1;
            sender.control->Control(sender.window, sample); // the RTT is short
            const uint32_t cwnd = sender.window.cwnd;
            sample.priorDelivered = sender.window.delivered;
            sample.deliveredCe = 50;
            sender.window.delivered += 100;
            sender.window.deliveredCe += sender.window.delivered / 2;
            sender.control->Control(sender.window, sample);
            // alpha, 256 at first, becomes 256 * 15/16 + 128/16 = 248; a third of it is 82/256
            const uint32_t bound = cwnd * (256 - 82) / 256;
            NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, (isLow ? bound : cwnd + 1), "marks");
            // Without marks, and losses in this cycle, it probes again at once
            sample.isEce = false;
            sample.deliveredCe = 0;
            sender.control->Control(sender.window, sample);
            NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, (isLow ? bound + 1 : cwnd + 2), "REFILL");
        }
    }

    /// 1/1024 s of the rate, and 64 KiB halved for each 512 us of the minimum RTT.
    void ComputeBursts()
    {
        LinuxControlled sender("bbr3");
        sender.window.minRttUs = 1024;
        sender.window.srttUs8 = 8 * 1024;
        sender.control->Init(sender.window);
        sender.window.pacingRate = 10'240'000;
        NS_TEST_EXPECT_MSG_EQ(sender.control->GetTsoSegments(sender.window),
                              (10'000 + 16'384) / 1460,
                              "two halvings");
        sender.window.pacingRate = 1'024'000'000;
        NS_TEST_EXPECT_MSG_EQ(sender.control->GetTsoSegments(sender.window), 64'894 / 1460, "most");
        sender.window.minRttUs = 100'000;
        const auto far = FindLinuxCongestionKind("bbr3")->make({});
        far->Init(sender.window);
        sender.window.pacingRate = 1000;
        NS_TEST_EXPECT_MSG_EQ(far->GetTsoSegments(sender.window), 2, "least");
        NS_TEST_EXPECT_MSG_EQ(
            FindLinuxCongestionKind("bbr")->make({})->GetTsoSegments(sender.window),
            0,
            "bbr leaves them to the sender");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new LinuxBbr3ModelTest}; });

} // namespace
