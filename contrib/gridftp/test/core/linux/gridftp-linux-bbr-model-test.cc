/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-bbr-rounds-test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t RTT_US = BbrRounds::RTT_US;

/// The parts of BBR, worked out by hand.
class LinuxBbrModelTest : public TestCase
{
  public:
    LinuxBbrModelTest()
        : TestCase("Linux bbr: rate, full pipe, recovery, policer, aggregation, idle restart")
    {
    }

  private:
    void DoRun() override
    {
        ComputeRate();
        FindFullPipe();
        IgnoreLimitedSamples();
        ForgetBandwidth();
        Recover();
        ConserveForARound();
        TimeOut();
        DetectPolicer();
        AllowAggregation();
        RestartFromIdle();
        UseDepartureTime();
    }

    /// floor(floor(4194 * 1460 * 739 / 256) * 990000 / 2^24) with floor(10 * 2^24 / 40000) = 4194.
    void ComputeRate()
    {
        BbrRounds sender;
        NS_TEST_EXPECT_MSG_EQ(sender.window.pacingRate, 1'043'040, "initial pacing rate");
        BbrRounds unknown;
        unknown.window.srttUs8 = 0;
        const auto fresh = FindLinuxCongestionKind("bbr")->make({});
        fresh->Init(unknown.window);
        NS_TEST_EXPECT_MSG_EQ_TOL(unknown.GetRate(),
                                  10 / 0.001 * 1460 * 0.99 * 2.887,
                                  5000,
                                  "1 ms");
        NS_TEST_EXPECT_MSG_EQ(sender.control->HasControl(), true, "sets cwnd in every state");
        NS_TEST_EXPECT_MSG_EQ(sender.control->GetSendBufferFactor(), 3, "bbr_sndbuf_expand()");
        sender.window.pacingRate = 149'999;
        NS_TEST_EXPECT_MSG_EQ(sender.control->GetMinTsoSegments(sender.window), 1, "< 1.2 Mbit/s");
        sender.window.pacingRate = 150'000;
        NS_TEST_EXPECT_MSG_EQ(sender.control->GetMinTsoSegments(sender.window), 2, "1.2 Mbit/s");
        BbrRounds bounded;
        bounded.window.maxPacingRate = 500'000;
        bounded.Round(100);
        NS_TEST_EXPECT_MSG_EQ(bounded.window.pacingRate, 1'043'040, "never lower in STARTUP");
        bounded.Fill();
        NS_TEST_EXPECT_MSG_EQ(bounded.window.pacingRate, 500'000, "SO_MAX_PACING_RATE");
    }

    /// Three rounds that are not a quarter faster.
    void FindFullPipe()
    {
        BbrRounds sender;
        sender.window.packetsOut = 200; // keeps it in DRAIN
        sender.Round(100);
        sender.Round(124);
        sender.Round(124);
        sender.Round(125);
        sender.Round(150);
        sender.Round(150);
        NS_TEST_EXPECT_MSG_EQ(sender.window.ssthresh, LinuxWindow::NO_SSTHRESH, "125 is a quarter");
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(150, 739 / 256.0), 500, "");
        sender.Round(150);
        // cwnd gain 739/256: three bursts of floor(16.1 MB/s / 1024 / 1460) = 10
        NS_TEST_EXPECT_MSG_EQ(sender.window.ssthresh, 150 + 30, "BDP and three bursts");
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(150, 88 / 256.0), 500, "");
        sender.window.packetsOut = 158;
        sender.Round(150); // bursts of 2 in DRAIN: 150 + 6
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(150, 88 / 256.0), 500, "158");
        sender.window.packetsOut = 156;
        sender.Round(150);
        NS_TEST_EXPECT_MSG_GT(sender.GetRate(), BbrRounds::RateOf(150, 0.99), "PROBE_BW");
    }

    /// Samples that the application limits count where they are not below the maximum.
    void IgnoreLimitedSamples()
    {
        BbrRounds sender;
        sender.Fill();
        sender.isAppLimited = true;
        for (int round = 0; round < 30; ++round)
        {
            sender.Round(10);
        }
        NS_TEST_EXPECT_MSG_GT(sender.GetRate(), BbrRounds::RateOf(100, 0.74), "is remembered");
        sender.Round(200);
        NS_TEST_EXPECT_MSG_GT(sender.GetRate(), BbrRounds::RateOf(200, 0.74), "counts");
        BbrRounds startup;
        startup.isAppLimited = true;
        for (int round = 0; round < 30; ++round)
        {
            startup.Round(100);
        }
        NS_TEST_EXPECT_MSG_EQ(startup.window.ssthresh, LinuxWindow::NO_SSTHRESH, "does not fill");
    }

    /// The maximum is that of 10 rounds.
    void ForgetBandwidth()
    {
        BbrRounds sender;
        sender.Fill();
        for (int round = 1; round <= 10; ++round)
        {
            sender.Round(50);
            NS_TEST_EXPECT_MSG_GT(sender.GetRate(), BbrRounds::RateOf(100, 0.74), round);
        }
        sender.Round(50);
        NS_TEST_EXPECT_MSG_LT(sender.GetRate(), BbrRounds::RateOf(50, 1.26), "11 rounds");
    }

    /// Packet conservation for a round, then the target again, then cwnd as before.
    void Recover()
    {
        BbrRounds sender;
        sender.Fill();
        sender.Round(100);
        const uint32_t before = sender.window.cwnd;
        NS_TEST_EXPECT_MSG_GT(before, 200, "twice the BDP");
        const uint32_t ssthresh = sender.window.ssthresh;
        NS_TEST_EXPECT_MSG_EQ(sender.control->GetSsthresh(sender.window), ssthresh, "as it was");
        sender.control->HandleState(sender.window, LinuxCaState::RECOVERY);
        sender.window.state = LinuxCaState::RECOVERY;
        sender.window.packetsOut = 80;
        sender.window.lostOut = 10;
        sender.Acknowledge(100, 5, 10, 1000);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 70 + 5, "in flight, and acknowledged");
        // Still in that round: not below what is in flight
        LinuxRateSample sample;
        sample.priorDelivered = 0;
        sample.delivered = 90;
        sample.intervalUs = RTT_US;
        sample.ackedSacked = 3;
        sample.losses = 20;
        sender.window.lostOut = 30;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 75 - 20, "less the losses");
        sender.window.lostOut = 10;
        sample.losses = 0;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 73, "in flight, and acknowledged");
        // The next round: slow start towards the target
        sender.Acknowledge(100, 7, 0, RTT_US);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 80, "cwnd + acknowledged");
        sender.window.state = LinuxCaState::OPEN;
        sender.Acknowledge(100, 1, 0, 1000);
        NS_TEST_EXPECT_MSG_GT(sender.window.cwnd, 200, "restored");
        NS_TEST_EXPECT_MSG_LT(sender.window.cwnd, before + 2, "restored, at most the target");
    }

    /// The round of packet conservation begins with recovery, in the middle of another.
    void ConserveForARound()
    {
        BbrRounds sender;
        sender.Fill();
        const uint64_t round = sender.window.delivered;
        LinuxRateSample sample;
        sample.priorDelivered = round - 1;
        sample.delivered = 100;
        sample.intervalUs = RTT_US;
        sample.ackedSacked = 50;
        sender.window.delivered += 50;
        sender.control->Control(sender.window, sample);
        sender.window.state = LinuxCaState::RECOVERY;
        sender.window.packetsOut = 70;
        sender.window.delivered += 5;
        sample.ackedSacked = 5;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 75, "conserves");
        sample.priorDelivered = round + 54;
        sample.ackedSacked = 3;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 75, "sent before recovery");
        sample.priorDelivered = round + 55;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 78, "sent in recovery");
    }

    /// After a timeout cwnd, which is then 1, is restored; the full pipe is estimated anew.
    void TimeOut()
    {
        BbrRounds sender;
        sender.Fill();
        sender.Round(100);
        sender.control->GetSsthresh(sender.window);
        sender.control->HandleState(sender.window, LinuxCaState::LOSS);
        sender.window.state = LinuxCaState::LOSS;
        sender.window.cwnd = 1;
        sender.Acknowledge(100, 1, 0, RTT_US);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 4, "at least 4");
        sender.Acknowledge(100, 4, 0, RTT_US);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 8, "slow start");
        sender.window.state = LinuxCaState::OPEN;
        sender.Acknowledge(100, 1, 0, RTT_US);
        NS_TEST_EXPECT_MSG_GT(sender.window.cwnd, 200, "restored");

        BbrRounds startup;
        startup.Round(100);
        startup.Round(100);
        startup.Round(100);
        startup.control->HandleState(startup.window, LinuxCaState::LOSS);
        startup.Round(100);
        NS_TEST_EXPECT_MSG_EQ(startup.window.ssthresh, LinuxWindow::NO_SSTHRESH, "anew");
        BbrRounds undone;
        undone.Round(100);
        undone.Round(100);
        undone.Round(100);
        NS_TEST_EXPECT_MSG_EQ(undone.control->GetUndoCwnd(undone.window),
                              undone.window.cwnd,
                              "cwnd stays");
        undone.Round(100);
        undone.Round(100);
        undone.Round(100);
        NS_TEST_EXPECT_MSG_EQ(undone.window.ssthresh, LinuxWindow::NO_SSTHRESH, "anew");
        undone.Round(100);
        NS_TEST_EXPECT_MSG_LT(undone.window.ssthresh, 200, "three more rounds");
    }

    /// Two intervals of four rounds, each of about the same rate and a fifth lost.
    void DetectPolicer()
    {
        // Samples of 100 segments per round, but on average only 80 are delivered
        BbrRounds policed;
        policed.Fill();
        policed.Round(100, 80, 20); // starts the first interval, whose first round it is
        for (int round = 2; round <= 7; ++round)
        {
            policed.Round(100, 80, 20);
            NS_TEST_EXPECT_MSG_GT(policed.GetRate(), BbrRounds::RateOf(100, 0.74), round);
        }
        policed.Round(100, 80, 20); // the second interval has its fourth round
        NS_TEST_EXPECT_MSG_EQ_TOL(policed.GetRate(), BbrRounds::RateOf(80), 500, "policed");
        for (int round = 1; round <= 47; ++round)
        {
            policed.Round(100, 80);
            NS_TEST_EXPECT_MSG_EQ_TOL(policed.GetRate(), BbrRounds::RateOf(80), 500, round);
        }
        policed.Round(100, 80);
        NS_TEST_EXPECT_MSG_GT(policed.GetRate(), BbrRounds::RateOf(100, 0.99), "48 rounds");
        // Losses of 50/256, and rates that differ by an eighth, are the least and the most
        NS_TEST_EXPECT_MSG_EQ(IsPoliced(256, 50, 256), true, "50 of 256");
        NS_TEST_EXPECT_MSG_EQ(IsPoliced(256, 49, 256), false, "49 of 256");
        NS_TEST_EXPECT_MSG_EQ(IsPoliced(80, 20, 70), true, "70 and 80");
        NS_TEST_EXPECT_MSG_EQ(IsPoliced(80, 20, 69), false, "69 and 80");
    }

    /// @param delivered segments per round @param losses segments per round @param later segments
    /// delivered per round of the second interval @return whether the rate does not change any more
    static bool IsPoliced(uint32_t delivered, uint32_t losses, uint32_t later)
    {
        BbrRounds sender;
        sender.Fill();
        sender.window.packetsOut = 500; // ends probing phases
        for (int round = 1; round <= 8; ++round)
        {
            sender.Round(100, round <= 4 ? delivered : later, losses);
        }
        const uint64_t rate = sender.window.pacingRate;
        bool isSame = true;
        for (int round = 1; round <= 24; ++round) // more than a cycle
        {
            sender.Round(100, later);
            isSame = isSame && sender.window.pacingRate == rate;
        }
        return isSame;
    }

    /// ACKs of 100 segments at once: cwnd is that much larger.
    void AllowAggregation()
    {
        BbrRounds batches;
        batches.Fill();
        BbrRounds single;
        for (int round = 0; round < 20; ++round)
        {
            batches.Round(100);
            // The same rate, an ACK each 0.4 ms
            for (int ack = 0; ack < 100; ++ack)
            {
                single.Acknowledge(100, 1, 0, 400);
            }
        }
        // Twice the BDP of 100, three bursts of 2 or 3, 2 more in the probing phase
        NS_TEST_EXPECT_MSG_EQ_TOL(single.window.cwnd, 209, 5, "no aggregation");
        NS_TEST_EXPECT_MSG_EQ_TOL(batches.window.cwnd, 309, 5, "100 more");
        // Ten rounds without aggregation; after an idle time, so that the excess is not that from
        // then
        batches.window.appLimited = 1;
        batches.control->HandleEvent(batches.window, LinuxCaEvent::TRANSMISSION_START);
        for (int ack = 0; ack < 100; ++ack)
        {
            batches.Acknowledge(100, 1, 0, 400);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(batches.window.cwnd, 209, 5, "no aggregation any more");
        // At most what the bandwidth delivers in 100 ms: 250
        BbrRounds large;
        large.Fill();
        large.window.cwnd = 1000;
        for (int round = 0; round < 3; ++round)
        {
            large.window.cwnd = 1000;
            large.Acknowledge(100, 600, 0, RTT_US);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(large.window.cwnd, 459, 5, "250 more at most");
    }

    /// Where the application limits: at the bandwidth, without probing; an idle time that exceeds
    /// 10 s renews the minimum RTT without PROBE_RTT.
    void RestartFromIdle()
    {
        BbrRounds sender;
        sender.Fill();
        while (sender.GetRate() < BbrRounds::RateOf(100, 1.2))
        {
            sender.window.packetsOut = 200;
            sender.Round(100);
        }
        sender.control->HandleEvent(sender.window, LinuxCaEvent::TRANSMISSION_START);
        NS_TEST_EXPECT_MSG_GT(sender.GetRate(), BbrRounds::RateOf(100, 1.2), "not limited");
        sender.window.appLimited = 1;
        sender.control->HandleEvent(sender.window, LinuxCaEvent::CWND_RESTART);
        NS_TEST_EXPECT_MSG_GT(sender.GetRate(), BbrRounds::RateOf(100, 1.2), "another event");
        sender.control->HandleEvent(sender.window, LinuxCaEvent::TRANSMISSION_START);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate(), BbrRounds::RateOf(100), 500, "gain 1");
        for (const bool isIdle : {false, true})
        {
            BbrRounds late;
            late.Fill();
            late.Wait(10'100'000);
            late.window.appLimited = 1;
            if (isIdle)
            {
                late.control->HandleEvent(late.window, LinuxCaEvent::TRANSMISSION_START);
            }
            late.window.packetsOut = 100;
            late.Round(100);
            NS_TEST_EXPECT_MSG_EQ((late.window.cwnd == 4), !isIdle, "PROBE_RTT");
        }
    }

    /// Segments that wait in the host for their departure are not in the network: DRAIN ends.
    void UseDepartureTime()
    {
        for (const Nanoseconds waitUs : {19'000, 19'500})
        {
            BbrRounds sender;
            sender.window.packetsOut = 200;
            sender.Fill();
            sender.window.packetsOut = 154;
            // 48 segments leave in 19.2 ms at 100 per 40 ms; 106 is the target
            sender.window.nextDepartureAt = sender.window.now + (RTT_US + waitUs) * 1000;
            sender.Round(100);
            const bool hasDrained = sender.GetRate() > BbrRounds::RateOf(100, 0.5);
            NS_TEST_EXPECT_MSG_EQ(hasDrained, (waitUs == 19'500), waitUs << " us");
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new LinuxBbrModelTest}; });

} // namespace
