/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-test.h"

#include <cmath>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// RFC 9438: the cubic function, what a loss leaves, the floor of what Reno would do.
class CubicTest : public TestCase
{
  public:
    CubicTest()
        : TestCase("CUBIC: W(t) = C (t - K)^3 + W_max after a loss")
    {
    }

  private:
    static constexpr int64_t RTT_NS = 100'000'000;

    void DoRun() override
    {
        FollowCube();
        GrowAsRenoWhereThatIsMore();
        ConvergeFast();
        LeaveSlowStart();
        LeaveSlowStartAtItsBound(5'000'000, false);
        LeaveSlowStartAtItsBound(5'000'001, true);
        StayWhereNotLimited();
    }

    /// @param sender has round trips of 100 ms @param ns since the last one
    static void Wait(MadeUpSender& sender, int64_t ns)
    {
        sender.signals.nowNs += ns;
        sender.signals.smoothedRttNs = RTT_NS;
    }

    /// 1000 segments are lost at: ssthresh 700, K = cbrt(300 / 0.4) = 9.0856 s.
    void FollowCube()
    {
        MadeUpSender sender("cubic", 1000, 1000);
        const uint64_t left = sender.Lose(500);
        NS_TEST_EXPECT_MSG_EQ(left, 700, "0.7 of cwnd, whatever is in flight");
        sender.SetSsthresh(left * MadeUpSender::SEGMENT);
        sender.SetCwnd(left * MadeUpSender::SEGMENT);
        const double k = std::cbrt(300 / 0.4);
        for (int round = 1; round <= 140; ++round)
        {
            Wait(sender, RTT_NS);
            sender.AcknowledgeWindow();
            // At most a window's worth of ACKs behind, in whole segments; ACKs of a round come at
            // once here
            const double t = 0.1 * round;
            const double cube = 0.4 * std::pow(t - k, 3) + 1000;
            if (round >= 10)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetSegments(), cube, 12, "after " << t << " s");
            }
        }
    }

    /// Small windows over short paths: alpha = 3 (1 - 0.7) / (1 + 0.7) = 0.53 segments a round
    /// trip.
    void GrowAsRenoWhereThatIsMore()
    {
        MadeUpSender sender("cubic", 20, 20);
        sender.SetSsthresh(sender.Lose(20) * MadeUpSender::SEGMENT);
        sender.SetCwnd(sender.GetSsthresh());
        constexpr int ROUNDS = 60;
        for (int round = 0; round < ROUNDS; ++round)
        {
            sender.signals.nowNs += 1'000'000;
            sender.signals.smoothedRttNs = 1'000'000;
            sender.AcknowledgeWindow();
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetSegments(), 14 + 0.53 * ROUNDS, 2, "W_est");
    }

    /// A second loss below the first: W_max = 700 * 1.7 / 2 = 595.
    void ConvergeFast()
    {
        MadeUpSender sender("cubic", 1000, 1000);
        sender.Lose(1000);
        sender.SetCwnd(700 * MadeUpSender::SEGMENT);
        const uint64_t left = sender.Lose(700);
        NS_TEST_EXPECT_MSG_EQ(left, 489, "0.7 of 700, whole segments: 0.7 is a little less");
        sender.SetSsthresh(left * MadeUpSender::SEGMENT);
        sender.SetCwnd(left * MadeUpSender::SEGMENT);
        // The cubic function is flat at 595, K = cbrt(106 / 0.4) = 6.4 s
        for (int round = 1; round <= 64; ++round)
        {
            Wait(sender, RTT_NS);
            sender.AcknowledgeWindow();
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetSegments(), 595, 3, "at K");
    }

    /// Hybrid slow start: the round-trip time has risen by more than its least.
    void LeaveSlowStart()
    {
        MadeUpSender sender("cubic", 32, 1'000'000);
        for (int ack = 0; ack < 8; ++ack)
        {
            Wait(sender, 5'000'000);
            sender.control->HandleAck(sender, sender.signals);
        }
        NS_TEST_EXPECT_MSG_EQ(sender.GetSsthresh(), 1'000'000'000, "goes on");
        sender.control->HandleTimeout(sender.signals);
        Wait(sender, 5'000'000);
        sender.signals.smoothedRttNs = RTT_NS / 4;
        sender.control->HandleAck(sender, sender.signals);
        sender.signals.acknowledged = 1;
        sender.control->Increase(sender, sender.signals, 1); // a round begins
        NS_TEST_EXPECT_MSG_EQ(sender.GetSegments(), 33, "slow start");
        for (int ack = 0; ack < 9; ++ack)
        {
            Wait(sender, 5'000'000);
            sender.control->HandleAck(sender, sender.signals);
        }
        NS_TEST_EXPECT_MSG_EQ(sender.GetSsthresh(), 33'000, "100 ms are more than twice 25 ms");
    }

    /// Where the least round-trip time is 1 ms, a rise of 4 ms is not enough.
    /// @param roundNs the least of a round @param leaves whether slow start ends
    void LeaveSlowStartAtItsBound(int64_t roundNs, bool leaves)
    {
        MadeUpSender sender("cubic", 32, 1'000'000);
        const auto acknowledge = [&sender](int64_t rttNs) {
            sender.signals.nowNs += 5'000'000;
            sender.signals.smoothedRttNs = rttNs;
            sender.control->HandleAck(sender, sender.signals);
        };
        sender.control->HandleTimeout(sender.signals);
        acknowledge(1'000'000);
        sender.signals.acknowledged = 1;
        sender.control->Increase(sender, sender.signals, 1); // a round begins
        for (int ack = 0; ack < 9; ++ack)
        {
            acknowledge(roundNs);
        }
        NS_TEST_EXPECT_MSG_EQ((sender.GetSsthresh() < 1'000'000'000), leaves, roundNs << " ns");
    }

    /// What cwnd does not limit does not grow.
    void StayWhereNotLimited()
    {
        MadeUpSender sender("cubic", 10, 100);
        sender.signals.isCwndLimited = false;
        sender.Acknowledge();
        NS_TEST_EXPECT_MSG_EQ(sender.GetSegments(), 10, "slow start");
        sender.SetSsthresh(2000);
        sender.Acknowledge(100);
        NS_TEST_EXPECT_MSG_EQ(sender.GetSegments(), 10, "congestion avoidance");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new CubicTest}; });

} // namespace
