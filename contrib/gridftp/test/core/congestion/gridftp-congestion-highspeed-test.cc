/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-test.h"

#include <cmath>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A row of the RFC's table.
struct Row
{
    uint64_t window{0}; //!< the largest that it is for, segments
    double decrease{0}; //!< b(w)
};

/// @return the table that the program in RFC 3649, Appendix B, prints; a(w) is the row's number
std::vector<Row>
MakeTable()
{
    std::vector<Row> table{{38, 0.5}};
    double last = 1;
    for (double w = 38; w < 100'000; ++w)
    {
        const double b =
            0.5 - 0.4 * (std::log(w) - std::log(38)) / (std::log(83'000) - std::log(38));
        const double a = w * w * 2 * b / ((2 - b) * std::pow(w, 1.2) * 12.8);
        if (a > last + 1)
        {
            table.push_back({static_cast<uint64_t>(w), std::round(b * 100) / 100});
            last = a;
        }
    }
    return table;
}

/// RFC 3649, Appendix B: a(w) and b(w).
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
        ExpectTable();
        ExpectLoss(1, 2);
        ExpectLoss(38, 19);             // 0.50
        ExpectLoss(100, 56);            // 0.44
        ExpectLoss(1000, 669);          // 0.33, and a little less than 670
        ExpectLoss(84'035, 75'631);     // 0.10
        ExpectLoss(1'000'000, 910'000); // 0.09
    }

    /// At both ends of every row.
    void ExpectTable()
    {
        auto table = MakeTable();
        NS_TEST_ASSERT_MSG_EQ(table.size(), 73, "rows");
        NS_TEST_ASSERT_MSG_EQ(table[61].window, 53'677, "of the RFC");
        table[61].window = 53'667; // of ns3::TcpHighSpeed
        uint64_t first = 4;
        for (uint64_t row = 0; row < table.size(); ++row)
        {
            const uint64_t last = table[row].window;
            for (const uint64_t cwnd : {first, last})
            {
                ExpectGrowth(cwnd, (cwnd + row) / (row + 1));
                const auto left = static_cast<double>(cwnd) * (1 - table[row].decrease);
                ExpectLoss(cwnd, static_cast<uint64_t>(left));
            }
            first = last + 1;
        }
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
