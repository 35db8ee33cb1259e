/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-tuning-test.h"
#include "gridftp-random.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Lets the search run on a curve, chunk by chunk.
class AptTest : public TunerTest
{
  public:
    AptTest()
        : TunerTest("APT: brackets the maximum, then narrows the bracket", "apt")
    {
    }

  private:
    void DoRun() override
    {
        // 1, 2, 4, 8 Mbit/s and so on up, down by one from 11 on: 97 at 8, 95 at 16, so that the
        // bracket is 4, 8, 16. The larger part is above 8: 0.382 * 8 = 3.06, so 11, with 100. In
        // 8, 11, 16: 0.382 * 5 = 1.91, so 13, with 98. In 8, 11, 13: 0.382 * 3 = 1.15, so 10. In
        // 10, 11, 13: 12. 10, 11, 12 has no more within.
        const Curve peak = [](uint32_t n) { return 100 - std::abs(static_cast<double>(n) - 11); };
        Expect("a maximum", {1, 2, 4, 8, 16, 11, 13, 10, 12, 11, 11, 11}, peak);
        // What is above the maximum is not tried and counts as worse: the brackets are 8, 12, 13
        // and 4, 8, 9.
        Expect("up to 12", {1, 2, 4, 8, 12, 10, 11, 11}, peak, {{"max-parallelism", 12}});
        Expect("up to 8", {1, 2, 4, 8, 6, 7, 8, 8}, peak, {{"max-parallelism", 8}});
        // 99 at 12, 87 at 24, so 6, 12, 24: 0.382 * 12 = 4.58, so 17, with 94; the larger part is
        // below then, 0.382 * 6 = 2.29, so 10, no better than 12; then 14, and 11 in 10, 12, 14.
        Expect("from 3 on", {3, 6, 12, 24, 17, 10, 14, 11, 11}, peak, {{"initial-parallelism", 3}});
        // 1.5, rounded up: 1, 2, 3, 5, 8, 12 (99), 18 (93). In 8, 12, 18: 0.382 * 6 = 2.29, so 14,
        // with 97; in 8, 12, 14: 0.382 * 4 = 1.53, so 10, with 99, no more than 12 has; 11 in 10,
        // 12, 14, and the parts are equal, so that the lower one is tried.
        Expect("gamma = 1.5", {1, 2, 3, 5, 8, 12, 18, 14, 10, 11, 11, 11}, peak, {{"gamma", 1.5}});

        const Curve rising = [](uint32_t n) { return 10.0 * n; };
        Expect("ever more",
               {1, 2, 4, 8, 16, 20, 18, 19, 20, 20},
               rising,
               {{"max-parallelism", 20}});
        Expect("one at most", {1, 1, 1}, rising, {{"max-parallelism", 1}});
        const Curve falling = [](uint32_t n) { return 100.0 / n; };
        Expect("ever less", {1, 2, 1, 1}, falling);
        Expect("ever less from 5 on",
               {5, 10, 3, 2, 1, 1, 1},
               falling,
               {{"initial-parallelism", 5}});
        // More than 4 connections carry no more: of 2, 4, 8 the part above 4 is the larger one, and
        // no N in it is better, 6 and 5; 3 is worse.
        const Curve level = [](uint32_t n) { return 25.0 * std::min(n, 4U); };
        Expect("a plateau", {1, 2, 4, 8, 6, 3, 5, 4, 4}, level);
        Expect("nothing but a plateau", {1, 2, 1, 1}, [](uint32_t) { return 50.0; });

        ExpectAnEnd();
        ExpectNothingOfInvalidSamples();
    }

    /// Whatever is measured, the search ends, at the N with the largest goodput of those tried.
    void ExpectAnEnd()
    {
        for (uint64_t draw = 0; draw < 200; ++draw)
        {
            const auto policy = MakePolicy({{"max-parallelism", 64}});
            std::map<uint32_t, double> measured;
            uint32_t n = policy->GetInitialParallelism();
            // At most 7 increases, and as many steps as a part of 32 has golden sections
            for (uint64_t chunk = 0; chunk < 40; ++chunk)
            {
                const double noise = static_cast<double>(KeyedRandom({draw, chunk}) % 1000) / 20;
                const double mbps = 10 + std::min(n, 20U) + noise;
                measured.try_emplace(n, mbps);
                n = policy->Decide(Chunk(n, mbps));
                NS_TEST_EXPECT_MSG_EQ((n >= 1 && n <= 64), true, "within bounds, " << n);
            }
            const auto best = std::ranges::max_element(measured, {}, [](const auto& entry) {
                return entry.second;
            });
            NS_TEST_EXPECT_MSG_EQ(n, best->first, "draw " << draw);
            NS_TEST_EXPECT_MSG_LT(measured.size(), 20, "draw " << draw);
            NS_TEST_EXPECT_MSG_EQ(policy->Decide(Chunk(n, 1)), n, "it has ended");
        }
        // A first chunk that is luckier than the second one ends it at once.
        const std::vector<double> lucky{26, 25, 26, 26};
        size_t chunk = 0;
        Expect("noise", {1, 2, 1, 1}, [&](uint32_t) { return lucky[chunk++]; });
    }

    /// A last, shorter chunk is no point of the curve.
    void ExpectNothingOfInvalidSamples()
    {
        const auto policy = MakePolicy({});
        const auto invalid = [](uint32_t n) {
            ChunkSample sample = Chunk(n, 1);
            sample.bytes /= 2;
            return sample;
        };
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(invalid(1)), 1, "not yet begun");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Chunk(1, 10)), 2, "the first point");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(invalid(2)), 2, "no fall");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Chunk(2, 20)), 4, "the second");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Chunk(4, 15)), 3, "the bracket is 1, 2, 4");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(invalid(3)), 3, "no end of the search");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Chunk(3, 25)), 3, "the maximum");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(invalid(3)), 3, "it has ended");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new AptTest}; });

} // namespace
