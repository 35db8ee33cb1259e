/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ENGINES_DRAWN_H
#define GRIDFTP_ENGINES_DRAWN_H

#include "gridftp-core-draw.h"
#include "gridftp-ns3-rules.h"
#include "gridftp-test-cases.h"

#include "ns3/config.h"
#include "ns3/gridftp-batch.h"
#include "ns3/gridftp-buffer-policy.h"
#include "ns3/gridftp-host-rows.h"
#include "ns3/gridftp-ns3-engine.h"
#include "ns3/gridftp-segment-engine.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * Cases that run both engines on drawn scenarios.
 */

namespace ns3::gridftp
{

/// Members of a JSON object, in a row.
class Members
{
  public:
    /// @param name of a member @param value its text
    void Add(const std::string& name, const std::string& value)
    {
        m_text += (m_text.empty() ? "" : ", ") + ("\"" + name + "\": \"" + value + "\"");
    }

    /// @param name of a member @param items of its list
    void AddList(const std::string& name, const std::string& items)
    {
        m_text += (m_text.empty() ? "" : ", ") + ("\"" + name + "\": [" + items + "]");
    }

    /// @return the object
    std::string GetObject() const
    {
        return "{" + m_text + "}";
    }

  private:
    std::string m_text; //!< of all
};

/**
 * Makes a transfer one whose connections have data both ways, or windows that move, or packets that
 * overtake others, or hosts that take time.
 * @param draw random numbers
 * @param made all but that, and the session's mode
 * @param policies of its buffers
 * @param rates that each connection is read at
 * @return the object
 */
inline std::string
DrawFurtherTransfer(Draw& draw,
                    Members made,
                    std::initializer_list<const char*> policies,
                    std::initializer_list<const char*> rates)
{
    switch (draw.Below(5))
    {
    case 0:
        made.Add("tool", "bbftp");
        made.Add("tool-streams", std::to_string(draw.Between(1, 4)));
        return made.GetObject();
    case 1:
        made.Add("control-security", "gsi");
        made.Add("data-security", "gsi");
        break;
    case 2:
        made.Add("buffers", draw.Of(policies));
        made.Add("read-rate", draw.Of(rates));
        break;
    case 3:
        // Old ACKs come to endpoints that have closed
        made.Add("delay-jitter", draw.Of({"5ms", "10ms"}));
        made.Add("reorder", draw.Of({"0", "0.1"}));
        break;
    default:
        // No multiples of each other: packets that are done in the same nanosecond have another
        // order in ns-3, whatever the options
        made.Add("sender-packet-cpu", draw.Of({"1103ns", "5309ns", "17903ns"}));
        made.Add("receiver-packet-cpu", draw.Of({"1709ns", "4903ns", "21101ns"}));
        made.Add("receiver-backlog", draw.Of({"0p", "20p"}));
        break;
    }
    made.Add("mode", "fixed");
    made.Add("parallelism", draw.Of({"1", "2", "4"}));
    made.Add("data-channels", "cached");
    return made.GetObject();
}

/// Both engines on scenarios that nobody chose.
class DrawnTest : public TestCase
{
  public:
    /// @param name of the test @param draw draws a scenario @param first seed @param end behind the
    /// last
    /// @param links of engine ns3
    DrawnTest(const std::string& name,
              std::string (*draw)(Draw&),
              uint32_t first,
              uint32_t end,
              LinkKind links = LinkKind::LEAN)
        : TestCase("engines: " + name + ", " + std::to_string(CountDraws(end - first)) + " drawn"),
          m_draw(draw),
          m_first(first),
          m_end(first + CountDraws(end - first)),
          m_links(links)
    {
    }

  protected:
    /// @param own the segment engine's @param reference ns-3's @return where they begin to differ
    static std::string FindDifference(const std::string& own, const std::string& reference)
    {
        constexpr ptrdiff_t AROUND = 60;
        const auto [here, there] = std::ranges::mismatch(own, reference);
        if (here == own.end() && there == reference.end())
        {
            return "";
        }
        const auto from = here - std::min<ptrdiff_t>(AROUND, here - own.begin());
        return std::string(from, here) + " then " + std::string(here, own.end()).substr(0, AROUND) +
               " but " + std::string(there, reference.end()).substr(0, AROUND);
    }

  private:
    /// @param scenario what was run @param own the segment engine's @param reference ns-3's
    /// @param line the scenario
    virtual void Compare(const Scenario& scenario,
                         const TransferResult& own,
                         const TransferResult& reference,
                         const std::string& line) = 0;

