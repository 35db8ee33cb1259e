/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_OPEN_LINK_H
#define GRIDFTP_SEGMENT_OPEN_LINK_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-state.h"
#include "gridftp-segment-transmission.h"

#include <algorithm>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A link whose queue drops nothing. Packets have to come in the order of their times; then each
 * one's arrival is known as soon as it is sent.
 */
class OpenLink
{
  public:
    /** @param time of transmission @param delayNs of propagation, ns */
    OpenLink(const TransmissionTime& time, int64_t delayNs)
        : m_time(time),
          m_delayNs(delayNs)
    {
    }

    /**
     * @param now when the packet is there to be sent, ns
     * @param bytes its size, link header included
     * @return when it has arrived at the other end, ns
     */
    [[gnu::always_inline]] int64_t Cross(Nanoseconds now, int64_t bytes)
    {
        m_freeNs = std::max(now, m_freeNs) + m_time.Of(bytes);
        return m_freeNs + m_delayNs;
    }

    /** Cross() for a packet of the usual size. @param now of the simulation @return when it has
     * arrived, ns */
    [[gnu::always_inline]] int64_t CrossUsual(Nanoseconds now)
    {
        m_freeNs = std::max(now, m_freeNs) + m_time.OfUsual();
        return m_freeNs + m_delayNs;
    }

    /** @param bytes the size that most packets have, link header included */
    void SetUsualBytes(int64_t bytes)
    {
        m_time.SetUsualBytes(bytes);
    }

    /** @return the size that most packets have, link header included */
    int64_t GetUsualBytes() const
    {
        return m_time.GetUsualBytes();
    }

    /** @param bytes of a packet @return from the start of its transmission to its arrival, ns */
    int64_t GetLead(int64_t bytes) const
    {
        return m_time.Of(bytes) + m_delayNs;
    }

    /** @return when it is done with all it has, ns */
    int64_t GetFreeNs() const
    {
        return m_freeNs;
    }

    /** @param arrival of a packet, ns @return when its transmission was over, ns */
    int64_t GetSentNs(int64_t arrival) const
    {
        return arrival - m_delayNs;
    }

    /** What has crossed has to cross again. @param freeNs when it is done with all before that */
    void Rewind(int64_t freeNs)
    {
        m_freeNs = freeNs;
    }

    /** @param state gets what it has to do */
    void AddState(SegmentState& state) const
    {
        state.AddTime(m_freeNs);
    }

  private:
    TransmissionTime m_time; //!< of transmission
    int64_t m_delayNs;       //!< of propagation
    int64_t m_freeNs{0};     //!< when it is done with all it has
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_OPEN_LINK_H
