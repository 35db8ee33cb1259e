/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-pie.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;   ///< ns
constexpr double TOLERANCE = 1e-15; ///< of a probability: rounding of some operations

/// Target and time between updates of 15 ms.
constexpr PieSpec SPEC{.targetNs = 15 * MS, .updateNs = 15 * MS, .burstNs = 0};

/// PIE whose random numbers are always the same.
class PieWithNumber : public PieQueue
{
  public:
    /// @param spec parameters @param number random number
    PieWithNumber(const PieSpec& spec, double number)
        : PieQueue(spec, 100, 1),
          m_number(number)
    {
    }

  private:
    double Draw() override
    {
        return m_number;
    }

    double m_number; ///< see the constructor
};

/// A packet leaves at 40 ms, after 40 ms, and 9 others wait: updates at 45 ms and 60 ms.
class PieProbabilityTest : public TestCase
{
  public:
    PieProbabilityTest()
        : TestCase("PIE: the probability, by hand")
    {
    }

  private:
    void DoRun() override
    {
        PieWithNumber queue(SPEC, 0.00004);
        for (uint32_t i = 0; i < 10; ++i)
        {
            queue.Enqueue(0, {.handle = i, .bytes = 1500});
        }
        queue.Dequeue(40 * MS);
        NS_TEST_EXPECT_MSG_EQ(queue.GetProbability(), 0, "no delay was known at 30 ms");
        // 0.125 * 25 ms + 1.25 * 40 ms, over 2048 while it is below 1e-6
        const double first = 0.053125 / 2048;
        NS_TEST_EXPECT_MSG_EQ(queue.Enqueue(45 * MS, {.handle = 10, .bytes = 1500}),
                              true,
                              "the random number is above it");
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.GetProbability(), first, TOLERANCE, "at 45 ms");
        // 0.125 * 25 ms, over 128 while it is from 1e-5 to 1e-4
        const double second = first + 0.003125 / 128;
        NS_TEST_EXPECT_MSG_EQ(queue.Enqueue(60 * MS, {.handle = 11, .bytes = 1500}),
                              false,
                              "the random number is below it");
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.GetProbability(), second, TOLERANCE, "at 60 ms");
        NS_TEST_EXPECT_MSG_EQ(queue.Enqueue(60 * MS, {.handle = 12, .bytes = 1500, .isEct = true}),
                              true,
                              "ECT is marked instead");
        for (uint32_t i = 0; i < 10; ++i)
        {
            queue.Dequeue(61 * MS);
        }
        const auto marked = queue.Dequeue(61 * MS);
        NS_TEST_EXPECT_MSG_EQ(marked->handle, 12, "the last one");
        NS_TEST_EXPECT_MSG_EQ(marked->isMarked, true, "with the mark");
        // The queue is empty and drops nothing, however long ago that is
        queue.Enqueue(int64_t{3'600'000} * MS, {.handle = 13, .bytes = 1500});
        NS_TEST_EXPECT_MSG_EQ(queue.GetProbability(), 0, "after an hour");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new PieProbabilityTest}; });

} // namespace ns3::gridftp
