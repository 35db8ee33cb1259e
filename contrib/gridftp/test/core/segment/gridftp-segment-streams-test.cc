/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-segment-streams.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t DELAY_NS = 10'000'000;
constexpr uint16_t PORT = 5000;
constexpr int64_t START_NS = 1'000'000'000'000;

/// Two hosts with a link in each direction.
class Hosts
{
  public:
    /// @param loss random loss of each link
    explicit Hosts(double loss)
        : m_network(MakeLine(loss), m_events, m_flows)
    {
        m_scenario.path.packetSize = 1500;
        m_tcp.initialWindow = 2;
        m_tcp.delayedAck = 1;
        m_tcp.minRto = 200'000'000;
        m_flows.SetNetwork(m_network);
        const SegmentNetwork::RouteUse use{.usualBytes = 40, .fromAhead = false, .toAhead = false};
        const FlowPath path{{m_network.AddRoute(0, 1, use), m_network.AddRoute(1, 0, use)},
                            {&m_clocks[0], &m_clocks[1]}};
        m_network.SeedLosses(1, 1);
        m_network.FindMerges();
        m_streams = std::make_unique<SegmentStreamHosts>(m_flows, path, m_scenario, m_tcp);
    }

    /// @param index 0 or 1 @return the host
    ApplicationHost& GetHost(uint32_t index)
    {
        return m_streams->GetHost(index);
    }

    /// Does all that happens. @param untilNs until then
    void Run(int64_t untilNs)
    {
        while (std::min(m_network.GetNextTime(), m_events.GetNextTime()) <= untilNs)
        {
            m_network.GetNextTime() < m_events.GetNextTime() ? m_network.Step() : m_events.Step();
        }
    }

  private:
    /// @param loss random loss of each link @return the network
    static Topology MakeLine(double loss)
    {
        LinkSpec link{.name = "there",
                      .from = 0,
                      .to = 1,
                      .rateBps = 1'000'000'000'000'000,
                      .delayNs = DELAY_NS,
                      .randomLoss = loss};
        Topology line{.nodes = {"client", "server"}, .links = {link}, .pairs = {{0, 1}}};
        std::swap(link.from, link.to);
        line.links.push_back(link);
        return line;
    }

    Scenario m_scenario;                                         //!< of the hosts
    TcpSpec m_tcp;                                               //!< of both hosts
    EventQueue m_events;                                         //!< timers
    FlowTable m_flows{0};                                        //!< all connections
    SegmentNetwork m_network;                                    //!< the two links
    HostClock m_clocks[2]{{m_events, false}, {m_events, false}}; //!< of the hosts
    std::unique_ptr<SegmentStreamHosts> m_streams;               //!< what is tested
};

/// An application that writes down what it hears, at either end.
class Listening : public StreamUser, public ListenUser
{
  public:
    void HandleConnected(Nanoseconds now) override
    {
        heard += "connected ";
        connectedNs = now;
    }

    void HandleBytes(Nanoseconds, std::span<const uint8_t> bytes) override
    {
        heard.append(bytes.begin(), bytes.end());
    }

    void HandleLost(Nanoseconds now, StreamLoss loss) override
    {
        heard += loss == StreamLoss::REFUSED ? "refused" : "failed";
        lostNs = now;
    }

    StreamUser* HandleAccepted(Nanoseconds, uint16_t, ByteStream& accepted) override
    {
        stream = &accepted;
        return accepts ? this : nullptr;
    }

    /// @param now current time @param text a message
    void Say(Nanoseconds now, const std::string& text)
    {
        stream->Say(now, std::vector<uint8_t>(text.begin(), text.end()));
    }

    bool accepts{true};          ///< whether it accepts connections
    ByteStream* stream{nullptr}; ///< its endpoint
    std::string heard;           ///< what it has heard
    Nanoseconds connectedNs{0};  ///< when it was connected
    Nanoseconds lostNs{0};       ///< when it lost the connection
};

/// @return TCP of a control connection
StreamTerms
Terms()
{
    return {.tcp = "newreno", .buffers = {.window = 65536}, .hasContent = true, .holdsSmall = true};
}

