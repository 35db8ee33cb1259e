/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_QUEUE_DELAY_H
#define GRIDFTP_QUEUE_DELAY_H

#include "gridftp-delay-tally.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-ring.h"

#include <cstddef>
#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief IPv4 and TCP header without options: an IP packet of this size has no
 * payload. */
inline constexpr int64_t BARE_PACKET_BYTES = 40;

/**
 * @ingroup gridftp
 * How long packets wait in the queue of a link before their transmission starts, from one moment to
 * another: of all packets whose transmission starts within that time, both moments included. The
 * caller leaves out packets without payload if only one direction is measured: there the engines
 * close connections with one of them more or less.
 *
 * Contract: both engines call Add() once for each packet, in the order in which transmissions
 * start, when that moment is known: engine ns3 when it comes, engine segment when the packet enters
 * the queue, perhaps earlier than Mark(). Begin() is called once and Mark() any number of times, in
 * the order of time.
 */
class QueueDelayMeter
{
  public:
    /** @param mostAhead packets that Add() may know of before their transmission starts */
    explicit QueueDelayMeter(size_t mostAhead)
        : m_mostAhead(mostAhead)
    {
    }

    /** A packet is transmitted. @param start when that begins @param waitNs how long it has waited
     * then, ns */
    void Add(Nanoseconds start, int64_t waitNs)
    {
        if (start <= m_markNs) [[unlikely]]
        {
            return m_counted.Add(waitNs);
        }
        m_ahead.Push({start, waitNs});
        if (m_ahead.GetSize() > m_mostAhead)
        {
            const Wait first = m_ahead.Front();
            m_ahead.Pop();
            if (m_hasBegun)
            {
                m_since.Add(first.waitNs);
            }
        }
    }

    /** Measures from here on. @param now current simulation time */
    void Begin(Nanoseconds now);

    /** Measures up to here; the last call counts. @param now current simulation time */
    void Mark(Nanoseconds now);

    /** @param now current simulation time @return all from Begin() to now */
    DelayHistogram GetUntil(Nanoseconds now) const;

    /** @return all from Begin() to the last Mark() */
    const DelayHistogram& GetMarked() const
    {
        return m_counted;
    }

  private:
    /** A packet that waited. */
    struct Wait
    {
        int64_t startNs; //!< when its transmission starts
        int64_t waitNs;  //!< how long it has waited then
    };

    size_t m_mostAhead;       //!< see the constructor
    Ring<Wait> m_ahead;       //!< the latest packets, perhaps later than now
    DelayHistogram m_counted; //!< up to the last Mark()
    DelayHistogram m_since;   //!< later than that, and before those in m_ahead
    int64_t m_markNs{-1};     //!< time of the last Mark()
    bool m_hasBegun{false};   //!< Begin() was called
};

} // namespace ns3::gridftp

#endif // GRIDFTP_QUEUE_DELAY_H
