/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SENDER_FAST_H
#define GRIDFTP_SEGMENT_SENDER_FAST_H

// The parts of SegmentSender that are done for each segment, and so are compiled into their
// callers.

#include "gridftp-segment-sender.h"

#include <algorithm>
#include <cstdint>

namespace ns3::gridftp
{

inline void
SegmentSender::UpdateFastPath()
{
    // What HandleAckFast() leaves as it is
    m_fastPath = m_state == CongestionState::OPEN && !m_board.IsActive() && m_leftBytes == 0 &&
                 m_duplicates == 0 && m_retries == DATA_RETRIES && m_rwnd == m_offered &&
                 m_tcp->control->growsAsReno && m_hasFastPath;
}

inline void
SegmentSender::NewAck(Nanoseconds now, bool restart)
{
    m_retries = DATA_RETRIES;
    if (restart)
    {
        SetRto(m_rtt.GetRtoNs());
        StartTimer(now);
    }
    if (m_una >= m_buffer.GetWake()) [[unlikely]]
    {
        SupplyNow();
        m_deadlineNs = m_buffer.GetWritten() == m_una ? NEVER : m_deadlineNs;
    }
}

inline void
SegmentSender::StartTimer(Nanoseconds now)
{
    m_deadlineNs = now + m_rtoNs;
    if (m_deadlineNs < m_queuedNs)
    {
        m_port->ArmTimer(*this);
    }
}

inline void
SegmentSender::Supply()
{
    if (m_una >= m_buffer.GetWake())
    {
        SupplyNow();
    }
}

template <typename SendFunction>
[[gnu::always_inline]] inline void
SegmentSender::HandleAckFast(Nanoseconds now, uint64_t ack, SendFunction&& send)
{
    const uint64_t segment = m_tcp->segmentBytes;
    m_rtt.Add(now - m_samples.Front().sentNs);
    m_samples.Pop();
    m_sampledFrom = ack;
    m_una = ack;
    IncreaseAsReno(*this, 1);
    m_rtoNs = m_rtt.GetRtoNs();
    StartTimer(now);
    if (ack >= m_buffer.GetWake()) [[unlikely]]
    {
        SupplyNow();
        m_deadlineNs = m_buffer.GetWritten() == ack ? NEVER : m_deadlineNs;
    }
    auto room =
        static_cast<int64_t>(std::min(m_rwnd, GetCwnd())) - static_cast<int64_t>(m_sent - m_una);
    auto unsent = static_cast<int64_t>(m_buffer.GetWritten() - m_sent);
    const auto size = static_cast<int64_t>(segment);
    while (room >= size && unsent >= room)
    {
        const uint64_t start = m_sent;
        m_sent = start + segment;
        m_samples.Push({now, Sample::MarkOf(m_sent)});
        ++m_totals.segments;
        m_lastSentNs = now;
        room -= size;
        unsent -= size;
        send(start, segment);
    }
    if (unsent > 0 && unsent <= room)
    {
        Send(now); // the end of what is written
    }
}

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SENDER_FAST_H
