/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

/**
 * @file
 * @ingroup gridftp
 * A TcpConnection of two ways whose receiver of the source takes its time: its window moves, and
 * packets of that end carry it. What moves a window is in gridftp-segment-connection-windows.cc.
 */

namespace ns3::gridftp
{

namespace
{

// What comes back from the end whose window moves are answers of a few bytes, so that a packet has
// room for the window field next to their size
constexpr unsigned SIZE_BITS = 8;
constexpr uint32_t SIZE_MASK = (1U << SIZE_BITS) - 1;

} // namespace

uint32_t
TcpConnection::PackTalk(End end, uint32_t size)
{
    if (!m_window || end == m_use.source)
    {
        return size;
    }
    return m_window->Advertise(m_ends[end].nowNs) << SIZE_BITS | size;
}

uint32_t
TcpConnection::GetTalkBytes(End to, SegmentPacket packet) const
{
    if (packet.GetKind() == PacketKind::TALK_WINDOW)
    {
        return 0; // its payload is a window
    }
    const bool hasWindow = m_window && to == m_use.source;
    return hasWindow ? packet.GetPayload() & SIZE_MASK : packet.GetPayload();
}

void
TcpConnection::TakeTalkWindow(End to, SegmentPacket packet)
{
    if (m_window && to == m_use.source && packet.GetKind() != PacketKind::TALK_WINDOW)
    {
        const uint64_t field = packet.GetPayload() >> SIZE_BITS;
        TakeWindow(field << m_window->GetShift());
    }
}

void
TcpConnection::ReceiveTalkProbe(Nanoseconds at, SegmentPacket packet)
{
    const End to = GetReceivingEnd();
    Half& half = m_ends[to];
    const uint64_t start = TalkNumbers::GetStart(packet.GetValue(), half.receiver.GetNext());
    if (!half.receiver.IsStale(start, 1))
    {
        const uint64_t ack = TalkNumbers::GetAck(packet.GetValue(), half.sender.GetAcknowledged());
        half.sender.AcceptAck(at, ack, true);
    }
    SendAck(to);
    half.sender.Send(at);
}

} // namespace ns3::gridftp
