/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-result.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-segment-traces.h"
#include "gridftp-test-cases.h"
#include "gridftp-trace-rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
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
        const bool wasOpen = m_open > 0 && Forget(stay);
        if (!wasOpen || stay.beginNs < stay.endNs) // else it has not waited
        {
            stays.push_back(stay);
            m_open += stay.IsOpen();
            if (stay.place == PacketPlace::FORWARD_QUEUE)
            {
                m_waiting.push_back(stay);
            }
        }
    }

    /// @param place where @return how many were there
    int64_t Count(PacketPlace place) const
    {
        return std::count_if(stays.begin(), stays.end(), [place](const PacketStay& stay) {
            return stay.place == place;
        });
    }

    /// @param now of the simulation, ns, never less than before @return how many wait for the
    /// bottleneck, or are about to
    uint64_t CountWaiting(int64_t now)
    {
        std::erase_if(m_waiting, [now](const PacketStay& stay) { return stay.endNs <= now; });
        return m_waiting.size();
    }

    std::vector<PacketStay> stays; //!< in the order in which they became known

  private:
    /// Removes a stay whose end was not known. @param ended the same with its end @return whether
    /// there was one
    bool Forget(const PacketStay& ended)
    {
        const auto isIt = [&ended](const PacketStay& each) { return each.IsEndedBy(ended); };
        std::erase_if(m_waiting, isIt);
        const auto count = std::erase_if(stays, isIt);
        m_open -= count;
        return count > 0;
    }

    std::vector<PacketStay> m_waiting; //!< of `stays`, those that wait for the bottleneck
    size_t m_open{0};                  //!< of `stays`, how many have no end yet
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
            CheckConnections(watched.GetConnections(), *scenario);
        }
        NS_TEST_EXPECT_MSG_GT(m_connections, 0, "data connections");
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

    /// Data connections alone are shown, each once. @param views all @param scenario of theirs
    void CheckConnections(const std::vector<ConnectionView>& views, const Scenario& scenario)
    {
        std::set<std::pair<uint32_t, uint32_t>> known;
        for (const auto& view : views)
        {
            const auto& label = view.label;
            NS_TEST_ASSERT_MSG_LT(label.session,
                                  scenario.sessions.size() + scenario.background.size(),
                                  "whose");
            NS_TEST_ASSERT_MSG_EQ(known.insert({label.session, label.connection}).second,
                                  true,
                                  "once");
            NS_TEST_ASSERT_MSG_LT_OR_EQ(view.chunkBytes, view.acknowledgedBytes, "of a chunk");
            NS_TEST_ASSERT_MSG_EQ((view.cwndBytes > 0), view.connected, "cwnd");
        }
        m_connections += views.size();
    }

    /// Nothing gets lost on the way but what is refused or lost. @param packets all @param scenario
    /// of theirs
    void CheckWays(const Packets& packets, const Scenario& scenario)
    {
        const auto come = packets.Count(PacketPlace::FORWARD) +
                          packets.Count(PacketPlace::FORWARD_REFUSED) +
                          packets.Count(PacketPlace::FORWARD_LOST);
        const auto sent = packets.Count(PacketPlace::SENDER_OUT);
        // What has been sent last may still be on its way to an ActiveQueue, or in it
        const bool isSingle = scenario.sessions.size() + scenario.background.size() == 1 &&
                              !HasActiveQueue(scenario.path);
        NS_TEST_EXPECT_MSG_EQ((isSingle ? come == sent : come <= sent), true, "at the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(packets.Count(PacketPlace::FORWARD),
                              packets.Count(PacketPlace::RECEIVER_IN),
                              "behind the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(packets.Count(PacketPlace::REVERSE),
                              packets.Count(PacketPlace::SENDER_IN),
                              "behind the bottleneck, reverse");
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

    std::string m_line;      //!< of a batch
    size_t m_connections{0}; //!< seen so far, again and again
};

/// Counts the packets that the bottleneck's queue marks.
class Marks : public SegmentObserver
{
  public:
    void HandleLength(Nanoseconds /* now */, uint64_t /* packets */) override
    {
    }

    void HandleMark(Nanoseconds now) override
    {
        times.insert(now);
    }

    void HandleWindow(Nanoseconds /* now */,
                      const ConnectionLabel& /* label */,
                      const WindowView& /* window */) override
    {
    }

    void HandleDrop(Nanoseconds /* now */,
                    const std::optional<ConnectionLabel>& /* label */,
                    const std::optional<uint64_t>& /* sequence */) override
    {
    }

    std::set<int64_t> times; //!< of marks, ns
};

/// A marked packet is reported when it leaves the queue, and is marked on the links behind it.
class MarkTest : public TestCase
{
  public:
    MarkTest()
        : TestCase("segment engine: packets that the queue marks")
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = ParseScenarioJson(
            R"({"stack": "linux", "ecn": "on", "queue-discipline": "codel", "mode": "fixed", )"
            R"("bandwidth": "10Mbps", "queue": "500p", "file-size": "2MB", "chunk-size": "2MB"})");
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(scenario), true, "scenario");
        Packets packets;
        Marks marks;
        SegmentSimulator simulator(*scenario);
        simulator.SetObserver(marks);
        simulator.SetPacketObserver(&packets);
        simulator.Advance(INT64_MAX);
        std::set<int64_t> seen;
        int64_t behind = 0;
        for (const auto& stay : packets.stays)
        {
            if (stay.packet.IsMarked())
            {
                NS_TEST_EXPECT_MSG_EQ(stay.hasData, true, "CoDel has marked an ACK");
                behind += stay.place == PacketPlace::RECEIVER_IN;
            }
            if (stay.packet.IsMarked() && stay.place == PacketPlace::FORWARD)
            {
                seen.insert(stay.beginNs);
            }
            if (stay.packet.GetKind() == PacketKind::SEGMENT && stay.place == PacketPlace::REVERSE)
            {
                NS_TEST_EXPECT_MSG_EQ(stay.hasData, false, "an ACK has data");
            }
        }
        NS_TEST_EXPECT_MSG_GT(marks.times.size(), 2, "marks");
        NS_TEST_EXPECT_MSG_EQ((seen == marks.times), true, "on the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(behind, static_cast<int64_t>(seen.size()), "behind it");
    }
};

