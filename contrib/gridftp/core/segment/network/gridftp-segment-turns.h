/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_TURNS_H
#define GRIDFTP_SEGMENT_TURNS_H

#include "gridftp-ring.h"
#include "gridftp-segment-packet.h"
#include "gridftp-segment-time.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A packet somewhere on its route. */
struct Transit
{
    int64_t timeNs{0};    //!< when it arrives there
    int64_t begunNs{0};   //!< when its transmission on the last link started
    int64_t sentNs{0};    //!< when it was sent, or had its last turn
    uint64_t order{0};    //!< in which it came to wait; the first bit: behind all others
    SegmentPacket packet; //!< what
    uint32_t bytes{0};    //!< of the packet, link header included
    uint32_t route{0};    //!< that it takes
    uint32_t hop{0};      //!< links of the route that it has crossed

    /** @param other another one @return whether its turn is later, in the order of ns-3: at equal
     * times the one comes first whose transmission was begun first, then the one sent first */
    bool IsLater(const Transit& other) const
    {
        return std::tie(timeNs, begunNs, sentNs, order) >
               std::tie(other.timeNs, other.begunNs, other.sentNs, other.order);
    }
};

/**
 * @ingroup gridftp
 * Packets that wait for their turn, in queues in which the first one has the next turn: a heap of
 * the queues by their first packets.
 */
class TurnHeap
{
  public:
    /** Packets that nothing overtakes. */
    using Queue = Ring<Transit>;

    /** @return a new queue, which lives as long as this */
    Queue* AddQueue()
    {
        return &m_queues.emplace_back();
    }

    /** @return when the next turn is, ns, or NEVER */
    int64_t GetNextTime() const
    {
        return m_heap.data()->timeNs;
    }

    /** @param queue whose last one it becomes @param transit the packet; of its order, only the
     * first bit is looked at */
    [[gnu::always_inline]] void Push(Queue& queue, const Transit& transit)
    {
        const bool isFirst = queue.IsEmpty();
        Transit& last = queue.Add();
        // One by one: copied as a whole, it would go by way of memory
        last.timeNs = transit.timeNs;
        last.begunNs = transit.begunNs;
        last.sentNs = transit.sentNs;
        last.order = transit.order | TakeOrder();
        last.packet = transit.packet;
        last.bytes = transit.bytes;
        last.route = transit.route;
        last.hop = transit.hop;
        if (isFirst)
        {
            Add({transit.timeNs, &queue});
        }
    }

    /**
     * Push() into a queue behind a link on which packets overtake each other: the packet goes
     * before all those that are later (Transit::IsLater()).
     * @param queue behind such a link
     * @param transit the packet; of its order, only the first bit is looked at
     */
    void PushAmong(Queue& queue, Transit transit)
    {
        transit.order |= TakeOrder();
        const bool isSole = queue.IsEmpty();
        queue.Add();
        size_t at = queue.GetSize() - 1;
        for (; at > 0 && queue.At(at - 1).IsLater(transit); --at)
        {
            queue.At(at) = queue.At(at - 1);
        }
        queue.At(at) = transit;
        if (isSole)
        {
            Add({transit.timeNs, &queue});
        }
        else if (at == 0)
        {
            Refresh();
        }
    }

    /** Push() of a packet that has its order already, into an empty queue. @param queue of it
     * @param transit the packet */
    void PushInOrder(Queue& queue, const Transit& transit)
    {
        queue.Push(transit);
        Add({transit.timeNs, &queue});
    }

    /** @return the packet whose turn is next; there must be one */
    const Transit& GetNext() const
    {
        return m_heap.data()->queue->Front();
    }

    /** Takes that packet off. */
    [[gnu::always_inline]] void Pop()
    {
        Queue& queue = *m_heap.data()->queue;
        queue.Pop();
        if (!queue.IsEmpty())
        {
            return Sift({queue.Front().timeNs, &queue});
        }
        const Turn last = m_heap[--m_size];
        m_heap[m_size] = NOBODY;
        if (m_size > 0)
        {
            Sift(last);
        }
    }

    /** Times of first packets have changed. */
    void Refresh()
    {
        for (size_t count = std::exchange(m_size, 0), i = 0; i < count; ++i)
        {
            Queue* const queue = m_heap[i].queue;
            Add({queue->Front().timeNs, queue});
        }
    }

    /** @return which one it is that comes to wait */
    uint64_t TakeOrder()
    {
        return m_order++;
    }

    /** @return how many packets have waited */
    uint64_t GetCount() const
    {
        return m_order;
    }

  private:
    /** The first packet of a queue. */
    struct Turn
    {
        int64_t timeNs; //!< when
        Queue* queue;   //!< which
    };

    /** Comes after all others. */
    static constexpr Turn NOBODY{NEVER, nullptr};

    /** @param a a queue @param b another one @return whether the first of a comes later */
    [[gnu::always_inline]] static bool IsLater(const Turn& a, const Turn& b)
    {
        return a.timeNs > b.timeNs || (a.timeNs == b.timeNs && IsLaterAtOnce(a, b));
    }

    /** IsLater() at equal times. @param a a queue @param b another one @return the same */
    [[gnu::noinline]] static bool IsLaterAtOnce(const Turn& a, const Turn& b)
    {
        return a.queue->Front().IsLater(b.queue->Front());
    }

    /** @param turn of a queue that was empty */
    void Add(Turn turn)
    {
        size_t at = m_size++;
        if (m_heap.size() <= m_size + 1)
        {
            m_heap.resize(2 * m_size + 2, NOBODY);
        }
        Turn* const heap = m_heap.data();
        while (at > 0 && IsLater(heap[(at - 1) / 2], turn))
        {
            heap[at] = heap[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = turn;
    }

    /** Puts a turn in place of the first one. @param turn the new one */
    [[gnu::always_inline]] void Sift(Turn turn)
    {
        Turn* const heap = m_heap.data();
        const size_t size = m_size;
        size_t at = 0;
        for (size_t below = 1; below < size; below = 2 * at + 1)
        {
            // Behind the last one stands NOBODY
            below += IsLater(heap[below], heap[below + 1]) ? 1 : 0;
            if (!IsLater(turn, heap[below]))
            {
                break;
            }
            heap[at] = heap[below];
            at = below;
        }
        heap[at] = turn;
    }

    std::deque<Queue> m_queues;          //!< all of them
    std::vector<Turn> m_heap{2, NOBODY}; //!< of those that are not empty; behind them NOBODY
    size_t m_size{0};                    //!< how many these are
    uint64_t m_order{0};                 //!< of the next packet
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_TURNS_H
