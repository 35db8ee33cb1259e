/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-core-test.h"
#include "gridftp-network-model.h"
#include "gridftp-test-cases.h"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Drawn packets between drawn hosts.
class NetworkModelTest : public TestCase
{
  public:
    /// @param changes whether the shared link does
    explicit NetworkModelTest(bool changes)
        : TestCase("segment engine: where routes merge, packets come as in a heap of events" +
                   std::string(changes ? ", over a link that changes" : "")),
          m_changes(changes)
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(27);
        uint64_t drops = 0;
        for (size_t round = 0; round < 400; ++round)
        {
            std::vector<int64_t> rates(2 + draw.Below(3));
            for (auto& rate : rates)
            {
                rate = 1'000'000'000 + static_cast<int64_t>(draw.Below(15'000'000'000));
            }
            Topology topology = MakePairs(rates, &draw, m_changes);
            topology.headerBytes = std::array<int64_t, 3>{LINK_HEADER_BYTES, 0, 38}[round % 3];
            std::vector<Sending> sendings;
            int64_t timeNs = 0;
            while (sendings.size() < 200)
            {
                timeNs += static_cast<int64_t>(draw.Below(draw.Below(4) == 0 ? 2000 : 100));
                sendings.push_back(
                    {timeNs,
                     static_cast<uint32_t>(draw.Below(rates.size())),
                     draw.Below(2) == 0,
                     draw.Below(2) == 0 ? 300 : 40 + static_cast<int64_t>(draw.Below(300))});
            }
            const auto expected = EventNetwork(topology).Run(sendings);
            const auto got = NetworkDriver(topology, 300).Run(sendings);
            NS_TEST_ASSERT_MSG_EQ(got.size(), expected.size(), "round " << round);
            for (size_t i = 0; i < got.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(std::get<0>(got[i]), std::get<0>(expected[i]), "who");
                NS_TEST_ASSERT_MSG_EQ(std::get<1>(got[i]), std::get<1>(expected[i]), "when");
                NS_TEST_ASSERT_MSG_EQ(std::get<2>(got[i]), std::get<2>(expected[i]), "whether");
                drops += !std::get<2>(got[i]);
            }
        }
        NS_TEST_EXPECT_MSG_GT(drops, 1000, "queues were full");
    }

    bool m_changes; ///< whether the shared link does
};

/// Two packets that arrive in one nanosecond: whose transmission was begun first comes first.
class NetworkTieTest : public TestCase
{
  public:
    NetworkTieTest()
        : TestCase("segment engine: two packets that arrive at once at different hosts")
    {
    }

  private:
    void DoRun() override
    {
        // 1 and 2 ns a byte: the second packet waits 102 ns longer, and is 102 ns faster
        const Topology topology = MakePairs({8'000'000'000, 4'000'000'000}, nullptr);
        const std::vector<Sending> sendings{{0, 1, false, 100}, {1, 0, false, 100}};
        const std::vector<Fate> expected{{0, 408, true}, {1, 408, true}};
        NS_TEST_EXPECT_MSG_EQ((EventNetwork(topology).Run(sendings) == expected), true, "model");
        for (const int64_t usualBytes : {100, 1500})
        {
            NetworkDriver driver(topology, usualBytes);
            NS_TEST_EXPECT_MSG_EQ((driver.Run(sendings) == expected), true, usualBytes);
            NS_TEST_EXPECT_MSG_EQ(driver.GetStepCount(), 4, "two turns, two arrivals");
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new NetworkModelTest(false), new NetworkModelTest(true), new NetworkTieTest};
});

} // namespace ns3::gridftp
