/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ACTIVE_QUEUE_H
#define GRIDFTP_ACTIVE_QUEUE_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Queue disciplines that hold the packets of a link (active queue management, RFC 7567), for both
 * engines.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Which packets a router drops. */
enum class QueueDiscipline
{
    DROP_TAIL, //!< those that find its queue full
    RED,       //!< some before that, at random: RandomEarlyDetection
    CODEL,     //!< those that have waited too long: CodelQueue
    FQ_CODEL,  //!< CODEL in a queue for each flow: FqCodelQueue
    PIE        //!< some, at random, when packets wait too long: PieQueue
};

/** @ingroup gridftp @param discipline a queue discipline @return whether it is an ActiveQueue */
constexpr bool
IsActive(QueueDiscipline discipline)
{
    return discipline != QueueDiscipline::DROP_TAIL && discipline != QueueDiscipline::RED;
}

/** @ingroup gridftp @brief A packet as a queue discipline sees it. */
struct QueuedPacket
{
    uint32_t handle{};    //!< by which the caller finds the packet again
    uint32_t bytes{};     //!< of the IP packet, without a link header
    uint32_t flowHash{};  //!< HashFlow(); only FQ_CODEL reads it
    bool isEct{false};    //!< it may be marked instead of being dropped (RFC 3168)
    bool isMarked{false}; //!< the discipline has marked it
    int64_t enteredNs{};  //!< when it entered the queue, ns; set by ActiveQueue::Enqueue()
};

/**
 * @ingroup gridftp
 * The packets that wait for a link, and the discipline that decides which of them leaves next and
 * which are dropped or marked.
 *
 * Contract: the owner of the link calls Enqueue() for each packet that comes to the link, also when
 * the link is idle, and Dequeue() behind that if the link is idle, and at the end of each
 * transmission, also when no packet waits. All calls are in the order of time. Packets that either
 * call drops after they have entered the queue are in GetDropped() until the next call. Both
 * engines make the same calls, so both drop and mark the same packets.
 */
class ActiveQueue
{
  public:
    virtual ~ActiveQueue() = default;

    /**
     * A packet comes.
     * @param nowNs current simulation time, ns
     * @param packet all but enteredNs and isMarked
     * @return whether it has entered; else it is dropped and not in GetDropped()
     */
    bool Enqueue(int64_t nowNs, QueuedPacket packet)
    {
        m_dropped.clear();
        packet.enteredNs = nowNs;
        packet.isMarked = false;
        return DoEnqueue(nowNs, packet);
    }

    /**
     * The link can transmit a packet.
     * @param nowNs current simulation time, ns
     * @return the packet to transmit; none where the queue is empty or all have been dropped
     */
    std::optional<QueuedPacket> Dequeue(int64_t nowNs)
    {
        m_dropped.clear();
        auto packet = DoDequeue(nowNs);
        m_marks += packet && packet->isMarked ? 1 : 0;
        return packet;
    }

    /** @return packets that the last call has dropped after they had entered, in order */
    std::span<const QueuedPacket> GetDropped() const
    {
        return m_dropped;
    }

    /** @return packets that have left with a mark of the discipline */
    uint64_t GetMarks() const
    {
        return m_marks;
    }

    /** @return packets that wait */
    virtual uint64_t GetLength() const = 0;

    /** Takes random numbers from another stream. Call it before the first packet. @param stream
     * number of the stream @return how many streams the discipline uses: 0 or 1 */
    virtual int64_t UseStream(uint64_t /* stream */)
    {
        return 0;
    }

  protected:
    /** @return GetDropped(), for the discipline to add to */
    std::vector<QueuedPacket>& GetDrops()
    {
        return m_dropped;
    }

  private:
    /** Enqueue(). @param nowNs see there @param packet see there @return see there */
    virtual bool DoEnqueue(int64_t nowNs, QueuedPacket packet) = 0;

    /** Dequeue(). @param nowNs see there @return see there */
    virtual std::optional<QueuedPacket> DoDequeue(int64_t nowNs) = 0;

    std::vector<QueuedPacket> m_dropped; //!< see GetDropped()
    uint64_t m_marks{0};                 //!< see GetMarks()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_ACTIVE_QUEUE_H
