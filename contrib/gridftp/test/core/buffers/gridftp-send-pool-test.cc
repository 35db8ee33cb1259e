/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-core-test.h"
#include "gridftp-send-pool.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What one connection wants, as its window moves.
class SendTargetTest : public TestCase
{
  public:
    SendTargetTest()
        : TestCase("send pool: between twice and four times the window")
    {
    }

  private:
    void DoRun() override
    {
        SendPool pool(uint64_t{1} << 40, 1000);
        const auto member = pool.Join();
        NS_TEST_EXPECT_MSG_EQ(pool.GetShare(member), 16384, "at first");
        const std::vector<std::pair<uint64_t, uint64_t>> steps{
            {5000, 16384},  // 10,000 to 20,000
            {4000, 16000},  // not more than four times
            {7999, 16000},  // as it was
            {10000, 20000}, // not less than twice
            {5000, 20000},  // as it was
            {100, 2000},    // two segments
            {0, 2000},      // a closed window
            {uint64_t{1} << 40, SendPool::MOST_BYTES}};
        for (const auto& [window, share] : steps)
        {
            pool.Follow(member, window);
            NS_TEST_EXPECT_MSG_EQ(pool.GetShare(member), share, "window " << window);
        }
    }
};

/// Max-min fair shares worked out by hand.
class SendShareTest : public TestCase
{
  public:
    SendShareTest()
        : TestCase("send pool: max-min fair shares")
    {
    }

  private:
    /// @param pool it @param expected share of each member, in their order @param what is tested
    void Expect(const SendPool& pool,
                const std::vector<uint64_t>& expected,
                const std::string& what)
    {
        for (size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pool.GetShare(static_cast<SendPool::Member>(i)),
                                  expected[i],
                                  what << ", connection " << i);
        }
    }

    void DoRun() override
    {
        SendPool pool(100'000, 1000);
        for (int i = 0; i < 4; ++i)
        {
            pool.Join();
        }
        Expect(pool, {16384, 16384, 16384, 16384}, "all get what they want: 65,536 of 100,000");
        pool.Follow(0, 5000);   // 16,384
        pool.Follow(1, 10'000); // 20,000
        pool.Follow(2, 25'000); // 50,000
        // 102,768 is too much: 100,000 - 16,384 - 16,384 - 20,000 is left for the third
        Expect(pool, {16384, 20'000, 47'232, 16384}, "one wants too much");
        pool.Follow(3, 40'000); // 80,000: (100,000 - 36,384) / 2 = 31,808 for two
        Expect(pool, {16384, 20'000, 31'808, 31'808}, "two want too much");
        pool.Follow(1, 17'000); // 34,000: (100,000 - 16,384) / 3 = 27,872
        Expect(pool, {16384, 27'872, 27'872, 27'872}, "three do");
        pool.Follow(0, 50'000); // 25,000 for each of four
        Expect(pool, {25'000, 25'000, 25'000, 25'000}, "all do");
        pool.Follow(2, 1000); // 4,000: 32,000 for the others, of which the second wants 34,000
        Expect(pool, {32'000, 32'000, 4000, 32'000}, "one wants little again");
        pool.Leave(3); // 96,000 for two, of which one wants 34,000
        Expect(pool, {62'000, 34'000, 4000}, "one has left");
        const auto again = pool.Join(); // 100,000 - 4,000 - 16,384 - 34,000 = 45,616
        NS_TEST_EXPECT_MSG_EQ(again, 3, "its number serves another one");
        Expect(pool, {45'616, 34'000, 4000, 16384}, "one more has come");
    }
};

/// However small the pool is, a connection has two segments.
class SendFloorTest : public TestCase
{
  public:
    SendFloorTest()
        : TestCase("send pool: two segments for each")
    {
    }

  private:
    void DoRun() override
    {
        SendPool pool(10'000, 1460);
        std::vector<SendPool::Member> members;
        for (int i = 0; i < 4; ++i)
        {
            members.push_back(pool.Join());
        }
        for (const auto member : members)
        {
            NS_TEST_EXPECT_MSG_EQ(pool.GetShare(member), 2920, "not 2,500");
        }
        pool.Leave(members[1]);
        NS_TEST_EXPECT_MSG_EQ(pool.GetShare(members[2]), 3333, "a third of the pool");
    }
};

/// Whatever comes, shares are those that filling from the least on gives.
class SendFillTest : public TestCase
{
  public:
    SendFillTest()
        : TestCase("send pool: shares by progressive filling, 20000 drawn")
    {
    }

  private:
    /// @param wanted bytes of each @param pool bytes @return what gets who wants more
    static uint64_t Fill(std::vector<uint64_t> wanted, uint64_t pool)
    {
        std::ranges::sort(wanted);
        for (size_t i = 0; i < wanted.size(); ++i)
        {
            const uint64_t level = pool / (wanted.size() - i);
            if (wanted[i] > level)
            {
                return level;
            }
            pool -= wanted[i];
        }
        return UINT64_MAX;
    }

    void DoRun() override
    {
        constexpr uint64_t POOL = 500'000;
        constexpr uint64_t LEAST = 2;
        Draw draw(1);
        SendPool pool(POOL, LEAST / 2);
        std::vector<uint64_t> wanted(12, 0);
        for (size_t i = 0; i < wanted.size(); ++i)
        {
            pool.Join();
            wanted[i] = SendPool::FIRST_BYTES;
        }
        for (int step = 0; step < 20'000; ++step)
        {
            const auto member = static_cast<SendPool::Member>(draw.Below(wanted.size()));
            const uint64_t window = draw.Below(uint64_t{1} << draw.Between(1, 18));
            wanted[member] = std::max(LEAST, std::clamp(wanted[member], 2 * window, 4 * window));
            pool.Follow(member, window);
            const uint64_t level = Fill(wanted, POOL);
            for (size_t i = 0; i < wanted.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(pool.GetShare(static_cast<SendPool::Member>(i)),
                                      std::min(wanted[i], level),
                                      "step " << step << ", connection " << i);
            }
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SendTargetTest, new SendShareTest, new SendFloorTest, new SendFillTest};
});

} // namespace
