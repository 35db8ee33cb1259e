/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-test.h"

#include <cmath>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds RTT_US = 100'000;

/// The cubic function, and what the kernel does around it.
class LinuxCubicTest : public TestCase
{
  public:
    LinuxCubicTest()
        : TestCase("Linux cubic: W(t) = C (t - K)^3 + W_max, fast convergence, W_est, idle time")
    {
    }

  private:
    void DoRun() override
    {
        LinuxControlled sender("cubic", 1000, 1000);
        NS_TEST_EXPECT_MSG_EQ(sender.control->GetSsthresh(sender.window), 700, "717/1024");
        sender.window.cwnd = 2;
        NS_TEST_EXPECT_MSG_EQ(sender.control->GetSsthresh(sender.window), 2, "never below 2");
        FollowCube(1000);
        FollowCube(250'000);
        ConvergeFast();
        GrowAsReno();
        GrowAsRenoBehindBound();
        DiscardDelays();
        GrowBeforeFirstLoss();
        ForgetAtTimeout();
        SkipIdleTime();
        CountTicks();
    }

    /// cwnd acknowledged segments arrive at once, every RTT. @param sender of them @param each how
    /// many an ACK acknowledges
    static void AcknowledgeRound(LinuxControlled& sender, uint32_t each = 1)
    {
        sender.Wait(RTT_US);
        const uint32_t acked = sender.window.cwnd;
        for (uint32_t ack = 0; ack < acked / each; ++ack)
        {
            sender.control->Increase(sender.window, each);
        }
        sender.Acknowledge(acked % each);
    }

    /**
     * cwnd follows the cubic function one RTT ahead. Of a large window an ACK acknowledges many
     * segments, as behind GRO.
     * @param max segments, at the loss
     */
    void FollowCube(uint32_t max)
    {
        const uint32_t each = max / 1000;
        LinuxControlled sender("cubic", max, max);
        sender.Sample(RTT_US);
        sender.Lose();
        const double k = std::cbrt((max - sender.window.cwnd) / 0.4);
        const int plateau = static_cast<int>(k * 10);
        for (int round = 1; round <= 3 * plateau / 2; ++round)
        {
            AcknowledgeRound(sender, each);
            // The first ACK is at t = 0, and the target is that of the next RTT
            const double target = 0.4 * std::pow(0.1 * round - k, 3) + max;
            // C is 0.4004, K has an error of 0.5 %, steps are whole ACKs
            const double slope = 1.2 * std::pow(0.1 * round - k, 2) * k * 0.005;
            const double growth = std::max(target - sender.window.cwnd, 0.0);
            NS_TEST_EXPECT_MSG_EQ_TOL(sender.window.cwnd,
                                      target,
                                      3 + slope + growth * 0.1 + 0.001 * std::abs(target - max),
                                      "W_max " << max << ", round " << round);
        }
    }

    /// A loss below the last one: W_max = 700 * 1741 / 2048 = 595, K = cbrt(105 / 0.4) = 6.4 s.
    void ConvergeFast()
    {
        LinuxControlled sender("cubic", 1000, 1000);
        sender.Sample(RTT_US);
        sender.Lose();
        sender.Lose();
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 490, "700 * 717 / 1024");
        for (int round = 0; round < 64; ++round)
        {
            AcknowledgeRound(sender);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.window.cwnd, 595, 2, "the plateau");
    }

