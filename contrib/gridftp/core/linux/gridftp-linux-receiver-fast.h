/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_RECEIVER_FAST_H
#define GRIDFTP_LINUX_RECEIVER_FAST_H

#include "gridftp-linux-receiver.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * LinuxReceiver: what it does for each segment while all of them come in order. LinuxSocket and the
 * source of LinuxReceiver include it, so that it is compiled into their functions.
 */

namespace ns3::gridftp
{

[[gnu::always_inline]] inline uint64_t
LinuxReceiver::GetMemory(uint64_t size)
{
    if (size != m_memorySize) [[unlikely]]
    {
        m_memorySize = size;
        m_memory = LinuxReceiveBuffer::GetSegmentMemory(size);
    }
    return m_memory;
}

[[gnu::always_inline]] inline void
LinuxReceiver::UpdateTsRecent(const LinuxSegment& segment)
{
    // RFC 7323, Section 4.3: of a segment at or before the last ACK that was sent.
    if (segment.seq <= m_buffer.GetWindowStart() &&
        static_cast<int32_t>(m_tsRecent - segment.tsVal) <= 0)
    {
        m_tsRecent = segment.tsVal;
    }
}

[[gnu::always_inline]] inline void
LinuxReceiver::TakeTimestamp(Nanoseconds now, const LinuxSegment& segment)
{
    UpdateTsRecent(segment);
    if (segment.tsEcr == m_tsEcr)
    {
        return;
    }
    m_tsEcr = segment.tsEcr;
    if (segment.GetEnd() - segment.seq >= m_buffer.GetSegmentSize())
    {
        const uint32_t delta = static_cast<uint32_t>(now / LINUX_MS) + 1 - segment.tsEcr;
        if (delta < (1u << 31) / 1000)
        {
            m_buffer.AddRtt(delta * 1000, m_data.GetNext() == m_read);
        }
    }
}

[[gnu::always_inline]] inline void
LinuxReceiver::Measure(const LinuxSegment& segment, uint64_t memory)
{
    using Hint = LinuxReceiveBuffer::Hint;
    const Hint hint = m_buffer.Measure(segment, memory);
    if (hint == Hint::PUSHED) [[unlikely]]
    {
        m_acks.NotePush();
    }
    else if (hint == Hint::SMALL) [[unlikely]]
    {
        m_acks.NoteSmallSegment();
    }
}

[[gnu::always_inline]] inline void
LinuxReceiver::HandleData(Nanoseconds now, const LinuxSegment& segment, uint64_t memory)
{
    m_acks.Schedule();
    Measure(segment, memory);
    m_buffer.MeasureRtt(now, m_data.GetNext());
    m_acks.HandleData(now, m_buffer.GetOffered(), m_buffer.GetSegmentSize());
    if (m_hasEcn) [[unlikely]]
    {
        CheckCe(segment);
    }
    if (segment.size >= LEAST_GROWING_SIZE && m_buffer.Grow(segment, memory))
    {
        m_acks.AllowOneQuick();
    }
}

[[gnu::always_inline]] inline bool
LinuxReceiver::ReceiveAck(Nanoseconds now, const LinuxSegment& segment)
{
    m_stamp = now;
    if (!m_isEstablished) [[unlikely]]
    {
        Establish(now);
    }
    const uint64_t next = m_data.GetNext();
    if (segment.seq < m_buffer.GetWindowStart() || segment.seq > next + m_buffer.GetWindow(next))
        [[unlikely]]
    {
        const bool answers = now - m_probedAt >= PROBE_PAUSE;
        m_probedAt = answers ? now : m_probedAt;
        return answers;
    }
    if (m_hasTimestamps)
    {
        UpdateTsRecent(segment);
    }
    return false;
}

[[gnu::always_inline]] inline bool
LinuxReceiver::Receive(Nanoseconds now, const LinuxSegment& segment)
{
    constexpr uint8_t SPECIAL = LinuxSegment::FIN | LinuxSegment::CWR;
    m_stamp = now;
    const uint64_t next = m_data.GetNext();
    if (segment.seq != next || (segment.flags & SPECIAL) != 0 || !m_data.IsEmpty() ||
        next + segment.size > m_buffer.GetWindowEnd() || !m_buffer.HasMemory()) [[unlikely]]
    {
        return ReceiveOther(now, segment);
    }
    if (m_hasTimestamps) [[likely]]
    {
        TakeTimestamp(now, segment);
    }
    m_data.Advance(next + segment.size);
    const uint64_t memory = GetMemory(segment.size);
    m_buffer.Push(segment.size, memory, 1);
    HandleData(now, segment, memory);
    return true;
}

[[gnu::always_inline]] inline uint64_t
LinuxReceiver::SelectWindow()
{
    bool mayQuicken = true;
    const uint64_t window = m_buffer.Select(mayQuicken);
    if (!mayQuicken) [[unlikely]]
    {
        m_acks.EndQuick();
    }
    return window;
}

[[gnu::always_inline]] inline bool
LinuxReceiver::DecideAck(Nanoseconds now, uint32_t srttUs8)
{
    m_acks.SetSrtt(srttUs8);
    if (!m_acks.IsScheduled())
    {
        return false;
    }
    const uint64_t next = m_data.GetNext();
    if (next - m_buffer.GetWindowStart() > m_buffer.GetSegmentSize() &&
        (next == m_read || SelectWindow() >= m_buffer.GetOffered()))
    {
        return true;
    }
    if (m_acks.IsUrgent())
    {
        return true;
    }
    if (m_data.IsEmpty()) [[likely]]
    {
        return m_acks.Delay(now);
    }
    return !m_data.HasSack() || m_acks.Compress(now, next, m_buffer.GetRttUs8());
}

inline bool
LinuxReceiver::Read([[maybe_unused]] Nanoseconds now, uint64_t bytes)
{
    // The kernel tunes with the time of the last segment, too.
    const uint64_t next = m_data.GetNext();
    if (m_buffer.IsTuneDue(m_stamp)) [[unlikely]]
    {
        const uint64_t held = m_data.IsEmpty() ? 0 : m_data.GetHighest() - next;
        m_buffer.Tune(m_stamp, next, m_read, bytes, held);
    }
    m_buffer.Pop(bytes);
    m_read += bytes;
    if (m_acks.IsScheduled())
    {
        if (next - m_buffer.GetWindowStart() > m_buffer.GetSegmentSize() ||
            (m_acks.HasSmallSegment() && m_buffer.GetMemory() == 0))
        {
            return true;
        }
    }
    const uint64_t left = m_buffer.GetWindow(next);
    if (m_hasFin || 2 * left > m_buffer.GetClamp()) [[likely]]
    {
        return false;
    }
    // The window would at least double.
    const uint64_t window = SelectWindow();
    return window > 0 && window >= 2 * left;
}

[[gnu::always_inline]] inline void
LinuxReceiver::Fill(Nanoseconds now, LinuxSegment& segment)
{
    m_stamp = now;
    segment.ack = m_data.GetNext();
    segment.tsEcr = m_hasTimestamps ? m_tsRecent : 0;
    if (segment.Has(LinuxSegment::SYN)) [[unlikely]]
    {
        segment.window = m_buffer.GetSynWindow();
        return;
    }
    const bool isFull = m_acks.IsFull();
    segment.window = m_buffer.Advertise(segment.ack, isFull ? 0 : SelectWindow(), isFull);
    m_data.Fill(segment);
    if (m_demandsCwr) [[unlikely]]
    {
        segment.flags |= LinuxSegment::ECE;
    }
    m_acks.HandleAckSent();
}

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_RECEIVER_FAST_H
