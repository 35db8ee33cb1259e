/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-loss-model.h"
#include "gridftp-test-cases.h"

#include "ns3/abort.h"

#include <ostream>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// 1 Gbit/s, 80 ms, 16 MiB, packets of 1500 bytes.
constexpr FluidPath LONG_PATH{.bandwidthBps = 1e9,
                              .rttS = 0.08,
                              .windowBytes = 16777216,
                              .segmentBytes = 1460};

/// @param name of a model @return the model
const LossModel&
Find(std::string_view name)
{
    for (const auto& model : GetLossModels())
    {
        if (model.name == name)
        {
            return model;
        }
    }
    NS_ABORT_MSG("no model " << name);
}

/**
 * @ingroup gridftp
 * Rates and optima, worked out by hand from the publications.
 */
class LossModelTest : public TestCase
{
  public:
    LossModelTest()
        : TestCase("loss models: Mathis, Hacker and RFC 9438 by hand")
    {
    }

  private:
    void DoRun() override
    {
        const double loss = 5e-5;
        // sqrt(1.5 / 5e-5) = 173.2051 segments; 8 * 1460 / 0.08 = 146000 bit/s each: 25.28794e6
        const auto one = PredictWithLoss(Find("mathis"), LONG_PATH, loss, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(one.goodputBps, 25.287942e6, 1e0, "Mathis, Eq. (3)");
        NS_TEST_EXPECT_MSG_EQ((one.limit == LossLimit::LOSS), true, "not the window");
        const auto single = FindOptimumWithLoss(Find("mathis"), LONG_PATH, loss, 1024);
        NS_TEST_EXPECT_MSG_EQ(single.parallelism, 1, "the publication is about one connection");
        // 1e9 (1 - 5e-5) / 25.28794e6 = 39.543
        const auto many = FindOptimumWithLoss(Find("hacker"), LONG_PATH, loss, 1024);
        NS_TEST_EXPECT_MSG_EQ(many.parallelism, 40, "40 connections fill the path");
        NS_TEST_EXPECT_MSG_EQ_TOL(many.goodputBps, 0.99995e9, 1, "but for what is lost");
        NS_TEST_EXPECT_MSG_EQ((many.limit == LossLimit::NETWORK), true, "the path is full");
        const auto few = FindOptimumWithLoss(Find("hacker"), LONG_PATH, loss, 8);
        NS_TEST_EXPECT_MSG_EQ(few.parallelism, 8, "no more than allowed");
        NS_TEST_EXPECT_MSG_EQ_TOL(few.goodputBps, 202.3035e6, 1e3, "8 times one");
        TestCubic(loss);
        TestWindow();
    }

    /// RFC 9438, Fig. 6: 1.054 RTT^(3/4) / p^(3/4), and its Reno-friendly region. @param loss p
    void TestCubic(double loss)
    {
        // (0.08 / 5e-5)^(3/4) = 1600^(3/4) = 252.9822; times 1.053829: 266.600
        // segments, 38.923596e6
        const auto one = PredictWithLoss(Find("cubic"), LONG_PATH, loss, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(one.goodputBps, 38.923596e6, 1e1, "CUBIC");
        // 0.99995e9 / 38.923596e6 = 25.69
        const auto best = FindOptimumWithLoss(Find("cubic"), LONG_PATH, loss, 1024);
        NS_TEST_EXPECT_MSG_EQ(best.parallelism, 26, "fewer than Reno");
        // At 1 ms CUBIC's own window is 1.053829 * 20^(3/4) = 9.966 segments, Reno's 173.2
        FluidPath lan = LONG_PATH;
        lan.rttS = 0.001;
        const auto near = PredictWithLoss(Find("cubic"), lan, loss, 1);
        const auto reno = PredictWithLoss(Find("hacker"), lan, loss, 1);
        NS_TEST_EXPECT_MSG_EQ(near.goodputBps, reno.goodputBps, "Reno-friendly");
    }

    /// A window smaller than what losses allow.
    void TestWindow()
    {
        FluidPath path = LONG_PATH;
        path.windowBytes = 65536;
        // 65536 * 8 / 0.08 = 6.5536e6 for each; sqrt(1.5 / 0.001) * 146000 = 5.65456e6
        const auto window = PredictWithLoss(Find("hacker"), path, 5e-5, 10);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.goodputBps, 65.536e6, 1, "N W / R");
        NS_TEST_EXPECT_MSG_EQ((window.limit == LossLimit::WINDOW), true, "the window");
        const auto loss = PredictWithLoss(Find("hacker"), path, 0.001, 10);
        NS_TEST_EXPECT_MSG_EQ_TOL(loss.goodputBps, 56.5456e6, 1e2, "losses");
        NS_TEST_EXPECT_MSG_EQ((loss.limit == LossLimit::LOSS), true, "losses");
        NS_TEST_EXPECT_MSG_EQ(GetLimitName(loss.limit), "loss", "in results");
        NS_TEST_EXPECT_MSG_EQ(GetLimitName(window.limit), "window", "in results");
        NS_TEST_EXPECT_MSG_EQ(GetLimitName(LossLimit::NETWORK), "network", "in results");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new LossModelTest}; });

} // namespace ns3::gridftp