/// Connections that are refused, and those that are not.
class SegmentStreamsOpeningTest : public TestCase
{
  public:
    SegmentStreamsOpeningTest()
        : TestCase("segment streams: no listener refuses, no user resets")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t LONG_NS = 100'000'000'000;
        Listening client;
        Listening server;
        {
            Hosts hosts(0);
            client.stream = &hosts.GetHost(0).Connect(0, PORT, Terms(), client);
            hosts.Run(LONG_NS);
            NS_TEST_EXPECT_MSG_EQ(client.heard, "refused", "nobody listens");
            NS_TEST_EXPECT_MSG_EQ(client.lostNs, 2 * DELAY_NS, "a RST answers the SYN");
        }
        for (const bool accepts : {false, true})
        {
            client = {};
            server = {};
            server.accepts = accepts;
            Hosts hosts(0);
            // The host at end 1 may connect, too
            hosts.GetHost(0).Listen(0, PORT, Terms(), server);
            client.stream = &hosts.GetHost(1).Connect(0, PORT, Terms(), client);
            hosts.Run(LONG_NS);
            NS_TEST_EXPECT_MSG_EQ(client.heard,
                                  (accepts ? "connected " : "connected failed"),
                                  "after the handshake");
            NS_TEST_EXPECT_MSG_EQ(client.connectedNs, 2 * DELAY_NS, "a round trip");
        }
    }
};

/// What is written arrives, in order, until somebody ends it.
class SegmentStreamsContentTest : public TestCase
{
  public:
    SegmentStreamsContentTest()
        : TestCase("segment streams: content arrives once and in order; a closed end hears nothing")
    {
    }

  private:
    void DoRun() override
    {
        for (const double loss : {0.0, 0.1})
        {
            CheckOrder(loss);
        }
        CheckEnd();
    }

    /// Both write at random moments. @param loss of each link
    void CheckOrder(double loss)
    {
        constexpr int64_t LONG_NS = 10'000'000'000'000;
        Hosts hosts(loss);
        Listening client;
        Listening server;
        hosts.GetHost(1).Listen(0, PORT, Terms(), server);
        client.stream = &hosts.GetHost(0).Connect(0, PORT, Terms(), client);
        hosts.Run(START_NS);
        NS_TEST_ASSERT_MSG_EQ((server.stream != nullptr), true, "accepted");
        Draw draw(7);
        Nanoseconds now = START_NS;
        std::string up;
        std::string down = "connected ";
        for (int i = 0; i < 50; ++i)
        {
            const std::string text = std::to_string(i) + std::string(draw.Below(3000), 'x');
            const bool isUp = draw.Below(2) == 0;
            (isUp ? client : server).Say(now, text);
            (isUp ? up : down) += text;
            now += static_cast<Nanoseconds>(draw.Below(2)) * 1000 * DELAY_NS;
            hosts.Run(now);
        }
        hosts.Run(now + LONG_NS);
        NS_TEST_EXPECT_MSG_EQ(server.heard, up, "what the client wrote");
        NS_TEST_EXPECT_MSG_EQ(client.heard, down, "what the server wrote");
    }

    /// The server resets with messages under way.
    void CheckEnd()
    {
        Hosts hosts(0);
        Listening client;
        Listening server;
        hosts.GetHost(1).Listen(0, PORT, Terms(), server);
        client.stream = &hosts.GetHost(0).Connect(0, PORT, Terms(), client);
        hosts.Run(4 * DELAY_NS);
        client.Say(4 * DELAY_NS, "late");
        server.Say(4 * DELAY_NS, "first");
        server.Say(4 * DELAY_NS, "second"); // a nanosecond later, which does not come
        server.stream->DropMessages();
        hosts.Run(4 * DELAY_NS + DELAY_NS / 2);
        server.stream->Reset(4 * DELAY_NS + DELAY_NS / 2);
        hosts.Run(100 * DELAY_NS);
        NS_TEST_EXPECT_MSG_EQ(server.heard, "", "it is gone before the message comes");
        NS_TEST_EXPECT_MSG_EQ(client.heard, "connected firstfailed", "what was sent, then the RST");
        NS_TEST_EXPECT_MSG_EQ(client.lostNs,
                              5 * DELAY_NS + DELAY_NS / 2,
                              "as long as a packet takes");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SegmentStreamsOpeningTest, new SegmentStreamsContentTest};
});

} // namespace
