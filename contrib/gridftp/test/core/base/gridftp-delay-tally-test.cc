/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-delay-tally.h"
#include "gridftp-queue-delay.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Where buckets begin and end, and what percentiles come of that.
class DelayHistogramTest : public TestCase
{
  public:
    DelayHistogramTest()
        : TestCase("delays: buckets, percentiles and differences")
    {
    }

  private:
    void DoRun() override
    {
        // Single values up to 255 ns, then two of them to a bucket, four of them from 512 ns on
        for (const uint64_t ns : {0, 1, 255})
        {
            NS_TEST_EXPECT_MSG_EQ(DelayHistogram::BucketOf(ns), ns, "a bucket of its own");
            NS_TEST_EXPECT_MSG_EQ(DelayHistogram::GetBound(ns), ns, "whose bound it is");
        }
        NS_TEST_EXPECT_MSG_EQ(DelayHistogram::BucketOf(256), 256, "256 and 257");
        NS_TEST_EXPECT_MSG_EQ(DelayHistogram::BucketOf(257), 256, "256 and 257");
        NS_TEST_EXPECT_MSG_EQ(DelayHistogram::BucketOf(258), 257, "the next one");
        NS_TEST_EXPECT_MSG_EQ(DelayHistogram::BucketOf(511), 383, "the last one of two values");
        NS_TEST_EXPECT_MSG_EQ(DelayHistogram::BucketOf(512), 384, "512 to 515");
        NS_TEST_EXPECT_MSG_EQ(DelayHistogram::GetBound(384), 515, "512 to 515");
        for (uint64_t ns = 1; ns < uint64_t{1} << 62; ns = ns * 3 / 2 + 1)
        {
            const uint64_t bound = DelayHistogram::GetBound(DelayHistogram::BucketOf(ns));
            NS_TEST_EXPECT_MSG_GT_OR_EQ(bound, ns, "never below " << ns);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(bound - ns, ns / 128, "at most 1/128 above " << ns);
        }

        DelayHistogram delays;
        NS_TEST_EXPECT_MSG_EQ(delays.GetFigures().has_value(), false, "nothing was measured");
        for (int64_t ns = 1; ns <= 20; ++ns)
        {
            delays.Add(ns);
        }
        NS_TEST_EXPECT_MSG_EQ(delays.GetPercentileNs(95), 19, "19 of 20");
        NS_TEST_EXPECT_MSG_EQ(delays.GetPercentileNs(100), 20, "all of them");
        NS_TEST_EXPECT_MSG_EQ(delays.GetPercentileNs(1), 1, "one of them");
        const DelayHistogram before = delays;
        delays.Add(1'000'000); // in a bucket up to 1,003,519 ns
        NS_TEST_EXPECT_MSG_EQ(delays.GetPercentileNs(95), 20, "20 of 21");
        NS_TEST_EXPECT_MSG_EQ(delays.GetPercentileNs(96), 1'000'000, "never more than the longest");
        const auto figures = delays.GetFigures().value();
        NS_TEST_EXPECT_MSG_EQ(figures.count, 21, "delays");
        NS_TEST_EXPECT_MSG_EQ(figures.meanS, 1'000'210.0 / 21 / 1e9, "the mean is exact");
        NS_TEST_EXPECT_MSG_EQ(figures.leastS, 1e-9, "the smallest");
        NS_TEST_EXPECT_MSG_EQ(figures.mostS, 1e-3, "the largest");

        DelayHistogram twice = delays;
        twice.Add(delays - before);
        NS_TEST_EXPECT_MSG_EQ(twice.GetSum().count, 22, "one of them once more");
        NS_TEST_EXPECT_MSG_EQ(twice.GetSum().sumNs, 2'000'210, "one of them once more");
        NS_TEST_EXPECT_MSG_EQ(twice.GetPercentileNs(90), 20, "20 of 22");
        NS_TEST_EXPECT_MSG_EQ(twice.GetPercentileNs(95), 1'000'000, "21 of 22");
    }
};

/// Which packets count, whenever it is known how long they wait.
class QueueDelayTest : public TestCase
{
  public:
    QueueDelayTest()
        : TestCase("queueing delay: from one moment to another")
    {
    }

  private:
    /// What was measured. @param sum of delays @return count, then sum, ns
    static std::vector<uint64_t> Tell(const DelaySum& sum)
    {
        return {sum.count, sum.sumNs};
    }

    void DoRun() override
    {
        using Two = std::vector<uint64_t>;
        for (const size_t ahead : {1, 3, 100})
        {
            QueueDelayMeter delays(ahead);
            delays.Add(900, 1);
            delays.Add(1000, 2);
            delays.Begin(1000);
            delays.Add(1000, 4);
            delays.Add(1500, 8);
            NS_TEST_EXPECT_MSG_EQ((Tell(delays.GetMarked().GetSum()) == Two{0, 0}),
                                  true,
                                  "no mark");
            delays.Mark(1500);
            // In the same nanosecond it does not matter what comes first
            delays.Add(1500, 16);
            NS_TEST_EXPECT_MSG_EQ((Tell(delays.GetMarked().GetSum()) == Two{4, 30}), true, ahead);
            delays.Add(1600, 32);
            delays.Add(1700, 64);
            NS_TEST_EXPECT_MSG_EQ((Tell(delays.GetMarked().GetSum()) == Two{4, 30}), true, "later");
            NS_TEST_EXPECT_MSG_EQ((Tell(delays.GetUntil(1700).GetSum()) == Two{6, 126}),
                                  true,
                                  "but until then");
            delays.Mark(1700);
            NS_TEST_EXPECT_MSG_EQ((Tell(delays.GetMarked().GetSum()) == Two{6, 126}), true, ahead);
        }
        // Packets that are known of before they leave
        QueueDelayMeter early(8);
        early.Begin(0);
        early.Add(100, 10);
        early.Add(200, 20);
        early.Add(300, 40);
        early.Mark(200);
        NS_TEST_EXPECT_MSG_EQ((Tell(early.GetMarked().GetSum()) == Two{2, 30}),
                              true,
                              "two have left");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new DelayHistogramTest, new QueueDelayTest};
});

} // namespace
