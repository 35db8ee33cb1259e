/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_NETWORK_H
#define GRIDFTP_SEGMENT_NETWORK_H

#include "gridftp-ring.h"
#include "gridftp-scenario.h"
#include "gridftp-segment-link.h"
#include "gridftp-segment-packet.h"
#include "gridftp-segment-time.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The dumbbell: pairs of a sending and a receiving host, access links, the two directions of the
 * bottleneck. Forward is the direction of the data.
 *
 * With one pair of hosts a packet's whole way is known the moment it is sent, since nothing can
 * overtake it: what it leads to at the receiver is worked out at once, and only the arrival of
 * the answer at the sender is an event, in a first-in-first-out ring. With several pairs packets
 * merge at both ends of the bottleneck, so each of these steps is an event: a ring for each, merged
 * by a heap of their first entries.
 *
 * Handler has HandleAtReceiver(pair, now, packet), HandleAtSender(pair, now, packet) and
 * HandleDrop(now, packet, bool refused), the last for packets that do not get through the
 * bottleneck's forward or reverse direction, refused by its queue or lost behind it.
 */
class SegmentNetwork
{
  public:
    /** @param scenario resolved, with one pair of hosts for each session and background */
    explicit SegmentNetwork(const Scenario& scenario);

    /**
     * A sending host sends.
     * @param handler of what it leads to
     * @param pair of hosts
     * @param now ns
     * @param bytes of the IP packet
     * @param packet what
     */
    template <typename Handler>
    void SendForward(Handler& handler,
                     uint32_t pair,
                     int64_t now,
                     int64_t bytes,
                     SegmentPacket packet)
    {
        bytes += LINK_HEADER_BYTES;
        Pair& hosts = m_pairs[pair];
        const int64_t atRouter = hosts.senderOut.Cross(now, bytes);
        Watch(PacketPlace::SENDER_OUT, atRouter, hosts.senderOut.GetLead(bytes), packet);
        if (m_merges)
        {
            const int64_t begun = atRouter - hosts.senderOut.GetLead(bytes);
            return Enqueue(pair, TO_FORWARD, {atRouter, begun, m_order++, bytes, packet});
        }
        Forward(handler, pair, atRouter, bytes, packet);
    }

    /**
     * A receiving host sends.
     * @param handler of what it leads to
     * @param pair of hosts
     * @param now ns
     * @param bytes of the IP packet
     * @param packet what
     */
    template <typename Handler>
    void SendReverse(Handler& handler,
                     uint32_t pair,
                     int64_t now,
                     int64_t bytes,
                     SegmentPacket packet)
    {
        bytes += LINK_HEADER_BYTES;
        Pair& hosts = m_pairs[pair];
        const int64_t atRouter = hosts.receiverOut.Cross(now, bytes);
        Watch(PacketPlace::RECEIVER_OUT, atRouter, hosts.receiverOut.GetLead(bytes), packet);
        if (m_merges)
        {
            const int64_t begun = atRouter - hosts.receiverOut.GetLead(bytes);
            return Enqueue(pair, TO_REVERSE, {atRouter, begun, m_order++, bytes, packet});
        }
        Reverse(handler, pair, atRouter, bytes, packet);
    }

    /** @return when something happens next, ns; NEVER when nothing does */
    int64_t GetNextTime() const
    {
        if (m_merges)
        {
            return m_heap.empty() ? NEVER : m_heap.front().timeNs;
        }
        return m_arrivals.IsEmpty() ? NEVER : m_arrivals.Front().timeNs;
    }

    /** @return whether all packets are between one pair of hosts */
    bool IsSingle() const
    {
        return !m_merges;
    }

    /** @param watcher sees every packet that is sent from now on, or null */
    void SetWatcher(PacketWatcher* watcher)
    {
        m_watcher = watcher;
    }

    /** @return whether SendSingle() and AnswerSingle(), which nobody can watch, may be used */
    bool IsFast() const
    {
        return !m_merges && m_watcher == nullptr;
    }

    /**
     * SendForward() of a full segment between a single pair, as far as the receiving host.
     * @param handler of a drop
     * @param now ns
     * @param packet the segment
     * @return when it arrives, ns; negative where it does not
     */
    template <typename Handler>
    [[gnu::always_inline]] int64_t SendSingle(Handler& handler, int64_t now, SegmentPacket packet)
    {
        Pair& hosts = *m_single;
        const int64_t atRouter = hosts.senderOut.CrossUsual(now);
        const int64_t across = m_forward.CrossUsual(atRouter, m_usualLeadNs);
        if (across < 0) [[unlikely]]
        {
            handler.HandleDrop(atRouter, packet, across == BottleneckLink::DROPPED);
            return across;
        }
        return hosts.receiverIn.CrossUsual(across);
    }

