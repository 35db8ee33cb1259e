/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_LINE_H
#define GRIDFTP_LINUX_LINE_H

#include "gridftp-segment-flows.h"
#include "gridftp-segment-network.h"
#include "gridftp-segment-tcp-connection.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A connection between two Linux hosts for tests, and what its applications hear.
 */

namespace ns3::gridftp
{

/// When the links of a line lose everything, and nobody accepts.
struct Trouble
{
    Outages there{};    //!< from the endpoint that connects
    Outages back{};     //!< to it
    Outages refusals{}; //!< nobody accepts
};

/// A connection of Linux hosts, 10 ms apart, and what its applications hear.
class Line : public TcpConnection::User, private EventTarget
{
  public:
    /// Changes what a connection is before it is made.
    using Change = std::function<void(SegmentTcp&, TcpConnection::Use&)>;

    /// @param trouble on the line @param change of a bidirectional connection with the kernel's
    /// defaults; null: none
    explicit Line(const Trouble& trouble, const Change& change = nullptr)
        : m_refusals(trouble.refusals),
          m_flows(0),
          m_network(MakeTopology(trouble), m_events, m_flows),
          m_client(m_events, false),
          m_server(m_events, false)
    {
        m_tcp.kernel.emplace();
        m_tcp.kernel->congestion = &GetLinuxCongestionKinds().front();
        m_flows.SetNetwork(m_network);
        const SegmentNetwork::RouteUse use{.usualBytes = 1500,
                                           .fromAhead = false,
                                           .toAhead = false};
        m_use.tcp = &m_tcp;
        m_use.path = {{m_network.AddRoute(0, 1, use), m_network.AddRoute(1, 0, use)},
                      {&m_client, &m_server}};
        m_use.ways = TcpConnection::Ways::TWO;
        m_use.user = this;
        m_use.refusals = &m_refusals;
        change ? change(m_tcp, m_use) : void();
        m_network.FindMerges();
        m_connection = &TcpConnection::Make(m_flows, m_use);
    }

    /// @return the connection
    TcpConnection& Get()
    {
        return *m_connection;
    }

    /// Becomes a new connection.
    void Renew()
    {
        m_connection->Renew(m_use);
    }

    /// @param at when, ns @param what is done then
    void At(int64_t at, std::function<void(TcpConnection&, Nanoseconds)> what)
    {
        m_calls.push_back(std::move(what));
        m_events.Schedule(at, *this, static_cast<uint32_t>(m_calls.size() - 1));
    }

