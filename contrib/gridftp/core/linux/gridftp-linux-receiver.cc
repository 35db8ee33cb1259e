/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-receiver.h"

#include "gridftp-linux-receiver-fast.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

// SACK blocks of an ACK: 40 bytes of options, with and without 12 bytes of timestamps.
constexpr uint32_t BLOCKS_WITH_TIMESTAMPS = 3;
constexpr uint32_t BLOCKS_WITHOUT_TIMESTAMPS = 4;

// Quick ACKs when congestion was experienced.
constexpr uint64_t ECN_QUICK_ACKS = 2;

// Where memory runs out, segments are copied into pages: data and memory of one (tcp_collapse).
constexpr uint64_t COLLAPSED_BYTES = 4096 - 320;
constexpr uint64_t COLLAPSED_MEMORY = 4096 + 256;

} // namespace

LinuxReceiver::LinuxReceiver(const LinuxSettings& settings)
    : m_settings(settings),
      m_buffer(settings),
      m_acks(settings)
{
}

void
LinuxReceiver::Open(Nanoseconds now, const LinuxSegment& syn, bool hasSack, bool hasTimestamps)
{
    const bool isServer = !syn.Has(LinuxSegment::ACK);
    m_data.Open(syn.GetEnd(),
                hasSack,
                m_settings.dsack,
                hasTimestamps ? BLOCKS_WITH_TIMESTAMPS : BLOCKS_WITHOUT_TIMESTAMPS);
    m_buffer.Open(hasTimestamps, isServer);
    m_acks.Open(now);
    m_hasTimestamps = hasTimestamps;
    m_hasEcn =
        m_settings.ecn && syn.Has(LinuxSegment::ECE) && syn.Has(LinuxSegment::CWR) == isServer;
    m_tsRecent = syn.tsVal;
    m_read = syn.GetEnd();
    m_stamp = now;
    if (!isServer)
    {
        Establish(now);
    }
}

void
LinuxReceiver::Establish(Nanoseconds now)
{
    m_isEstablished = true;
    m_buffer.Establish(now, m_read);
}

void
LinuxReceiver::EnterQuickMode(uint64_t most)
{
    m_acks.EnterQuickMode(most, m_buffer.GetOffered(), m_buffer.GetSegmentSize());
}

void
LinuxReceiver::CheckCe(const LinuxSegment& segment)
{
    if (segment.isCe)
    {
        if (!m_demandsCwr)
        {
            EnterQuickMode(ECN_QUICK_ACKS);
            m_demandsCwr = true;
        }
        m_hasSeenEct = true;
    }
    else if (segment.isEct)
    {
        m_hasSeenEct = true;
    }
    else if (m_hasSeenEct)
    {
        // Not ECN-capable among those that are: a retransmission.
        EnterQuickMode(ECN_QUICK_ACKS);
    }
}

void
LinuxReceiver::Refuse(const LinuxSegment& segment)
{
    // Outside of the window: answered at once (tcp_send_dupack), reported if it came before.
    const uint64_t next = m_data.GetNext();
    if (segment.seq < next)
    {
        EnterQuickMode(LinuxAckSchedule::MOST_QUICK);
        m_data.SetDsack(segment.seq, std::min(segment.GetEnd(), next));
    }
    m_acks.Hurry();
}

bool
LinuxReceiver::ReceiveOther(Nanoseconds now, const LinuxSegment& segment)
{
    if (!m_isEstablished)
    {
        Establish(now);
        return Receive(now, segment);
    }
    const uint64_t next = m_data.GetNext();
    const uint64_t window = m_buffer.GetWindow(next);
    const uint64_t end = segment.GetEnd();
    const bool isBeyond = end > next + window && (segment.seq > next + window || next != m_read);
    if (end < m_buffer.GetWindowStart() || isBeyond)
    {
        Refuse(segment);
        return false;
    }
    if (m_hasTimestamps)
    {
        TakeTimestamp(now, segment);
    }
    if (segment.Has(LinuxSegment::CWR))
    {
        // The sender's window may be very small now.
        m_demandsCwr = false;
        m_acks.Hurry();
    }
    m_data.ForgetDsack();
    if (end <= next)
    {
        m_data.SetDsack(segment.seq, end);
    }
    else if (segment.seq < next + std::max<uint64_t>(window, 1))
    {
        if (segment.seq > next)
        {
            Hold(segment);
            return false;
        }
        if (segment.seq < next)
        {
            m_data.SetDsack(segment.seq, next);
        }
        if (window > 0 || segment.size == 0)
        {
            return Queue(now, segment, GetMemory(segment.size));
        }
    }
    EnterQuickMode(LinuxAckSchedule::MOST_QUICK);
    m_acks.Schedule();
    return false;
}

