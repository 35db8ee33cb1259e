/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-rate-limiter.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t REFUSED = RateLimiter::REFUSED;

/// A packet that comes, and what has to become of it.
struct Coming
{
    int64_t nowNs;  ///< when
    int64_t bytes;  ///< of it
    int64_t passNs; ///< when it goes on, or REFUSED
};

/// Packets through a limit, worked out by hand.
class RateLimiterTest : public TestCase
{
  public:
    /// @param what happens @param limit through which @param comings in order @param drops of them
    RateLimiterTest(const std::string& what,
                    const RateLimit& limit,
                    std::vector<Coming> comings,
                    uint64_t drops)
        : TestCase("rate limiter: " + what),
          m_limit(limit),
          m_comings(std::move(comings)),
          m_drops(drops)
    {
    }

  private:
    void DoRun() override
    {
        RateLimiter limiter(m_limit);
        for (size_t i = 0; i < m_comings.size(); ++i)
        {
            const Coming& coming = m_comings[i];
            NS_TEST_EXPECT_MSG_EQ(limiter.Pass(coming.nowNs, coming.bytes),
                                  coming.passNs,
                                  "packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(limiter.GetDrops(), m_drops, "drops");
    }

    RateLimit m_limit;             ///< tested
    std::vector<Coming> m_comings; ///< in order
    uint64_t m_drops;              ///< of them
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    // 8 Mbit/s are a byte every 1000 ns
    const RateLimit policer{8'000'000, LimitKind::POLICER, 3000, 1};
    const RateLimit shaper{8'000'000, LimitKind::SHAPER, 3000, 2};
    // 3 bit/s bring one bit in 333333333.33 ns
    const RateLimit third{3, LimitKind::SHAPER, 1, 10};
    return {
        // 3000 - 1500 - 1500; 999 tokens after 999 us and 999 ns, 1000 a nanosecond later; a drop
        // takes none; full again after 3 ms and not more than full after that
        new RateLimiterTest("a policer drops what there are no tokens for",
                            policer,
                            {{0, 1500, 0},
                             {0, 1500, 0},
                             {0, 1, REFUSED},
                             {999'999, 1000, REFUSED},
                             {1'000'000, 1000, 1'000'000},
                             {1'000'999, 1, REFUSED},
                             {1'001'000, 1, 1'001'000},
                             {9'000'000, 3000, 9'000'000},
                             {9'000'000, 1, REFUSED}},
                            4),
        // What waits goes when the tokens are there, in order; two wait, the next one is refused;
        // at 1.5 ms the first has gone, so that there is room again
        new RateLimiterTest("a shaper has it wait, in a DropTail queue",
                            shaper,
                            {{0, 3000, 0},
                             {0, 1500, 1'500'000},
                             {0, 500, 2'000'000},
                             {0, 1, REFUSED},
                             {1'499'999, 1, REFUSED},
                             {1'500'000, 1000, 3'000'000},
                             {3'000'001, 1, 3'001'000},
                             {9'000'000, 1500, 9'000'000},
                             {9'000'000, 1500, 9'000'000},
                             {9'000'000, 1, 9'001'000}},
                            2),
        // A bucket of one packet makes a shaper a slower link: one packet after the other
        new RateLimiterTest("a shaper of one packet is a slower link",
                            {8'000'000, LimitKind::SHAPER, 1500, 100},
                            {{0, 1500, 0}, {0, 1500, 1'500'000}, {10, 1500, 3'000'000}},
                            0),
        // 8 bits need 2666666666.67 ns: the first whole ns in which they are there
        new RateLimiterTest("tokens are exact",
                            third,
                            {{0, 1, 0}, {0, 1, 2'666'666'667}, {0, 1, 5'333'333'334}},
                            0),
        new RateLimiterTest("nothing larger than the bucket gets through",
                            shaper,
                            {{0, 3001, REFUSED}, {0, 3000, 0}},
                            1),
        // The product of these would not fit into 64 bits
        new RateLimiterTest(
            "a large bucket after a long time",
            {RateLimiter::MOST_RATE_BPS, LimitKind::POLICER, RateLimiter::MOST_BURST_BYTES, 1},
            {{0, RateLimiter::MOST_BURST_BYTES, 0},
             {0, 1, REFUSED},
             {int64_t{1} << 62, RateLimiter::MOST_BURST_BYTES, int64_t{1} << 62}},
            1),
    };
});

} // namespace ns3::gridftp
