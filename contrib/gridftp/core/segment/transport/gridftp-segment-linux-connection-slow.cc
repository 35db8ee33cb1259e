/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-linux-connection.h"
#include "gridftp-segment-tcp.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * A LinuxConnection whose applications take their time, or whose send buffer is of a pool that all
 * connections of a host share. What an application does not read stays in the receive buffer and
 * closes the window; what it does not write leaves the sender limited by its application.
 */

namespace ns3::gridftp
{

void
LinuxConnection::Work(End end, Nanoseconds now, Nanoseconds ns)
{
    m_ends[end].workAt = now + ns;
    m_use.path.clocks[end]->ScheduleWork(now + ns, *this, ENDS + end);
}

void
LinuxConnection::HandleWork(End end, Nanoseconds now)
{
    Half& half = m_ends[end];
    if (half.workAt != now)
    {
        return; // of an earlier connection
    }
    half.workAt = NEVER;
    half.now = now;
    ++m_depth;
    if (end == m_use.source)
    {
        Fill(now);
    }
    else
    {
        ReadSlowly(now);
    }
    --m_depth;
    ShowBuffers(end);
    if (m_isWatched && end == m_use.source)
    {
        UpdateMonitor(now);
    }
}

// The receiving endpoint

void
LinuxConnection::ReadOnce(Nanoseconds now, uint64_t bytes)
{
    Half& half = m_ends[GetReceivingEnd()];
    half.socket->Read(now, bytes);
    m_read += bytes;
    if (m_logs)
    {
        LogDelivery(now);
    }
    const uint64_t rate = m_use.tcp->buffers.readRate;
    if (rate > 0 && m_read > m_use.preamble)
    {
        Work(GetReceivingEnd(), now, GetWorkNs(bytes, rate));
    }
}

void
LinuxConnection::ReadSlowly(Nanoseconds now)
{
    const End end = GetReceivingEnd();
    Half& half = m_ends[end];
    const BufferSettings& buffers = m_use.tcp->buffers;
    while (half.workAt == NEVER && !half.closed)
    {
        const bool isPreamble = m_read < m_use.preamble;
        ByteSink* const sink = isPreamble ? nullptr : m_use.sink;
        if (const Nanoseconds next = sink ? sink->GetNextNs(now) : now; next > now)
        {
            next < NEVER ? Work(end, now, next - now) : void(); // else until ReadOn()
            break;
        }
        uint64_t bytes = half.socket->GetReadable();
        if (bytes == 0)
        {
            break;
        }
        bytes = isPreamble ? std::min(bytes, m_use.preamble - m_read) : bytes;
        bytes = sink ? std::min(bytes, sink->GetRoom()) : bytes;
        bytes = buffers.readRate > 0 ? std::min(bytes, buffers.segmentBytes) : bytes;
        ReadOnce(now, bytes);
        if (sink)
        {
            sink->Take(now, bytes);
        }
        if (m_use.ways == Ways::BACK && !half.isRetired)
        {
            m_use.user->HandleRead(*this, now);
        }
    }
    if (m_use.ways != Ways::TWO && !half.isRetired)
    {
        CheckDelivered(now);
    }
    if (half.socket->GetReceiver().HasFin() && half.socket->GetReadable() == 0)
    {
        HandleEndOfFile(end, now);
    }
}

// The send pool

uint64_t
LinuxConnection::GetPooledRoom() const
{
    const uint64_t held = GetHeld();
    const uint64_t size = GetBufferOfSource();
    return size > held ? size - held : 0;
}

uint64_t
LinuxConnection::GetBufferOfSource() const
{
    const uint64_t own = m_ends[m_use.source].socket->GetSender().GetSendBuffer();
    return m_isPooled ? std::min(own, m_use.pool->GetShare(m_member)) : own;
}

void
LinuxConnection::JoinPool()
{
    m_member = m_use.pool->Join();
    m_isPooled = true;
}

void
LinuxConnection::FollowPool()
{
    if (m_isPooled) [[unlikely]]
    {
        const LinuxSender& sender = m_ends[m_use.source].socket->GetSender();
        const LinuxWindow& window = sender.GetWindow();
        const uint64_t cwnd = static_cast<uint64_t>(window.cwnd) * window.mss;
        m_use.pool->Follow(m_member, std::min(cwnd, sender.GetPeerWindow()));
    }
}

void
LinuxConnection::LeavePool()
{
    if (m_isPooled)
    {
        m_isPooled = false;
        m_use.pool->Leave(m_member);
    }
}

// Traces

void
LinuxConnection::TellBuffers(End end) const
{
    const Half& half = m_ends[end];
    if (!half.connected || half.closed)
    {
        return;
    }
    FlowObserver& observer = *m_flows->GetObserver();
    if (end == m_use.source)
    {
        const uint64_t sent = half.socket->GetSender().GetWindow().sndNxt - 1;
        return observer.HandleSendBuffer(half.now,
                                         *m_use.label,
                                         {.bytes = GetBufferOfSource(),
                                          .unsent = half.written > sent ? half.written - sent : 0});
    }
    const LinuxReceiver& receiver = half.socket->GetReceiver();
    observer.HandleReceiveBuffer(m_use.path.clocks[end]->GetNow(),
                                 half.now,
                                 *m_use.label,
                                 {.bytes = receiver.GetBufferSize(),
                                  .advertised = receiver.GetBuffer().GetOffered(),
                                  .unread = receiver.GetReadable()});
}

} // namespace ns3::gridftp
