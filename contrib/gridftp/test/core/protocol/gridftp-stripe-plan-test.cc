/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-scheduler.h"
#include "gridftp-core-test.h"
#include "gridftp-stripe-plan.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param ranges of a pair @return "offset+length offset+length ...", as they follow one another
std::string
Tell(const StripeRanges& ranges)
{
    std::string text;
    for (uint64_t at = 0; at < ranges.GetBytes();)
    {
        const Block block = ranges.Find(at);
        text += (text.empty() ? "" : " ") + std::to_string(block.offset) + "+" +
                std::to_string(block.length);
        at += block.length;
    }
    return text;
}

/**
 * @ingroup gridftp
 * Which stripe has what, worked out by hand.
 */
class StripePlanTest : public TestCase
{
  public:
    StripePlanTest()
        : TestCase("stripe plan: pairs, blocks in turn, contiguous parts")
    {
    }

  private:
    void DoRun() override
    {
        const StripePlan even({3, 3}, StripeLayout::BLOCKED, 10);
        NS_TEST_EXPECT_MSG_EQ(even.GetPairs(), 3, "one to one");
        NS_TEST_EXPECT_MSG_EQ((even.GetPair(2) == StripePair{2, 2}), true, "");
        NS_TEST_EXPECT_MSG_EQ(even.GetFirstSender(2), 2, "its only one");
        // The file's blocks 0 to 9; the chunk is bytes 14 to 86: blocks 1 to 8, cut off at both
        // ends
        Expect(even, 0, 14, 73, "16+10 46+10"); // blocks 3 and 6
        Expect(even, 1, 14, 73, "0+6 26+10 56+10");
        Expect(even, 2, 14, 73, "6+10 36+10 66+7");
        Expect(even, 0, 14, 5, "");
        Expect(even, 1, 14, 5, "0+5");
        Expect(even, 2, 20, 1, "0+1");

        const StripePlan each({2, 3}, StripeLayout::BLOCKED, 10);
        NS_TEST_EXPECT_MSG_EQ(each.GetPairs(), 6, "each to each");
        NS_TEST_EXPECT_MSG_EQ((each.GetPair(5) == StripePair{1, 2}), true, "by sender first");
        NS_TEST_EXPECT_MSG_EQ((each.GetPair(3) == StripePair{1, 0}), true, "by sender first");
        NS_TEST_EXPECT_MSG_EQ(each.FindPair({1, 0}), 3, "");
        NS_TEST_EXPECT_MSG_EQ(each.GetFirstSender(2), 0, "the lowest");
        NS_TEST_EXPECT_MSG_EQ(each.GetReceiversOfSender(), 3, "");
        NS_TEST_EXPECT_MSG_EQ(each.GetSendersOfReceiver(), 2, "");
        Expect(each, 0, 0, 125, "0+10 60+10 120+5"); // even, and divided by 3: 0, 6, 12
        Expect(each, 4, 0, 125, "10+10 70+10");      // odd, rest 1: 1, 7
        Expect(each, 3, 0, 125, "30+10 90+10");      // odd, rest 0: 3, 9
        Expect(each, 2, 35, 20, "");                 // 2 and 8 are not in it

        // With 2 and 4, an even sender has nothing for odd receivers
        const StripePlan half({2, 4}, StripeLayout::BLOCKED, 10);
        Expect(half, 1, 0, 1000, "");
        Expect(half, half.FindPair({1, 3}), 0, 100, "30+10 70+10");

        // 10 bytes: 4 + 3 + 3 sent, 5 + 5 received
        const StripePlan parts({3, 2}, StripeLayout::PARTITIONED, 10);
        Expect(parts, parts.FindPair({0, 0}), 77, 10, "0+4");
        Expect(parts, parts.FindPair({0, 1}), 77, 10, "");
        Expect(parts, parts.FindPair({1, 0}), 77, 10, "4+1");
        Expect(parts, parts.FindPair({1, 1}), 77, 10, "5+2");
        Expect(parts, parts.FindPair({2, 1}), 77, 10, "7+3");
        Expect(StripePlan({3, 3}, StripeLayout::PARTITIONED, 1), 1, 77, 10, "4+3");
        Expect(StripePlan({1, 1}, StripeLayout::BLOCKED, 10), 0, 77, 100, "0+100");

        CheckScheduler(even);
        CheckHeld(even);
        for (int i = 0; i < 2000; ++i)
        {
            CheckDrawn();
        }
    }

    /// @param plan of stripes @param pair index @param offset of a chunk @param length of it @param
    /// expected its ranges
    void Expect(const StripePlan& plan,
                uint32_t pair,
                uint64_t offset,
                uint64_t length,
                const std::string& expected)
    {
        const auto ranges = plan.GetRanges(pair, offset, length);
        NS_TEST_EXPECT_MSG_EQ(Tell(ranges), expected, "pair " << pair);
        NS_TEST_EXPECT_MSG_EQ(ranges.IsContiguous(),
                              (expected.find(' ') == std::string::npos),
                              expected);
    }

