/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-bbr-rounds-test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t RTT_US = BbrRounds::RTT_US;

/// Ends of phases, to the segment and to the us.
class LinuxBbrPhasesTest : public TestCase
{
  public:
    LinuxBbrPhasesTest()
        : TestCase("Linux bbr: ends of phases and of PROBE_RTT")
    {
    }

  private:
    void DoRun() override
    {
        EndProbing();
        EndDraining();
        EndProbeRtt();
        AwaitRound();
    }

    /// @param sender @param gain 5/4 or 3/4: that of its pacing rate @return whether it is
    static bool HasGain(const BbrRounds& sender, double gain)
    {
        return std::abs(sender.GetRate() - BbrRounds::RateOf(100, gain)) < 500;
    }

    /// @return a sender whose probing phase has just begun
    static BbrRounds Probing()
    {
        BbrRounds sender;
        sender.Fill();
        sender.window.packetsOut = 500; // does not end the draining phase
        while (!HasGain(sender, 1.25))
        {
            sender.Acknowledge(100, 1, 0, 1000);
        }
        return sender;
    }

    /**
     * After more than the minimum RTT, when 125 + 3 * 3 segments, rounded up to an even number, and
     * 2 for this phase, would be in flight with the next burst of 3: floor(4.5 MB/s / 1024 / 1460).
     */
    void EndProbing()
    {
        BbrRounds sender = Probing();
        sender.Acknowledge(100, 1, 0, RTT_US);
        NS_TEST_EXPECT_MSG_EQ(HasGain(sender, 1.25), true, "a minimum RTT");
        sender.window.packetsOut = 132;
        sender.Acknowledge(100, 1, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(HasGain(sender, 1.25), true, "132 and 3 in flight");
        sender.window.packetsOut = 133;
        sender.Acknowledge(100, 1, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(HasGain(sender, 0.75), true, "133 and 3 in flight");
        BbrRounds lossy = Probing();
        lossy.window.packetsOut = 0;
        lossy.Acknowledge(100, 1, 1, RTT_US);
        NS_TEST_EXPECT_MSG_EQ(HasGain(lossy, 1.25), true, "a loss within a minimum RTT");
        lossy.Acknowledge(100, 1, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(HasGain(lossy, 0.75), true, "a loss after it");
    }

    /// @return a sender whose draining phase has just begun
    static BbrRounds Draining()
    {
        BbrRounds sender = Probing();
        sender.Acknowledge(100, 1, 0, RTT_US + 1);
        return sender;
    }

    /// After more than the minimum RTT, or with 100 + 3 * 2 in flight.
    void EndDraining()
    {
        BbrRounds sender = Draining();
        NS_TEST_EXPECT_MSG_EQ(HasGain(sender, 0.75), true, "it drains");
        sender.Acknowledge(100, 1, 0, RTT_US);
        NS_TEST_EXPECT_MSG_EQ(HasGain(sender, 0.75), true, "a minimum RTT");
        sender.Acknowledge(100, 1, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(HasGain(sender, 1), true, "more");
        BbrRounds drained = Draining();
        drained.window.packetsOut = 107;
        drained.Acknowledge(100, 1, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(HasGain(drained, 0.75), true, "107 in flight");
        drained.window.packetsOut = 106;
        drained.Acknowledge(100, 1, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(HasGain(drained, 1), true, "106 in flight");
    }

    /// @return a sender that has just begun PROBE_RTT, with 100 segments in flight
    static BbrRounds ProbingRtt()
    {
        BbrRounds sender;
        sender.Fill();
        sender.Round(100);
        sender.window.packetsOut = 100;
        sender.Wait(10'000'000);
        sender.Round(100);
        return sender;
    }

    /// 200 ms count from when 4 segments are in flight; PROBE_RTT ends behind them.
    void EndProbeRtt()
    {
        BbrRounds sender = ProbingRtt();
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 4, "PROBE_RTT");
        NS_TEST_EXPECT_MSG_EQ(sender.window.appLimited,
                              sender.window.delivered + 100,
                              "its rates are not the bandwidth");
        sender.window.packetsOut = 5;
        sender.Acknowledge(100, 1, 0, 300'000);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 4, "5 in flight: the time does not begin");
        sender.window.packetsOut = 4;
        sender.Acknowledge(100, 1, 0, 1000);
        sender.Acknowledge(100, 1, 0, 200'000);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 4, "200 ms");
        sender.Acknowledge(100, 1, 0, 1000);
        NS_TEST_EXPECT_MSG_GT(sender.window.cwnd, 200, "201 ms");
    }

    /// A round has to end as well.
    void AwaitRound()
    {
        BbrRounds sender = ProbingRtt();
        sender.window.packetsOut = 4;
        sender.Acknowledge(100, 1, 0, 1000);
        sender.Wait(1'000'000);
        LinuxRateSample sample;
        sample.priorDelivered = sender.window.delivered - 1;
        sample.delivered = 4;
        sample.intervalUs = RTT_US;
        sample.ackedSacked = 1;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 4, "sent before");
        sample.priorDelivered = sender.window.delivered;
        sender.control->Control(sender.window, sample);
        NS_TEST_EXPECT_MSG_GT(sender.window.cwnd, 200, "sent behind");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new LinuxBbrPhasesTest}; });

} // namespace