    /**
     * SendReverse() of an ACK between a single pair.
     * @param handler of a drop
     * @param now ns
     * @param packet the ACK
     */
    template <typename Handler>
    [[gnu::always_inline]] void AnswerSingle(Handler& handler, int64_t now, SegmentPacket packet)
    {
        Pair& hosts = *m_single;
        const int64_t atRouter = hosts.receiverOut.CrossUsual(now);
        const int64_t across = m_reverse.CrossUsual(atRouter, m_ackLeadNs);
        if (across < 0) [[unlikely]]
        {
            return handler.HandleDrop(atRouter, packet, false);
        }
        m_arrivals.Push({hosts.senderIn.CrossUsual(across), packet});
    }

    /**
     * @return what happens next, between a single pair; there must be something. To be read before
     * DropNext(), and word by word: a copy as a whole goes by way of memory
     */
    const SegmentPacket& GetNext() const
    {
        return m_arrivals.Front().packet;
    }

    /** @return whether a packet is on its way to the sending host of a single pair */
    bool HasSingle() const
    {
        return !m_arrivals.IsEmpty();
    }

    /** @return when the next of these arrives, ns; there must be one */
    int64_t GetNextSingle() const
    {
        return m_arrivals.Front().timeNs;
    }

    /** @return how many packets have arrived at the sending host of a single pair */
    uint64_t GetArrivalCount() const
    {
        return m_arrivals.GetPopCount();
    }

    /** Takes what happens next off. */
    void DropNext()
    {
        m_arrivals.Pop();
    }

    /** Does what happens next; there must be something. @param handler of it */
    template <typename Handler>
    void Step(Handler& handler)
    {
        if (m_merges)
        {
            return StepMerged(handler);
        }
        const Arrival arrival = m_arrivals.Front();
        m_arrivals.Pop();
        handler.HandleAtSender(0, arrival.timeNs, arrival.packet);
    }

    /** @return the bottleneck in the direction of the data */
    BottleneckLink& GetForward()
    {
        return m_forward;
    }

    /** @return the bottleneck in the direction of the data */
    const BottleneckLink& GetForward() const
    {
        return m_forward;
    }

  private:
    /** Where a packet arrives next. */
    enum Place : uint32_t
    {
        TO_FORWARD,  //!< at the bottleneck's queue, with the data
        TO_RECEIVER, //!< at the receiving host
        TO_REVERSE,  //!< at the bottleneck's queue, against the data
        TO_SENDER,   //!< at the sending host
        PLACES       //!< how many there are
    };

    /** A packet that arrives at the sending host; the only event of a single pair. */
    struct Arrival
    {
        int64_t timeNs;       //!< when
        SegmentPacket packet; //!< what
    };

    /** A packet that arrives somewhere. */
    struct Transit
    {
        int64_t timeNs;       //!< when
        int64_t begunNs;      //!< when its transmission on the last link started
        uint64_t order;       //!< in which it was sent
        int64_t bytes;        //!< of the packet, link header included
        SegmentPacket packet; //!< what
    };

    /** A sending and a receiving host, and their access links. */
    struct Pair
    {
        AccessLink senderOut;          //!< sending host to router
        AccessLink senderIn;           //!< router to sending host
        AccessLink receiverOut;        //!< receiving host to router
        AccessLink receiverIn;         //!< router to receiving host
        Ring<Transit> rings[PLACES]{}; //!< under way, by where they arrive next
    };

    /** The first packet of a ring. At equal times, as in ns-3, what was begun first comes first. */
    struct Turn
    {
        int64_t timeNs;  //!< when it arrives
        int64_t begunNs; //!< when its transmission started
        uint64_t order;  //!< in which it was sent
        uint32_t which;  //!< ring: pair times PLACES plus place

        /** @param other another @return whether it comes later */
        bool operator>(const Turn& other) const
        {
            return std::tie(timeNs, begunNs, order) >
                   std::tie(other.timeNs, other.begunNs, other.order);
        }
    };

    /** Its turn comes with the first packet of a ring. @param transit that packet @param which
     * ring */
    void AddTurn(const Transit& transit, uint32_t which)
    {
        m_heap.push_back({transit.timeNs, transit.begunNs, transit.order, which});
        std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    }

    /** Puts a packet where its turn comes. */
    void Enqueue(uint32_t pair, Place place, const Transit& transit)
    {
        Ring<Transit>& ring = m_pairs[pair].rings[place];
        if (ring.IsEmpty())
        {
            AddTurn(transit, pair * PLACES + place);
        }
        ring.Push(transit);
    }

