/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_PIPE_H
#define GRIDFTP_SEGMENT_PIPE_H

#include "gridftp-nanoseconds.h"
#include "gridftp-ring.h"
#include "gridftp-segment-events.h"
#include "gridftp-segment-packet.h"
#include "gridftp-segment-plain-route.h"
#include "gridftp-segment-time.h"
#include "gridftp-segment-turns.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The only two routes of a network, one back from where the other one leads, whose packets come to
 * everything in time, as datagrams do. A short way for these where nobody watches: it changes
 * nothing but the speed.
 */
class SegmentPipe
{
  public:
    /** Not to be used yet. */
    SegmentPipe() = default;

    /**
     * @param there route 0, by which the most go
     * @param back route 1, which has no link in common with it
     * @param leastBackNs as long as it takes the smallest packet to come back, ns
     * @param events of the simulation; outlive this
     * @param handler of what becomes of packets; outlives this
     */
    SegmentPipe(const PlainRoute& there,
                const PlainRoute& back,
                int64_t leastBackNs,
                EventQueue& events,
                PacketHandler& handler)
        : m_ways{Way{there}, Way{back}},
          m_leastBackNs(leastBackNs),
          m_events(&events),
          m_handler(&handler)
    {
    }

    /** A packet of the usual size of its route starts. @param route 0 or 1 @param now of the
     * simulation @param packet which */
    [[gnu::always_inline]] void SendUsual(uint32_t route, Nanoseconds now, SegmentPacket packet)
    {
        Way& way = m_ways[route];
        way.turns.Add({way.route.out->CrossUsual(now), now, packet, way.route.usualBytes});
        if (route != 0) [[unlikely]]
        {
            FindBack();
        }
    }

    /** A packet starts. @param route 0 or 1 @param now of the simulation @param bytes with the link
     * header @param packet which */
    void Send(uint32_t route, Nanoseconds now, int64_t bytes, SegmentPacket packet)
    {
        Way& way = m_ways[route];
        const int64_t at = way.route.out->Cross(now, bytes);
        way.turns.Add({at, now, packet, static_cast<uint32_t>(bytes)});
        FindBack();
    }

    /** @return when the next packet comes to a queue or to its end, ns, or NEVER */
    int64_t GetNextTime() const
    {
        return std::min({m_ways[0].turns.nextNs, m_ways[0].arrivals.nextNs, m_backNs});
    }

    /** @return when the transmission of that packet began, ns; there must be one */
    int64_t GetNextBegun() const
    {
        return FindNext().begunNs;
    }

    /** @return when the next one of route 1 comes to the queue or to its end, ns, or NEVER */
    int64_t GetNextBack() const
    {
        return m_backNs;
    }

    /**
     * @param now of the simulation
     * @return until when nothing comes back of what is under way, nor of what may yet be sent in
     *         answer, ns
     */
    Nanoseconds GetSilence(Nanoseconds now) const
    {
        return std::min(m_backNs, now + m_leastBackNs);
    }

    /**
     * Has packets of route 0 cross the queue, as long as these are due before anything else, and
     * the next one arrive. Where one is dropped there may be a new event before the bound.
     * @param bound when something else is due, ns
     * @return whether one has moved; else something else is due
     */
    [[gnu::always_inline]] bool StepThere(int64_t bound)
    {
        Way& way = m_ways[0];
        const int64_t before = std::min(bound, way.arrivals.nextNs);
        while (way.turns.nextNs < std::min(before, way.arrivals.nextNs))
        {
            if (!Cross(way)) [[unlikely]]
            {
                return true;
            }
        }
        const int64_t arrival = way.arrivals.nextNs;
        if (arrival >= bound)
        {
            return false;
        }
        if (arrival == way.turns.nextNs && !IsArrivalFirst(way)) [[unlikely]]
        {
            Cross(way);
            return true; // the arrival is next, if nothing new comes before it
        }
        m_events->SetNow(arrival);
        Arrive(way);
        return true;
    }

    /** Has the next packet cross its queue, or tells that it has arrived; there must be one. */
    void Step();

