/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-sequence-window.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <cstdint>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Marks on the packets of a window.
class SequenceWindowTest : public TestCase
{
  public:
    SequenceWindowTest()
        : TestCase("tools: marks on the packets of a window that moves")
    {
    }

  private:
    void DoRun() override
    {
        CheckByHand();
        CheckAgainstSet();
    }

    /// Packets 0 to 99, then 70 to 169, in a ring of 192.
    void CheckByHand()
    {
        SequenceWindow window(100);
        NS_TEST_EXPECT_MSG_EQ(window.Mark(3), true, "new");
        NS_TEST_EXPECT_MSG_EQ(window.Mark(3), false, "once only");
        NS_TEST_EXPECT_MSG_EQ(window.MarkRange(2, 130), 97, "2, and 4 to 99");
        NS_TEST_EXPECT_MSG_EQ(window.GetMarked(), 98, "2 to 99");
        NS_TEST_EXPECT_MSG_EQ(window.FindMarked(0, 100), 2, "the first one");
        NS_TEST_EXPECT_MSG_EQ(window.FindMarked(0, 2), 2, "none before 2");
        NS_TEST_EXPECT_MSG_EQ(window.FindUnmarked(2, 100), 100, "all");
        window.Unmark(64);
        window.Unmark(64);
        NS_TEST_EXPECT_MSG_EQ(window.FindUnmarked(2, 100), 64, "over a word");
        NS_TEST_EXPECT_MSG_EQ(window.IsIn(100), false, "behind it");
        window.MoveTo(70);
        window.MoveTo(69);
        NS_TEST_EXPECT_MSG_EQ(window.GetBase(), 70, "not back");
        NS_TEST_EXPECT_MSG_EQ(window.GetMarked(), 30, "70 to 99");
        NS_TEST_EXPECT_MSG_EQ(window.MarkRange(10, 71), 0, "there already, or left behind");
        NS_TEST_EXPECT_MSG_EQ(window.IsIn(169), true, "the last one");
        NS_TEST_EXPECT_MSG_EQ(window.IsIn(69), false, "left behind");
        window.MoveTo(1'000'000);
        NS_TEST_EXPECT_MSG_EQ(window.GetMarked(), 0, "all left behind");
        NS_TEST_EXPECT_MSG_EQ(window.FindMarked(1'000'000, 1'000'100), 1'000'100, "none");
    }

    /// The same as a set of numbers, over many moves.
    void CheckAgainstSet()
    {
        constexpr uint32_t SPAN = 200;
        SequenceWindow window(SPAN);
        std::set<uint32_t> marked;
        uint32_t base = 0;
        uint32_t draw = 1;
        const auto next = [&draw](uint32_t bound) {
            draw = draw * 1664525 + 1013904223;
            return (draw >> 8) % bound;
        };
        for (int i = 0; i < 2000; ++i)
        {
            const uint32_t first = base + next(SPAN);
            const uint32_t last = first + next(90);
            uint32_t fresh = 0;
            for (uint32_t n = first; n <= last && n < base + SPAN; ++n)
            {
                fresh += marked.insert(n).second ? 1 : 0;
            }
            NS_TEST_ASSERT_MSG_EQ(window.MarkRange(first, last), fresh, "new ones");
            const uint32_t gone = base + next(SPAN);
            marked.erase(gone);
            window.Unmark(gone);
            base += next(40);
            marked.erase(marked.begin(), marked.lower_bound(base));
            window.MoveTo(base);
            NS_TEST_ASSERT_MSG_EQ(window.GetMarked(), marked.size(), "as many");
            const uint32_t from = base + next(SPAN);
            const auto at = marked.lower_bound(from);
            NS_TEST_ASSERT_MSG_EQ(window.FindMarked(from, base + SPAN),
                                  (at == marked.end() ? base + SPAN : *at),
                                  "the first from there on");
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new SequenceWindowTest}; });

} // namespace
