/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-fluid-model.h"
#include "gridftp-test-cases.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Random paths of the kind that a test asks for.
class PathSource
{
  public:
    /**
     * @param low least
     * @param high largest
     * @return a number, its logarithm uniform
     */
    double Draw(double low, double high)
    {
        const double share = static_cast<double>(m_random() >> 11) / 9007199254740992.0; // 2^53
        return low * std::pow(high / low, share);
    }

    /**
     * @param packets B R in packets
     * @return a path with this product, otherwise random
     */
    FluidPath WithPackets(double packets)
    {
        FluidPath path;
        path.rttS = Draw(1e-4, 1);
        path.segmentBytes = std::floor(Draw(1, 9000));
        path.windowBytes = path.segmentBytes * Draw(1, 1000);
        path.bandwidthBps = packets * path.segmentBytes * 8 / path.rttS;
        return path;
    }

  private:
    std::mt19937_64 m_random{20080519}; //!< the standard fixes its sequence
};

/// Ito et al., Sec. 4: 100 Mbit/s, R as measured over the dumbbell, 64 KiB, packets of 1500 bytes.
constexpr FluidPath PAPER{.bandwidthBps = 100e6,
                          .rttS = 0.02006,
                          .windowBytes = 65536,
                          .segmentBytes = 1460};

/**
 * @ingroup gridftp
 * Eq. (1) and (2) in numbers, worked out by hand.
 */
class FluidNumbersTest : public TestCase
{
  public:
    FluidNumbersTest()
        : TestCase("fluid model: the paper's path by hand")
    {
    }

  private:
    void DoRun() override
    {
        // MI+ in its last step: G = 88 Mbit/s was measured and stands for B.
        FluidPath path = PAPER;
        path.bandwidthBps = 88e6;
        const FluidModel model(path);
        // B R = 88e6 * 0.02006 / (8 * 1460) = 151.137 packets. For N = 4: x = 37.7842,
        // 1/p = -2 + 75.5685 + 2/3 * 1427.65 = 1025.33, p = 9.75293e-4,
        // B (1 - p) = 87.91417e6; N W / R = 4 * 65536 * 8 / 0.02006 = 104.5440e6.
        const FluidPoint four = model.At(4);
        NS_TEST_EXPECT_MSG_EQ(four.parallelism, 4, "N");
        NS_TEST_ASSERT_MSG_EQ(four.loss.has_value(), true, "p");
        NS_TEST_EXPECT_MSG_EQ_TOL(*four.loss, 9.75293e-4, 1e-8, "p");
        NS_TEST_EXPECT_MSG_EQ_TOL(four.windowLimitBps, 104.5440e6, 1e2, "N W / R");
        NS_TEST_EXPECT_MSG_EQ_TOL(*four.networkLimitBps, 87.91417e6, 1e2, "second term");
        NS_TEST_EXPECT_MSG_EQ(four.goodputBps, *four.networkLimitBps, "the smaller of the two");
        // N = 3: N W / R = 78.4080e6 is the smaller term. N = 5: x = 30.2274,
        // 1/p = -2 + 60.4548 + 2/3 * 913.696 = 667.585, B (1 - p) = 87.86818e6.
        const FluidPoint three = model.At(3);
        NS_TEST_EXPECT_MSG_EQ(three.goodputBps, three.windowLimitBps, "the smaller of the two");
        NS_TEST_EXPECT_MSG_EQ_TOL(three.goodputBps, 78.4080e6, 1e2, "N = 3");
        NS_TEST_EXPECT_MSG_EQ_TOL(model.At(5).goodputBps, 87.86818e6, 1e2, "N = 5");
        // So 78.41, 87.91, 87.87: the paper's N = 4 (Sec. 4).
        NS_TEST_EXPECT_MSG_EQ(model.Optimum(1024).parallelism, 4, "N of MI+");
        NS_TEST_EXPECT_MSG_EQ(model.Optimum(3).parallelism, 3, "no more than allowed");
        NS_TEST_EXPECT_MSG_EQ(model.Optimum(1).parallelism, 1, "no more than allowed");
    }
};

/**
 * @ingroup gridftp
 * The algebra: 6/p + 21 = (2x + 3)^2, so the second term of Eq. (1) is B (1 - p).
 */
class FluidAlgebraTest : public TestCase
{
  public:
    FluidAlgebraTest()
        : TestCase("fluid model: the second term is B (1 - p), on random paths")
    {
    }

  private:
    void DoRun() override
    {
        PathSource source;
        for (int i = 0; i < 20000; ++i)
        {
            const auto n = static_cast<uint32_t>(source.Draw(1, 16384));
            const FluidPath path = source.WithPackets(n * source.Draw(1.1, 1e5));
            const FluidPoint point = FluidModel(path).At(n);
            NS_TEST_ASSERT_MSG_EQ(point.loss.has_value(), true, "x is above the root");
            const double p = *point.loss;
            NS_TEST_ASSERT_MSG_GT(p, 0, "a probability");
            NS_TEST_ASSERT_MSG_LT(p, 1, "a probability");
            const double expected = path.bandwidthBps * (1 - p);
            NS_TEST_ASSERT_MSG_EQ_TOL(*point.networkLimitBps, expected, expected * 1e-9, "B (1-p)");
            NS_TEST_ASSERT_MSG_EQ_TOL(point.windowLimitBps,
                                      n * path.windowBytes * 8 / path.rttS,
                                      point.windowLimitBps * 1e-12,
                                      "N W / R");
            NS_TEST_ASSERT_MSG_EQ(point.goodputBps,
                                  std::min(point.windowLimitBps, *point.networkLimitBps),
                                  "Eq. (1)");
        }
    }
};

