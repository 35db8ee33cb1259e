/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-delay-variation.h"
#include "gridftp-random.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;
constexpr int64_t PACKETS = 100'000;

/// @param value of GetJitterQuantile() @return it in jitters
double
InJitters(int64_t value)
{
    return static_cast<double>(value) / static_cast<double>(JITTER_SCALE);
}

/// @param share of 1 @return it as a cumulative probability
uint64_t
ProbabilityOf(double share)
{
    return static_cast<uint64_t>(share * 18446744073709551616.0); // 2^64
}

/// The quantile functions at points that are known.
class JitterQuantileTest : public TestCase
{
  public:
    JitterQuantileTest()
        : TestCase("delay variation: quantiles of the distributions")
    {
    }

  private:
    void DoRun() override
    {
        using enum JitterDistribution;
        Check(UNIFORM, 0, -1);
        Check(UNIFORM, 0.25, -0.5);
        Check(UNIFORM, 0.5, 0);
        // Tables of the normal distribution
        Check(NORMAL, 0.5, 0);
        Check(NORMAL, 0.8413447461, 1);
        Check(NORMAL, 0.1586552539, -1);
        Check(NORMAL, 0.9772498681, 2);
        Check(NORMAL, 0.9986501020, 3, 2e-3);
        Check(NORMAL, 0, -4);
        // netem's: (s^(-1/3) - 3/2) 4/3 of s = 1 - u
        Check(PARETO, 0, -2.0 / 3);
        Check(PARETO, 0.5, (std::cbrt(2.0) - 1.5) * 4 / 3);
        Check(PARETO, 0.875, 2.0 / 3);
        Check(PARETO, 0.984375, (4 - 1.5) * 4 / 3);
        Check(PARETO, 0.999, 4); // cut off
        Check(PARETO_NORMAL, 0.5, 0.75 * (std::cbrt(2.0) - 1.5) * 4 / 3);
        Check(PARETO_NORMAL, 0.875, 0.25 * 1.150349380 + 0.5);
        CheckRising();
    }

    /// @param distribution which @param share cumulative probability @param jitters to be there
    /// @param tolerance jitters
    void Check(JitterDistribution distribution,
               double share,
               double jitters,
               double tolerance = 2e-4)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(InJitters(GetJitterQuantile(distribution, ProbabilityOf(share))),
                                  jitters,
                                  tolerance,
                                  "distribution " << static_cast<int>(distribution) << " at "
                                                  << share);
    }

    /// No quantile is below one of a smaller probability, and digits are those of every compiler.
    void CheckRising()
    {
        for (int which = 0; which < 4; ++which)
        {
            int64_t last = INT64_MIN;
            uint64_t sum = 0;
            constexpr uint64_t STEP = (uint64_t{1} << 50) + 12345;
            constexpr uint64_t STEPS = 16'000;
            for (uint64_t i = 0; i < STEPS; ++i)
            {
                const int64_t value =
                    GetJitterQuantile(static_cast<JitterDistribution>(which), i * STEP);
                NS_TEST_ASSERT_MSG_EQ((value >= last), true, which << " at " << i);
                last = value;
                sum = Mix64(sum ^ static_cast<uint64_t>(value));
            }
            constexpr std::array<uint64_t, 4> SUMS{0x43ba42efa7591b5b,
                                                   0xcd8ada9e16f4cb96,
                                                   0xc06d50811199c6c9,
                                                   0x8e3aeccc8434fd97};
            NS_TEST_EXPECT_MSG_EQ(sum, SUMS[static_cast<size_t>(which)], "digits of " << which);
        }
    }
};

/// Mean, standard deviation and correlation of many packets.
class JitterMomentsTest : public TestCase
{
  public:
    JitterMomentsTest()
        : TestCase("delay variation: mean, standard deviation and correlation")
    {
    }

  private:
    void DoRun() override
    {
        using enum JitterDistribution;
        // Of netem's Pareto distribution, cut off: worked out by integration
        Check(UNIFORM, 0, {0, 0.57735, 0});
        Check(NORMAL, 0, {0, 1, 0});
        Check(PARETO, 0, {-0.0329, 0.8216, 0});
        Check(PARETO_NORMAL, 0, {-0.0247, 0.836, 0});
        // Spread stays; the correlation of uniform variates of normal ones is 6 / pi asin(r / 2)
        Check(NORMAL, 0.5, {0, 1, 0.5});
        Check(NORMAL, 0.9, {0, 1, 0.9});
        Check(UNIFORM, 0.5, {0, 0.57735, 0.4826});
        Check(PARETO, 0.5, {-0.0329, 0.8216, 0.413});
    }

    /// What packets have to be like.
    struct Moments
    {
        double mean;        ///< jitters
        double deviation;   ///< jitters
        double correlation; ///< of a packet with the one before
    };