/// The traces of a run as texts.
class Traces : public TraceRows
{
  public:
    std::set<int64_t> times;                           //!< of all rows
    std::array<std::string, TRACE_NAMES.size()> texts; //!< by Trace

  private:
    bool IsWanted(Nanoseconds now) override
    {
        times.insert(now);
        return true;
    }

    void Write(Trace trace, const std::string& row) override
    {
        texts.at(static_cast<size_t>(trace)) += row;
    }
};

/// Whoever looks at a run at a moment changes no trace of it.
class PauseTest : public TestCase
{
  public:
    /// @param name what is special @param line of a batch
    PauseTest(const std::string& name, const std::string& line)
        : TestCase("segment engine: the same traces with a pause at every row, " + name),
          m_line(line)
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = ParseScenarioJson(m_line);
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(scenario), true, m_line);
        Traces whole;
        Run(*scenario, {}, whole);
        NS_TEST_EXPECT_MSG_EQ(whole.texts[0].empty() || whole.texts[2].empty(), false, "rows");
        std::set<int64_t> pauses;
        for (const int64_t time : whole.times)
        {
            pauses.insert({time - 1, time});
        }
        Traces paused;
        Run(*scenario, pauses, paused);
        NS_TEST_EXPECT_MSG_EQ((paused.texts == whole.texts), true, m_line);
    }

    /// @param scenario to simulate @param pauses when @param traces of it
    static void Run(const Scenario& scenario, const std::set<int64_t>& pauses, Traces& traces)
    {
        SegmentSimulator simulator(scenario);
        SegmentTraces tracer(traces);
        simulator.SetObserver(tracer);
        for (const int64_t pause : pauses)
        {
            simulator.Advance(pause);
        }
        simulator.Advance(INT64_MAX);
        tracer.End(simulator.GetNow());
    }

    std::string m_line; //!< of a batch
};

/**
 * Packets of two sessions that come to the bottleneck as it takes the next one. Those of a single
 * session are worked out before.
 * @param faster rate of the access links, by the bottleneck's
 * @param lead from the start of the transmission there to the arrival here, in transmissions
 * @return line of a batch
 */
std::string
TieLine(int64_t faster, int64_t lead)
{
    constexpr int64_t TRANSMISSION_NS = 1'201'600; // of 1502 bytes at 10 Mbit/s
    constexpr int64_t ACK_NS = 33'600;
    const int64_t delay =
        2 * TRANSMISSION_NS + TRANSMISSION_NS / faster - ACK_NS * (faster + 2) / (2 * faster);
    return R"({"bandwidth": "10Mbps", "access-bandwidth": ")" + std::to_string(10 * faster) +
           R"(Mbps", "access-delay": ")" +
           std::to_string(lead * TRANSMISSION_NS - TRANSMISSION_NS / faster) +
           R"(ns", "delay": ")" + std::to_string(delay) +
           R"(ns", "queue": "9p", "window": "1MiB", "initial-window": "4", "mode": "fixed", )"
           R"("parallelism": "3", "file-size": "400KB", "chunk-size": "400KB", )"
           R"("sessions": [{}, {}]})";
}

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    const std::string small = R"("file-size": "400KB", "chunk-size": "200KB")";
    const std::string fixed = R"("mode": "fixed", "parallelism": "4", "queue": "9p", )";
    return {
        new WatchTest("one connection", "{" + small + "}"),
        new WatchTest("drops", "{" + fixed + small + "}"),
        new WatchTest("a download",
                      "{" + fixed + R"("tcp": "newreno", "direction": "download", )" + small + "}"),
        new WatchTest("CoDel",
                      "{" + fixed + R"("queue-discipline": "codel", "codel-interval": "20ms", )" +
                          small + "}"),
        new WatchTest("hosts of today", "{" + fixed + R"("stack": "linux", )" + small + "}"),
        new MarkTest,
        new WatchTest("losses",
                      "{" + fixed + R"("delayed-ack": "2", "random-loss": "0.02", )" + small + "}"),
        new WatchTest("Linux hosts", "{" + fixed + R"("stack": "linux", )" + small + "}"),
        new WatchTest("Linux hosts, a download",
                      "{" + fixed + R"("stack": "linux", "tcp": "bbr", "direction": "download", )" +
                          small + "}"),
        new WatchTest("kept connections",
                      "{" + fixed + R"("data-channels": "cached", "bandwidth": "5Mbps", )" + small +
                          "}"),
        new WatchTest("two sessions",
                      "{" + fixed + R"("sessions": [{}, {"mode": "aimd", "delay": "30ms"}], )" +
                          small + "}"),
        new PauseTest("drops", "{" + fixed + small + "}"),
        new PauseTest("packets that come as the link takes one, access at 20 Mbps", TieLine(2, 2)),
        new PauseTest("packets that come as the link takes one, access at 40 Mbps", TieLine(4, 2)),
        new PauseTest("packets that come as the link takes one, access at 80 Mbps", TieLine(8, 1)),
        new WatchTest("plain TCP beside",
                      "{" + fixed + R"("background": [{"tcp": "newreno"}], )" + small + "}")};
});

} // namespace ns3::gridftp
