/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

/**
 * @file
 * @ingroup gridftp
 * A bidirectional ClassicConnection. The endpoint that receives the source's data reads slowly, so
 * its advertised window varies, and each packet that it sends carries the window field.
 * gridftp-segment-connection-windows.cc contains the code that changes the window.
 */

namespace ns3::gridftp
{

namespace
{

// That endpoint sends replies of less than 256 bytes: their size needs 8 bits of the payload field,
// and the higher bits have room for the window field
constexpr unsigned SIZE_BITS = 8;
constexpr uint32_t SIZE_MASK = (1U << SIZE_BITS) - 1;

} // namespace

uint32_t
ClassicConnection::PackTalk(End end, uint32_t size)
{
    if (!m_window || end == m_use.source)
    {
        return size;
    }
    return m_window->Advertise(m_ends[end].nowNs) << SIZE_BITS | size;
}

uint32_t
ClassicConnection::GetTalkBytes(End to, SegmentPacket packet) const
{
    if (packet.GetKind() == PacketKind::TALK_WINDOW)
    {
        return 0; // its payload is a window
    }
    const bool hasWindow = m_window && to == m_use.source;
    return hasWindow ? packet.GetPayload() & SIZE_MASK : packet.GetPayload();
}

void
ClassicConnection::TakeTalkWindow(End to, SegmentPacket packet)
{
    if (m_window && to == m_use.source && packet.GetKind() != PacketKind::TALK_WINDOW)
    {
        const uint64_t field = packet.GetPayload() >> SIZE_BITS;
        TakeWindow(field << m_window->GetShift());
    }
}

void
ClassicConnection::ReceiveTalkProbe(Nanoseconds at, SegmentPacket packet)
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
