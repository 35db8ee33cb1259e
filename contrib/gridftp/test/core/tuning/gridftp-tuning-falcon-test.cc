/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-tuning-test.h"
#include "gridftp-random.h"

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The utility of so many connections, in Mbit/s; of a chunk, counted from 0.
using Curve = std::function<double(uint32_t parallelism, uint32_t chunk)>;

/// Lets both searches run, chunk by chunk.
class FalconTest : public TestCase
{
  public:
    FalconTest()
        : TestCase("Falcon: hill climbing and gradient on its utility")
    {
    }

  private:
    void DoRun() override
    {
        ExpectUtility();
        ExpectHillClimbing();
        ExpectGradient();
        ExpectGradientOfLosses();
        ExpectBounds();
    }

    /// @param search 0: gradient, 1: hill climbing @param changed parameters @return the policy
    std::unique_ptr<TuningPolicy> MakePolicy(double search,
                                             const std::map<std::string_view, double>& changed = {})
    {
        NamedValues parameters = PAPER;
        parameters.Set("falcon-search", search);
        for (const auto& [name, value] : changed)
        {
            parameters.Set(name, value);
        }
        auto made = MakeTuningPolicy("falcon", parameters);
        NS_TEST_EXPECT_MSG_EQ(Reason(made), "no error", "in range");
        return made ? std::move(*made) : nullptr;
    }

    /// @param parallelism N @param mbps T @param retransmitted of 1000 segments @return a sample
    static ChunkSample Lossy(uint32_t parallelism, double mbps, uint64_t retransmitted)
    {
        ChunkSample sample = Chunk(parallelism, mbps);
        sample.segments = {1000, retransmitted};
        return sample;
    }