    /// Blocks end where ranges do, and parts of equal size anywhere. @param plan 3x3, 10 bytes
    void CheckScheduler(const StripePlan& plan)
    {
        const auto ranges = plan.GetRanges(1, 14, 73); // 0+6 26+10 56+10
        BlockScheduler dynamic(Layout::DYNAMIC, ranges, 2, 8);
        NS_TEST_EXPECT_MSG_EQ(Deal(dynamic, {0, 1, 1, 0, 0, 1}), "0+6 26+8 34+2 56+8 64+2 -", "");
        BlockScheduler fixed(Layout::STATIC, ranges, 2, 8); // 13 bytes each
        NS_TEST_EXPECT_MSG_EQ(Deal(fixed, {1, 0, 1, 0, 1, 0}), "33+3 0+6 56+8 26+7 64+2 -", "");
        BlockScheduler nothing(Layout::STATIC, StripeRanges(), 2, 8);
        NS_TEST_EXPECT_MSG_EQ(Deal(nothing, {1, 0}), "- -", "an end of data each");
    }

    /// What is held is not sent. @param plan 3x3, 10 bytes
    void CheckHeld(const StripePlan& plan)
    {
        const auto ranges = plan.GetRanges(1, 14, 73); // 0+6 26+10 56+10, from byte 14 on
        const MarkerRanges held{{0, 16}, {42, 47}, {70, 79}};
        const auto left = ranges.Without(held, 14); // of the file: 16-20 40-42 47-50 79-80
        NS_TEST_EXPECT_MSG_EQ(Tell(left), "2+4 26+2 33+3 65+1", "");
        NS_TEST_EXPECT_MSG_EQ(left.IsContiguous(), false, "");
        BlockScheduler fixed(Layout::STATIC, left, 2, 8); // 5 bytes each
        NS_TEST_EXPECT_MSG_EQ(Deal(fixed, {1, 0, 1, 0, 1, 0}), "27+1 2+4 33+3 26+1 65+1 -", "");
        NS_TEST_EXPECT_MSG_EQ(Tell(ranges.Without({}, 14)), Tell(ranges), "all");
        NS_TEST_EXPECT_MSG_EQ(ranges.Without({{0, 100}}, 14).GetBytes(), 0, "none");
        const auto rest = StripeRanges(0, 50).Without({{10, 40}}, 10);
        NS_TEST_EXPECT_MSG_EQ(Tell(rest), "30+20", "");
        NS_TEST_EXPECT_MSG_EQ(rest.IsContiguous(), true, "");
    }

    /// @param scheduler who is asked @param askers who asks @return the blocks
    static std::string Deal(BlockScheduler& scheduler, const std::vector<uint32_t>& askers)
    {
        std::string text;
        for (const uint32_t asker : askers)
        {
            const Block block = scheduler.Next(asker);
            text += text.empty() ? "" : " ";
            text += block.length == 0
                        ? "-"
                        : std::to_string(block.offset) + "+" + std::to_string(block.length);
        }
        return text;
    }

    /// Every byte goes over one pair, the one that the rule names.
    void CheckDrawn()
    {
        const StripeCounts stripes{1 + static_cast<int64_t>(m_random() % 7),
                                   1 + static_cast<int64_t>(m_random() % 7)};
        const bool isBlocked = m_random() % 2 == 0;
        const uint64_t block = 1 + m_random() % 30;
        const uint64_t offset = m_random() >> (14 + m_random() % 50);
        const uint64_t length = 1 + m_random() % 300;
        const StripePlan plan(stripes,
                              isBlocked ? StripeLayout::BLOCKED : StripeLayout::PARTITIONED,
                              block);
        std::vector<int> times(length, 0);
        for (uint32_t pair = 0; pair < plan.GetPairs(); ++pair)
        {
            const StripePair who = plan.GetPair(pair);
            NS_TEST_ASSERT_MSG_EQ(plan.FindPair(who), pair, "there and back");
            const auto ranges = plan.GetRanges(pair, offset, length);
            uint64_t behind = 0;
            for (uint64_t at = 0; at < ranges.GetBytes();)
            {
                const Block range = ranges.Find(at);
                NS_TEST_ASSERT_MSG_EQ((range.length > 0 && range.offset >= behind), true, "order");
                behind = range.offset + range.length;
                NS_TEST_ASSERT_MSG_LT_OR_EQ(behind, length, "within the chunk");
                at += range.length;
                const uint64_t number = (offset + range.offset) / block;
                const bool isIts =
                    !isBlocked || plan.GetPairs() == 1 ||
                    (number % plan.GetSenders() == who.sender &&
                     (plan.IsOneToOne() || number % plan.GetReceivers() == who.receiver) &&
                     (offset + behind - 1) / block == number);
                NS_TEST_ASSERT_MSG_EQ(isIts, true, "block " << number);
                for (uint64_t i = range.offset; i < behind; ++i)
                {
                    ++times.at(i);
                }
            }
        }
        NS_TEST_ASSERT_MSG_EQ(std::count(times.begin(), times.end(), 1),
                              static_cast<std::ptrdiff_t>(length),
                              "each byte once");
    }

    std::mt19937_64 m_random{20051112}; //!< the standard fixes its sequence
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new StripePlanTest}; });

} // namespace ns3::gridftp
