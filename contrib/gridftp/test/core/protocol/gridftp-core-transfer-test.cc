/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-scheduler.h"
#include "gridftp-byte-ranges.h"
#include "gridftp-core-test.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint64_t LAST = std::numeric_limits<uint64_t>::max();

/// The bytes from some offset on, one flag for each: too simple to be wrong.
struct Bitmap
{
    static constexpr uint64_t SIZE = 96; //!< bytes looked at

    uint64_t base{0};              //!< offset of the first of them
    std::array<bool, SIZE> seen{}; //!< which have arrived

    /**
     * As ByteRanges::Add().
     * @param at offset of the first byte, from the base on
     * @param length in bytes
     * @return whether it was noted
     */
    bool Add(uint64_t at, uint64_t length)
    {
        const uint64_t room = LAST - base; // the end may be 2^64 - 1, the last byte one before it
        if (length > 0 && (at > room || length > room - at))
        {
            return false;
        }
        const auto begin = seen.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = begin + static_cast<std::ptrdiff_t>(length);
        if (std::find(begin, end, true) != end)
        {
            return false;
        }
        std::fill(begin, end, true);
        return true;
    }

    /// @return runs of bytes that have arrived
    uint64_t GetRangeCount() const
    {
        uint64_t runs = seen[0];
        for (uint64_t i = 1; i < SIZE; ++i)
        {
            runs += seen[i] && !seen[i - 1];
        }
        return runs;
    }
};

/**
 * @ingroup gridftp
 * ByteRanges, against the bitmap.
 */
class ByteRangesTest : public TestCase
{
  public:
    ByteRangesTest()
        : TestCase("byte ranges: the same as a bitmap, in any order of arrival")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t base : {uint64_t{0}, uint64_t{1} << 40, LAST - 60, LAST - 96})
        {
            for (int round = 0; round < 400; ++round)
            {
                Fill(base, 1 + m_random() % 12);
            }
        }
        ByteRanges whole;
        NS_TEST_EXPECT_MSG_EQ(whole.IsExactly(5, 0), true, "nothing is exactly nothing");
        NS_TEST_EXPECT_MSG_EQ(whole.Add(0, LAST), true, "all there can be");
        NS_TEST_EXPECT_MSG_EQ(whole.IsExactly(0, LAST), true, "all there can be");
        NS_TEST_EXPECT_MSG_EQ(whole.Add(LAST, 1), false, "its end would be 2^64");
        NS_TEST_EXPECT_MSG_EQ(whole.Add(LAST - 1, 1), false, "there already");
        NS_TEST_EXPECT_MSG_EQ(whole.IsExactly(5, 0), false, "something is not nothing");
    }

    /**
     * Adds random pieces to both until the bitmap is nearly full, and compares at each.
     * @param base offset of the bitmap
     * @param longest piece
     */
    void Fill(uint64_t base, uint64_t longest)
    {
        m_ranges.Clear();
        Bitmap bitmap{.base = base, .seen = {}};
        uint64_t bytes = 0;
        uint64_t next = m_random() % Bitmap::SIZE;
        for (int i = 0; i < 120; ++i)
        {
            // Half of the pieces adjoin the one before, as those of a connection do.
            const uint64_t at = m_random() % 2 == 0 ? next : m_random() % Bitmap::SIZE;
            const uint64_t length = std::min(m_random() % (longest + 1), Bitmap::SIZE - at);
            if (LAST - base < at)
            {
                continue; // no such offset
            }
            const bool noted = bitmap.Add(at, length);
            bytes += noted ? length : 0;
            next = (at + length) % Bitmap::SIZE;
            NS_TEST_ASSERT_MSG_EQ(m_ranges.Add(base + at, length), noted, at << "+" << length);
            NS_TEST_ASSERT_MSG_EQ(m_ranges.GetBytes(), bytes, at << "+" << length);
            NS_TEST_ASSERT_MSG_EQ(m_ranges.GetRangeCount(), bitmap.GetRangeCount(), "merged");
            const auto& seen = bitmap.seen;
            const auto first = std::find(seen.begin(), seen.end(), true) - seen.begin();
            const bool one = bitmap.GetRangeCount() == 1;
            const uint64_t begin = base + static_cast<uint64_t>(first);
            NS_TEST_ASSERT_MSG_EQ(m_ranges.IsExactly(begin, bytes), (one || bytes == 0), "one");
            NS_TEST_ASSERT_MSG_EQ(m_ranges.IsExactly(begin, bytes + 1), false, "one less");
            NS_TEST_ASSERT_MSG_EQ(m_ranges.IsExactly(begin + 1, bytes + (bytes == 0)),
                                  false,
                                  "off");
        }
    }

    ByteRanges m_ranges;                //!< under test, cleared and used again
    std::mt19937_64 m_random{20080519}; //!< the standard fixes its sequence
};

