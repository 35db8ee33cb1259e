/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UDT_TIMERS_H
#define GRIDFTP_UDT_TIMERS_H

#include "gridftp-nanoseconds.h"
#include "gridftp-udt-parameters.h"
#include "gridftp-udt-rate-control.h"

#include <algorithm>
#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * What both ends of UDT know of time: the round-trip time, how long nothing has been heard, and
 * when the host of the sender looks at its schedule.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The round-trip time as UDT keeps it, in whole microseconds. */
class UdtRoundTrip
{
  public:
    static constexpr int64_t FIRST_US = 100'000; //!< before the first sample: ten SYN

    /** @param us a sample, microseconds */
    void Add(int64_t us)
    {
        const int64_t off = us > m_us ? us - m_us : m_us - us;
        m_variationUs = (m_variationUs * 3 + off) / 4;
        m_us = (m_us * 7 + us) / 8;
    }

    /** @return smoothed, microseconds */
    int64_t GetUs() const
    {
        return m_us;
    }

    /** @return its variation, microseconds */
    int64_t GetVariationUs() const
    {
        return m_variationUs;
    }

    /** @return what hardly any round trip is longer than, ns */
    Nanoseconds GetBoundNs() const
    {
        return (m_us + 4 * m_variationUs) * 1000;
    }

  private:
    int64_t m_us{FIRST_US};              //!< smoothed
    int64_t m_variationUs{FIRST_US / 2}; //!< smoothed
};

/**
 * @ingroup gridftp
 * UDT's EXP timer: nothing has been heard for n (RTT + 4 RTTVar) + 10 ms, n the number of expiries
 * since something was, and at least n times 300 ms. It is looked at 100 ms after the last arrival
 * and from then on every 100 ms.
 */
class UdtExpiry
{
  public:
    static constexpr Nanoseconds LOOK_NS = 100'000'000;     //!< from one look to the next
    static constexpr Nanoseconds LEAST_NS = 300'000'000;    //!< of an expiry
    static constexpr Nanoseconds BROKEN_NS = 5'000'000'000; //!< of silence before all is given up
    static constexpr int64_t MOST_EXPIRIES = 16;            //!< before all is given up

    /** What a look shows. */
    enum class Verdict
    {
        QUIET,   //!< it is not time yet
        EXPIRED, //!< the other end has been silent for long
        BROKEN   //!< it is there no more
    };

    /** Something has come from the other end. @param now of the simulation */
    void Hear(Nanoseconds now)
    {
        m_count = 1;
        m_heardNs = now;
        m_lookNs = now + LOOK_NS;
    }

    /** @return when to look next, ns */
    Nanoseconds GetNextLook() const
    {
        return m_lookNs;
    }

    /** Looks. @param now of the simulation @param boundNs of a round trip @return what it shows */
    Verdict Look(Nanoseconds now, Nanoseconds boundNs)
    {
        m_lookNs = now + LOOK_NS;
        const Nanoseconds silence = now - m_heardNs;
        if (silence < std::max(m_count * boundNs + UDT_SYN_NS, m_count * LEAST_NS))
        {
            return Verdict::QUIET;
        }
        if (m_count > MOST_EXPIRIES && silence > BROKEN_NS)
        {
            return Verdict::BROKEN;
        }
        ++m_count;
        m_heardNs = now;
        return Verdict::EXPIRED;
    }

  private:
    int64_t m_count{1};       //!< expiries since something was heard, and one
    Nanoseconds m_heardNs{0}; //!< when something was, or the last expiry
    Nanoseconds m_lookNs{0};  //!< when to look next
};

/**
 * @ingroup gridftp
 * When the packets of UDT's sender leave.
 *
 * UdtPacing::IDEAL: from one to the next it is a period, or nothing within a pair.
 *
 * UdtPacing::TICK, the program as it is shipped: its sending thread sleeps, and wakes up whenever
 * the receiving one returns from its socket: with a datagram, or after a time-out of 100
 * microseconds, for which the kernel takes until the second tick from then on. What is late by then
 * leaves back to back.
 */
class UdtPacer
{
  public:
    /** @param pacing which @param tickNs of the kernel */
    UdtPacer(UdtPacing pacing, Nanoseconds tickNs)
        : m_isIdeal(pacing == UdtPacing::IDEAL),
          m_tickNs(tickNs)
    {
    }

    /** A datagram has come to the host. @param now of the simulation */
    void Wake(Nanoseconds now)
    {
        m_wokenNs = now;
    }

    /** A packet leaves. @param now of the simulation @param periodNs to the next one @param isPair
     * the next one leaves at once @return when the next one is due, ns */
    Nanoseconds Plan(Nanoseconds now, Nanoseconds periodNs, bool isPair)
    {
        if (m_isIdeal)
        {
            return isPair ? now : now + periodNs;
        }
        m_lateNs += m_dueNs != NONE && now > m_dueNs ? now - m_dueNs : 0;
        m_dueNs = now;
        if (isPair)
        {
            return m_dueNs;
        }
        if (m_lateNs >= periodNs)
        {
            m_lateNs -= periodNs;
        }
        else
        {
            m_dueNs += periodNs - m_lateNs;
            m_lateNs = 0;
        }
        return m_dueNs;
    }

    /** There is nothing to send: what is late is forgotten. */
    void Stop()
    {
        m_dueNs = NONE;
        m_lateNs = 0;
    }

    /**
     * @param now when the last packet left, ns
     * @param due when the next packet is to leave, ns
     * @return when the thread sees that, ns: at once where it is due before the last one is sent
     */
    Nanoseconds FindWake(Nanoseconds now, Nanoseconds due) const
    {
        if (m_isIdeal || due <= m_wokenNs || due - now <= SEND_NS)
        {
            return due;
        }
        const Nanoseconds pause = 2 * m_tickNs;
        const Nanoseconds first = (m_wokenNs / m_tickNs + 2) * m_tickNs;
        return due <= first ? first : first + (due - first + pause - 1) / pause * pause;
    }

  private:
    static constexpr Nanoseconds NONE = -1;       //!< nothing is due
    static constexpr Nanoseconds SEND_NS = 2'000; //!< at least, of the call that sends a packet

    bool m_isIdeal;            //!< else by ticks
    Nanoseconds m_tickNs;      //!< of the kernel
    Nanoseconds m_wokenNs{0};  //!< when a datagram has come last
    Nanoseconds m_dueNs{NONE}; //!< when the next packet is to leave
    Nanoseconds m_lateNs{0};   //!< what is to be caught up
};

} // namespace ns3::gridftp

#endif // GRIDFTP_UDT_TIMERS_H