    /// @param distribution which @param correlation asked for @param expected there have to be
    void Check(JitterDistribution distribution, double correlation, const Moments& expected)
    {
        DelayVariation variation(
            {.jitterNs = MS, .distribution = distribution, .correlation = correlation},
            7);
        double sum = 0;
        double squares = 0;
        double products = 0;
        double last = 0;
        for (int64_t i = 0; i < PACKETS; ++i)
        {
            const int64_t end = i * 1000;
            const int64_t plain = end + 10 * MS; // far enough from 0
            const double jitters =
                static_cast<double>(variation.Vary(end - 100, end, plain) - plain) / MS;
            sum += jitters;
            squares += jitters * jitters;
            products += i > 0 ? jitters * last : 0;
            last = jitters;
        }
        const double mean = sum / PACKETS;
        const double variance = squares / PACKETS - mean * mean;
        const std::string what = "distribution " + std::to_string(static_cast<int>(distribution)) +
                                 ", correlation " + std::to_string(correlation);
        // Four standard errors; with a correlation of r there are (1 - r) / (1 + r) as many packets
        const double error = 4 * std::sqrt((1 + correlation) / (1 - correlation) / PACKETS);
        NS_TEST_EXPECT_MSG_EQ_TOL(mean, expected.mean, error * expected.deviation, what);
        NS_TEST_EXPECT_MSG_EQ_TOL(std::sqrt(variance), expected.deviation, 2 * error, what);
        NS_TEST_EXPECT_MSG_EQ_TOL((products / PACKETS - mean * mean) / variance,
                                  expected.correlation,
                                  2 * error,
                                  what);
    }
};

/// When packets arrive.
class DelayVariationTest : public TestCase
{
  public:
    DelayVariationTest()
        : TestCase("delay variation: arrivals, order and packets that overtake")
    {
    }

  private:
    void DoRun() override
    {
        CheckBounds();
        CheckOrder();
        CheckShare({.reorder = 0.25}, 0.25);
        CheckShare({.reorder = 0.25, .reorderCorrelation = 0.5}, 0.25);
        CheckShare({.reorder = 1}, 1);
        CheckShare({.reorder = 1, .reorderGap = 5}, 0.2);
        // After each gap of 4 it takes 1 / P packets on average: 1 / (4 + 4)
        CheckShare({.reorder = 0.25, .reorderGap = 5}, 0.125);
        CheckStreams();
    }

    /// A packet does not arrive before it is sent, however large the jitter is.
    void CheckBounds()
    {
        constexpr int64_t TEN_SECONDS = 10'000'000'000;
        DelayVariation variation(
            {.jitterNs = TEN_SECONDS, .distribution = JitterDistribution::NORMAL},
            1);
        int64_t early = 0;
        for (int64_t i = 0; i < PACKETS; ++i)
        {
            const int64_t arrival = variation.Vary(i, i + 5, i + 5 + MS);
            NS_TEST_ASSERT_MSG_EQ((arrival >= i + 5), true, "not before it is sent");
            NS_TEST_ASSERT_MSG_EQ((arrival <= i + 5 + MS + 4 * TEN_SECONDS), true, "4 at most");
            early += arrival == i + 5 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(early) / PACKETS, 0.5, 0.01, "half of them");
    }

    /// Jitter alone reorders, unless it must not.
    void CheckOrder()
    {
        for (const JitterOrder order : {JitterOrder::FREE, JitterOrder::FIFO})
        {
            DelayVariation variation({.jitterNs = MS, .order = order}, 1);
            int64_t last = 0;
            int64_t overtaken = 0;
            for (int64_t i = 0; i < 1000; ++i)
            {
                const int64_t end = i * MS / 10;
                const int64_t arrival = variation.Vary(end - 1, end, end + 5 * MS);
                overtaken += arrival < last ? 1 : 0;
                NS_TEST_ASSERT_MSG_EQ((order == JitterOrder::FREE || arrival > last),
                                      true,
                                      "two at the same time");
                last = arrival;
            }
            NS_TEST_EXPECT_MSG_EQ((overtaken > 100), (order == JitterOrder::FREE), overtaken);
            NS_TEST_EXPECT_MSG_EQ((overtaken == 0), (order == JitterOrder::FIFO), overtaken);
        }
    }

    /// @param spec without jitter @param share of packets that have to overtake
    void CheckShare(const DelayVariationSpec& spec, double share)
    {
        DelayVariation variation(spec, 3);
        int64_t ahead = 0;
        int64_t since = spec.reorderGap;
        for (int64_t i = 0; i < PACKETS; ++i)
        {
            const int64_t arrival = variation.Vary(i * 10, i * 10 + 5, i * 10 + 105);
            const bool isAhead = arrival == i * 10 + 5;
            NS_TEST_ASSERT_MSG_EQ((isAhead || arrival == i * 10 + 105), true, "nothing between");
            ++since;
            NS_TEST_ASSERT_MSG_EQ((!isAhead || since >= spec.reorderGap), true, "within the gap");
            since = isAhead ? 0 : since;
            ahead += isAhead ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(ahead) / PACKETS, share, 0.01, "share");
    }

    /// Random numbers depend on the key and the time alone.
    void CheckStreams()
    {
        const DelayVariationSpec spec{.jitterNs = MS, .reorder = 0.1};
        DelayVariation one(spec, 1);
        DelayVariation another(spec, 1);
        DelayVariation other(spec, 2);
        DelayVariation stream = one.InStream(4);
        another.Vary(5, 6, 7); // a packet more
        int64_t others = 0;
        int64_t streams = 0;
        for (int64_t i = 1; i <= 1000; ++i)
        {
            const int64_t at = one.Vary(i * MS, i * MS, (i + 5) * MS);
            NS_TEST_ASSERT_MSG_EQ(another.Vary(i * MS, i * MS, (i + 5) * MS), at, "at " << i);
            others += other.Vary(i * MS, i * MS, (i + 5) * MS) != at ? 1 : 0;
            streams += stream.Vary(i * MS, i * MS, (i + 5) * MS) != at ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(others, 900, "another key");
        NS_TEST_EXPECT_MSG_GT(streams, 900, "another stream");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new JitterQuantileTest, new JitterMomentsTest, new DelayVariationTest};
});

} // namespace ns3::gridftp