    /// @param untilNs end of the simulation @return when a packet arrived last, ns
    int64_t Run(int64_t untilNs = int64_t{4000} * 1'000'000'000)
    {
        int64_t last = 0;
        while (true)
        {
            const int64_t arrival = m_network.GetNextTime();
            const int64_t event = m_events.GetNextTime();
            if (std::min(arrival, event) > untilNs)
            {
                return last;
            }
            if (arrival < event)
            {
                last = arrival;
                m_network.Step();
            }
            else
            {
                m_events.Step();
            }
        }
    }

    /// @param what they will hear @param at gets when they hear it first, ns
    void Hears(std::string what, int64_t& at)
    {
        m_awaited = std::move(what);
        m_awaitedAt = &at;
    }

    /// @return what the applications heard, in order; capitals: of the endpoint that accepts
    const std::string& GetHeard() const
    {
        return m_heard;
    }

    /// @return when they heard the last of it, ns
    int64_t GetHeardAt() const
    {
        return m_heardAt;
    }

  private:
    /// @param trouble on the links @return two hosts, and a link in each direction
    static Topology MakeTopology(const Trouble& trouble)
    {
        LinkSpec link{.name = "there",
                      .from = 0,
                      .to = 1,
                      .rateBps = 1'000'000'000,
                      .delayNs = 10 * 1'000'000,
                      .outages = trouble.there};
        Topology line{.nodes = {"client", "server"}, .links = {link}, .pairs = {{0, 1}}};
        std::swap(link.from, link.to);
        link.outages = trouble.back;
        line.links.push_back(link);
        return line;
    }

    void HandleEvent(Nanoseconds now, uint32_t id) override
    {
        m_calls[id](*m_connection, now);
    }

    /// @param what is heard @param now when
    void Hear(const std::string& what, Nanoseconds now)
    {
        m_heard += (m_heard.empty() ? "" : " ") + what;
        m_heardAt = now;
        if (m_awaitedAt && what == m_awaited)
        {
            *m_awaitedAt = now;
            m_awaitedAt = nullptr;
        }
    }

    void HandleConnected(TcpConnection& /* connection */, Nanoseconds now) override
    {
        Hear("connected", now);
    }

    void HandleAccepted(TcpConnection& /* connection */, Nanoseconds now) override
    {
        Hear("ACCEPTED", now);
    }

    void HandleDelivered(TcpConnection& connection, TcpConnection::End to, Nanoseconds now) override
    {
        Hear((to == TcpConnection::PASSIVE ? "DATA" : "data") +
                 std::to_string(connection.GetReceived(to)),
             now);
    }

    void HandleRead(TcpConnection& connection, Nanoseconds now) override
    {
        Hear("READ" + std::to_string(connection.GetDelivered(now)), now);
    }

    void HandleDrained(TcpConnection& /* connection */, Nanoseconds now) override
    {
        Hear("drained", now);
    }

    void HandleFailed(TcpConnection& /* connection */,
                      Nanoseconds now,
                      TcpConnection::Failure failure) override
    {
        Hear(failure == TcpConnection::Failure::REFUSED ? "refused" : "gave-up", now);
    }

    void HandleReset(TcpConnection& /* connection */,
                     TcpConnection::End to,
                     Nanoseconds now) override
    {
        Hear(to == TcpConnection::PASSIVE ? "RESET" : "reset", now);
    }

    Outages m_refusals;                                                    //!< see Trouble
    SegmentTcp m_tcp;                                                      //!< of the connection
    EventQueue m_events;                                                   //!< timers, and m_calls
    FlowTable m_flows;                                                     //!< the connection
    SegmentNetwork m_network;                                              //!< the two links
    HostClock m_client;                                                    //!< of the one
    HostClock m_server;                                                    //!< of the other
    TcpConnection::Use m_use;                                              //!< of the connection
    TcpConnection* m_connection{nullptr};                                  //!< it
    std::vector<std::function<void(TcpConnection&, Nanoseconds)>> m_calls; //!< At()
    std::string m_heard;                                                   //!< GetHeard()
    std::string m_awaited;                                                 //!< Hears()
    int64_t* m_awaitedAt{nullptr};                                         //!< likewise
    int64_t m_heardAt{0};                                                  //!< GetHeardAt()
};

/// @param bytes that an application writes @param from which @return a call for Line::At()
inline std::function<void(TcpConnection&, Nanoseconds)>
Write(TcpConnection::End from, uint64_t bytes)
{
    return [from, bytes](TcpConnection& connection, Nanoseconds now) {
        connection.Write(from, now, bytes);
    };
}

/// @param connection any @param now current time
inline void
Connect(TcpConnection& connection, Nanoseconds now)
{
    connection.Connect(now);
}

/// @param connection any @param now current time
inline void
Close(TcpConnection& connection, Nanoseconds now)
{
    connection.Close(now);
}

/// @param connection any @param now current time
inline void
ClosePassive(TcpConnection& connection, Nanoseconds now)
{
    connection.ClosePassive(now);
}

/// @param end whose application resets @return a call for Line::At()
inline std::function<void(TcpConnection&, Nanoseconds)>
Reset(TcpConnection::End end)
{
    return [end](TcpConnection& connection, Nanoseconds now) { connection.Reset(end, now); };
}

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_LINE_H