/**
 * @ingroup gridftp
 * Who carries which block.
 */
class BlockSchedulerTest : public TestCase
{
  public:
    BlockSchedulerTest()
        : TestCase("block scheduler: each byte once, in order, in equal parts")
    {
    }

  private:
    void DoRun() override
    {
        // As observed on the wire: blocks of 1 MiB, given in order of asking.
        BlockScheduler observed(Layout::DYNAMIC, 0, 50'000'000, 4, 1'048'576);
        for (const uint32_t asker : {0, 1, 2, 3, 2, 2})
        {
            Expect(observed, asker, m_next, 1'048'576);
            m_next += 1'048'576;
        }
        // 10 bytes from 100 on in 3 parts: 4 + 3 + 3, in blocks of 2.
        BlockScheduler parts(Layout::STATIC, 100, 10, 3, 2);
        Expect(parts, 2, 107, 2);
        Expect(parts, 0, 100, 2);
        Expect(parts, 0, 102, 2);
        Expect(parts, 0, 104, 0);
        Expect(parts, 2, 109, 1);
        Expect(parts, 1, 104, 2);
        Expect(parts, 1, 106, 1);
        Expect(parts, 1, 107, 0);
        Expect(parts, 2, 110, 0);
        // 2 bytes in 3 parts: 1 + 1 + 0.
        BlockScheduler few(Layout::STATIC, 0, 2, 3, 1'000'000);
        Expect(few, 2, 2, 0);
        Expect(few, 1, 1, 1);
        Expect(few, 0, 0, 1);
        for (int i = 0; i < 2000; ++i)
        {
            Schedule(i % 2 == 0 ? Layout::STATIC : Layout::DYNAMIC);
        }
    }

    /**
     * @param scheduler who is asked
     * @param connection who asks
     * @param offset expected
     * @param length expected
     */
    void Expect(BlockScheduler& scheduler, uint32_t connection, uint64_t offset, uint64_t length)
    {
        const Block block = scheduler.Next(connection);
        NS_TEST_EXPECT_MSG_EQ(block.offset, offset, "connection " << connection);
        NS_TEST_EXPECT_MSG_EQ(block.length, length, "connection " << connection);
    }

    /**
     * Gives a random chunk to connections that ask in random order.
     * @param layout who carries which block
     */
    void Schedule(Layout layout)
    {
        const uint64_t offset = m_random() >> (20 + m_random() % 40);
        const uint64_t length = 1 + m_random() % 700;
        const auto connections = static_cast<uint32_t>(1 + m_random() % 40);
        const uint64_t blockBytes = 1 + m_random() % (m_random() % 2 == 0 ? 10 : 2000);
        BlockScheduler scheduler(layout, offset, length, connections, blockBytes);
        std::vector<uint64_t> carried(connections, 0);
        std::vector<uint32_t> asking(connections);
        std::vector<int> times(length, 0);
        for (uint32_t i = 0; i < connections; ++i)
        {
            asking[i] = i;
        }
        while (!asking.empty())
        {
            const auto who =
                asking.begin() + static_cast<std::ptrdiff_t>(m_random() % asking.size());
            const Block block = scheduler.Next(*who);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(block.length, blockBytes, "no larger block");
            for (uint64_t i = 0; i < block.length; ++i)
            {
                ++times.at(block.offset - offset + i);
            }
            carried[*who] += block.length;
            if (block.length == 0)
            {
                asking.erase(who); // it asks no more, the others go on
            }
        }
        NS_TEST_ASSERT_MSG_EQ(std::count(times.begin(), times.end(), 1),
                              static_cast<std::ptrdiff_t>(length),
                              "each byte once");
        if (layout == Layout::STATIC)
        {
            const auto [least, most] = std::minmax_element(carried.begin(), carried.end());
            NS_TEST_ASSERT_MSG_LT_OR_EQ(*most - *least, 1, "equal parts");
            NS_TEST_ASSERT_MSG_EQ(std::is_sorted(carried.rbegin(), carried.rend()),
                                  true,
                                  "the first ones a byte longer");
        }
    }

    uint64_t m_next{0};                 //!< offset of the next block observed
    std::mt19937_64 m_random{20080519}; //!< the standard fixes its sequence
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ByteRangesTest, new BlockSchedulerTest};
});

} // namespace ns3::gridftp
