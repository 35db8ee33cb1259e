/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-tuning-test.h"
#include "gridftp-pair-tuning.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * @ingroup gridftp
 * Each pair of stripes decides on what it carried itself, and on how long that took.
 */
class PairTuningTest : public TestCase
{
  public:
    PairTuningTest()
        : TestCase("tuners of pairs of stripes: each has its own X, T and N")
    {
    }

  private:
    void DoRun() override
    {
        CheckOwnSamples();
        for (const std::string_view mode : {"mi", "mi-plus", "aimd", "apt"})
        {
            CheckAlike(mode);
        }
        NS_TEST_EXPECT_MSG_EQ(PairTuning().IsEmpty(), true, "");
        NS_TEST_EXPECT_MSG_EQ(PairTuning().GetMost(), 0, "");
    }

    /// @param tuning gets pairs @param mode of each @param pairs how many
    void Fill(PairTuning& tuning, std::string_view mode, uint32_t pairs)
    {
        for (uint32_t i = 0; i < pairs; ++i)
        {
            auto made = MakeTuningPolicy(mode, PAPER);
            NS_TEST_ASSERT_MSG_EQ(Reason(made), "no error", mode);
            tuning.Add(std::move(*made));
        }
    }

    /// AIMD adds a connection above N * 20.90879 Mbit/s, and halves N below.
    void CheckOwnSamples()
    {
        PairTuning tuning;
        Fill(tuning, "aimd", 4);
        ExpectParallelism(tuning, {1, 1, 1, 1}, "at first");
        ChunkSample whole = Chunk(1, 80); // 100 MB in 10 s
        whole.segments = {90, 6};
        // 10, 5 and 8 s, so 16, 48 and 40 Mbit/s; the last one has nothing to judge by
        auto records = tuning.Decide(whole,
                                     {20'000'000, 30'000'000, 40'000'000, 0},
                                     {9'000'000'000, 4'000'000'000, 7'000'000'000, 1},
                                     {{20, 2}, {30, 0}, {40, 4}});
        ExpectParallelism(tuning, {1, 2, 2, 1}, "of their own times");
        NS_TEST_EXPECT_MSG_EQ_TOL(records[0].goodputBps, 16e6, 1, "all of T");
        NS_TEST_EXPECT_MSG_EQ_TOL(records[1].goodputBps, 48e6, 1, "5 s less");
        NS_TEST_EXPECT_MSG_EQ(records[1].parallelism, 1, "that carried the chunk");
        NS_TEST_EXPECT_MSG_EQ(records[1].nextParallelism, 2, "of the next one");
        NS_TEST_EXPECT_MSG_EQ(records[2].segments.sent, 40, "its own, and not the session's");
        NS_TEST_EXPECT_MSG_EQ(records[2].segments.retransmitted, 4, "its own");
        NS_TEST_EXPECT_MSG_EQ(records[3].segments.sent, 0, "nobody told");
        // 3, 10 and 9 s, so 53.3, 48 and 35.6 Mbit/s: above 20.9 and twice that, and below
        whole.parallelism = tuning.GetMost();
        tuning.Decide(whole,
                      {20'000'000, 60'000'000, 40'000'000, 0},
                      {2'000'000'000, 9'000'000'000, 8'000'000'000, 1},
                      {});
        ExpectParallelism(tuning, {2, 3, 1, 1}, "of their own N");
        NS_TEST_EXPECT_MSG_EQ(tuning.GetMost(), 3, "");
        whole.bytes = 90'000'000;
        records = tuning.Decide(whole, {30'000'000, 30'000'000, 30'000'000, 0}, {1, 1, 1, 1}, {});
        ExpectParallelism(tuning, {2, 3, 1, 1}, "after a shorter chunk");
    }

    /// @param tuning of pairs @param expected N of each @param why it is so
    void ExpectParallelism(const PairTuning& tuning,
                           const std::vector<uint32_t>& expected,
                           const std::string& why)
    {
        const auto& found = tuning.GetParallelism();
        NS_TEST_ASSERT_MSG_EQ(found.size(), expected.size(), why);
        for (size_t i = 0; i < found.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(found[i], expected[i], "pair " << i << " " << why);
        }
    }

    /// Pairs that do the same decide as one tuner for all of them. @param mode of the tuners
    void CheckAlike(std::string_view mode)
    {
        PairTuning tuning;
        Fill(tuning, mode, 4);
        auto made = MakeTuningPolicy(mode, PAPER);
        NS_TEST_ASSERT_MSG_EQ(Reason(made), "no error", mode);
        for (const double goodput : {90.0, 200.0, 390.0, 410.0, 420.0, 300.0})
        {
            ChunkSample whole = Chunk(tuning.GetMost(), goodput);
            whole.pairs = 4;
            const uint32_t next = (*made)->Decide(whole);
            tuning.Decide(whole, std::vector<uint64_t>(4, 25'000'000), {7, 7, 7, 7}, {});
            ExpectParallelism(tuning, std::vector<uint32_t>(4, next), std::string(mode));
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new PairTuningTest}; });

} // namespace ns3::gridftp