    void DoRun() override
    {
        for (uint32_t i = m_first; i < m_end; ++i)
        {
            Draw draw(i);
            std::string line = m_draw(draw);
            auto scenario = ParseScenarioJson(line);
            if (!scenario || !CheckNs3Scenario(*scenario))
            {
                NS_TEST_ASSERT_MSG_EQ(true, false, "no scenario: " << line);
                return;
            }
            scenario->measure.links = m_links;
            // Of every other one all that is measured has to be the same, too; without that the
            // segment engine takes its fast paths
            scenario->measure.detail = i % 2 == 0 ? Detail::OFF : Detail::ON;
            // One that says what its links add is to be as it is. Among thousands with other links
            // there are those few that doc/gridftp.rst tells of, so that only the first have them
            constexpr uint32_t WITH_OTHER_LINKS = 30;
            if (i < WITH_OTHER_LINKS && line.find("\"link-header\"") == std::string::npos)
            {
                DrawLinkHeader(draw, *scenario);
                DrawLimit(draw, *scenario);
            }
            line += TellDrawn(scenario->path) + (i % 2 == 0 ? "" : " --detail=on");
            const auto own = RunOnSegments(WithNs3Rules(*scenario));
            const auto reference = RunOnNs3(*scenario, {});
            Config::Reset();
            if (!own || !reference)
            {
                NS_TEST_ASSERT_MSG_EQ(true, false, "no result: " << line);
                return;
            }
            Compare(*scenario, *own, *reference, line);
        }
    }

    /// What links add to packets.
    /// @param draw behind all else @param scenario whose links they are
    void DrawLinkHeader(Draw& draw, Scenario& scenario) const
    {
        // With others than the usual 2 bytes means of buffers differ with SBUFs, and a FIN that is
        // lost between two chunks shows by more than the 30 ns that doc/gridftp.rst tells of
        const auto isApart = [&scenario](const SessionSpec& session) {
            return NeedsApplications(session.buffers.policy) ||
                   (scenario.path.randomLoss > 0 && session.dataChannels == DataChannels::FRESH);
        };
        if (m_links == LinkKind::LEAN && !std::ranges::any_of(scenario.sessions, isApart) &&
            draw.Below(2) == 0)
        {
            // With much larger ones the FINs of many connections wait longer than an RTO
            scenario.path.linkHeader = draw.Of(std::array<int64_t, 4>{0, 18, 38, 100});
        }
    }

    /// A limit of a host, which no drawn scenario has.
    /// @param draw behind all else @param scenario whose first session's host it is
    void DrawLimit(Draw& draw, Scenario& scenario) const
    {
        // Where each chunk has connections of its own it may refuse the answer to a FIN, which the
        // segment engine does not send again, see doc/gridftp.rst
        const auto isKept = [](const SessionSpec& session) {
            return session.dataChannels == DataChannels::CACHED;
        };
        const bool isPossible = m_links == LinkKind::LEAN &&
                                std::ranges::all_of(scenario.sessions, isKept) &&
                                scenario.sessions.front().direction != Direction::THIRD_PARTY;
        if (!isPossible || draw.Below(5) != 0)
        {
            return;
        }
        // A few packets deep, at a rate not far from the bottleneck's
        const int64_t packet = scenario.path.packetSize;
        scenario.path.limit = {
            .rateBps = std::max<int64_t>(1000, scenario.path.bandwidth / draw.Between(1, 4)),
            .kind = draw.Below(2) == 0 ? LimitKind::POLICER : LimitKind::SHAPER,
            .burstBytes = packet * draw.Between(2, 30),
            .queuePackets = draw.Between(2, 60)};
        scenario.path.limit.rateBps =
            std::min(scenario.path.limit.rateBps, RateLimiter::MOST_RATE_BPS);
        scenario.path.limitAt = draw.Below(2) == 0 ? LimitEnd::CLIENT : LimitEnd::SERVER;
    }

    /// @param path of a scenario @return what its line does not say
    static std::string TellDrawn(const PathSpec& path)
    {
        const RateLimit& limit = path.limit;
        return " --link-header=" + std::to_string(path.linkHeader) +
               " --limit-rate=" + std::to_string(limit.rateBps) + "bps" +
               " --limit-kind=" + (limit.kind == LimitKind::SHAPER ? "shaper" : "policer") +
               " --limit-burst=" + std::to_string(limit.burstBytes) +
               " --limit-queue=" + std::to_string(limit.queuePackets) +
               " --limit-at=" + (path.limitAt == LimitEnd::SERVER ? "server" : "client");
    }

