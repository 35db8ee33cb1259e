/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_METER_H
#define GRIDFTP_SEGMENT_METER_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-link.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a link with a DropTail queue has done. */
struct LinkCounts
{
    int64_t timeNs{0};   //!< in how long
    int64_t busyNs{0};   //!< of transmissions
    int64_t waitedNs{0}; //!< integral of the queue's length, packets times ns
    uint64_t drops{0};   //!< packets that the queue refused
    uint64_t marks{0};   //!< packets that the queue has marked

    /** @param before counts up to an earlier moment @return those since */
    LinkCounts operator-(const LinkCounts& before) const
    {
        return {timeNs - before.timeNs,
                busyNs - before.busyNs,
                waitedNs - before.waitedNs,
                drops - before.drops,
                marks - before.marks};
    }

    /** @param other counts of another time @return those of both */
    LinkCounts operator+(const LinkCounts& other) const
    {
        return {timeNs + other.timeNs,
                busyNs + other.busyNs,
                waitedNs + other.waitedNs,
                drops + other.drops,
                marks + other.marks};
    }

    bool operator==(const LinkCounts&) const = default;
};

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

    /** Measures from here on. @param now of the simulation */
    void Begin(Nanoseconds now)
    {
        m_begin = m_mark = Read(now);
        m_link->ResetMost();
    }

    /** Measures up to here. @param now of the simulation */
    void Mark(Nanoseconds now)
    {
        m_mark = Read(now);
        m_most = m_link->GetMost(now);
    }

    /** @param now of the simulation @return what the link has done since ever */
    LinkCounts Count(Nanoseconds now) const
    {
        return {now,
                m_link->GetBusyNs(now),
                m_link->GetWaitedNs(now),
                m_link->GetDrops(now),
                m_link->GetMarks()};
    }

    /** What is measured has gone on without being simulated. @param counts of that */
    void Skip(const LinkCounts& counts)
    {
        m_skipped = m_skipped + counts;
    }

    /** @return from the one moment to the other, ns */
    int64_t GetDurationNs() const
    {
        return m_mark.timeNs - m_begin.timeNs + m_skipped.timeNs;
    }

    /** @return share of the time in which the link transmitted, with a schedule of what it could
     * have carried in that time; 0 without a time */
    double GetUtilisation() const
    {
        return GetShare(m_mark);
    }

    /** @param now of the simulation @return GetUtilisation() as if measured up to here */
    double GetUtilisation(Nanoseconds now) const
    {
        return GetShare(Read(now));
    }

    /** @return integral of the queue's length, packets times ns */
    int64_t GetWaitedNs() const
    {
        return m_mark.waitedNs - m_begin.waitedNs + m_skipped.waitedNs;
    }

    /** @return packets that the queue refused */
    uint64_t GetDrops() const
    {
        return m_mark.drops - m_begin.drops + m_skipped.drops;
    }

    /** @return packets that the queue has marked */
    uint64_t GetMarks() const
    {
        return m_mark.marks - m_begin.marks + m_skipped.marks;
    }

    /** @return most packets that waited */
    uint64_t GetMost() const
    {
        return m_most;
    }

    /**
     * @param now of the simulation
     * @return bytes that have left the link since ever, link headers included; of one that is
     *         leaving the part
     */
    int64_t GetForwardedBytes(Nanoseconds now) const
    {
        if (m_link->GetSchedule())
        {
            constexpr uint64_t BYTE_BITS = 8;
            return static_cast<int64_t>(m_link->GetCarried(now).bits / BYTE_BITS);
        }
        constexpr double BYTE_NS = 8e9;
        return static_cast<int64_t>(static_cast<double>(m_link->GetBusyNs(now) + m_skipped.busyNs) *
                                    static_cast<double>(m_rateBps) / BYTE_NS);
    }

  private:
    /** Counts at a moment, since ever. */
    struct Reading : LinkCounts
    {
        LinkCapacity carried{}; //!< of a link with a schedule
    };

    /** @param end where measuring ends @return see GetUtilisation() */
    double GetShare(const Reading& end) const
    {
        if (const LinkSchedule* schedule = m_link->GetSchedule())
        {
            return gridftp::GetUtilisation(end.carried - m_begin.carried,
                                           schedule->GetCapacity(m_begin.timeNs, end.timeNs));
        }
        const auto duration = static_cast<double>(end.timeNs - m_begin.timeNs + m_skipped.timeNs);
        const auto busy = static_cast<double>(end.busyNs - m_begin.busyNs + m_skipped.busyNs);
        return duration > 0 ? busy / duration : 0;
    }

    /** @param now of the simulation @return the counts */
    Reading Read(Nanoseconds now) const
    {
        return {Count(now), m_link->GetSchedule() ? m_link->GetCarried(now) : LinkCapacity{}};
    }

    DropTailLink* m_link; //!< that is measured
    int64_t m_rateBps;    //!< of it
    Reading m_begin;      //!< where measuring began
    Reading m_mark;       //!< and where it ended
    LinkCounts m_skipped; //!< see Skip()
    uint64_t m_most{0};   //!< see GetMost()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_METER_H
