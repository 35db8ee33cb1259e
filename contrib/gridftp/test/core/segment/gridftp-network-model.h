/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NETWORK_MODEL_H
#define GRIDFTP_NETWORK_MODEL_H

#include "gridftp-core-draw.h"
#include "gridftp-segment-network.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the tests of the segment engine's network share: packets sent at given times, through it and
 * through a plain heap of events.
 */

namespace ns3::gridftp
{

/// A packet that is sent.
struct Sending
{
    int64_t timeNs; ///< when
    uint32_t pair;  ///< of hosts
    bool isBack;    ///< from the server
    int64_t bytes;  ///< of the IP packet
};

/// What became of a packet: its number, when, and whether it arrived.
using Outcome = std::tuple<uint32_t, int64_t, bool>;

/// Packets and links as ns-3 has them: a heap of events, those of one time as they were made.
class EventNetwork
{
  public:
    /// @param topology whose links
    explicit EventNetwork(const Topology& topology)
        : m_topology(topology),
          m_links(topology.links.size())
    {
        for (const auto& link : topology.links)
        {
            m_limiters.emplace_back(link.limit);
        }
    }

    /// @param sendings in the order of their times @return what became of them, in order
    std::vector<Outcome> Run(const std::vector<Sending>& sendings)
    {
        for (const auto& sending : sendings)
        {
            const HostPair pair = m_topology.pairs[sending.pair];
            const auto number = static_cast<uint32_t>(m_packets.size());
            m_packets.push_back({sending.bytes + m_topology.headerBytes,
                                 FindRoute(m_topology,
                                           sending.isBack ? pair.server : pair.client,
                                           sending.isBack ? pair.client : pair.server)});
            Schedule(sending.timeNs, EventKind::COMES, number, 0);
        }
        while (!m_events.empty())
        {
            const Event event = m_events.top();
            m_events.pop();
            m_nowNs = event.timeNs;
            Handle(event);
        }
        return m_fates;
    }

  private:
    enum class EventKind
    {
        COMES,  ///< a packet, to its hop
        PASSES, ///< a packet, the limit in front of its hop
        FREE    ///< a link, which has transmitted
    };

    struct Packet
    {
        int64_t bytes;               ///< with the link header
        std::vector<uint32_t> route; ///< links
    };

    struct Link
    {
        bool isBusy{false};                                  ///< transmits
        int64_t arrivalNs{0};                                ///< of the last packet
        std::deque<std::pair<uint32_t, uint32_t>> waiting{}; ///< packets, and their hops
    };

    struct Event
    {
        int64_t timeNs;   ///< when
        uint64_t order;   ///< of those of one time
        EventKind kind;   ///< what happens
        uint32_t subject; ///< link or packet
        uint32_t hop;     ///< links that the packet has crossed

        bool operator<(const Event& other) const
        {
            return std::tie(timeNs, order) > std::tie(other.timeNs, other.order);
        }
    };

    void Schedule(int64_t at, EventKind kind, uint32_t subject, uint32_t hop)
    {
        m_events.push({at, m_order++, kind, subject, hop});
    }

    void Handle(const Event& event)
    {
        switch (event.kind)
        {
        case EventKind::COMES:
            return HandlePacket(event.subject, event.hop);
        case EventKind::PASSES:
            return HandlePassed(event.subject, event.hop);
        case EventKind::FREE:
            return HandleFree(event.subject);
        }
    }

    void HandlePacket(uint32_t packet, uint32_t hop)
    {
        const auto& route = m_packets[packet].route;
        if (hop == route.size())
        {
            m_fates.emplace_back(packet, m_nowNs, true);
            return;
        }
        if (!m_topology.links[route[hop]].limit.IsSet())
        {
            return HandlePassed(packet, hop);
        }
        const int64_t passNs =
            m_limiters[route[hop]].Pass(m_nowNs, m_packets[packet].bytes - m_topology.headerBytes);
        if (passNs == RateLimiter::REFUSED)
        {
            m_fates.emplace_back(packet, m_nowNs, false);
        }
        else if (passNs == m_nowNs)
        {
            HandlePassed(packet, hop);
        }
        else
        {
            Schedule(passNs, EventKind::PASSES, packet, hop);
        }
    }

    void HandlePassed(uint32_t packet, uint32_t hop)
    {
        const auto& route = m_packets[packet].route;
        Link& link = m_links[route[hop]];
        const int64_t limit = m_topology.links[route[hop]].queuePackets;
        if (!link.isBusy)
        {
            Transmit(packet, hop);
        }
        else if (limit == LinkSpec::UNLIMITED || link.waiting.size() < static_cast<uint64_t>(limit))
        {
            link.waiting.emplace_back(packet, hop);
        }
        else
        {
            m_fates.emplace_back(packet, m_nowNs, false);
        }
    }

