/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-draw.h"
#include "gridftp-core-test.h"
#include "gridftp-random.h"
#include "gridftp-result.h"
#include "gridftp-segment-link.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-segment-time.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param key of a member @param value its text @return the member
std::string
Member(const std::string& key, const std::string& value)
{
    return "\"" + key + "\": \"" + value + "\"";
}

/// @param draw random draws @return a session that is not the first one
std::string
SomeSession(Draw& draw)
{
    return "{" + Member("mode", draw.Of({"mi", "aimd", "fixed"})) + ", " +
           Member("start", std::to_string(draw.Below(500)) + "ms") + ", " +
           Member("delay", std::to_string(draw.Between(50, 80)) + "ms") + "}";
}

/// @param draw random draws @return a line of a batch, sometimes at odds with itself
std::string
SomeLine(Draw& draw)
{
    const auto number = [&draw](int64_t low, int64_t high) {
        return std::to_string(draw.Between(low, high));
    };
    const int64_t packet = draw.Below(3) == 0 ? draw.Between(200, 9000) : 1500;
    std::vector<std::string> members{
        Member("bandwidth", draw.Of({"1Mbps", "10Mbps", "33Mbps", "100Mbps", "10Gbps"})),
        Member("delay", draw.Of({"0ms", "1us", "1ms", "7ms", "10ms", "50ms"})),
        Member("queue", number(1, draw.Below(2) == 0 ? 5 : 60) + "p"),
        Member("packet-size", std::to_string(packet)),
        Member("window", std::to_string(packet * draw.Between(1, 60)) + "B"),
        Member("file-size", number(1, draw.Below(8) == 0 ? 3000 : 150'000) + "B"),
        Member("chunk-size", number(30'000, 200'000) + "B"),
        Member("block-size", draw.Of({"1B", "1000B", "64KiB", "1MiB"})),
        Member("tcp", draw.Of({"reno", "newreno"})),
        Member("direction", draw.Of({"upload", "download"})),
        Member("layout", draw.Of({"dynamic", "static"})),
        Member("data-channels", draw.Of({"fresh", "cached"})),
        Member("delayed-ack", number(1, 3)),
        Member("initial-window", number(1, 10)),
        Member("access-delay", draw.Of({"0ms", "10us", "5ms"})),
        Member("start-jitter", draw.Of({"0ms", "1ms", "100ms"})),
        Member("run", number(1, 1000))};
    if (draw.Below(6) == 0)
    {
        members.push_back(Member("random-loss", draw.Of({"0.001", "0.05", "0.3"})));
    }
    if (draw.Below(4) == 0)
    {
        members.push_back(Member("link-header", draw.Of({"0B", "14B", "38B", "1000B"})));
    }
    if (draw.Below(3) == 0)
    {
        members.push_back(Member("mode", draw.Of({"mi", "mi-plus", "aimd"})));
        members.push_back(Member("max-parallelism", number(1, 12)));
    }
    else
    {
        members.push_back(Member("mode", "fixed"));
        members.push_back(Member("parallelism", number(1, 12)));
    }
    if (draw.Below(4) == 0)
    {
        members.push_back("\"sessions\": [{}, " + SomeSession(draw) + "]");
    }
    if (draw.Below(4) == 0)
    {
        // One that never stops can starve a session for hours.
        const std::string stop =
            Member("start", draw.Of({"0s", "30ms"})) + ", " + Member("stop", "120ms");
        members.push_back("\"background\": [{" + stop + ", " +
                          Member("tcp", draw.Of({"reno", "newreno"})) + "}]");
    }
    std::string line = "{" + members.front();
    for (size_t i = 1; i < members.size(); ++i)
    {
        line += ", " + members[i];
    }
    return line + "}";
}

/// Sees a run, and what must never be seen.
class TransferWatch : public SegmentObserver
{
  public:
    void HandleLength(int64_t now, uint64_t packets) override
    {
        m_backwards = m_backwards || now < m_lengthNs;
        m_lengthNs = now;
        m_most = std::max(m_most, packets);
    }

    void HandleWindow(int64_t now,
                      const ConnectionLabel& /* label */,
                      const WindowView& window) override
    {
        m_backwards = m_backwards || now < m_windowNs;
        m_windowNs = now;
        m_leastCwnd = std::min<uint64_t>(m_leastCwnd, window.cwndBytes);
    }

    void HandleDrop(int64_t now,
                    const std::optional<ConnectionLabel>& label,
                    const std::optional<uint64_t>& sequence) override
    {
        m_backwards = m_backwards || now < m_dropNs || (sequence && !label);
        m_dropNs = now;
    }

    bool m_backwards{false};          //!< times that go back
    uint64_t m_most{0};               //!< most packets waiting
    uint64_t m_leastCwnd{UINT64_MAX}; //!< smallest window, bytes

  private:
    int64_t m_lengthNs{0}; //!< of the last length
    int64_t m_windowNs{0}; //!< of the last window
    int64_t m_dropNs{0};   //!< of the last drop
};

/// @param scenario simulated @param simulator that did @return everything, as text
std::string
Text(const Scenario& scenario, const SegmentSimulator& simulator)
{
    return ResultToJson(scenario, simulator.GetResult(), Provenance{});
}

/// What holds of every scenario.
class SegmentPropertyTest : public TestCase
{
  public:
    /// @param seed of the draws @param scenarios how many
    SegmentPropertyTest(uint64_t seed, int scenarios)
        : TestCase("segment engine: what holds of every scenario, over " +
                   std::to_string(scenarios) + " drawn"),
          m_draw(seed),
          m_scenarios(scenarios)
    {
    }

  private:
    /// Events after which a transfer of these sizes hangs.
    static constexpr uint64_t MOST_EVENTS = 3'000'000;

    void DoRun() override
    {
        for (int i = 0; i < m_scenarios; ++i)
        {
            const std::string line = SomeLine(m_draw);
            const auto scenario = ParseScenarioJson(line);
            if (!scenario)
            {
                ++m_refused;
                continue;
            }
            Check(*scenario, line, m_draw);
        }
        NS_TEST_EXPECT_MSG_LT(m_refused, m_scenarios / 10, "most are scenarios");
        NS_TEST_EXPECT_MSG_GT(m_done, m_scenarios / 2, "most transfers are done");
        NS_TEST_EXPECT_MSG_GT(m_lossy, m_scenarios / 4, "many lose packets");
        NS_TEST_EXPECT_MSG_GT(m_timeouts, m_scenarios / 4, "many have timeouts");
    }

    /// @param scenario simulated in several ways @param line it was read from @param draw steps
    void Check(const Scenario& scenario, const std::string& line, Draw& draw)
    {
        SegmentSimulator whole(scenario);
        const bool ended = Go(whole, NEVER / 2, draw);
        NS_TEST_ASSERT_MSG_EQ(ended, true, "more than " << MOST_EVENTS << " events: " << line);
        const std::string text = Text(scenario, whole);

        SegmentSimulator again(scenario);
        again.Advance(NEVER);
        NS_TEST_ASSERT_MSG_EQ(Text(scenario, again), text, "the same once more: " << line);

        SegmentSimulator stepped(scenario);
        const auto step = static_cast<int64_t>(1 + draw.Below(300'000'000));
        NS_TEST_ASSERT_MSG_EQ(Go(stepped, step, draw), true, "in steps: " << line);
        NS_TEST_ASSERT_MSG_EQ(Text(scenario, stepped), text, "in steps: " << line);

        SegmentSimulator watched(scenario);
        TransferWatch watch;
        watched.SetObserver(watch);
        watched.Advance(NEVER);
        NS_TEST_ASSERT_MSG_EQ(Text(scenario, watched), text, "with an observer: " << line);
        NS_TEST_ASSERT_MSG_EQ(watch.m_backwards, false, "times go on: " << line);
        NS_TEST_ASSERT_MSG_LT_OR_EQ(watch.m_most,
                                    static_cast<uint64_t>(scenario.path.queue),
                                    "packets waiting: " << line);
        NS_TEST_ASSERT_MSG_GT_OR_EQ(watch.m_leastCwnd,
                                    static_cast<uint64_t>(GetSegmentBytes(scenario)),
                                    "cwnd: " << line);
        CheckResult(scenario, whole.GetResult(), line);
    }

    /// Simulates in steps. @param simulator is advanced @param longest step, ns @param draw steps
    /// @return whether it ended within MOST_EVENTS
    bool Go(SegmentSimulator& simulator, int64_t longest, Draw& draw)
    {
        int64_t until = 0;
        bool ended = false;
        // At most a thousand steps, then longer ones: some scenarios last for hours.
        for (int steps = 1; !ended && simulator.GetEventCount() < MOST_EVENTS; ++steps)
        {
            longest = steps % 1000 == 0 ? std::min(2 * longest, NEVER / 4) : longest;
            until += 1 + static_cast<int64_t>(draw.Below(static_cast<uint64_t>(longest)));
            until = std::min(until, NEVER / 2);
            ended = simulator.Advance(until);
            if (simulator.GetNow() > until || (!ended && simulator.GetNow() != until))
            {
                return false;
            }
        }
        return ended;
    }

    /// @param scenario simulated @param result of it @param line it was read from
    void CheckResult(const Scenario& scenario,
                     const TransferResult& result,
                     const std::string& line)
    {
        m_done += result.done ? 1 : 0;
        m_lossy += result.links.at(0).drops > 0 ? 1 : 0;
        NS_TEST_ASSERT_MSG_EQ(result.done, result.reason.empty(), line);
        NS_TEST_ASSERT_MSG_EQ(result.sessions.size(), scenario.sessions.size(), line);
        NS_TEST_ASSERT_MSG_LT_OR_EQ(result.links.at(0).maxQueuePackets,
                                    static_cast<uint64_t>(scenario.path.queue),
                                    line);
        uint64_t timeouts = 0;
        for (size_t i = 0; i < result.sessions.size(); ++i)
        {
            CheckSession(scenario, scenario.sessions[i], result.sessions[i], result.done, line);
            timeouts += result.sessions[i].tcp->totals.timeouts;
        }
        m_timeouts += timeouts > 0 ? 1 : 0;
        for (const auto& background : result.background)
        {
            NS_TEST_ASSERT_MSG_LT_OR_EQ(background.startNs, background.endNs, line);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(background.GetGoodputBps(),
                                        static_cast<double>(scenario.path.bandwidth),
                                        line);
        }
        if (result.done)
        {
            CheckUtilisation(scenario, result, line);
        }
    }

    /// @param scenario simulated @param bytes of an IP packet @return the rate that it is sent at
    /// over the link's, at least 1
    static double GetRounding(const Scenario& scenario, int64_t bytes)
    {
        bytes += scenario.path.linkHeader;
        const double exact =
            static_cast<double>(bytes) * 8e9 / static_cast<double>(scenario.path.bandwidth);
        const auto whole = TransmissionTime(scenario.path.bandwidth, bytes).OfUsual();
        return std::max(1.0, exact / static_cast<double>(whole));
    }

    /// No more than the link carries, but for the packet that it is at when the last chunk ends.
    void CheckUtilisation(const Scenario& scenario,
                          const TransferResult& result,
                          const std::string& line)
    {
        int64_t begin = NEVER;
        int64_t end = 0;
        for (const auto& session : result.sessions)
        {
            begin = std::min(begin, session.gridftp->chunks.front().startNs);
            end = std::max(end, session.gridftp->chunks.back().endNs);
        }
        // Whole nanoseconds make packets up to half of one shorter.
        const double faster =
            std::max(GetRounding(scenario, scenario.path.packetSize), GetRounding(scenario, 40));
        const double capacity =
            static_cast<double>(scenario.path.bandwidth) * static_cast<double>(end - begin) / 8e9;
        const auto packet =
            static_cast<double>(scenario.path.packetSize + scenario.path.linkHeader);
        NS_TEST_ASSERT_MSG_LT_OR_EQ(result.links.at(0).utilisation * capacity,
                                    capacity * faster + packet + 1,
                                    line);
    }

    /// @param scenario simulated @param spec of a session @param session what came of it
    /// @param done whether all of it was moved @param line it was read from
    void CheckSession(const Scenario& scenario,
                      const SessionSpec& spec,
                      const SessionResult& session,
                      bool done,
                      const std::string& line)
    {
        uint64_t bytes = 0;
        int64_t last = spec.start;
        for (const auto& chunk : session.gridftp->chunks)
        {
            NS_TEST_ASSERT_MSG_EQ(chunk.offset, bytes, line);
            NS_TEST_ASSERT_MSG_GT_OR_EQ(chunk.startNs, last, line);
            NS_TEST_ASSERT_MSG_GT(chunk.endNs, chunk.startNs, line);
            CheckGoodput(scenario, spec, chunk, line);
            last = chunk.endNs;
            bytes += chunk.bytes;
        }
        const auto size = static_cast<uint64_t>(spec.fileSize);
        NS_TEST_ASSERT_MSG_LT_OR_EQ(bytes, size, line);
        if (!done)
        {
            return;
        }
        NS_TEST_ASSERT_MSG_EQ(bytes, size, line);
        const auto segment = static_cast<uint64_t>(GetSegmentBytes(scenario));
        NS_TEST_ASSERT_MSG_GT_OR_EQ(session.tcp->totals.segments * segment, size, line);
    }

    /// No faster than the bottleneck, nor than N windows per round trip.
    void CheckGoodput(const Scenario& scenario,
                      const SessionSpec& spec,
                      const ChunkRecord& chunk,
                      const std::string& line)
    {
        NS_TEST_ASSERT_MSG_LT_OR_EQ(chunk.goodputBps,
                                    static_cast<double>(scenario.path.bandwidth),
                                    line);
        const double windows =
            static_cast<double>(chunk.parallelism) * static_cast<double>(spec.buffers.window);
        const double rttS = 2 * static_cast<double>(spec.delay) / 1e9;
        NS_TEST_ASSERT_MSG_LT_OR_EQ(chunk.goodputBps * rttS, 8 * windows, line);
    }

    Draw m_draw;       //!< draws the scenarios
    int m_scenarios;   //!< how many are drawn
    int m_refused{0};  //!< lines that are no scenario
    int m_done{0};     //!< transfers that were done
    int m_lossy{0};    //!< with drops
    int m_timeouts{0}; //!< with timeouts
};

/// The ends of every range.
class SegmentExtremeTest : public TestCase
{
  public:
    SegmentExtremeTest()
        : SegmentExtremeTest("the ends of the ranges")
    {
    }

  protected:
    /// @param what of the ranges is tried
    explicit SegmentExtremeTest(const std::string& what)
        : TestCase("segment engine: " + what + ", done and exact, or failed with a reason")
    {
    }

    void DoRun() override
    {
        const std::string one = R"("mode": "fixed", "chunk-size": "1MB", )";
        for (const char* rest :
             {R"("file-size": "1B")",
              R"("file-size": "1B", "parallelism": "300", "layout": "static")",
              R"("file-size": "1MB", "block-size": "1B")",
              R"("file-size": "100KB", "window": "1460B")",
              R"("file-size": "100KB", "window": "1460B", "delayed-ack": "2")",
              R"("file-size": "1MB", "window": "1MiB", "queue": "1p")",
              R"("file-size": "1MB", "window": "1MiB", "queue": "1p", "tcp": "newreno")",
              R"("file-size": "20KB", "packet-size": "41", "window": "1000B", "queue": "300p")",
              R"("file-size": "5MB", "packet-size": "65535", "window": "1MiB")",
              R"("file-size": "1MB", "delay": "0ms", "access-delay": "0ms")",
              R"("file-size": "1MB", "delay": "1us", "access-delay": "1us")",
              R"("file-size": "100KB", "delay": "10s")",
              R"("file-size": "1MB", "bandwidth": "1Tbps", "window": "1MiB")",
              R"("file-size": "1MB", "min-rto": "60s", "queue": "2p", "parallelism": "9")",
              R"("file-size": "1MB", "random-loss": "0.01", "delayed-ack": "3")"})
        {
            Run("{" + one + rest + "}", true);
        }
        for (const char* rest :
             {R"("file-size": "1MB", "parallelism": "1000")",
              R"("file-size": "100B", "packet-size": "41", "window": "1B")",
              R"("file-size": "100KB", "delay": "10s", "access-delay": "10s")",
              R"("file-size": "10KB", "bandwidth": "1kbps")",
              R"("file-size": "10KB", "random-loss": "0.9")",
              R"("file-size": "10KB", "random-loss": "0.9", "direction": "download")",
              R"("file-size": "10KB", "random-loss": "0.6", "run": "2")",
              R"("file-size": "1MB", "parallelism": "200", "queue": "1p")"})
        {
            Run("{" + one + rest + "}", false);
        }
    }

    /// @param line of a batch @param done whether the transfer has to be
    void Run(const std::string& line, bool done)
    {
        constexpr uint64_t MOST_EVENTS = 20'000'000;
        constexpr int64_t DAY_NS = 86'400'000'000'000;
        const auto scenario = ParseScenarioJson(line);
        NS_TEST_ASSERT_MSG_EQ(Reason(scenario), "no error", line);
        SegmentSimulator simulator(*scenario);
        bool ended = false;
        for (int64_t day = 1; !ended && simulator.GetEventCount() < MOST_EVENTS && day < 1000;
             ++day)
        {
            ended = simulator.Advance(day * DAY_NS);
        }
        NS_TEST_ASSERT_MSG_EQ(ended, true, "does not end: " << line);
        const auto result = simulator.GetResult();
        NS_TEST_EXPECT_MSG_EQ(result.done, result.reason.empty(), line);
        NS_TEST_EXPECT_MSG_EQ(result.cost.wallS, 0, "whoever has a clock says it");
        if (done || result.done)
        {
            NS_TEST_ASSERT_MSG_EQ(result.reason, "", line);
            NS_TEST_EXPECT_MSG_EQ(result.sessions[0].bytes,
                                  static_cast<uint64_t>(scenario->sessions[0].fileSize),
                                  line);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(result.reason, "session 0: "), true, result.reason);
            NS_TEST_EXPECT_MSG_EQ(Contains(result.reason, "years"), false, line);
            NS_TEST_EXPECT_MSG_EQ(Contains(result.reason, "not ended"), false, line);
        }
    }
};

/// As many connections as there may be, which takes as long as all other ends of ranges.
class SegmentConnectionsTest : public SegmentExtremeTest
{
  public:
    SegmentConnectionsTest()
        : SegmentExtremeTest("10,000 connections")
    {
    }

  private:
    void DoRun() override
    {
        Run(R"({"mode": "fixed", "chunk-size": "1MB", "file-size": "1MB", "parallelism": "10000"})",
            false);
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SegmentPropertyTest(11, static_cast<int>(CountDraws(1000))),
            new SegmentExtremeTest};
});

const OwnTestCases g_longCases(
    []() -> std::vector<TestCase*> { return {new SegmentConnectionsTest}; },
    OwnTestCases::Suite::LONG);

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> { return {new SegmentPropertyTest(12, 3000)}; },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