/**
 * @ingroup gridftp
 * 0 < p < 1 exactly where x > (3/2) (sqrt 3 - 1): there 1/p = 1.
 */
class FluidDomainTest : public TestCase
{
  public:
    FluidDomainTest()
        : TestCase("fluid model: where Eq. (2) gives a probability")
    {
    }

  private:
    void DoRun() override
    {
        const double root = 1.5 * (std::sqrt(3.0) - 1);
        PathSource source;
        for (int i = 0; i < 20000; ++i)
        {
            const auto n = static_cast<uint32_t>(source.Draw(1, 16384));
            const double step = source.Draw(1e-9, 0.9);
            const double x = root * (i % 2 == 0 ? 1 + step : 1 - step);
            const FluidPath path = source.WithPackets(n * x);
            const FluidPoint point = FluidModel(path).At(n);
            NS_TEST_ASSERT_MSG_EQ(point.loss.has_value(), (x > root), "x = " << x);
            NS_TEST_ASSERT_MSG_EQ(point.networkLimitBps.has_value(), (x > root), "x = " << x);
            if (x < root)
            {
                NS_TEST_ASSERT_MSG_EQ(point.goodputBps,
                                      std::min(point.windowLimitBps, path.bandwidthBps),
                                      "first term, and never above B");
            }
        }
        for (int i = 0; i < 500; ++i)
        {
            const FluidModel model(source.WithPackets(source.Draw(0.1, 2000)));
            uint32_t largest = 0;
            while (model.At(largest + 1).loss)
            {
                ++largest;
            }
            NS_TEST_ASSERT_MSG_EQ(model.GetLargestValidParallelism(), largest, "one by one");
        }
        // The paper's path: 171.7466 packets / 1.0980762 = 156.4.
        NS_TEST_EXPECT_MSG_EQ(FluidModel(PAPER).GetLargestValidParallelism(), 156, "by hand");
    }
};

/**
 * @ingroup gridftp
 * The optimum, against a plain search of all N.
 */
class FluidOptimumTest : public TestCase
{
  public:
    FluidOptimumTest()
        : TestCase("fluid model: the optimum is the first of the best among all N")
    {
    }

  private:
    void DoRun() override
    {
        PathSource source;
        for (int i = 0; i < 500; ++i)
        {
            Compare(source.WithPackets(source.Draw(0.5, 3000)),
                    static_cast<uint32_t>(source.Draw(1, 3000)));
        }
        // With so many packets 1 - p is 1 in double precision, and rounding makes ties.
        for (int i = 0; i < 300; ++i)
        {
            FluidPath path = source.WithPackets(source.Draw(1e9, 1e12));
            path.windowBytes = path.segmentBytes * 1e13;
            Compare(path, 64);
        }
        NS_TEST_EXPECT_MSG_GT(m_ties, 10, "there were ties to break");
        // 1 kbit/s: 0.0017 packets. The model says nothing of any N.
        FluidPath tiny = PAPER;
        tiny.bandwidthBps = 1000;
        const FluidPoint none = FluidModel(tiny).Optimum(1024);
        NS_TEST_EXPECT_MSG_EQ(none.parallelism, 1, "outside the domain");
        NS_TEST_EXPECT_MSG_EQ(none.loss.has_value(), false, "outside the domain");
    }

    /**
     * Looks at every N within the domain, whatever the curve does.
     * @param path the path
     * @param most largest N allowed
     */
    void Compare(const FluidPath& path, uint32_t most)
    {
        const FluidModel model(path);
        FluidPoint best = model.At(1);
        uint32_t equals = 0;
        for (uint32_t n = 2; n <= most; ++n)
        {
            const FluidPoint point = model.At(n);
            if (!point.loss)
            {
                continue;
            }
            equals = point.goodputBps > best.goodputBps
                         ? 0
                         : equals + (point.goodputBps == best.goodputBps);
            best = point.goodputBps > best.goodputBps ? point : best;
        }
        m_ties += equals > 0;
        const FluidPoint found = model.Optimum(most);
        NS_TEST_ASSERT_MSG_EQ(found.parallelism, best.parallelism, "up to " << most);
        NS_TEST_ASSERT_MSG_EQ(found.goodputBps, best.goodputBps, "up to " << most);
    }

    uint32_t m_ties{0}; //!< paths whose largest goodput belongs to several N
};

/**
 * @ingroup gridftp
 * A path says whether the model can be asked about it.
 */
class FluidPathTest : public TestCase
{
  public:
    FluidPathTest()
        : TestCase("fluid model: a path is positive and finite")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(PAPER.IsValid(), true, "the paper's");
        const double infinity = std::numeric_limits<double>::infinity();
        for (const double bad : {0.0, -1.0, infinity, -infinity, std::nan("")})
        {
            for (double FluidPath::* member : {&FluidPath::bandwidthBps,
                                               &FluidPath::rttS,
                                               &FluidPath::windowBytes,
                                               &FluidPath::segmentBytes})
            {
                FluidPath path = PAPER;
                path.*member = bad;
                NS_TEST_EXPECT_MSG_EQ(path.IsValid(), false, bad);
            }
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new FluidNumbersTest,
            new FluidAlgebraTest,
            new FluidDomainTest,
            new FluidOptimumTest,
            new FluidPathTest};
});

} // namespace ns3::gridftp
