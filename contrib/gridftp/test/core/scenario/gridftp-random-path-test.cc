/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-random-path.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t SECOND = 1'000'000'000;
constexpr int64_t MS = 1'000'000;

/// Gardner et al., Section 2; 820 intervals of 20 s give the half-width that they tell, 1.8 Mbit/s.
const RandomPath PAPER{.mean = 17'200'000,
                       .deviation = 26'300'000,
                       .least = 26'000,
                       .most = 285'000'000,
                       .meanRtt = 157 * MS,
                       .leastRtt = 119 * MS,
                       .mostRtt = 475 * MS,
                       .interval = 20 * SECOND,
                       .duration = 16'400 * SECOND};

/// Moments of drawn numbers.
struct Moments
{
    double mean{0};      ///< of them
    double deviation{0}; ///< standard deviation
    double fourth{0};    ///< mean fourth power of the distance from the mean
    double count{0};     ///< how many

    /// @param values drawn
    explicit Moments(const std::vector<double>& values)
        : count(static_cast<double>(values.size()))
    {
        for (const double value : values)
        {
            mean += value / count;
        }
        for (const double value : values)
        {
            const double square = (value - mean) * (value - mean);
            deviation += square / count;
            fourth += square * square / count;
        }
        deviation = std::sqrt(deviation);
    }

    /// @return standard error of the mean
    double GetMeanError() const
    {
        return deviation / std::sqrt(count);
    }

    /// @return standard error of the deviation, by the delta method
    double GetDeviationError() const
    {
        const double variance = deviation * deviation;
        return std::sqrt((fourth - variance * variance) / count) / (2 * deviation);
    }
};

/// Moments of the distributions, from their parts.
class LeastOfUniformsTest : public TestCase
{
  public:
    LeastOfUniformsTest()
        : TestCase("random path: distributions have the moments asked for")
    {
    }

  private:
    void DoRun() override
    {
        for (const double mean : {1.0, 0.75, 0.5, 0.3, 0.1067415730337, 0.01, 0.001})
        {
            const auto made = LeastOfUniforms::OfMean(mean);
            NS_TEST_ASSERT_MSG_EQ(bool(made), true, mean);
            Check(*made, mean, 0);
        }
        for (const auto& [mean, square] :
             {std::pair{0.0602651, 0.0121492}, {0.1, 0.05}, {0.5, 0.4}, {0.01, 0.0005}})
        {
            const auto made = LeastOfUniforms::OfMoments(mean, square);
            NS_TEST_ASSERT_MSG_EQ(bool(made), true, mean);
            Check(*made, mean, square);
        }
        NS_TEST_EXPECT_MSG_EQ(bool(LeastOfUniforms::OfMean(0)), false, "nothing has mean 0");
        NS_TEST_EXPECT_MSG_EQ(bool(LeastOfUniforms::OfMean(1.01)), false, "beyond the bound");
        NS_TEST_EXPECT_MSG_EQ(bool(LeastOfUniforms::OfMoments(0.1, 0.011)), false, "too narrow");
        NS_TEST_EXPECT_MSG_EQ(bool(LeastOfUniforms::OfMoments(0.1, 0.101)), false, "too wide");
        // The paper's rates: of the parts, the few contribute half of the mean
        const auto rates = LeastOfUniforms::OfMoments(0.0602651469958663, 0.0121491698182070);
        const auto parts = rates->GetParts();
        NS_TEST_EXPECT_MSG_EQ(parts.size(), 3, "few, many, one more");
        NS_TEST_EXPECT_MSG_EQ(parts[0].count, 4, "few");
        NS_TEST_EXPECT_MSG_EQ(parts[1].count, 27, "many");
        NS_TEST_EXPECT_MSG_EQ(parts[2].count, 28, "one more");
        NS_TEST_EXPECT_MSG_EQ_TOL(parts[0].weight, 0.1516038, 1e-6, "how often few");
    }

    /// @param made a distribution @param mean of it @param square mean of its square, 0: no matter
    void Check(const LeastOfUniforms& made, double mean, double square)
    {
        double weights = 0;
        double first = 0;
        double second = 0;
        for (const auto& [weight, count] : made.GetParts())
        {
            const auto n = static_cast<double>(count);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(weight, 0, mean);
            weights += weight;
            first += weight / (n + 1);
            second += weight * 2 / ((n + 1) * (n + 2));
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(weights, 1, 1e-12, mean);
        NS_TEST_EXPECT_MSG_EQ_TOL(first, mean, 1e-12, mean);
        NS_TEST_EXPECT_MSG_EQ_TOL(second, (square == 0 ? second : square), 1e-12, mean);
    }
};

/// What is drawn has the statistics of the paper's Figures 1 and 2.
class RandomPathTest : public TestCase
{
  public:
    RandomPathTest()
        : TestCase("random path: mean, deviation and bounds of the paper")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<double> rates;
        std::vector<double> rtts;
        double widest = 0;
        constexpr uint64_t RUNS = 200;
        for (uint64_t run = 1; run <= RUNS; ++run)
        {
            const auto rows = DrawPath(PAPER, {1, run});
            NS_TEST_ASSERT_MSG_EQ(rows->size(), 820, "intervals");
            double products[2] = {1e9, 0};
            for (const auto& row : *rows)
            {
                NS_TEST_ASSERT_MSG_GT_OR_EQ(row.rateBps, PAPER.least, "bound");
                NS_TEST_ASSERT_MSG_LT_OR_EQ(row.rateBps, PAPER.most, "bound");
                NS_TEST_ASSERT_MSG_GT_OR_EQ(row.rttNs, PAPER.leastRtt, "bound");
                NS_TEST_ASSERT_MSG_LT_OR_EQ(row.rttNs, PAPER.mostRtt, "bound");
                rates.push_back(static_cast<double>(row.rateBps) / 1e6);
                rtts.push_back(static_cast<double>(row.rttNs) / MS);
                const double product = rates.back() * rtts.back() / 1e3;
                products[0] = std::min(products[0], product);
                products[1] = std::max(products[1], product);
            }
            widest += (products[1] - products[0]) / RUNS;
        }
        ExpectMoments(rates, rtts);
        // "the BDP of a given connection can vary by as much as 61 Mbit"
        NS_TEST_EXPECT_MSG_GT(widest, 25, "Mbit, mean of the runs");
        NS_TEST_EXPECT_MSG_LT(widest, 61, "Mbit, mean of the runs");
    }

    /// Within four standard errors, which one of 16,000 such means is outside of.
    void ExpectMoments(const std::vector<double>& rates, const std::vector<double>& rtts)
    {
        constexpr double ERRORS = 4;
        const Moments rate(rates);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate.mean, 17.2, ERRORS * rate.GetMeanError(), "mean rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(rate.deviation,
                                  26.3,
                                  ERRORS * rate.GetDeviationError(),
                                  "standard deviation of the rate");
        NS_TEST_EXPECT_MSG_LT(rate.GetMeanError(), 0.07, "Mbit/s: that says something");
        NS_TEST_EXPECT_MSG_LT(rate.GetDeviationError(), 0.15, "so does that");
        const Moments rtt(rtts);
        NS_TEST_EXPECT_MSG_EQ_TOL(rtt.mean, 157, ERRORS * rtt.GetMeanError(), "mean RTT");
        NS_TEST_EXPECT_MSG_LT(rtt.GetMeanError(), 0.1, "ms");
        // Half of the 95 % interval of one run's mean, as the paper tells it
        NS_TEST_EXPECT_MSG_EQ_TOL(1.96 * rate.deviation / std::sqrt(820), 1.8, 0.02, "half-width");
        ExpectIndependent(rates, rtts);
    }

    /// Correlations of rates with the next ones, and with round-trip times, are those of chance.
    void ExpectIndependent(const std::vector<double>& rates, const std::vector<double>& rtts)
    {
        const Moments rate(rates);
        const Moments rtt(rtts);
        double next = 0;
        double other = 0;
        for (size_t i = 0; i + 1 < rates.size(); ++i)
        {
            next += (rates[i] - rate.mean) * (rates[i + 1] - rate.mean);
            other += (rates[i] - rate.mean) * (rtts[i] - rtt.mean);
        }
        const double chance = 4 / std::sqrt(rate.count);
        const double scale = rate.count * rate.deviation;
        NS_TEST_EXPECT_MSG_EQ_TOL(next / (scale * rate.deviation), 0, chance, "the next rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(other / (scale * rtt.deviation), 0, chance, "the RTT");
    }
};

/// What belongs to the same key is the same; and what is not possible.
class RandomPathKeyTest : public TestCase
{
  public:
    RandomPathKeyTest()
        : TestCase("random path: the same for the same key, and faults")
    {
    }

  private:
    void DoRun() override
    {
        const auto rowOf = [](const RandomPath& path, const RandomPathKey& key) {
            return DrawPath(path, key)->at(7);
        };
        const auto row = rowOf(PAPER, {1, 2});
        NS_TEST_EXPECT_MSG_EQ(row.startNs, 140 * SECOND, "the eighth");
        NS_TEST_EXPECT_MSG_EQ(row.rateBps, rowOf(PAPER, {1, 2}).rateBps, "again");
        NS_TEST_EXPECT_MSG_EQ(row.rttNs, rowOf(PAPER, {1, 2}).rttNs, "again");
        NS_TEST_EXPECT_MSG_NE(row.rateBps, rowOf(PAPER, {1, 3}).rateBps, "another run");
        NS_TEST_EXPECT_MSG_NE(row.rateBps, rowOf(PAPER, {2, 2}).rateBps, "another seed");
        RandomPath longer = PAPER;
        longer.duration = 16'401 * SECOND;
        NS_TEST_EXPECT_MSG_EQ(DrawPath(longer, {1, 2})->size(), 821, "one more begins");
        NS_TEST_EXPECT_MSG_EQ(rowOf(longer, {1, 2}).rateBps, row.rateBps, "the others stay");
        RandomPath wrong = PAPER;
        wrong.mean = 10'000;
        Expect(wrong, "mean=10kbps is not within its bounds");
        wrong = PAPER;
        wrong.meanRtt = 500 * MS;
        Expect(wrong, "mean-rtt=500ms is not within its bounds; allowed: from 119356us to 475ms");
        wrong = PAPER;
        wrong.least = wrong.most = wrong.mean;
        Expect(wrong, "mean=17200kbps is not within");
        wrong = PAPER;
        wrong.deviation = 10'000'000;
        Expect(wrong, "deviation=10Mbps is not possible; allowed with these bounds and this mean");
    }

    /// @param path that is not possible @param part of what is said
    void Expect(const RandomPath& path, const std::string& part)
    {
        const auto drawn = DrawPath(path, {1, 1});
        NS_TEST_EXPECT_MSG_EQ(Contains(Reason(drawn), part), true, Reason(drawn));
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new LeastOfUniformsTest, new RandomPathTest, new RandomPathKeyTest};
});

} // namespace ns3::gridftp
