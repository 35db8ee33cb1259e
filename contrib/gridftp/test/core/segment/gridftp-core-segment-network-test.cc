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
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param topology hosts, of which the first client or server gets a limit @param draw of it
void
LimitHost(Topology& topology, Draw& draw)
{
    for (const auto& each : topology.pairs)
    {
        // What begins in one nanosecond in both directions of a link of one rate would end in one,
        // too: whether it comes to its end or is dropped first, only ns-3's own heap would tell
        topology.links[FindLinksFrom(topology, each.server).front()].rateBps *= 7;
        topology.links[FindLinksFrom(topology, each.server).front()].rateBps /= 8;
    }
    const HostPair pair = topology.pairs.front();
    SetHostLimit(topology,
                 draw.Below(2) == 0 ? pair.client : pair.server,
                 {.rateBps = draw.Between(1'000'000'000, 8'000'000'000),
                  .kind = draw.Below(2) == 0 ? LimitKind::POLICER : LimitKind::SHAPER,
                  .burstBytes = draw.Between(300, 3000),
                  .queuePackets = draw.Between(1, 20)});
}

/// What is special about a drawn network.
enum class Special
{
    NOTHING, ///< nothing
    CHANGES, ///< the shared link changes
    LIMIT    ///< a host has a limit
};

/// Drawn packets between drawn hosts.
class NetworkModelTest : public TestCase
{
  public:
    /// @param what there is, for people @param special it
    NetworkModelTest(const std::string& what, Special special)
        : TestCase("segment engine: where routes merge, packets come as in a heap of events" +
                   what),
          m_special(special)
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(27);
        uint64_t drops = 0;
        const uint32_t rounds = CountDraws(400);
        for (uint32_t round = 0; round < rounds; ++round)
        {
            std::vector<int64_t> rates(2 + draw.Below(3));
            for (auto& rate : rates)
            {
                rate = 1'000'000'000 + static_cast<int64_t>(draw.Below(15'000'000'000));
            }
            Topology topology = MakePairs(rates, &draw, m_special == Special::CHANGES);
            if (m_special == Special::LIMIT)
            {
                LimitHost(topology, draw);
            }
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
        NS_TEST_EXPECT_MSG_GT(drops, 5 * rounds / 2, "queues were full");
    }

    Special m_special; ///< what there is
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
        const std::vector<Outcome> expected{{0, 408, true}, {1, 408, true}};
        NS_TEST_EXPECT_MSG_EQ((EventNetwork(topology).Run(sendings) == expected), true, "model");
        for (const int64_t usualBytes : {100, 1500})
        {
            NetworkDriver driver(topology, usualBytes);
            NS_TEST_EXPECT_MSG_EQ((driver.Run(sendings) == expected), true, usualBytes);
            NS_TEST_EXPECT_MSG_EQ(driver.GetStepCount(), 4, "two turns, two arrivals");
        }
    }
};

/// The limit of a host, each way, worked out by hand. Every link takes 1 ns a byte. 2 bytes of
/// header are not counted by the limit, whose bucket has 200 tokens and gets one in 10 ns: two
/// packets that the host sends at once leave none, two that come to the router 102 ns apart 10.2,
/// and for the next one, 300 or 198 ns later, there are 30, for the one after it some more.
class NetworkLimitTest : public TestCase
{
  public:
    /// @param what it is @param kind of limit @param atClient whether it is the client's
    /// @param expected what becomes of the packets @param drops to the host, and from it
    NetworkLimitTest(const std::string& what,
                     LimitKind kind,
                     bool atClient,
                     std::vector<Outcome> expected,
                     std::array<uint64_t, 2> drops)
        : TestCase("segment engine: " + what),
          m_kind(kind),
          m_atClient(atClient),
          m_expected(std::move(expected)),
          m_drops(drops)
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Sending> sendings{{0, 0, false, 100},
                                            {0, 0, false, 100},
                                            {300, 0, false, 100},
                                            {310, 0, false, 100},
                                            {5000, 0, true, 100},
                                            {5000, 0, true, 100},
                                            {5300, 0, true, 100}};
        Topology topology = MakePairs({8'000'000'000}, nullptr);
        const HostPair pair = topology.pairs.front();
        const uint32_t host = m_atClient ? pair.client : pair.server;
        SetHostLimit(topology, host, {800'000'000, m_kind, 200, 1});
        const uint32_t out = FindLinksFrom(topology, host).front();
        NS_TEST_EXPECT_MSG_EQ((EventNetwork(topology).Run(sendings) == m_expected), true, "model");
        NetworkDriver driver(topology, 100);
        NS_TEST_EXPECT_MSG_EQ((driver.Run(sendings) == m_expected), true, "fates");
        NS_TEST_EXPECT_MSG_EQ(driver.GetLimitDrops(GetReverse(out)), m_drops[0], "to the host");
        NS_TEST_EXPECT_MSG_EQ(driver.GetLimitDrops(out), m_drops[1], "from the host");
    }

    LimitKind m_kind;                ///< of limit
    bool m_atClient;                 ///< whether it is the client's
    std::vector<Outcome> m_expected; ///< what becomes of the packets, in order
    std::array<uint64_t, 2> m_drops; ///< to the host, and from it
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new NetworkModelTest("", Special::NOTHING),
            new NetworkModelTest(", over a link that changes", Special::CHANGES),
            new NetworkModelTest(", with a limit at a host", Special::LIMIT),
            // What is sent is refused at once, what is received when it has come to the router
            new NetworkLimitTest("a policer at the client",
                                 LimitKind::POLICER,
                                 true,
                                 {{2, 300, false},
                                  {0, 306, true},
                                  {3, 310, false},
                                  {1, 408, true},
                                  {4, 5306, true},
                                  {5, 5408, true},
                                  {6, 5504, false}},
                                 {1, 2}),
            new NetworkLimitTest("a policer at the server",
                                 LimitKind::POLICER,
                                 false,
                                 {{0, 306, true},
                                  {1, 408, true},
                                  {2, 504, false},
                                  {3, 606, false},
                                  {6, 5300, false},
                                  {4, 5306, true},
                                  {5, 5408, true}},
                                 {2, 1}),
            // 70 tokens are missing at 300 and at 5504: it goes 700 ns later; one may wait
            new NetworkLimitTest("a shaper at the client",
                                 LimitKind::SHAPER,
                                 true,
                                 {{0, 306, true},
                                  {3, 310, false},
                                  {1, 408, true},
                                  {2, 1306, true},
                                  {4, 5306, true},
                                  {5, 5408, true},
                                  {6, 6306, true}},
                                 {0, 1}),
            new NetworkTieTest};
});

} // namespace ns3::gridftp
