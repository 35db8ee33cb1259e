/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// RFC 3649, Appendix B: a(w) and b(w) of windows at the ends of rows.
class HighSpeedTest : public TestCase
{
  public:
    HighSpeedTest()
        : TestCase("HighSpeed TCP: a(w) segments a round trip, b(w) of a loss")
    {
    }

  private:
    void DoRun() override
    {
        MadeUpSender slow("highspeed", 2, 4);
        slow.Acknowledge(2);
        NS_TEST_EXPECT_MSG_EQ(slow.GetSegments(), 3, "slow start is Reno's");
        // ACKs for one segment more: w / a(w), rounded up
        ExpectGrowth(38, 38);
        ExpectGrowth(39, 20);
        ExpectGrowth(118, 59);
        ExpectGrowth(119, 40);
        ExpectGrowth(1058, 133);
        ExpectGrowth(1059, 118);
        ExpectGrowth(84'035, 1184);
        ExpectGrowth(200'000, 2740);
        ExpectLoss(1, 2);
        ExpectLoss(38, 19);             // 0.50
        ExpectLoss(100, 56);            // 0.44
        ExpectLoss(1000, 669);          // 0.33, and a little less than 670
        ExpectLoss(84'035, 75'631);     // 0.10
        ExpectLoss(1'000'000, 910'000); // 0.09
    }

    /// @param cwnd segments @param acks that make it grow
    void ExpectGrowth(uint64_t cwnd, uint64_t acks)
    {
        MadeUpSender sender("highspeed", cwnd, 2);
        for (uint64_t ack = 1; ack < acks; ++ack)
        {
            sender.Acknowledge();
        }
        NS_TEST_EXPECT_MSG_EQ(sender.GetSegments(), cwnd, "not yet, of " << cwnd);
        sender.Acknowledge();
        NS_TEST_EXPECT_MSG_EQ(sender.GetSegments(), cwnd + 1, "of " << cwnd);
    }

    /// @param flight segments @param left ssthresh, segments
    void ExpectLoss(uint64_t flight, uint64_t left)
    {
        NS_TEST_EXPECT_MSG_EQ(MadeUpSender("highspeed", 10, 2).Lose(flight), left, "of " << flight);
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new HighSpeedTest}; });

} // namespace