    /** @return packets that came to a queue or to their end, or will */
    uint64_t GetStepCount() const;

    /** Takes the next packet off, wherever it is. @return it; there must be one */
    Transit Take();

  private:
    /** A packet in a lane. */
    struct Item
    {
        int64_t timeNs;       //!< when it is at the end of the lane
        int64_t sentNs;       //!< when it was sent, or came to the queue
        SegmentPacket packet; //!< what
        uint32_t bytes;       //!< of it, with the link header
    };

    /** Packets that nothing overtakes: to the queue of a route, or behind it. */
    struct Lane
    {
        Ring<Item> items;      //!< they
        int64_t nextNs{NEVER}; //!< Item::timeNs of the first one, or NEVER

        /** @param item becomes the last one */
        [[gnu::always_inline]] void Add(const Item& item)
        {
            nextNs = std::min(nextNs, item.timeNs);
            Item& last = items.Add();
            // One by one: copied as a whole, it would go by way of memory
            last.timeNs = item.timeNs;
            last.sentNs = item.sentNs;
            last.packet = item.packet;
            last.bytes = item.bytes;
        }

        /** Takes the first one off. */
        [[gnu::always_inline]] void Pop()
        {
            items.Pop();
            nextNs = items.IsEmpty() ? NEVER : items.Front().timeNs;
        }
    };

    /** A route, and the packets on it. */
    struct Way
    {
        PlainRoute route; //!< it
        Lane turns{};     //!< to the queue
        Lane arrivals{};  //!< behind it
    };

    /** The next packet comes to a queue. @param way whose @return whether it gets through */
    [[gnu::always_inline]] bool Cross(Way& way)
    {
        const Item& item = way.turns.items.Front();
        const int64_t at = item.timeNs;
        const SegmentPacket packet = item.packet;
        const uint32_t bytes = item.bytes;
        way.turns.Pop();
        const bool isUsual = bytes == way.route.usualBytes;
        const int64_t across =
            isUsual ? way.route.queued->CrossUsual(at, way.route.leadNs)
                    : way.route.queued->Cross(at, bytes, way.route.out->GetLead(bytes));
        if (across < 0) [[unlikely]]
        {
            m_events->SetNow(at);
            const bool refused = across == DropTailLink::DROPPED;
            m_handler->HandleDrop(way.route.link, at, packet, refused);
            return false;
        }
        const int64_t arrival =
            isUsual ? way.route.in->CrossUsual(across) : way.route.in->Cross(across, bytes);
        way.arrivals.Add({arrival, at, packet, bytes});
        return true;
    }

    /** The next packet arrives. @param way by which */
    [[gnu::always_inline]] void Arrive(Way& way)
    {
        const Item& item = way.arrivals.items.Front();
        const int64_t at = item.timeNs;
        const SegmentPacket packet = item.packet;
        way.arrivals.Pop();
        if (packet.GetKind() == PacketKind::DATAGRAM) [[likely]]
        {
            return m_handler->HandleDatagram(at, packet);
        }
        m_handler->HandleArrival(at, packet);
    }

    /** @param way on which a packet comes to the queue and another one arrives at once @return
     * whether the latter comes first, as Transit::IsLater() has it */
    static bool IsArrivalFirst(const Way& way);

    /** Finds out when something comes back. */
    void FindBack()
    {
        m_backNs = std::min(m_ways[1].turns.nextNs, m_ways[1].arrivals.nextNs);
    }

    /** @return the next packet as it is on its way elsewhere; of one hop: before the queue */
    Transit FindNext() const;

    /** @param route of it @param lane where it is the first one @param last link that it has
     * crossed
     * @param hop how many these are @return the packet, in the same way */
    static Transit GetFirst(uint32_t route, const Lane& lane, const OpenLink& last, uint32_t hop);

    std::array<Way, 2> m_ways{};       //!< by route
    int64_t m_backNs{NEVER};           //!< see GetNextBack()
    int64_t m_leastBackNs{0};          //!< of the smallest packet
    EventQueue* m_events{nullptr};     //!< of the simulation
    PacketHandler* m_handler{nullptr}; //!< of what becomes of packets
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_PIPE_H
