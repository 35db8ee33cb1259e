/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RECEIVER_RTT_H
#define GRIDFTP_RECEIVER_RTT_H

#include "gridftp-nanoseconds.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The round-trip time as a receiver that sends nothing but ACKs sees it (Gardner, Thulasidasan and
 * Feng, Section 3): from an ACK until all of the window that it offers is there, since the last of
 * it can only be sent when the ACK has come.
 *
 * Each such time is an upper bound: a sender that pauses, or whose cwnd is smaller than the window,
 * takes longer. So the least of them counts, as in Linux, and the handshake's, where there is one.
 * A round-trip time that grows is not followed.
 */
class ReceiverRtt
{
  public:
    /** @param ns of the handshake, 0 where a SYN was sent twice */
    void Begin(int64_t ns)
    {
        m_leastNs = ns;
    }

    /** An ACK is sent. @param now of the simulation @param edge first byte beyond the window */
    void HandleAck(Nanoseconds now, uint64_t edge)
    {
        if (m_sentNs < 0)
        {
            m_sentNs = now;
            m_edge = edge;
        }
    }

    /** Data have arrived. @param now of the simulation @param next first byte that is missing */
    void HandleArrival(Nanoseconds now, uint64_t next)
    {
        if (m_sentNs < 0 || next < m_edge)
        {
            return;
        }
        const int64_t sample = now - m_sentNs;
        m_leastNs = m_leastNs == 0 || sample < m_leastNs ? sample : m_leastNs;
        m_sentNs = -1;
    }

    /** @return upper bound of the round-trip time, ns; 0: none yet */
    int64_t Get() const
    {
        return m_leastNs;
    }

  private:
    int64_t m_leastNs{0}; //!< see Get()
    int64_t m_sentNs{-1}; //!< when the ACK was sent that is waited for, ns; -1: none is
    uint64_t m_edge{0};   //!< first byte beyond its window
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RECEIVER_RTT_H
