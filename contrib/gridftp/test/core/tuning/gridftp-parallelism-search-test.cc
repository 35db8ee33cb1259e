/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-parallelism-search.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Goodputs that are known, and the best N of them.
class ParallelismSearchTestCase : public TestCase
{
  public:
    ParallelismSearchTestCase()
        : TestCase("best N by trying: medians, fewest that are enough, when the search ends")
    {
    }

  private:
    /// @param curve a result @return its N
    static std::vector<uint32_t> List(const ParallelismCurve& curve)
    {
        std::vector<uint32_t> all;
        for (const auto& point : curve.points)
        {
            all.push_back(point.parallelism);
        }
        return all;
    }

    void DoRun() override
    {
        // A path of 1000 that each connection fills by 150: 8 are enough, 16 and 32 gain nothing
        const auto fills = [](uint32_t n, uint32_t /* run */) -> Expected<ParallelismTrial> {
            return ParallelismTrial{.goodputBps = std::min(150.0 * n, 1000.0), .resent = 0.1 * n};
        };
        const auto path = SearchParallelism({.most = 1000, .repeats = 1}, fills);
        NS_TEST_EXPECT_MSG_EQ((List(*path) == std::vector<uint32_t>{1, 2, 4, 8, 16, 32}), true, "");
        NS_TEST_EXPECT_MSG_EQ(path->GetBest().parallelism, 8, "the fewest that fill it");
        NS_TEST_EXPECT_MSG_EQ(path->GetBest().goodputBps, 1000, "");
        NS_TEST_EXPECT_MSG_EQ_TOL(path->GetBest().resent, 0.8, 1e-12, "");
        const auto six = SearchParallelism({.most = 6, .repeats = 1}, fills);
        NS_TEST_EXPECT_MSG_EQ((List(*six) == std::vector<uint32_t>{1, 2, 4, 6}), true, "the last");
        NS_TEST_EXPECT_MSG_EQ(six->GetBest().parallelism, 6, "");
        const auto one = SearchParallelism({.most = 1, .repeats = 1}, fills);
        NS_TEST_EXPECT_MSG_EQ((List(*one) == std::vector<uint32_t>{1}), true, "no others");
        // More connections get less: the first one stays the best
        const auto falls = [](uint32_t n, uint32_t /* run */) -> Expected<ParallelismTrial> {
            return ParallelismTrial{.goodputBps = 100.0 / n};
        };
        const auto falling = SearchParallelism({.most = 1000, .repeats = 1}, falls);
        NS_TEST_EXPECT_MSG_EQ((List(*falling) == std::vector<uint32_t>{1, 2, 4}), true, "");
        NS_TEST_EXPECT_MSG_EQ(falling->GetBest().parallelism, 1, "");
        // Within 2 % of the highest is enough
        const auto noisy = [](uint32_t n, uint32_t run) -> Expected<ParallelismTrial> {
            const double base = n == 1 ? 50 : n == 2 ? 99 : 100;
            return ParallelismTrial{.goodputBps = base + (run == 1 ? 30 : run == 2 ? 0 : -7)};
        };
        const auto median = SearchParallelism({.most = 1000, .repeats = 3}, noisy);
        NS_TEST_EXPECT_MSG_EQ(median->GetBest().parallelism, 2, "99 of 100");
        NS_TEST_EXPECT_MSG_EQ(median->GetBest().goodputBps, 99, "of 92, 99 and 129");
        NS_TEST_EXPECT_MSG_EQ(median->GetBest().leastBps, 92, "");
        NS_TEST_EXPECT_MSG_EQ(median->GetBest().mostBps, 129, "");
        const auto even = SearchParallelism({.most = 1, .repeats = 2}, noisy);
        NS_TEST_EXPECT_MSG_EQ(even->GetBest().goodputBps, 65, "of 50 and 80");
        // Failures
        const auto fails = [](uint32_t n, uint32_t run) -> Expected<ParallelismTrial> {
            if (n == 4 && run == 2)
            {
                return Error{"no data"};
            }
            return ParallelismTrial{.goodputBps = 1.0 * n};
        };
        const auto some = SearchParallelism({.most = 1000, .repeats = 2}, fails);
        NS_TEST_EXPECT_MSG_EQ((List(*some) == std::vector<uint32_t>{1, 2}), true, "before it");
        NS_TEST_EXPECT_MSG_EQ(some->failure, "no data", "");
        NS_TEST_EXPECT_MSG_EQ(some->GetBest().parallelism, 2, "");
        const auto none = SearchParallelism(
            {.most = 1000, .repeats = 2},
            [](uint32_t /* n */, uint32_t /* run */) -> Expected<ParallelismTrial> {
                return Error{"refused"};
            });
        NS_TEST_EXPECT_MSG_EQ(Reason(none), "refused", "not even one");
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] { return std::vector<TestCase*>{new ParallelismSearchTestCase}; });

} // namespace
