/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-bbr-rounds-test.h"
#include "gridftp-linux-pipe-test.h"

#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds SECOND = 1'000'000'000;
constexpr int64_t RTT_US = BbrRounds::RTT_US;
/// Pacing gain of the phase in which the queue drains.
constexpr double DOWN = 232 / 256.0;

/// Modes on an ideal path.
class LinuxBbr3PipeTest : public TestCase
{
  public:
    LinuxBbr3PipeTest()
        : TestCase("Linux bbr3: states on an ideal path")
    {
    }

  private:
    void DoRun() override
    {
        Start();
        // DOWN and CRUISE take 42 rounds of 41 ms, as many as Reno takes to lose, then come a round
        // of REFILL and 3 to 6 of UP, which are longer
        ProbeEvery(1000, 40'000, (42 + 1 + 3) * 0.041, (42 + 1 + 6) * 0.0435);
        // 63 rounds of 20 ms at most
        ProbeEvery(100, 20'000, (62 + 1 + 3) * 0.0201, (63 + 1 + 6) * 0.0213);
        // 2 to 3 s
        ProbeEvery(1000, 200'000, 2 + 4 * 0.201, 3 + 9 * 0.201);
        ProbeRtt();
        FollowBandwidth();
        UseShallowQueue();
    }

    /// The maximum is that of this probing cycle and the last one: half the bandwidth, and back.
    void FollowBandwidth()
    {
        LinuxPipe pipe("bbr3", {}, 1000, 40'000);
        pipe.Run(4 * SECOND);
        pipe.SetSegmentTime(2000);
        pipe.Run(16 * SECOND); // three cycles of 2 to 3 s, twice PROBE_RTT
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(pipe.window.pacingRate), 1.3 * 730 * 990, "half");
        pipe.SetSegmentTime(1000);
        pipe.Run(26 * SECOND);
        const uint64_t before = pipe.window.delivered;
        pipe.Run(30 * SECOND);
        NS_TEST_EXPECT_MSG_GT(pipe.window.delivered - before, 3700, "the whole bandwidth");
    }

    /// A queue of a quarter of the BDP: version 3 loses little, version 1 a lot.
    void UseShallowQueue()
    {
        std::vector<double> losses;
        for (const std::string_view tcp : {"bbr", "bbr3"})
        {
            LinuxPipe pipe(tcp, {}, 1000, 40'000);
            pipe.queueLimit = 10;
            pipe.Run(2 * SECOND);
            const uint64_t delivered = pipe.window.delivered;
            const uint64_t lost = pipe.window.lost;
            pipe.Run(30 * SECOND);
            const auto arrived = static_cast<double>(pipe.window.delivered - delivered);
            losses.push_back(static_cast<double>(pipe.window.lost - lost) / arrived);
            NS_TEST_EXPECT_MSG_GT(arrived / 28, 850, tcp << " uses the path");
        }
        NS_TEST_EXPECT_MSG_LT(losses[1], 0.02, "less than 2 %");
        NS_TEST_EXPECT_MSG_LT(losses[1], losses[0] / 2, "less than version 1");
    }

    /// Gains of STARTUP and DRAIN.
    void Start()
    {
        LinuxPipe pipe("bbr3", {}, 1000, 40'000);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(pipe.window.pacingRate),
                                  710 / 256.0 * 10 / 0.041 * 1460 * 0.99,
                                  500,
                                  "initial pacing rate");
        double drain = 0;
        pipe.onAck = [&] {
            if (drain == 0 && pipe.window.ssthresh != LinuxWindow::NO_SSTHRESH)
            {
                drain = static_cast<double>(pipe.window.pacingRate);
            }
        };
        pipe.Run(SECOND);
        NS_TEST_EXPECT_MSG_EQ(pipe.window.ssthresh, 42, "the BDP, as bandwidth is rounded up");
        NS_TEST_EXPECT_MSG_EQ_TOL(drain, 88 / 256.0 * 1460 * 990, 500, "DRAIN");
    }

    /// @param segmentUs of the bottleneck @param delayUs of the path @param least s between the
    /// starts of UP @param most s between them
    void ProbeEvery(Nanoseconds segmentUs, Nanoseconds delayUs, double least, double most)
    {
        LinuxPipe pipe("bbr3", {}, segmentUs, delayUs);
        const double base = 1460 * 0.99 * 1e6 / static_cast<double>(segmentUs);
        std::vector<double> starts;
        std::vector<double> lengths;
        bool isUp = false;
        pipe.onAck = [&] {
            const double gain = static_cast<double>(pipe.window.pacingRate) / base;
            const double now = static_cast<double>(pipe.window.now) / 1e9;
            if (!isUp && gain > 1.2 && now > 1.5)
            {
                starts.push_back(now);
            }
            if (isUp && gain < 1.2 && !starts.empty())
            {
                lengths.push_back(now - starts.back());
                NS_TEST_EXPECT_MSG_EQ_TOL(gain, DOWN, 0.02, "after UP");
            }
            isUp = gain > 1.2;
        };
        pipe.Run(5 * SECOND); // before PROBE_RTT
        NS_TEST_EXPECT_MSG_GT(starts.size(), 0, "probes");
        for (std::size_t i = 1; i < starts.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT(starts[i] - starts[i - 1], least, "between probings");
            NS_TEST_EXPECT_MSG_LT(starts[i] - starts[i - 1], most, "between probings");
        }
        const double rtt = static_cast<double>(segmentUs + delayUs) / 1e6;
        for (const double length : lengths)
        {
            NS_TEST_EXPECT_MSG_GT(length, 3 * rtt, "three rounds without growth");
            NS_TEST_EXPECT_MSG_LT(length, 7 * rtt, "three longer rounds without growth");
        }
    }

    /// Every 5 s: half the BDP in flight for 200 ms and a round.
    void ProbeRtt()
    {
        LinuxPipe pipe("bbr3", {}, 1000, 40'000);
        std::vector<double> starts;
        bool isLow = false;
        pipe.onAck = [&] {
            const double now = static_cast<double>(pipe.window.now) / 1e9;
            const bool low = pipe.window.cwnd <= 21;
            if (low && !isLow && now > 1)
            {
                NS_TEST_EXPECT_MSG_EQ(pipe.window.cwnd, 21, "ceil(41 / 2)");
                starts.push_back(now);
            }
            if (!low && isLow && now > 1)
            {
                NS_TEST_EXPECT_MSG_GT(now - starts.back(), 0.2, "200 ms");
                NS_TEST_EXPECT_MSG_LT(now - starts.back(), 0.36, "200 ms, and rounds");
            }
            isLow = low;
        };
        pipe.Run(16 * SECOND);
        NS_TEST_ASSERT_MSG_EQ(starts.size(), 3, "in 16 s");
        NS_TEST_EXPECT_MSG_EQ_TOL(starts[0], 5, 0.1, "5 s after the start");
        NS_TEST_EXPECT_MSG_EQ_TOL(starts[1] - starts[0], 5.3, 0.1, "5 s after the end");
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(pipe.window.delivered) / 16, 950, "it is busy");
    }
};

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
        CutWhileProbing();
        RaiseBound();
        FindLostPrefix();
        EndStartupByLoss();
        EndStartupByMarks();
        RespondToMarks();
        ComputeBursts();
    }

    /// @return a sender that cruises at 100 segments per 40 ms
    static BbrRounds Cruising()
    {
        BbrRounds sender("bbr3");
        sender.Fill();
        sender.Round(100);
        return sender;
    }

    /// @return a sender that has begun to probe, whose samples show that
    static BbrRounds Probing()
    {
        BbrRounds sender = Cruising();
        for (int round = 0; round < 80 && sender.GetRate() < BbrRounds::RateOf(100, 1.2); ++round)
        {
            sender.Round(100);
        }
        return sender;
    }

    /// Losses while cruising: 180/256 of the bandwidth, or what was delivered in the round.
    void CutShortTerm()
    {
        BbrRounds sender = Cruising();
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
            BbrRounds sender = Cruising();
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
        BbrRounds sender = Cruising();
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

    /// A timeout: slow start, then cwnd as before.
    void TimeOut()
    {
        BbrRounds sender = Cruising();
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
        BbrRounds few = Probing();
        few.txInFlight = 120;
        few.Round(100, 100, 2); // 120 * 5 / 256 = 2
        NS_TEST_EXPECT_MSG_GT(few.GetRate(), BbrRounds::RateOf(100, 1.2), "2 of 120");
        BbrRounds sender = Probing();
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
        BbrRounds low = Probing();
        low.txInFlight = 20;
        low.window.packetsOut = 150;
        low.Round(100, 100, 3);
        NS_TEST_EXPECT_MSG_EQ(low.window.cwnd, 103 * 180 / 256, "of the BDP and 2 segments");
        BbrRounds limited = Probing();
        limited.isAppLimited = true;
        limited.txInFlight = 20;
        limited.Round(100, 100, 3);
        NS_TEST_EXPECT_MSG_GT(limited.window.cwnd, 150, "the application was the limit");
        BbrRounds cruising = Cruising();
        cruising.txInFlight = 120;
        cruising.Round(100, 100, 30);
        cruising.window.packetsOut = 100;
        NS_TEST_EXPECT_MSG_GT(cruising.window.cwnd, 120, "not while cruising");
    }

    /// After a probing that was too high: probing stops at inflight_hi, and goes on at once where
    /// no losses came, beyond it, by 1, 2, 4 ... segments per round.
    void RaiseBound()
    {
        BbrRounds sender = Probing();
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

    /// The segment at which the loss rate exceeds 2 %: (1 + x) / (199 + x) with 200 in flight.
    void FindLostPrefix()
    {
        BbrRounds sender = Probing();
        sender.window.lost += 4;
        sender.control->HandleLost(sender.window, {.lostBefore = 0, .inFlight = 205});
        sender.Round(100);
        NS_TEST_EXPECT_MSG_GT(sender.window.cwnd, 206, "4 of 205 are 205 * 5 / 256");
        BbrRounds ignored = Probing();
        ignored.window.lost += 50;
        ignored.control->HandleLost(ignored.window, {.inFlight = 205, .hasSample = false});
        ignored.Round(100);
        NS_TEST_EXPECT_MSG_GT(ignored.window.cwnd, 206, "was acknowledged before");
        // budget ceil(199 * 5 / 256) = 4, of which 4 were lost before: the segment itself is too
        // much
        BbrRounds cut = Probing();
        cut.window.lost += 5;
        cut.control->HandleLost(cut.window, {.lostBefore = 0, .inFlight = 200});
        cut.window.packetsOut = 250;
        cut.Round(100);
        NS_TEST_EXPECT_MSG_EQ(cut.window.cwnd, 199, "without the lost segment");
        // 3 were lost before, so the lost segment still fits: (4 - 3) * 256 / 251 segments
        BbrRounds part = Probing();
        part.window.lost += 5;
        part.window.packetsOut = 250;
        part.control->HandleLost(part.window, {.lostBefore = 1, .inFlight = 200});
        part.Round(100);
        NS_TEST_EXPECT_MSG_EQ(part.window.cwnd, 200, "with the lost segment");
        // A loss probe that repairs one of 31 segments
        BbrRounds tail = Probing();
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
            sender.Round(165, 165, 10);
            const bool hasEnded = sender.window.ssthresh != LinuxWindow::NO_SSTHRESH;
            NS_TEST_EXPECT_MSG_EQ(hasEnded, (events == 6), events << " ACKs");
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
                NS_TEST_EXPECT_MSG_EQ(sender.window.ssthresh == LinuxWindow::NO_SSTHRESH,
                                      rtt == 5001 || round < 3,
                                      "round " << round);
            }
        }
    }

    /// On a low-latency route each marked round cuts inflight_lo, by up to a third.
    void RespondToMarks()
    {
        for (const bool isLow : {false, true})
        {
            BbrRounds sender = Cruising();
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
            sender.window.delivered += 100;
            sender.window.deliveredCe += sender.window.delivered / 2;
            sender.control->Control(sender.window, sample);
            // alpha, 256 at first, becomes 256 * 15/16 + 128/16 = 248; a third of it is 82/256
            const uint32_t bound = cwnd * (256 - 82) / 256;
            NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, (isLow ? bound : cwnd + 1), "marks");
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

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new LinuxBbr3PipeTest, new LinuxBbr3ModelTest};
});

} // namespace
