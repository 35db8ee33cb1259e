/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-red.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr double NONE = -1; ///< no draw may be asked for

/// A packet that comes, and what has to become of it.
struct Coming
{
    uint64_t waiting; ///< packets in the queue
    int64_t idleNs;   ///< how long the link has been idle
    double draw;      ///< what is drawn, or NONE
    bool isDropped;   ///< it has to be
    double average;   ///< that there has to be afterwards
};

/// Packets before a queue, worked out by hand.
class RedTest : public TestCase
{
  public:
    /// @param what happens @param spec parameters @param comings in order
    RedTest(const std::string& what, const RedSpec& spec, std::vector<Coming> comings)
        : TestCase("RED: " + what),
          m_spec(spec),
          m_comings(std::move(comings))
    {
    }

  private:
    void DoRun() override
    {
        // A packet of 1500 bytes takes 1 ms
        RandomEarlyDetection red(m_spec, 12'000'000, 1);
        for (size_t i = 0; i < m_comings.size(); ++i)
        {
            const Coming& coming = m_comings[i];
            bool isAsked = false;
            const bool isDropped = red.IsDropped(coming.waiting, coming.idleNs, [&] {
                isAsked = true;
                return coming.draw;
            });
            NS_TEST_EXPECT_MSG_EQ(isDropped, coming.isDropped, "packet " << i);
            NS_TEST_EXPECT_MSG_EQ(isAsked, (coming.draw != NONE), "draw of packet " << i);
            NS_TEST_EXPECT_MSG_EQ(red.GetAverage(), coming.average, "average after packet " << i);
        }
    }

    RedSpec m_spec;                ///< tested
    std::vector<Coming> m_comings; ///< in order
};

/// With an average that stays, packets between two drops are uniform from 1 / p to below 2 / p
/// (Floyd and Jacobson, Section VII, method 2, with Wait), and streams are independent.
class SpreadTest : public TestCase
{
  public:
    SpreadTest()
        : TestCase("RED: drops are spread evenly")
    {
    }

  private:
    void DoRun() override
    {
        // 0.5 halfway between the thresholds: 1 / p is 4
        RandomEarlyDetection red({2, 4, 0.5, 1, true, 1500}, 12'000'000, 7);
        const RandomEarlyDetection other = red.InStream(3);
        RandomEarlyDetection again = red.InStream(3);
        const auto first = Count(red);
        for (uint64_t gap = 0; gap < first.size(); ++gap)
        {
            const bool isPossible = gap >= 4 && gap <= 7;
            // Of 8000, five standard deviations of 2000
            NS_TEST_EXPECT_MSG_EQ_TOL(first[gap],
                                      (isPossible ? 2000 : 0),
                                      (isPossible ? 194 : 0),
                                      "drops " << gap << " packets after the last one");
        }
        RandomEarlyDetection same = other;
        const auto second = Count(again);
        NS_TEST_EXPECT_MSG_EQ((second == Count(same)), true, "a stream is the same again");
        NS_TEST_EXPECT_MSG_EQ((second == first), false, "another stream is another one");
    }

    /// @param red asked @return how many drops there were each so many packets after the last one
    static std::array<int64_t, 20> Count(RandomEarlyDetection& red)
    {
        std::array<int64_t, 20> counts{};
        uint64_t gap = 0;
        bool isFirst = true; // behind the beginning, which counts from the threshold
        for (int64_t drops = 0; drops <= 8000; gap = 0, isFirst = false, ++drops)
        {
            do
            {
                ++gap;
            } while (!red.IsNextDropped(3, 0) && gap < counts.size());
            counts[gap % counts.size()] += isFirst ? 0 : 1;
        }
        return counts;
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    // The average is the queue
    const RedSpec gentle{2, 4, 0.5, 1, true, 1500};
    const RedSpec harsh{2, 4, 0.5, 1, false, 1500};
    const RedSpec slow{5, 15, 0.02, 0.5, true, 1500};
    return {
        // p = 0.5 (3 - 2) / (4 - 2) = 0.25, of the n-th packet 0 while n p < 1, then p / (2 - n p)
        new RedTest("between the thresholds",
                    gentle,
                    {{3, 0, NONE, false, 3},
                     {3, 0, 0.0001, false, 3},
                     {3, 0, 0.0001, false, 3},
                     {3, 0, 0.2501, false, 3},
                     {3, 0, 0.3333, true, 3},
                     {3, 0, 0.0001, false, 3},
                     {3, 0, 0.0001, false, 3},
                     {3, 0, 0.0001, false, 3},
                     {3, 0, 0.25, true, 3}}),
        new RedTest("below the first one it begins anew",
                    gentle,
                    {{3, 0, NONE, false, 3},
                     {3, 0, 0.0001, false, 3},
                     {3, 0, 0.0001, false, 3},
                     {1, 0, NONE, false, 1},
                     {3, 0, NONE, false, 3},
                     {3, 0, 0.0001, false, 3}}),
        // p = 0.5 + 0.5 (6 - 4) / 4 = 0.75; of the second packet 0.75 / (2 - 1.5), at most 1; from
        // 2 x 4 on each packet is dropped
        new RedTest("gentle above the second one",
                    gentle,
                    {{6, 0, NONE, false, 6},
                     {6, 0, 0.9999, true, 6},
                     {6, 0, 0.0001, false, 6},
                     {7, 0, 0.9999, true, 7},
                     {8, 0, NONE, true, 8},
                     {9, 0, NONE, true, 9}}),
        new RedTest("not gentle",
                    harsh,
                    {{3, 0, NONE, false, 3}, {4, 0, NONE, true, 4}, {5, 0, NONE, true, 5}}),
        // Nobody is dropped where one packet waits, whatever the average; 40, 21, 11.5, 6.75
        new RedTest("one that waits alone",
                    slow,
                    {{80, 0, NONE, true, 40},
                     {2, 0, NONE, false, 21},
                     {2, 0, 0.9999, false, 11.5},
                     {1, 0, NONE, false, 6.25}}),
        // 3.5 ms are three packets: 4 x 0.5 ^ 4; 0.999999 ms none: 0.25 / 2
        new RedTest("an idle link",
                    slow,
                    {{8, 0, NONE, false, 4},
                     {0, 3'500'000, NONE, false, 0.25},
                     {0, 999'999, NONE, false, 0.125},
                     {0, 1'000'000'000'000'000'000, NONE, false, 0}}),
        new SpreadTest,
    };
});

} // namespace ns3::gridftp
