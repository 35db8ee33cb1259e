/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-core-test.h"
#include "gridftp-segment-control-channel.h"
#include "gridftp-test-cases.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr auto CLIENT = SegmentControlChannel::CLIENT;
constexpr auto SERVER = SegmentControlChannel::SERVER;

/// What the two ends of a control connection do on a path that loses packets.
struct ControlPath
{
    int64_t delayNs; //!< one way
    uint64_t lossOf; //!< one packet in so many is lost; 0: none
    uint64_t moreOf; //!< after one line in so many the server writes one more; 0: never
    uint32_t mss;    //!< bytes
    uint32_t acks;   //!< segments per ACK
};

/// @param path between two hosts @return the hosts, and a link in each direction
Topology
MakeLine(const ControlPath& path)
{
    const double loss = path.lossOf == 0 ? 0 : 1 / static_cast<double>(path.lossOf);
    LinkSpec link{.name = "there",
                  .from = 0,
                  .to = 1,
                  .rateBps = 1'000'000'000'000'000,
                  .delayNs = path.delayNs,
                  .randomLoss = std::min(loss, std::nextafter(1.0, 0.0))};
    Topology line{.nodes = {"client", "server"}, .links = {link}, .pairs = {{0, 1}}};
    std::swap(link.from, link.to);
    line.links.push_back(link);
    return line;
}

/// A control connection between two talkers: each writes a line when it has read one, and now and
/// then the server one more.
class Talk : public SegmentControlChannel::User
{
  public:
    /// @param path between them @param draw random draws
    Talk(const ControlPath& path, Draw& draw)
        : m_path(path),
          m_draw(&draw),
          m_tcp{.control = FindCongestionControl("newreno"),
                .segmentBytes = path.mss,
                .initialSegments = 2,
                .delayedAck = path.acks,
                .minRtoNs = 200'000'000,
                .firstWindow = 65535,
                .window = 65536,
                .buffer = {131072, 32768}},
          m_flows(0),
          m_network(MakeLine(path), m_events, m_flows),
          m_client(m_events, false),
          m_server(m_events, false),
          m_control(m_flows, m_tcp, MakePath(), *this)
    {
        m_network.SeedLosses(draw.Below(1'000'000), 1);
        m_network.FindMerges();
    }

    /// @param lines of the client, then silence @param untilNs most @return whether all was read
    bool Run(uint32_t lines, int64_t untilNs)
    {
        m_lines = lines;
        m_control.Connect(0);
        while (m_failure.empty())
        {
            const int64_t arrival = m_network.GetNextTime();
            const int64_t event = m_events.GetNextTime();
            if (std::min(arrival, event) > untilNs)
            {
                break;
            }
            if (arrival < event)
            {
                m_network.Step();
            }
            else
            {
                m_events.Step();
            }
        }
        return m_written == m_read;
    }

    /// @return why it failed, empty where it has not
    const std::string& GetFailure() const
    {
        return m_failure;
    }

    /// @return lines read, by writer
    const std::array<std::vector<uint32_t>, TcpConnection::ENDS>& GetRead() const
    {
        return m_read;
    }

    /// @return when the last line was read, ns
    int64_t GetLastNs() const
    {
        return m_lastNs;
    }

  private:
    /// @return the path between the two, both ways
    FlowPath MakePath()
    {
        m_flows.SetNetwork(m_network);
        const SegmentNetwork::RouteUse use{.usualBytes = 40, .fromAhead = false, .toAhead = false};
        return {{m_network.AddRoute(0, 1, use), m_network.AddRoute(1, 0, use)},
                {&m_client, &m_server}};
    }

    void HandleControlAccepted(int64_t now) override
    {
        Say(SERVER, now);
    }

    void HandleLine(TcpConnection::End to, int64_t now, uint32_t message) override
    {
        m_lastNs = now;
        m_read[to == CLIENT ? SERVER : CLIENT].push_back(message);
        if (to == SERVER)
        {
            Say(to, now);
            if (m_path.moreOf > 0 && m_draw->Below(m_path.moreOf) == 0)
            {
                Say(to, now);
            }
        }
        else if (m_lines > 0)
        {
            --m_lines;
            Say(to, now);
        }
    }

