/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-tuning-test.h"
#include "gridftp-tuning-by-hand.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param list N of each chunk @return what a tuner by hand has
TuningContext
MakeList(const std::string& list)
{
    TuningContext context;
    context.chunkParallelism = list;
    return context;
}

/// Chunk after chunk, whatever was measured.
class ByHandTest : public TestCase
{
  public:
    ByHandTest()
        : TestCase("by hand: a number for each chunk, and the last one of all that follow")
    {
    }

  private:
    void DoRun() override
    {
        const auto made = MakeTuningPolicy("by-hand", GetTuningDefaults(), MakeList("3:1:8"));
        NS_TEST_ASSERT_MSG_EQ(Reason(made), "no error", "a list");
        NS_TEST_EXPECT_MSG_EQ((*made)->GetInitialParallelism(), 3, "first");
        NS_TEST_EXPECT_MSG_EQ((*made)->Decide(Fast(3)), 1, "second");
        ChunkSample unknown = Slow(1);
        unknown.rttS = 0;
        NS_TEST_EXPECT_MSG_EQ(unknown.IsValid(), false, "no R yet");
        NS_TEST_EXPECT_MSG_EQ((*made)->Decide(unknown), 8, "a chunk all the same");
        NS_TEST_EXPECT_MSG_EQ((*made)->Decide(Slow(8)), 8, "the last one goes on");
        const auto other = MakeTuningPolicy("by-hand", GetTuningDefaults());
        NS_TEST_ASSERT_MSG_EQ(Reason(other), "no error", "nothing given");
        NS_TEST_EXPECT_MSG_EQ((*other)->Decide(Fast(1)), 1, "1 throughout");
    }
};

/// What is read as a list, and what is not.
class ByHandListTest : public TestCase
{
  public:
    ByHandListTest()
        : TestCase("by hand: what is no list is told, and which part of it")
    {
    }

  private:
    /// @param text a list @param what is said of it
    void ExpectWrong(const std::string& text, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(Reason(ReadChunkParallelism(text, 64)),
                              what + "; allowed: N:N:..., whole numbers from 1 to 64",
                              text);
    }

    void DoRun() override
    {
        const auto list = ReadChunkParallelism("1:64:2", 64);
        NS_TEST_ASSERT_MSG_EQ(Reason(list), "no error", "three");
        NS_TEST_EXPECT_MSG_EQ((*list == std::vector<uint32_t>{1, 64, 2}), true, "in order");
        ExpectWrong("", "has '' for chunk 0");
        ExpectWrong("1:", "has '' for chunk 1");
        ExpectWrong("2::3", "has '' for chunk 1");
        ExpectWrong("2:0", "has '0' for chunk 1");
        ExpectWrong("65", "has '65' for chunk 0");
        ExpectWrong("1:2:4294967297", "has '4294967297' for chunk 2");
        ExpectWrong("1:2.5", "has '2.5' for chunk 1");
        ExpectWrong("1,2", "has '1,2' for chunk 0");
        ExpectWrong("1: 2", "has ' 2' for chunk 1");

        NamedValues values = GetTuningDefaults();
        values.Set("max-parallelism", 4);
        NS_TEST_EXPECT_MSG_EQ(
            Reason(MakeTuningPolicy("by-hand", values, MakeList("4:5"))),
            "chunk parallelism '4:5' has '5' for chunk 1; allowed: N:N:..., whole "
            "numbers from 1 to 4",
            "above the maximum");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ByHandTest, new ByHandListTest};
});

} // namespace
