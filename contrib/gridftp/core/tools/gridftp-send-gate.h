/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEND_GATE_H
#define GRIDFTP_SEND_GATE_H

#include "gridftp-nanoseconds.h"

#include <algorithm>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The socket buffer of a host that sends datagrams: a program that sends faster than the link takes
 * waits until there is room, as it does in a blocking write.
 */
class SendGate
{
  public:
    /** @param rateBps of the link, above 0 @param bufferBytes as many may wait for it */
    SendGate(int64_t rateBps, int64_t bufferBytes)
        : m_rateBps(rateBps),
          m_roomNs(GetTime(bufferBytes))
    {
    }

    /** @param at when somebody would like to send, ns @return when there is room, ns */
    Nanoseconds GetRoom(Nanoseconds at) const
    {
        return std::max(at, m_freeNs - m_roomNs);
    }

    /** Something is sent. @param now of the simulation @param bytes on the link */
    void Take(Nanoseconds now, int64_t bytes)
    {
        if (bytes != m_bytes) [[unlikely]]
        {
            m_bytes = bytes;
            m_timeNs = GetTime(bytes);
        }
        m_freeNs = std::max(now, m_freeNs) + m_timeNs;
    }

  private:
    /** @param bytes on the link @return how long it transmits them, rounded up, ns */
    Nanoseconds GetTime(int64_t bytes) const
    {
        constexpr int64_t NS_PER_S = 1'000'000'000;
        return (bytes * 8 * NS_PER_S + m_rateBps - 1) / m_rateBps;
    }

    int64_t m_rateBps;       //!< of the link
    Nanoseconds m_roomNs;    //!< how long it transmits a full buffer
    Nanoseconds m_freeNs{0}; //!< when it has transmitted all it has
    int64_t m_bytes{0};      //!< of what was sent last
    Nanoseconds m_timeNs{0}; //!< how long it transmits that
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEND_GATE_H
