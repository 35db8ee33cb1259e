/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-tuning-test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Lets the tuner sample made-up curves, chunk by chunk.
class CurveFitTest : public TunerTest
{
  public:
    CurveFitTest()
        : TunerTest("curve fit: samples, then the maximum of the curve through three of them",
                    "curve-fit")
    {
    }

  private:
    void DoRun() override
    {
        ExpectOptimum();
        ExpectBestThree();
        ExpectNoCurve();
        ExpectNothingOfInvalidSamples();
    }

    /// @param b of a curve with a = 1 @param c of it @return the curve, near 100 Mbit/s in the end
    static Curve Model(double b, double c)
    {
        return [b, c](double n) { return 100 * n / std::sqrt(n * n + b * n + c); };
    }

    /// @param goodputs of some N, Mbit/s @return them, and 1 Mbit/s elsewhere
    static Curve Listed(const std::map<uint32_t, double>& goodputs)
    {
        return [goodputs](uint32_t n) {
            const auto at = goodputs.find(n);
            return at == goodputs.end() ? 1 : at->second;
        };
    }

    /// Samples that lie on a curve of the model give its optimum, -2 c / b.
    void ExpectOptimum()
    {
        // N^2 - 8 N + 24 is 17, 12, 8, 24, 152 at 1, 2, 4, 8, 16, so 24, 58, 141, 163, 130 Mbit/s:
        // it falls at 16. 48 / 8 = 6.
        const Curve six = Model(-8, 24);
        Expect("optimum 6", {1, 2, 4, 8, 16, 6, 6, 6}, six);
        // 9, 12, 72 at 3, 6, 12, so 100, 173, 141 Mbit/s: three samples.
        Expect("from 3 on", {3, 6, 12, 6, 6}, six, {{"initial-parallelism", 3}});
        Expect("a last sample at 12", {1, 2, 4, 8, 12, 6}, six, {{"max-parallelism", 12}});
        Expect("no fall up to 4", {1, 2, 4, 4, 4}, six, {{"max-parallelism", 4}});
        // 15, 10, 5, 18, 141 under the root: 25, 64, 187, 188, 135 Mbit/s. 46 / 8.6 = 5.35.
        Expect("rounded down", {1, 2, 4, 8, 16, 5, 5}, Model(-8.6, 23));
        // 19, 12, 4, 12, 124: 23, 58, 200, 231, 144 Mbit/s. 56 / 10 = 5.6.
        Expect("rounded up", {1, 2, 4, 8, 16, 6, 6}, Model(-10, 28));
        // 101, 103, 115, 162: 10, 20, 37, 63 Mbit/s; the optimum, 200 / 0.3, was not sampled.
        Expect("no more than 8", {1, 2, 4, 8, 8}, Model(-0.3, 100), {{"max-parallelism", 8}});
    }

    /// Of all three samples those are taken whose curve misses the others by least.
    void ExpectBestThree()
    {
        // 25, 50, 100, 100: with G in 25 Mbit/s N^2 / G^2 is 1, 1, 1, 4 at 1, 2, 4, 8. Through 1,
        // 2, 8: a = 1/14, b = -3/14, c = 16/14, optimum 10.7, 3.35 in place of 4 at 4. Through 1,
        // 4, 8: 3/28, -15/28, 40/28, optimum 5.3, 2.26 in place of 2 at 2. Through 2, 4, 8: 1/8,
        // -3/4, 2, optimum 5.3, 0.85 in place of 1 at 1, the least error. Through 1, 2, 4 there is
        // none.
        const Curve plateau = [](double n) { return 25 * std::min(n, 4.0); };
        Expect("a plateau", {1, 2, 4, 8, 5, 5}, plateau);
        // Of the ten threes of these, 2, 4, 16 has the least squared error, 227, and its optimum at
        // 4.9; 1, 4, 16 the next, 252, at 5.5; the first three 2662, at 3.2, the last 529, at 5.8.
        Expect("five samples",
               {1, 2, 4, 8, 16, 5},
               Listed({{1, 20}, {2, 60}, {4, 90}, {8, 100}, {16, 80}}));
        // Here it is 1, 2, 16 with 530, before 4, 8, 16 with 748; but its optimum is at 108.
        Expect("no more than was sampled",
               {1, 2, 4, 8, 16, 16},
               Listed({{1, 25}, {2, 45}, {4, 55}, {8, 100}, {16, 85}}));
    }

    /// Without a curve it is the best sample.
    void ExpectNoCurve()
    {
        Expect("two samples", {1, 2, 1, 1}, [](double n) { return 100 / n; });
        Expect("equal samples", {1, 2, 1, 1}, [](double) { return 50; });
        Expect("one at most", {1, 1, 1}, Model(-8, 24), {{"max-parallelism", 1}});
        // N^2 / G^2 is 0.01, 0.0004, 0.00163 at 1, 2, 4: a = 0.0034, b = -0.0198, c = 0.0264. It is
        // negative at 2.7 = -2 c / b: b^2 = 0.000393, 4 a c = 0.000360.
        Expect("a negative radicand", {1, 2, 4, 2, 2}, Listed({{1, 10}, {2, 100}, {4, 99}}));
        // N^2 / G^2 is 1, 3.992, 15.936 at 10, 20, 40: a = 0.0099, b = 0.0012, c = -0.0053. There
        // is no maximum, and nothing at -2 c / b = 8.9.
        Expect("no maximum",
               {10, 20, 40, 40},
               Listed({{10, 10}, {20, 10.01}, {40, 10.02}}),
               {{"initial-parallelism", 10}, {"max-parallelism", 40}});
    }

    /// A last, shorter chunk is no sample.
    void ExpectNothingOfInvalidSamples()
    {
        const auto policy = MakePolicy({});
        ChunkSample invalid = Chunk(2, 1);
        invalid.bytes /= 2;
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Chunk(1, 10)), 2, "the first sample");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(invalid), 2, "no fall");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Chunk(2, 20)), 4, "the second");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new CurveFitTest}; });

} // namespace