    std::string (*m_draw)(Draw&); //!< draws a scenario
    uint32_t m_first;             //!< first seed
    uint32_t m_end;               //!< behind the last seed
    LinkKind m_links;             //!< of engine ns3
};

/// All of the result is the same.
class EnginesTest : public DrawnTest
{
  public:
    /// @param what is drawn @param draw draws it @param first seed @param end behind the last
    /// @param packets of 40 bytes, more or less, of many connections that close
    /// @param links of engine ns3
    EnginesTest(const std::string& what,
                std::string (*draw)(Draw&),
                uint32_t first,
                uint32_t end,
                double packets = 1,
                LinkKind links = LinkKind::LEAN)
        : DrawnTest("the same results, " + what, draw, first, end, links),
          m_packets(packets)
    {
    }

  private:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        NS_TEST_EXPECT_MSG_EQ(FindDifference(Tell(scenario, own), Tell(scenario, reference)),
                              "",
                              line);
        for (size_t i = 0; i < own.sessions.size(); ++i)
        {
            const bool tells = scenario.sessions[i].pipelining == 1;
            CheckSegments(tells, own.sessions[i], reference.sessions[i], line);
        }
        CheckMeans(own.links.front(), reference.links.front(), line);
        CheckLimits(own, reference, line);
        CheckMemory(scenario, own.memory, reference.memory, line);
    }

    /// @param scenario what was run @param result what came of it @return what has to be equal
    static std::string Tell(const Scenario& scenario, TransferResult result)
    {
        result.cost = {};
        result.links.front().utilisation = 0;
        result.links.front().meanQueuePackets = 0;
        result.memory.reset();
        for (auto& limit : result.limits)
        {
            limit.drops = 0;
        }
        SampleRows samples;
        AddHostRows(scenario, result, samples);
        return ResultToJson(scenario, result, {}) + samples.GetText();
    }

    /// What hosts did in each second.
    class SampleRows : public TraceRows
    {
      public:
        /// @return all rows
        const std::string& GetText() const
        {
            return m_text;
        }

      private:
        bool IsWanted(Nanoseconds /* now */) override
        {
            return true;
        }

        void Write(Trace /* trace */, const std::string& row) override
        {
            m_text += row;
        }

        std::string m_text; //!< see GetText()
    };

    /// What tuners hear of losses, which no result tells. @param tells they hear anything
    /// @param own the segment engine's @param reference ns-3's @param line the scenario
    void CheckSegments(bool tells,
                       const SessionResult& own,
                       const SessionResult& reference,
                       const std::string& line)
    {
        if (!own.gridftp || own.gridftp->chunks.size() != reference.gridftp->chunks.size())
        {
            return; // told of above
        }
        SentSegments all;
        for (size_t i = 0; i < own.gridftp->chunks.size(); ++i)
        {
            const ChunkRecord& here = own.gridftp->chunks[i];
            const ChunkRecord& there = reference.gridftp->chunks[i];
            const auto chunk = [&] {
                return "segments of chunk " + std::to_string(i) + ": " + line;
            };
            NS_TEST_EXPECT_MSG_EQ(here.segments.sent, there.segments.sent, chunk());
            NS_TEST_EXPECT_MSG_EQ(here.segments.retransmitted,
                                  there.segments.retransmitted,
                                  chunk());
            NS_TEST_EXPECT_MSG_EQ((here.segments.sent > here.segments.retransmitted),
                                  tells,
                                  chunk());
            SentSegments pairs;
            for (size_t pair = 0; pair < here.pairs.size(); ++pair)
            {
                const SentSegments& segments = here.pairs[pair].segments;
                NS_TEST_EXPECT_MSG_EQ(segments.sent, there.pairs[pair].segments.sent, chunk());
                pairs.Add(segments);
            }
            NS_TEST_EXPECT_MSG_EQ((here.pairs.empty() || pairs.sent == here.segments.sent),
                                  true,
                                  chunk());
            all.Add(here.segments);
        }
        // Nothing is told twice, and all of it but for what a try that failed, or the end, has left
        const ConnectionTotals& totals = own.tcp->totals;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(all.sent, totals.segments + totals.retransmissions, line);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(all.retransmitted, totals.retransmissions, line);
    }