    /**
     * Hill climbing goes on where a second chunk has a larger utility than the first one.
     * @param first of them @param second of them, of one connection more @param grows whether it is
     * @param why
     */
    void Compare(const ChunkSample& first,
                 const ChunkSample& second,
                 bool grows,
                 std::string_view why)
    {
        const uint32_t n = first.parallelism;
        const auto policy = MakePolicy(1, {{"initial-parallelism", n}});
        NS_TEST_EXPECT_MSG_EQ(policy->GetInitialParallelism(), n, why);
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(first), n + 1, why);
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(second), (grows ? n + 2 : n), why);
    }

    /// u = T / 1.02^n - 10 T L
    void ExpectUtility()
    {
        Compare(Chunk(1, 100), Chunk(2, 101.9), false, "2 % for a connection: 98.04, 97.94");
        Compare(Chunk(1, 100), Chunk(2, 102.1), true, "98.04, 98.14");
        // 1.02^34 = 1.96068, 1.02^35 = 1.99989
        Compare(Chunk(34, 100), Chunk(35, 101.9), false, "51.00, 50.95");
        Compare(Chunk(34, 100), Chunk(35, 102.1), true, "51.00, 51.05");
        Compare(Chunk(1, 100), Lossy(2, 104, 1), true, "104 / 1.0404 - 10 * 104 * 0.001 = 98.92");
        Compare(Chunk(1, 100), Lossy(2, 104, 2), false, "97.88");
        Compare(Lossy(1, 100, 2), Lossy(2, 104, 2), true, "96.04, 97.88");
        // n is N of one pair: 4 connections more, of 4 pairs, would not be worth 2.1 %
        ChunkSample one = Chunk(1, 100);
        ChunkSample two = Chunk(2, 102.1);
        one.pairs = two.pairs = 4;
        Compare(one, two, true, "24.51, 24.53");
    }

    void ExpectHillClimbing()
    {
        const auto peak = [](double top, double slope, uint32_t n, uint32_t at) {
            return top - slope * std::abs(static_cast<double>(n) - at);
        };
        // 70, 80, 90, 100 at 4, 90 at 5. Then 40 at 4, which is less by more than 10 %, 45, 50 at
        // 2, 45 at 1; then 80 at 2, which is more.
        Expect("there and back and there",
               {1, 2, 3, 4, 5, 4, 4, 4, 3, 2, 1, 2, 2, 2, 3, 4, 5, 4, 4},
               [&](uint32_t n, uint32_t chunk) {
                   return chunk < 7 || chunk > 12 ? peak(100, 10, n, 4) : peak(50, 5, n, 2);
               },
               {{"falcon-search", 1}});
        // 90 is no more than 100; 109 is 9 % more, 100 less by 8.3 % of that, 111 more by 11 %
        const std::vector<double> some{100, 90, 109, 100, 111, 120, 119, 120, 100};
        Expect("10 %",
               {1, 2, 1, 1, 1, 2, 3, 2, 2, 1},
               [&](uint32_t, uint32_t chunk) { return chunk < some.size() ? some[chunk] : 1; },
               {{"falcon-search", 1}});
        // 10 is less than 100, but there is no less than 1 connection; 12 is more by 14 %
        const std::vector<double> low{100, 50, 10, 10.5, 12, 13};
        Expect("the least N",
               {1, 2, 1, 1, 1, 2, 3},
               [&](uint32_t, uint32_t chunk) { return chunk < low.size() ? low[chunk] : 1; },
               {{"falcon-search", 1}});
        const Curve rising = [](uint32_t n, uint32_t) { return 10.0 * n; };
        Expect("the largest N",
               {1, 2, 3, 3, 3},
               rising,
               {{"falcon-search", 1}, {"max-parallelism", 3}});
        Expect("one at most", {1, 1, 1}, rising, {{"falcon-search", 1}, {"max-parallelism", 1}});
    }

    void ExpectGradient()
    {
        // n = 2: from 10 to 30, which is by 1 a connection, so 2 more; n = 4: from 30 to 50, by
        // 1/3, 4/3, so 2, twice; n = 8: by 1/7, 8/7, so 2, three times; 14: by 1/13, four times;
        // 22: by 1/21, five times were 32, but 31 is 9 above 22
        const Curve rising = [](uint32_t n, uint32_t) { return 10.0 * n; };
        Expect("ever more", {1, 3, 3, 5, 7, 9, 13, 15, 21, 23, 30, 32}, rising);
        // 1 to 27 is by 13 a connection, so 26 more, but 11 is 9 above 2
        Expect("very much more", {1, 3, 10, 12}, [](uint32_t n, uint32_t) {
            return std::pow(n, 3);
        });
        // By less than a whole connection: n = 2, 1 more; 3, 2 more; 5, 3 more; 8, from 95 to 94, 1
        // less; 7, from 90 to 100, 1 more
        Expect("around a maximum",
               {1, 3, 2, 4, 4, 6, 7, 9, 6, 8, 7, 9, 6, 8},
               [](uint32_t n, uint32_t) { return n > 8 ? 148.0 - 6 * n : 60.0 + 5 * n; });
        // n = 21, 20, 18, 15, 11, 6, and 2 in place of 0
        Expect("ever less",
               {20, 22, 19, 21, 17, 19, 14, 16, 10, 12, 5, 7, 1, 3, 1, 3},
               [](uint32_t n, uint32_t) { return 100.0 - 2 * n; },
               {{"initial-parallelism", 20}});
        Expect("up to 4", {1, 3, 2, 4, 2, 4}, rising, {{"max-parallelism", 4}});
        Expect("up to 2", {1, 2, 1, 2}, rising, {{"max-parallelism", 2}});
        Expect("one at most", {1, 1, 1}, rising, {{"max-parallelism", 1}});
        Expect("from the maximum on",
               {5, 5, 3, 5, 3, 5},
               rising,
               {{"max-parallelism", 5}, {"initial-parallelism", 5}});
    }

    /// Utilities under 0: their size is what changes are a share of.
    void ExpectGradientOfLosses()
    {
        const auto policy = MakePolicy(0);
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Lossy(1, 100, 200)), 3, "-101.96");
        // 94.23: more by 196.2, by 0.962 a connection, 1.92, so n = 2 + 2
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Lossy(3, 100, 0)), 3, "n = 4");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Lossy(3, 100, 0)), 5, "94.23");
        // -109.43: less by 203.7, by 1.081 a connection, 4.3, so 5 less, but n is at least 2
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Lossy(5, 100, 200)), 1, "n = 2");
    }

    /**
     * @param what the curve is
     * @param expected parallelism of each chunk
     * @param curve utility, which is made of the goodput alone
     * @param changed parameters
     */
    void Expect(const std::string& what,
                const std::vector<uint32_t>& expected,
                const Curve& curve,
                const std::map<std::string_view, double>& changed = {})
    {
        const auto policy = MakePolicy(0, changed);
        uint32_t n = policy->GetInitialParallelism();
        std::string said;
        std::string wanted;
        for (uint32_t chunk = 0; chunk < expected.size(); ++chunk)
        {
            said += std::to_string(n) + " ";
            wanted += std::to_string(expected[chunk]) + " ";
            n = policy->Decide(Chunk(n, curve(n, chunk) * std::pow(1.02, n)));
        }
        NS_TEST_EXPECT_MSG_EQ(said, wanted, what);
    }

    /// Whatever is measured, N stays within its bounds.
    void ExpectBounds()
    {
        for (uint64_t draw = 0; draw < 60; ++draw)
        {
            const auto most = static_cast<uint32_t>(1 + draw / 2);
            const auto policy =
                MakePolicy(static_cast<double>(draw % 2), {{"max-parallelism", most}});
            uint32_t n = policy->GetInitialParallelism();
            for (uint64_t chunk = 0; chunk < 60; ++chunk)
            {
                const uint64_t noise = KeyedRandom({draw, chunk});
                const auto mbps = static_cast<double>(1 + noise % 1000);
                n = policy->Decide(Lossy(n, mbps, noise / 1000 % 300));
                NS_TEST_EXPECT_MSG_EQ((n >= 1 && n <= most), true, n << " of " << most);
            }
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new FalconTest}; });

} // namespace
