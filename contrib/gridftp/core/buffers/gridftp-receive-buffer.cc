/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-receive-buffer.h"

#include <algorithm>

namespace ns3::gridftp
{

ReceiveBuffer::ReceiveBuffer(const BufferSettings& settings, uint32_t shift)
    : m_settings(settings),
      m_policy(settings.policy ? settings.policy->make() : nullptr),
      m_shift(shift),
      m_size(settings.window),
      m_edge(GetFirstField()),
      m_advertised(m_edge),
      m_meter(m_size)
{
}

uint32_t
ReceiveBuffer::GetFirstField() const
{
    return static_cast<uint32_t>(std::min(m_settings.window, LARGEST_WINDOW_FIELD));
}

void
ReceiveBuffer::Open(Nanoseconds now, int64_t rttNs)
{
    m_rtt.Begin(rttNs);
    m_meter.Open(now);
    m_lastNs = now;
}

void
ReceiveBuffer::HandleArrival(Nanoseconds now, uint64_t next)
{
    m_lastNs = now;
    m_next = next;
    m_rtt.HandleArrival(now, next);
    Decide(now);
}

void
ReceiveBuffer::HandleRead(Nanoseconds now, uint64_t bytes)
{
    m_lastNs = now;
    m_read += bytes;
    Decide(now);
}

void
ReceiveBuffer::Decide(Nanoseconds now)
{
    if (!m_policy)
    {
        return;
    }
    const uint64_t wanted = m_policy->Decide({.nowNs = now,
                                              .rttNs = m_rtt.Get(),
                                              .arrived = m_next,
                                              .read = m_read,
                                              .bufferBytes = m_size,
                                              .segmentBytes = m_settings.segmentBytes});
    if (wanted > m_size)
    {
        Resize(now, wanted);
    }
}

void
ReceiveBuffer::Resize(Nanoseconds now, uint64_t bytes)
{
    m_lastNs = now;
    m_size = std::min(bytes, m_settings.GetMostWindow());
    m_meter.Resize(now, m_size);
}

uint32_t
ReceiveBuffer::Advertise(Nanoseconds now)
{
    const uint64_t unit = uint64_t{1} << m_shift;
    const uint64_t end = m_read + m_size;
    uint64_t room = end > m_next ? end - m_next : 0;
    if (room < m_settings.segmentBytes && room < m_size / 4)
    {
        room = 0;
    }
    // Rounded down, unless a segment for which there is room would be scaled away
    const bool isLost = room / unit * unit < std::min(room, m_settings.segmentBytes);
    const uint64_t offered = room / unit + (isLost ? 1 : 0);
    const uint64_t promised = m_edge > m_next ? (m_edge - m_next + unit - 1) / unit : 0;
    const uint64_t field = std::min(std::max(offered, promised), LARGEST_WINDOW_FIELD);
    m_advertised = field * unit;
    m_edge = std::max(m_edge, m_next + m_advertised);
    m_rtt.HandleAck(now, m_edge);
    return static_cast<uint32_t>(field);
}

bool
ReceiveBuffer::IsUpdateDue() const
{
    const uint64_t end = m_read + m_size;
    const uint64_t gained = end > m_edge ? end - m_edge : 0;
    const uint64_t enough = std::min(2 * m_settings.segmentBytes, m_size / 2);
    return gained >= enough && gained >> m_shift > 0;
}

} // namespace ns3::gridftp
