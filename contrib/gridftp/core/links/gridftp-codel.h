/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CODEL_H
#define GRIDFTP_CODEL_H

#include "gridftp-active-queue.h"
#include "gridftp-ring.h"

#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * CoDel, for both engines.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Parameters of CoDel, by the names of ns-3's CoDelQueueDisc. */
struct CodelSpec
{
    int64_t targetNs{};   //!< Target: the time that packets may wait, ns
    int64_t intervalNs{}; //!< Interval: how long delays may exceed it before drops begin, ns
    int64_t leastBytes{}; //!< MinBytes: while fewer bytes wait nothing is dropped; at least 1
};

/**
 * @ingroup gridftp
 * A first-in-first-out queue with the control law of CoDel (RFC 8289, section 5): when the packets
 * of an interval have all waited longer than the target, packets that leave are dropped, or marked
 * if they are ECT. The n-th drop follows interval / sqrt(n) after the one before.
 *
 * Times are in units of 1024 ns. One Newton step for each drop updates the inverse square root, a
 * 16-bit fraction. Both are those of ns-3's CoDelQueueDisc, which follows Linux. ns-3 compares
 * 32-bit times and goes wrong when they overflow after 4,398 s; here they do not overflow.
 */
class CodelFifo
{
  public:
    /** @param packet becomes the last one */
    void Push(const QueuedPacket& packet)
    {
        m_packets.Push(packet);
        m_bytes += packet.bytes;
    }

    /** Removes the first packet without asking CoDel. @return it; there must be one */
    QueuedPacket PopFront();

    /**
     * Takes the next packet off that CoDel lets pass.
     * @param nowNs current simulation time, ns
     * @param spec parameters, always the same ones
     * @param dropped gets the packets that CoDel drops before that
     * @return the packet; none where none waits
     */
    std::optional<QueuedPacket> Pop(int64_t nowNs,
                                    const CodelSpec& spec,
                                    std::vector<QueuedPacket>& dropped);

    /** @return packets that wait */
    uint64_t GetLength() const
    {
        return m_packets.GetSize();
    }

    /** @return bytes that wait */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    /** One call of Pop(). */
    struct Moment
    {
        int64_t nowNs;                      //!< current simulation time, ns
        uint64_t now;                       //!< the same in units of CoDel
        const CodelSpec& spec;              //!< parameters
        std::vector<QueuedPacket>& dropped; //!< gets drops
    };

    using Popped = std::optional<QueuedPacket>; //!< a packet that leaves

    /** @return PopFront(), or none where none waits */
    Popped PopAny();

    /** @param packet that leaves @param moment of that @return whether packets have waited too long
     * for an interval */
    bool IsTooLong(const Popped& packet, const Moment& moment);

    /** In the dropping state: drops or marks what is due. @param packet that leaves; becomes the
     * one that does instead @param moment of that */
    void DropOn(Popped& packet, const Moment& moment);

    /** Begins the dropping state with a drop or a mark. @param packet that leaves; becomes the one
     * that does instead @param moment of that */
    void BeginDropping(Popped& packet, const Moment& moment);

    /** Updates m_inverseRoot for m_count by one Newton step. */
    void StepRoot();

    /** @param from a time @param spec parameters @return the time of the next drop */
    uint64_t GetNextDrop(uint64_t from, const CodelSpec& spec) const;

    Ring<QueuedPacket> m_packets;       //!< that wait
    uint64_t m_bytes{0};                //!< of these
    uint32_t m_count{0};                //!< drops and marks that determine the rate of drops
    uint32_t m_lastCount{0};            //!< m_count when it last began
    bool m_isDropping{false};           //!< it is in the dropping state
    uint16_t m_inverseRoot{UINT16_MAX}; //!< 1 / sqrt(m_count), in 1 / 2^16
    uint64_t m_aboveUntil{0}; //!< first_above_time of RFC 8289; 0: the last delay was below target
    uint64_t m_nextDrop{0};   //!< when the next packet is dropped in the dropping state
};

/** @ingroup gridftp @brief CoDel for all packets of a link. */
class CodelQueue final : public ActiveQueue
{
  public:
    /** @param spec valid parameters @param mostPackets most packets that wait */
    CodelQueue(const CodelSpec& spec, uint64_t mostPackets)
        : m_spec(spec),
          m_mostPackets(mostPackets)
    {
    }

    uint64_t GetLength() const override
    {
        return m_fifo.GetLength();
    }

  private:
    bool DoEnqueue(int64_t nowNs, QueuedPacket packet) override;
    std::optional<QueuedPacket> DoDequeue(int64_t nowNs) override;

    CodelSpec m_spec;       //!< parameters
    uint64_t m_mostPackets; //!< most packets that wait
    CodelFifo m_fifo;       //!< waiting packets
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CODEL_H