bool
LinuxReceiver::Queue(Nanoseconds now, const LinuxSegment& segment, uint64_t memory)
{
    if (!m_buffer.HasMemory() && !MakeRoom(segment))
    {
        m_acks.ReportFull();
        if (GetReadable() > 0 && segment.size > 0)
        {
            return false;
        }
    }
    const uint64_t next = m_data.GetNext();
    if (segment.Has(LinuxSegment::FIN))
    {
        m_fin = segment.GetEnd() - 1;
    }
    m_data.Advance(segment.GetEnd());
    const uint64_t dataEnd = segment.seq + segment.size;
    if (dataEnd > next)
    {
        m_buffer.Push(dataEnd - next, memory, 1);
        HandleData(now, segment, memory);
    }
    TakeFin();
    if (!m_data.IsEmpty())
    {
        TakeReady();
    }
    return true;
}

void
LinuxReceiver::TakeReady()
{
    const uint64_t high = m_data.GetNext();
    while (m_data.HasReady())
    {
        const LinuxHeldRange range = m_data.Take(high);
        m_buffer.Release(range.memory);
        // The FIN takes a position, but is no data.
        const uint64_t bytes = std::min(range.end, m_fin) - std::min(range.start, m_fin);
        if (bytes > 0)
        {
            const uint64_t size = std::max<uint64_t>(bytes / range.segments, 1);
            const uint64_t memory = range.memory / range.segments;
            const uint64_t count = std::min(range.segments, bytes / size) - 1;
            m_buffer.Push(size, memory, count);
            m_buffer.Push(bytes - count * size, range.memory - count * memory, 1);
        }
    }
    TakeFin();
    if (m_data.IsEmpty())
    {
        // RFC 5681, Section 4.2: the gap is filled.
        m_acks.Hurry();
    }
    m_data.RemoveBlocks();
}

void
LinuxReceiver::TakeFin()
{
    if (m_data.GetNext() > m_fin && !m_hasFin) [[unlikely]]
    {
        m_hasFin = true;
        m_buffer.Release(m_data.Clear());
        m_acks.Schedule();
        m_acks.EnterInteractive();
    }
}

bool
LinuxReceiver::MakeRoom(const LinuxSegment& segment)
{
    if (m_buffer.GetMemory() == 0)
    {
        return false;
    }
    m_acks.EndQuick();
    m_buffer.Clamp(m_stamp);
    if (m_buffer.HasMemory())
    {
        return true;
    }
    m_buffer.Release(m_data.Collapse(COLLAPSED_BYTES, COLLAPSED_MEMORY));
    m_buffer.Collapse(COLLAPSED_BYTES, COLLAPSED_MEMORY);
    while (!m_buffer.HasMemory())
    {
        // An eighth of the buffer at a time, the highest positions first.
        const uint64_t dropped = m_data.Prune(segment.seq, m_buffer.GetSize() >> 3);
        m_buffer.Release(dropped);
        if (dropped == 0)
        {
            return false;
        }
    }
    return true;
}

void
LinuxReceiver::Hold(const LinuxSegment& segment)
{
    if (m_hasEcn)
    {
        CheckCe(segment);
    }
    if (!m_buffer.HasMemory() && !MakeRoom(segment))
    {
        return;
    }
    const uint64_t memory = GetMemory(segment.size);
    Measure(segment, memory);
    m_acks.Schedule();
    if (segment.Has(LinuxSegment::FIN))
    {
        m_fin = segment.GetEnd() - 1;
    }
    const auto insertion = m_data.Insert(segment, memory, m_acks.IsCompressing());
    if (insertion.mustFlush)
    {
        m_acks.Hurry();
    }
    m_buffer.Release(insertion.freedMemory);
    if (insertion.isQueued)
    {
        // Without SACK the window stays, so that ACKs are duplicates that the sender counts.
        if (m_data.HasSack() && m_buffer.Grow(segment, memory))
        {
            m_acks.AllowOneQuick();
        }
        m_buffer.Charge(memory);
    }
    m_buffer.GrowForHeld(m_stamp, m_data.GetHighest() - m_data.GetNext());
}

} // namespace ns3::gridftp