    /**
     * An ACK each ms, at the plateau. W_est is 21 when more than 20 * 15 / 8 = 37 ACKs have come,
     * but it is evaluated only when more than 1/32 s has passed since the last time: with ACKs 1,
     * 33 and 65.
     */
    void GrowAsReno()
    {
        LinuxControlled sender("cubic", 20, 20);
        sender.Sample(1000);
        sender.control->GetSsthresh(sender.window);
        for (int ack = 1; ack <= 64; ++ack)
        {
            sender.Wait(1000);
            sender.Acknowledge();
        }
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 20, "64 ACKs");
        sender.Wait(1000);
        sender.Acknowledge();
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 21, "65 ACKs");
        // In the long run 15/8 cwnd ACKs for a segment: 15/16 (cwnd^2 - 20^2) = 10065
        for (int ack = 0; ack < 10'000; ++ack)
        {
            sender.Wait(100); // 1 s in all: the cubic function is still flat
            sender.Acknowledge();
        }
        const double reno = std::sqrt(10'065 * 16 / 15.0 + 400);
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.window.cwnd, reno, 2, "W_est");
    }

    /// 37 ACKs are not more than 37.
    void GrowAsRenoBehindBound()
    {
        LinuxControlled sender("cubic", 20, 20);
        sender.Sample(1000);
        sender.control->GetSsthresh(sender.window);
        sender.Acknowledge();
        sender.Wait(40'000);
        sender.control->Increase(sender.window, 36);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 20, "37 ACKs");
        sender.Wait(40'000);
        sender.control->Increase(sender.window, 37);
        // W_est is 21, not 22, so 20 ACKs are for a segment: one for the credit of 37, one for 37
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 22, "74 ACKs");
    }

    /// A second after a loss RTTs count again.
    void DiscardDelays()
    {
        LinuxControlled usual("cubic", 1000, 1000);
        LinuxControlled sampled("cubic", 1000, 1000);
        for (auto* sender : {&usual, &sampled})
        {
            sender->Sample(RTT_US);
            sender->Lose();
            AcknowledgeRound(*sender);
        }
        const Nanoseconds start = sampled.window.now;
        sampled.Wait(999'000);
        sampled.Sample(1000);
        sampled.window.now = start;
        for (int round = 0; round < 9; ++round)
        {
            AcknowledgeRound(usual);
            AcknowledgeRound(sampled);
        }
        NS_TEST_EXPECT_MSG_EQ(sampled.window.cwnd, usual.window.cwnd, "0.999 s after the start");
        usual.Wait(RTT_US);
        sampled.Wait(RTT_US);
        sampled.Sample(1000);
        usual.Acknowledge(700);
        sampled.Acknowledge(700);
        NS_TEST_EXPECT_MSG_LT(sampled.window.cwnd, usual.window.cwnd, "1 s after the start");
    }

    /// Without a loss so far: one segment for each 20 ACKs at least.
    void GrowBeforeFirstLoss()
    {
        LinuxControlled sender("cubic", 100, 100);
        sender.Sample(1000);
        sender.Acknowledge(19);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 100, "19 ACKs");
        sender.Acknowledge();
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 101, "20 ACKs");
    }

    /// A retransmission timeout resets W_max: growth is that before the first loss.
    void ForgetAtTimeout()
    {
        LinuxControlled sender("cubic", 10'000, 10'000);
        sender.Lose();
        sender.control->HandleState(sender.window, LinuxCaState::LOSS);
        sender.Acknowledge(20);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 7002, "20 ACKs for a segment");
        LinuxControlled recovered("cubic", 10'000, 10'000);
        recovered.Lose();
        recovered.control->HandleState(recovered.window, LinuxCaState::RECOVERY);
        recovered.Acknowledge(20);
        NS_TEST_EXPECT_MSG_EQ(recovered.window.cwnd, 7001, "W_max is remembered");
    }

    /// Two senders, one of which is idle for 5 s.
    void SkipIdleTime()
    {
        LinuxControlled busy("cubic", 1000, 1000);
        LinuxControlled idle("cubic", 1000, 1000);
        for (auto* sender : {&busy, &idle})
        {
            sender->Sample(RTT_US);
            sender->Lose();
            for (int round = 0; round < 20; ++round)
            {
                AcknowledgeRound(*sender);
            }
            sender->window.lastSentAt = sender->window.now;
        }
        idle.Wait(5'000'000);
        idle.control->HandleEvent(idle.window, LinuxCaEvent::TRANSMISSION_START);
        for (int round = 0; round < 60; ++round)
        {
            AcknowledgeRound(busy);
            AcknowledgeRound(idle);
            NS_TEST_EXPECT_MSG_EQ(idle.window.cwnd, busy.window.cwnd, "round " << round);
        }
    }

    /// The function changes once a tick: with 250 Hz not within 4 ms.
    void CountTicks()
    {
        for (const uint32_t hz : {250U, 1000U})
        {
            LinuxControlled sender("cubic", LinuxCongestionParameters{.hz = hz});
            sender.window.cwnd = sender.window.ssthresh = 100'000;
            sender.control->Init(sender.window);
            sender.Sample(RTT_US);
            sender.Lose();
            sender.Acknowledge();
            sender.Wait(3000);
            sender.Acknowledge(100'000);
            // By hand: K is 43161/1024 s, the target 70231 after 0.1 s, 70237 after 0.103 s. So
            // 70019 / 212 = 330 ACKs for a segment, or, when cwnd has changed, 70020 / 217 = 322:
            // 100001 / 330 segments, or 1 + (100001 - 330) / 322
            NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd - 70'019, (hz == 250 ? 303 : 310), hz);
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new LinuxCubicTest}; });

} // namespace
