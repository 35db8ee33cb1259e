/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// RFC 5681, worked out by hand.
class RenoTest : public TestCase
{
  public:
    RenoTest()
        : TestCase("Reno: slow start, congestion avoidance, a loss")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string tcp : {"reno", "newreno"})
        {
            MadeUpSender slow(tcp, 2, 8);
            slow.Acknowledge();
            slow.Acknowledge(2);
            NS_TEST_EXPECT_MSG_EQ(slow.GetSegments(), 4, "a segment for each ACK");
            slow.Acknowledge(0);
            NS_TEST_EXPECT_MSG_EQ(slow.GetSegments(), 4, "an ACK of part of a segment");
            MadeUpSender crossing(tcp, 7, 8);
            crossing.Acknowledge(2);
            NS_TEST_EXPECT_MSG_EQ(crossing.GetCwnd(), 8125, "and 1000 * 1000 / 8000");
            MadeUpSender avoiding(tcp, 10, 4);
            avoiding.AcknowledgeWindow();
            NS_TEST_EXPECT_MSG_EQ_TOL(avoiding.GetSegments(), 10.96, 0.01, "about one more");
            MadeUpSender wide(tcp, 2'000'000, 4);
            wide.Acknowledge();
            NS_TEST_EXPECT_MSG_EQ(wide.GetCwnd(), 2'000'000'001, "at least a byte");
            NS_TEST_EXPECT_MSG_EQ(wide.Lose(9), 4, "half of 9 in flight");
            NS_TEST_EXPECT_MSG_EQ(wide.Lose(3), 2, "never under two");
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new RenoTest}; });

} // namespace