    /** A packet is at the bottleneck's queue, with the data. */
    template <typename Handler>
    void Forward(Handler& handler, uint32_t pair, int64_t now, int64_t bytes, SegmentPacket packet)
    {
        Pair& hosts = m_pairs[pair];
        const int64_t across = m_forward.Cross(now, bytes, hosts.senderOut.GetLead(bytes));
        WatchBottleneck(m_forward, now, across, bytes, packet);
        if (across < 0)
        {
            return handler.HandleDrop(now, packet, across == BottleneckLink::DROPPED);
        }
        const int64_t arrival = hosts.receiverIn.Cross(across, bytes);
        Watch(PacketPlace::RECEIVER_IN, arrival, hosts.receiverIn.GetLead(bytes), packet);
        if (m_merges)
        {
            const int64_t begun = arrival - hosts.receiverIn.GetLead(bytes);
            return Enqueue(pair, TO_RECEIVER, {arrival, begun, m_order++, bytes, packet});
        }
        handler.HandleAtReceiver(pair, arrival, packet);
    }

    /** A packet is at the bottleneck's queue, against the data. */
    template <typename Handler>
    void Reverse(Handler& handler, uint32_t pair, int64_t now, int64_t bytes, SegmentPacket packet)
    {
        Pair& hosts = m_pairs[pair];
        const int64_t across = m_reverse.Cross(now, bytes, hosts.receiverOut.GetLead(bytes));
        WatchBottleneck(m_reverse, now, across, bytes, packet);
        if (across < 0)
        {
            return handler.HandleDrop(now, packet, false);
        }
        const int64_t arrival = hosts.senderIn.Cross(across, bytes);
        Watch(PacketPlace::SENDER_IN, arrival, hosts.senderIn.GetLead(bytes), packet);
        if (m_merges)
        {
            const int64_t begun = arrival - hosts.senderIn.GetLead(bytes);
            return Enqueue(pair, TO_SENDER, {arrival, begun, m_order++, bytes, packet});
        }
        m_arrivals.Push({arrival, packet});
    }

    /**
     * Shows a packet on a link, where somebody watches.
     * @param place which link
     * @param endNs when it has arrived
     * @param leadNs since its transmission began, ns
     * @param packet which
     */
    [[gnu::always_inline]] void Watch(PacketPlace place,
                                      int64_t endNs,
                                      int64_t leadNs,
                                      SegmentPacket packet)
    {
        if (m_watcher) [[unlikely]]
        {
            m_watcher->HandleStay({place, endNs - leadNs, endNs, packet});
        }
    }

    /**
     * Shows what becomes of a packet at the bottleneck, where somebody watches.
     * @param link the direction that it has come to
     * @param now ns
     * @param across what Cross() gave
     * @param bytes of the packet, link header included
     * @param packet which
     */
    [[gnu::always_inline]] void WatchBottleneck(const BottleneckLink& link,
                                                int64_t now,
                                                int64_t across,
                                                int64_t bytes,
                                                SegmentPacket packet)
    {
        if (m_watcher) [[unlikely]]
        {
            ShowBottleneck(link, now, across, bytes, packet);
        }
    }

    /** WatchBottleneck() where somebody does. */
    void ShowBottleneck(const BottleneckLink& link,
                        int64_t now,
                        int64_t across,
                        int64_t bytes,
                        SegmentPacket packet);

    /** Does what happens next, with several pairs. @param handler of it */
    template <typename Handler>
    void StepMerged(Handler& handler)
    {
        const uint32_t which = m_heap.front().which;
        const uint32_t pair = which / PLACES;
        Ring<Transit>& ring = m_pairs[pair].rings[which % PLACES];
        const Transit transit = ring.Front();
        ring.Pop();
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        m_heap.pop_back();
        if (!ring.IsEmpty())
        {
            AddTurn(ring.Front(), which);
        }
        switch (which % PLACES)
        {
        case TO_FORWARD:
            return Forward(handler, pair, transit.timeNs, transit.bytes, transit.packet);
        case TO_RECEIVER:
            return handler.HandleAtReceiver(pair, transit.timeNs, transit.packet);
        case TO_REVERSE:
            return Reverse(handler, pair, transit.timeNs, transit.bytes, transit.packet);
        default:
            return handler.HandleAtSender(pair, transit.timeNs, transit.packet);
        }
    }

    bool m_merges;                     //!< there are several pairs
    BottleneckLink m_forward;          //!< with the data
    BottleneckLink m_reverse;          //!< against it
    std::vector<Pair> m_pairs;         //!< hosts
    Pair* m_single;                    //!< the first of them
    Ring<Arrival> m_arrivals;          //!< at the sending host of a single pair
    std::vector<Turn> m_heap;          //!< first of each ring, a heap
    uint64_t m_order{0};               //!< of the next packet, with several pairs
    int64_t m_usualLeadNs{0};          //!< AccessLink::GetLead() of a full segment
    int64_t m_ackLeadNs{0};            //!< AccessLink::GetLead() of an ACK
    PacketWatcher* m_watcher{nullptr}; //!< sees every packet
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_NETWORK_H
