/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-result.h"
#include "gridftp-segment-simulator.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Keeps every packet at every place.
class Packets : public PacketObserver
{
  public:
    void HandlePacket(const PacketStay& stay,
                      const std::optional<ConnectionLabel>& /* label */) override
    {
        stays.push_back(stay);
    }

    /// @param place where @return how many were there
    int64_t Count(PacketPlace place) const
    {
        return std::count_if(stays.begin(), stays.end(), [place](const PacketStay& stay) {
            return stay.place == place;
        });
    }

    /// @param now ns @return how many wait for the bottleneck, or are about to
    uint64_t CountWaiting(int64_t now) const
    {
        return static_cast<uint64_t>(
            std::count_if(stays.begin(), stays.end(), [now](const PacketStay& stay) {
                return stay.place == PacketPlace::FORWARD_QUEUE && stay.endNs > now;
            }));
    }

    std::vector<PacketStay> stays; //!< in the order in which they became known
};

/// @param simulator at its end @param scenario of it @return its result as text
std::string
TextOf(const SegmentSimulator& simulator, const Scenario& scenario)
{
    return ResultToJson(scenario, simulator.GetResult(), {});
}

/// What is seen of the packets fits together, and seeing them changes nothing.
class WatchTest : public TestCase
{
  public:
    /// @param name what is special @param line of a batch
    WatchTest(const std::string& name, const std::string& line)
        : TestCase("segment engine: packets on their way, " + name),
          m_line(line)
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = ParseScenarioJson(m_line);
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(scenario), true, m_line);
        SegmentSimulator plain(*scenario);
        plain.Advance(INT64_MAX);
        const auto expected = TextOf(plain, *scenario);

        Packets packets;
        SegmentSimulator watched(*scenario);
        watched.SetPacketObserver(&packets);
        constexpr int64_t STEP_NS = 7'000'003;
        while (!watched.Advance(watched.GetNow() + STEP_NS))
        {
            const auto seen = packets.CountWaiting(watched.GetNow());
            NS_TEST_ASSERT_MSG_EQ(seen, watched.GetBottleneck().queuePackets, "waiting");
        }
        NS_TEST_EXPECT_MSG_EQ(TextOf(watched, *scenario), expected, "watched");
        CheckWays(packets, *scenario);
        CheckBottleneck(packets, *scenario);
        NS_TEST_EXPECT_MSG_EQ(packets.Count(PacketPlace::FORWARD_REFUSED),
                              static_cast<int64_t>(watched.GetBottleneck().drops),
                              "refused");

        // Now and then
        SegmentSimulator half(*scenario);
        for (bool on = true; !half.Advance(half.GetNow() + 40 * STEP_NS); on = !on)
        {
            half.SetPacketObserver(on ? &packets : nullptr);
        }
        NS_TEST_EXPECT_MSG_EQ(TextOf(half, *scenario), expected, "watched now and then");
    }

    /// Nothing gets lost on the way but what is refused or lost. @param packets all @param scenario
    /// of theirs
    void CheckWays(const Packets& packets, const Scenario& scenario)
    {
        const auto come = packets.Count(PacketPlace::FORWARD) +
                          packets.Count(PacketPlace::FORWARD_REFUSED) +
                          packets.Count(PacketPlace::FORWARD_LOST);
        const auto sent = packets.Count(PacketPlace::SENDER_OUT);
        const bool isSingle = scenario.sessions.size() + scenario.background.size() == 1;
        NS_TEST_EXPECT_MSG_EQ((isSingle ? come == sent : come <= sent), true, "at the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(packets.Count(PacketPlace::FORWARD),
                              packets.Count(PacketPlace::RECEIVER_IN),
                              "behind the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(packets.Count(PacketPlace::REVERSE),
                              packets.Count(PacketPlace::SENDER_IN),
                              "behind the bottleneck, against the data");
        NS_TEST_EXPECT_MSG_GT(packets.Count(PacketPlace::REVERSE), 0, "answers");
        const bool losses = scenario.path.randomLoss > 0;
        NS_TEST_EXPECT_MSG_EQ((packets.Count(PacketPlace::FORWARD_LOST) > 0), losses, "losses");
    }

    /// One packet at a time leaves for the bottleneck, and waits until then. @param packets all
    /// @param scenario of theirs
    void CheckBottleneck(const Packets& packets, const Scenario& scenario)
    {
        int64_t freeNs = 0;
        constexpr int64_t NONE_WAITS = -1;
        int64_t waitsUntilNs = NONE_WAITS;
        for (const auto& stay : packets.stays)
        {
            if (stay.place == PacketPlace::FORWARD_QUEUE)
            {
                NS_TEST_ASSERT_MSG_LT(stay.beginNs, stay.endNs, "a wait");
                waitsUntilNs = stay.endNs;
            }
            if (stay.place == PacketPlace::FORWARD)
            {
                if (waitsUntilNs != NONE_WAITS)
                {
                    NS_TEST_ASSERT_MSG_EQ(waitsUntilNs, stay.beginNs, "its turn");
                }
                NS_TEST_ASSERT_MSG_GT_OR_EQ(stay.beginNs, freeNs, "one after the other");
                const int64_t left = stay.endNs - scenario.path.delay;
                NS_TEST_ASSERT_MSG_GT(left, stay.beginNs, "its transmission takes time");
                freeNs = left;
            }
            if (stay.place == PacketPlace::FORWARD || stay.place == PacketPlace::FORWARD_LOST)
            {
                waitsUntilNs = NONE_WAITS;
            }
        }
    }

    std::string m_line; //!< of a batch
};

} // namespace

namespace ns3::gridftp
{

std::vector<TestCase*>
MakeSegmentWatchTestCases()
{
    const std::string small = R"("file-size": "400KB", "chunk-size": "200KB")";
    const std::string fixed = R"("mode": "fixed", "parallelism": "4", "queue": "9p", )";
    return {
        new WatchTest("one connection", "{" + small + "}"),
        new WatchTest("drops", "{" + fixed + small + "}"),
        new WatchTest("a download",
                      "{" + fixed + R"("tcp": "newreno", "direction": "download", )" + small + "}"),
        new WatchTest("losses",
                      "{" + fixed + R"("delayed-ack": "2", "random-loss": "0.02", )" + small + "}"),
        new WatchTest("kept connections",
                      "{" + fixed + R"("data-channels": "cached", "bandwidth": "5Mbps", )" + small +
                          "}"),
        new WatchTest("two sessions",
                      "{" + fixed + R"("sessions": [{}, {"mode": "aimd", "delay": "30ms"}], )" +
                          small + "}"),
        new WatchTest("plain TCP beside",
                      "{" + fixed + R"("background": [{"tcp": "newreno"}], )" + small + "}")};
}

} // namespace ns3::gridftp