    /// Connections close with a packet of 40 bytes more or less, as doc/gridftp.rst says.
    /// @param own the segment engine's @param reference ns-3's @param line the scenario
    void CheckMeans(const LinkResult& own, const LinkResult& reference, const std::string& line)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(own.utilisation, reference.utilisation, 1e-4 * m_packets, line);
        NS_TEST_EXPECT_MSG_EQ_TOL(own.meanQueuePackets,
                                  reference.meanQueuePackets,
                                  1e-3 * m_packets,
                                  line);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(own.utilisation, 1, line);
    }

    /// A limit refuses the last packets of connections that close, or does not.
    /// @param own the segment engine's @param reference ns-3's @param line the scenario
    void CheckLimits(const TransferResult& own,
                     const TransferResult& reference,
                     const std::string& line)
    {
        double packets = m_packets;
        for (const auto& session : own.sessions)
        {
            if (session.gridftp && !session.gridftp->chunks.empty())
            {
                packets +=
                    std::ranges::max_element(session.gridftp->chunks, {}, &ChunkRecord::parallelism)
                        ->parallelism;
            }
        }
        NS_TEST_ASSERT_MSG_EQ(own.limits.size(), reference.limits.size(), line);
        for (size_t i = 0; i < own.limits.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(own.limits[i].drops),
                                      static_cast<double>(reference.limits[i].drops),
                                      packets,
                                      line);
        }
    }

    /// How long a server's process is there: QUIT comes behind what closes data connections.
    /// @param scenario what was run @param own the segment engine's @param reference ns-3's @param
    /// line the scenario
    void CheckMemory(const Scenario& scenario,
                     const std::optional<ServerMemory>& own,
                     const std::optional<ServerMemory>& reference,
                     const std::string& line)
    {
        const double packetBitNs = static_cast<double>(40 + scenario.path.linkHeader) * 8e9;
        NS_TEST_ASSERT_MSG_EQ(own.has_value(), reference.has_value(), line);
        if (own && own->beyondNs && reference->beyondNs)
        {
            const double packetNs = packetBitNs / static_cast<double>(scenario.path.bandwidth);
            NS_TEST_EXPECT_MSG_EQ(own->mostBytes, reference->mostBytes, line);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(*own->beyondNs),
                                      static_cast<double>(*reference->beyondNs),
                                      packetNs * m_packets,
                                      line);
        }
    }

    double m_packets; //!< that may differ where connections close
};

/// Everything in the result is equal, but for its cost.
class EqualTest : public DrawnTest
{
  public:
    /// @param what is random @param draw makes it @param first seed @param end behind the last
    /// @param links of engine ns3
    EqualTest(const std::string& what,
              std::string (*draw)(Draw&),
              uint32_t first,
              uint32_t end,
              LinkKind links = LinkKind::LEAN)
        : DrawnTest("equal in every digit, " + what, draw, first, end, links)
    {
    }

  protected:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        NS_TEST_EXPECT_MSG_EQ(FindDifference(Tell(scenario, own), Tell(scenario, reference)),
                              "",
                              line);
        const size_t links = HasTwoDirections(scenario) ? 2 : 1;
        NS_TEST_EXPECT_MSG_EQ(own.links.size(), links, "measured links: " << line);
    }

  private:
    /// Removes what the engines are known to have different. @param result of one of them
    virtual void RemoveKnown(TransferResult& /* result */) const
    {
    }

    /// @param scenario what was run @param result of it @return the result as text
    std::string Tell(const Scenario& scenario, TransferResult result) const
    {
        result.cost = {};
        RemoveKnown(result);
        return ResultToJson(scenario, result, {});
    }
};

/// What shares the queues takes the same time and carries the same bytes.
class SharedTest : public DrawnTest
{
  public:
    using DrawnTest::DrawnTest;

  protected:
    void Compare(const Scenario& /* scenario */,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        // Connections close with a packet of 40 bytes more or less, as doc/gridftp.rst says, which
        // comes between those of other sessions
        constexpr int64_t PARTS = 1000;
        for (size_t k = 0; k < own.sessions.size(); ++k)
        {
            const auto& here = own.sessions[k];
            const auto& there = reference.sessions[k];
            const int64_t tolerance = there.durationNs / PARTS;
            NS_TEST_EXPECT_MSG_EQ(here.bytes, there.bytes, line);
            NS_TEST_EXPECT_MSG_EQ_TOL(here.startNs.value(), there.startNs.value(), tolerance, line);
            NS_TEST_EXPECT_MSG_EQ_TOL(here.durationNs, there.durationNs, tolerance, line);
        }
        for (size_t k = 0; k < own.background.size(); ++k)
        {
            const auto& here = own.background[k];
            const auto& there = reference.background[k];
            NS_TEST_EXPECT_MSG_EQ(here.startNs, there.startNs, line);
            NS_TEST_EXPECT_MSG_EQ_TOL(here.endNs, there.endNs, there.endNs / PARTS, line);
            NS_TEST_EXPECT_MSG_EQ_TOL(here.bytes, there.bytes, there.bytes / PARTS, line);
        }
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_ENGINES_DRAWN_H