    void HandleFree(uint32_t index)
    {
        Link& link = m_links[index];
        link.isBusy = false;
        if (!link.waiting.empty())
        {
            const auto [packet, hop] = link.waiting.front();
            link.waiting.pop_front();
            Transmit(packet, hop);
        }
    }

    void Transmit(uint32_t packet, uint32_t hop)
    {
        const uint32_t link = m_packets[packet].route[hop];
        const LinkSpec& spec = m_topology.links[link];
        m_links[link].isBusy = true;
        if (!spec.schedule.IsEmpty())
        {
            return TransmitBySchedule(packet, hop, spec.schedule);
        }
        const int64_t takesNs = TransmissionTime(spec.rateBps, 0).Of(m_packets[packet].bytes);
        Schedule(m_nowNs + takesNs, EventKind::FREE, link, 0);
        Schedule(m_nowNs + takesNs + spec.delayNs, EventKind::COMES, packet, hop + 1);
    }

    /// Rates of whole bits a ns here, so that it can be counted ns by ns.
    void TransmitBySchedule(uint32_t packet, uint32_t hop, const LinkSchedule& schedule)
    {
        constexpr int64_t BIT_A_NS = 1'000'000'000;
        const uint32_t index = m_packets[packet].route[hop];
        int64_t bits = 8 * m_packets[packet].bytes;
        int64_t endNs = m_nowNs;
        for (; bits > 0; ++endNs)
        {
            bits -= RowAt(schedule, endNs).rateBps / BIT_A_NS;
        }
        int64_t& arrival = m_links[index].arrivalNs;
        arrival = std::max(arrival, endNs + RowAt(schedule, endNs).delayNs);
        Schedule(endNs, EventKind::FREE, index, 0);
        Schedule(arrival, EventKind::COMES, packet, hop + 1);
    }

    static const LinkRow& RowAt(const LinkSchedule& schedule, int64_t atNs)
    {
        const auto& rows = schedule.GetRows();
        size_t row = rows.size() - 1;
        while (rows[row].startNs > atNs % schedule.GetPeriodNs())
        {
            --row;
        }
        return rows[row];
    }

    const Topology& m_topology;          ///< the network
    std::vector<Link> m_links;           ///< as they are now
    std::vector<RateLimiter> m_limiters; ///< of each link, used where its limit is set
    std::vector<Packet> m_packets;       ///< by number
    std::priority_queue<Event> m_events; ///< to come
    std::vector<Outcome> m_fates;        ///< so far
    int64_t m_nowNs{0};                  ///< the time
    uint64_t m_order{0};                 ///< of the next event
};

/// The segment engine's network with packets that are sent at given times.
class NetworkDriver : private EventTarget, private PacketHandler
{
  public:
    /// @param topology the network @param usualBytes of IP packets @param inTime as those of tools
    NetworkDriver(const Topology& topology, int64_t usualBytes, bool inTime = false)
        : m_network(topology, m_events, *this)
    {
        for (const auto& pair : topology.pairs)
        {
            const SegmentNetwork::RouteUse use{.usualBytes = usualBytes,
                                               .fromAhead = false,
                                               .toAhead = false,
                                               .inTime = inTime};
            m_network.AddRoute(pair.client, pair.server, use);
            m_network.AddRoute(pair.server, pair.client, use);
        }
        m_network.FindMerges();
    }

    /// @param sendings in the order of their times @return what became of them, in order
    std::vector<Outcome> Run(const std::vector<Sending>& sendings)
    {
        m_sendings = sendings;
        for (uint32_t i = 0; i < sendings.size(); ++i)
        {
            m_events.Schedule(sendings[i].timeNs, *this, i);
        }
        while (m_network.GetNextTime() != NEVER || m_events.GetNextTime() != NEVER)
        {
            if (m_network.GetNextTime() < m_events.GetNextTime())
            {
                m_events.SetNow(m_network.GetNextTime());
                m_network.Step();
            }
            else
            {
                m_events.Step();
            }
        }
        return m_fates;
    }

    /// @param link of the topology, with a limit @return packets that it refused
    uint64_t GetLimitDrops(uint32_t link) const
    {
        return m_network.GetQueued(link).GetLimiter()->GetDrops();
    }

    /// @param sending from which on somebody watches @param observer who
    void WatchFrom(uint32_t sending, NetworkObserver& observer)
    {
        m_watchedFrom = sending;
        m_observer = &observer;
    }

    /// @return see SegmentNetwork::IsPiped()
    bool IsPiped() const
    {
        return m_network.IsPiped();
    }

