/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_METER_H
#define GRIDFTP_SEGMENT_METER_H

#include "gridftp-segment-link.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Measures a link with a DropTail queue, from one moment to another. */
class LinkMeter
{
  public:
    /** @param link that is measured; outlives it @param rateBps of the link, bit/s */
    LinkMeter(DropTailLink& link, int64_t rateBps)
        : m_link(&link),
          m_rateBps(rateBps)
    {
    }

    /** Measures from here on. @param now ns */
    void Begin(int64_t now)
    {
        m_begin = m_mark = Read(now);
        m_link->ResetMost();
    }

    /** Measures up to here. @param now ns */
    void Mark(int64_t now)
    {
        m_mark = Read(now);
        m_most = m_link->GetMost();
    }

    /** @return from the one moment to the other, ns */
    int64_t GetDurationNs() const
    {
        return m_mark.timeNs - m_begin.timeNs;
    }

    /** @return bytes that left the link's queue, link headers included */
    int64_t GetBytes() const
    {
        return m_mark.bytes - m_begin.bytes;
    }

    /** @return integral of the queue's length, packets times ns */
    int64_t GetWaitedNs() const
    {
        return m_mark.waitedNs - m_begin.waitedNs;
    }

    /** @return packets that the queue refused */
    uint64_t GetDrops() const
    {
        return m_mark.drops - m_begin.drops;
    }

    /** @return most packets that waited */
    uint64_t GetMost() const
    {
        return m_most;
    }

    /** @param now ns @return bytes that have left the link's queue since ever */
    int64_t GetForwardedBytes(int64_t now) const
    {
        constexpr double BYTE_NS = 8e9;
        const double waiting = static_cast<double>(m_link->GetBacklogNs(now)) *
                               static_cast<double>(m_rateBps) / BYTE_NS;
        return m_link->GetBytes() - static_cast<int64_t>(waiting + 0.5);
    }

  private:
    /** Counts at a moment. */
    struct Reading
    {
        int64_t timeNs{0};   //!< when
        int64_t bytes{0};    //!< see GetForwardedBytes()
        int64_t waitedNs{0}; //!< see GetWaitedNs()
        uint64_t drops{0};   //!< see GetDrops()
    };

    /** @param now ns @return the counts */
    Reading Read(int64_t now) const
    {
        return {now, GetForwardedBytes(now), m_link->GetWaitedNs(now), m_link->GetDrops()};
    }

    DropTailLink* m_link; //!< that is measured
    int64_t m_rateBps;    //!< of it
    Reading m_begin;      //!< where measuring began
    Reading m_mark;       //!< and where it ended
    uint64_t m_most{0};   //!< see GetMost()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_METER_H