    void HandleControlFailed(int64_t /* now */, const char* reason) override
    {
        m_failure = reason;
    }

    /// @param from which end @param now of the simulation, ns
    void Say(TcpConnection::End from, int64_t now)
    {
        const auto message = static_cast<uint32_t>(m_written[from].size());
        m_written[from].push_back(message);
        m_control.Write(from, now, static_cast<uint32_t>(1 + m_draw->Below(200)), message);
    }

    ControlPath m_path;                                               //!< between them
    Draw* m_draw;                                                     //!< random draws
    SegmentTcp m_tcp;                                                 //!< of the connection
    EventQueue m_events;                                              //!< timers
    FlowTable m_flows;                                                //!< the connection
    SegmentNetwork m_network;                                         //!< the two links
    HostClock m_client;                                               //!< of the one
    HostClock m_server;                                               //!< of the other
    SegmentControlChannel m_control;                                  //!< what they talk over
    uint32_t m_lines{0};                                              //!< of the client, to come
    std::array<std::vector<uint32_t>, TcpConnection::ENDS> m_written; //!< lines, by writer
    std::array<std::vector<uint32_t>, TcpConnection::ENDS> m_read;    //!< lines, by writer
    std::string m_failure;                                            //!< why it failed
    int64_t m_lastNs{0};                                              //!< last line read
};

/// Lines arrive, each once and in order, whatever is lost.
class ControlTest : public TestCase
{
  public:
    ControlTest()
        : TestCase("segment engine: a control connection's lines arrive once and in order")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t DAY_NS = 86'400'000'000'000;
        Draw draw(31);
        const uint32_t rounds = CountDraws(2000);
        for (uint32_t round = 0; round < rounds; ++round)
        {
            const ControlPath path{
                .delayNs = 1000 * draw.Between(1, 100'000),
                .lossOf = draw.Below(12),
                .moreOf = draw.Below(4),
                .mss = static_cast<uint32_t>(draw.Below(2) == 0 ? 1460 : 1 + draw.Below(60)),
                .acks = static_cast<uint32_t>(1 + draw.Below(3))};
            if (path.lossOf == 1)
            {
                continue; // nothing arrives
            }
            Talk talk(path, draw);
            const bool whole = talk.Run(30, 100 * DAY_NS);
            // Where much is lost, sixteen times in a row a segment or its ACK is
            const bool mayFail = path.lossOf > 0 && path.lossOf < 6 && !talk.GetFailure().empty();
            NS_TEST_ASSERT_MSG_EQ((whole || mayFail),
                                  true,
                                  "round " << round << ": " << talk.GetFailure());
        }
    }
};

/// When lines arrive where nothing is lost.
class ControlTimeTest : public TestCase
{
  public:
    ControlTimeTest()
        : TestCase("segment engine: a control connection's lines take a round trip each")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t DELAY_NS = 10'000'000;
        Draw draw(1);
        Talk talk({.delayNs = DELAY_NS, .lossOf = 0, .moreOf = 0, .mss = 1460, .acks = 1}, draw);
        NS_TEST_ASSERT_MSG_EQ(talk.Run(5, 3'600'000'000'000), true, "all read");
        // SYN, SYN-ACK, ACK, greeting; then a command and its reply, five times
        NS_TEST_EXPECT_MSG_EQ(talk.GetLastNs(), (4 + 2 * 5) * DELAY_NS, "one way trips");
        NS_TEST_EXPECT_MSG_EQ(talk.GetRead()[CLIENT].size(), 5, "commands");
    }
};

/// No packet arrives at all.
class ControlRefusedTest : public TestCase
{
  public:
    ControlRefusedTest()
        : TestCase("segment engine: a control connection that nobody answers")
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(1);
        Talk talk({.delayNs = 1000, .lossOf = 1, .moreOf = 0, .mss = 1460, .acks = 1}, draw);
        talk.Run(1, NEVER - 1); // 15 SYNs take 3 s times 2^15
        NS_TEST_EXPECT_MSG_EQ(talk.GetFailure(), "the control connection was refused", "why");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ControlTest, new ControlTimeTest, new ControlRefusedTest};
});

} // namespace ns3::gridftp