    /// @return see SegmentNetwork::GetStepCount()
    uint64_t GetStepCount() const
    {
        return m_network.GetStepCount();
    }

  private:
    void HandleEvent(Nanoseconds now, uint32_t id) override
    {
        const Sending& sending = m_sendings[id];
        if (m_observer && id == m_watchedFrom)
        {
            m_network.SetObserver(m_observer);
        }
        const uint32_t route = 2 * sending.pair + (sending.isBack ? 1 : 0);
        m_network.Send(route, now, sending.bytes, SegmentPacket(PacketKind::DATA, 0, id));
    }

    void HandleArrival(Nanoseconds at, SegmentPacket packet) override
    {
        m_fates.emplace_back(static_cast<uint32_t>(packet.GetValue()), at, true);
    }

    void HandleDatagram(Nanoseconds at, SegmentPacket packet) override
    {
        HandleArrival(at, packet);
    }

    void AddState(SegmentPacket /* packet */, SegmentState& /* state */) const override
    {
    }

    void HandleDrop(uint32_t /* link */,
                    Nanoseconds at,
                    SegmentPacket packet,
                    bool /* refused */) override
    {
        m_fates.emplace_back(static_cast<uint32_t>(packet.GetValue()), at, false);
    }

    EventQueue m_events;                  ///< when packets are sent
    SegmentNetwork m_network;             ///< tested
    std::vector<Sending> m_sendings;      ///< by number
    std::vector<Outcome> m_fates;         ///< so far
    uint32_t m_watchedFrom{0};            ///< see WatchFrom()
    NetworkObserver* m_observer{nullptr}; ///< or null
};

/// What both directions of a link have in common.
struct Cable
{
    int64_t delayNs;                      ///< of propagation
    int64_t packets{LinkSpec::UNLIMITED}; ///< that wait at most
    LinkSchedule schedule{};              ///< empty: rate and delay do not change
};

/// @param topology a network @param a node @param b node @param there bit/s @param back bit/s
/// @param cable the rest
inline void
Join(Topology& topology, uint32_t a, uint32_t b, int64_t there, int64_t back, const Cable& cable)
{
    const auto make = [&cable](uint32_t from, uint32_t to, int64_t rate) {
        return LinkSpec{.name = std::to_string(from) + " to " + std::to_string(to),
                        .from = from,
                        .to = to,
                        .rateBps = rate,
                        .delayNs = cable.delayNs,
                        .queuePackets = cable.packets,
                        .schedule = cable.schedule};
    };
    AddLink(topology, make(a, b, there), make(b, a, back));
}

/// @param draw draws @return rates of 0, 4 or 8 bits a ns, of which packets have a whole number
inline LinkSchedule
DrawSchedule(Draw& draw)
{
    constexpr int64_t BIT_A_NS = 1'000'000'000;
    std::vector<LinkRow> rows{{0, 8 * BIT_A_NS, draw.Between(0, 1000)}};
    int64_t at = 0;
    for (uint64_t more = draw.Below(5); more > 0; --more)
    {
        at += draw.Between(1, 2000);
        rows.push_back({at, 4 * BIT_A_NS * draw.Between(0, 2), draw.Between(0, 1000)});
    }
    return LinkSchedule(rows, at + draw.Between(1, 2000));
}

/// @param rates of the last links of the pairs, bit/s @param draw of all else, or null: no delay
/// @param changes whether the shared link does
/// @return hosts at either side of two routers
inline Topology
MakePairs(const std::vector<int64_t>& rates, Draw* draw, bool changes = false)
{
    constexpr int64_t BYTE_A_NS = 8'000'000'000;
    const auto below = [draw](uint64_t bound) {
        return draw ? static_cast<int64_t>(draw->Below(bound)) : int64_t{0};
    };
    Topology made;
    const uint32_t left = AddNode(made, "left");
    const uint32_t right = AddNode(made, "right");
    const Cable shared{below(1000),
                       draw ? 1 + below(8) : 100,
                       changes ? DrawSchedule(*draw) : LinkSchedule{}};
    Join(made, left, right, BYTE_A_NS, BYTE_A_NS - below(7'000'000'000), shared);
    for (const int64_t rate : rates)
    {
        const uint32_t client = AddNode(made, "client");
        const uint32_t server = AddNode(made, "server");
        // Not 0: what begins in one nanosecond on links of one rate would end in one, too
        Join(made, client, left, BYTE_A_NS, rate, {draw ? 1 + below(499) : 0});
        Join(made, server, right, rate, rate, {draw ? 1 + below(499) : 0});
        made.pairs.push_back({client, server});
    }
    return made;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_NETWORK_MODEL_H
