/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

/**
 * @file
 * @ingroup gridftp
 * A ClassicConnection whose accepting end talks back: SBUFs against the data of DataSender, as
 * ConnectionSizer sends them in engine ns3, or its part of a handshake before the data, as
 * DataSecurity does. What ns-3's socket does with data of both ways is the same as in
 * ReceiveTalk(); what windows that move do is in gridftp-segment-connection-windows.cc.
 */

namespace ns3::gridftp
{

namespace
{

// A packet has the low bits of both numbers, more than a window of either: what they are of is
// known from what its receiver has. What comes back is little. Of a segment that comes back the
// window and the low bits of the size are where others have the size alone; the rest is here
constexpr unsigned DATA_BITS = 40;
constexpr unsigned BACK_BITS = 16;
constexpr unsigned NUMBER_BITS = DATA_BITS + BACK_BITS;
constexpr unsigned WINDOW_BITS = 16;
constexpr unsigned SIZE_BITS = 8;

/** @param data number of the data @param back number of what comes back @return both */
uint64_t
PackBoth(uint64_t data, uint64_t back)
{
    return (data & ((uint64_t{1} << DATA_BITS) - 1)) | (back & ((uint64_t{1} << BACK_BITS) - 1))
                                                           << DATA_BITS;
}

/** @param both numbers @param near the number @return that of the data */
uint64_t
DataOf(uint64_t both, uint64_t near)
{
    return UnwrapNumber(both, DATA_BITS, near);
}

/** @param both numbers @param near the number @return that of what comes back */
uint64_t
BackOf(uint64_t both, uint64_t near)
{
    return UnwrapNumber(both >> DATA_BITS, BACK_BITS, near);
}

} // namespace

void
ClassicConnection::OfferToBack()
{
    // What comes back is read at once
    const uint32_t shift = m_window->GetShift();
    const uint64_t field = ReceiveBuffer(m_use.tcp->buffers, shift).Advertise(0);
    m_ends[PASSIVE].sender.SetOffered(field << shift);
}

uint64_t
ClassicConnection::PackProbe() const
{
    const Half& half = m_ends[m_use.source];
    const uint64_t last = half.sender.GetAcknowledged() - 1;
    const uint64_t next = half.receiver.GetNext();
    return m_use.ways == Ways::TWO ? TalkNumbers::Pack(last, next) : PackBoth(last, next);
}

uint32_t
ClassicConnection::GetBackBytes(SegmentPacket packet)
{
    const uint32_t low = packet.GetPayload() >> WINDOW_BITS;
    return low | static_cast<uint32_t>(packet.GetValue() >> NUMBER_BITS) << SIZE_BITS;
}

uint64_t
ClassicConnection::GetAckOfBoth(SegmentPacket packet) const
{
    return DataOf(packet.GetValue(), m_ends[ACTIVE].sender.GetAcknowledged());
}

std::optional<uint64_t>
ClassicConnection::FindSequence(SegmentPacket packet) const
{
    if (packet.GetKind() == PacketKind::DATA)
    {
        return packet.GetValue() & ~FIN_BIT;
    }
    if (packet.GetKind() == PacketKind::BOTH_DATA && packet.GetPayload() > 0)
    {
        return DataOf(packet.GetValue(), m_ends[PASSIVE].receiver.GetNext());
    }
    const bool isTalk = packet.GetKind() == PacketKind::TALK && m_use.label;
    if (isTalk && GetTalkBytes(static_cast<End>(packet.GetEnd()), packet) > 0)
    {
        return TalkNumbers::GetStart(packet.GetValue(),
                                     m_ends[GetReceivingEnd()].receiver.GetNext());
    }
    return std::nullopt;
}

void
ClassicConnection::SendBoth(End end, uint64_t start, uint32_t size)
{
    const Half& half = m_ends[end];
    if (end == ACTIVE)
    {
        const uint64_t numbers = PackBoth(start, GetTalkNext(end));
        const int64_t bytes = HEADER_BYTES + size;
        return SendPacket(end, half.nowNs, bytes, PacketKind::BOTH_DATA, numbers, size);
    }
    SendBack(start, size, m_window->Advertise(half.nowNs));
}

void
ClassicConnection::SendBack(uint64_t start, uint32_t size, uint32_t field)
{
    const Half& half = m_ends[PASSIVE];
    const uint64_t next = GetTalkNext(PASSIVE);
    const int64_t bytes = HEADER_BYTES + size;
    ShowBuffers(PASSIVE, half.nowNs);
    const uint32_t low = size & ((1U << SIZE_BITS) - 1);
    const uint64_t value = PackBoth(next, start) | uint64_t{size >> SIZE_BITS} << NUMBER_BITS;
    SendPacket(PASSIVE, half.nowNs, bytes, PacketKind::BOTH_ACK, value, field | low << WINDOW_BITS);
}

ClassicConnection::TalkSegment
ClassicConnection::ReadBoth(End to, SegmentPacket packet) const
{
    const Half& half = m_ends[to];
    const uint64_t value = packet.GetValue();
    const uint64_t next = GetTalkNext(to);
    const uint64_t acknowledged = half.sender.GetAcknowledged();
    if (packet.GetKind() != PacketKind::BOTH_ACK)
    {
        return {.start = DataOf(value, next),
                .ack = BackOf(value, acknowledged),
                .size = packet.GetPayload()};
    }
    return {.start = BackOf(value, next),
            .ack = DataOf(value, acknowledged),
            .size = GetBackBytes(packet)};
}

void
ClassicConnection::ReceiveBothData(Nanoseconds at, SegmentPacket packet)
{
    Half& half = m_ends[PASSIVE];
    half.nowNs = at;
    if (!half.connected) [[unlikely]]
    {
        Accept(PASSIVE);
    }
    const uint32_t size = packet.GetPayload();
    const uint64_t start = DataOf(packet.GetValue(), half.receiver.GetNext());
    if (half.receiver.IsStale(start, size))
    {
        return SendAck(PASSIVE);
    }
    const uint64_t ack = BackOf(packet.GetValue(), half.sender.GetAcknowledged());
    if (!half.sender.AcceptAck(at, ack, size > 0))
    {
        return;
    }
    if (size > 0)
    {
        half.reading = true;
        const uint64_t before = half.receiver.GetNext();
        auto answer = half.receiver.Receive(start, size);
        HandleArrival(at);
        if (m_use.tcp->announcesReads)
        {
            answer = AnnounceReads(PASSIVE, before, size, answer);
        }
        half.reading = false;
        // An ACK precedes what the application has written
        Acknowledge(PASSIVE, answer);
    }
    half.sender.Send(at);
    ShowBuffers(PASSIVE, at);
    CheckEnd(at);
}

void
ClassicConnection::ReceiveBothAck(Nanoseconds at, SegmentPacket packet)
{
    Half& half = m_ends[ACTIVE];
    half.nowNs = at;
    if (!half.connected)
    {
        return;
    }
    const uint32_t size = GetBackBytes(packet);
    const uint64_t start = BackOf(packet.GetValue(), half.receiver.GetNext());
    if (half.receiver.IsStale(start, size))
    {
        return SendAck(ACTIVE);
    }
    const uint64_t ack = GetAckOfBoth(packet);
    const uint64_t field = packet.GetPayload() & ((1U << WINDOW_BITS) - 1);
    FollowPool();
    TakeWindow(field << m_window->GetShift());
    if (size == 0)
    {
        TakeAck(at, ack);
    }
    else if (half.sender.AcceptAck(at, ack, true))
    {
        half.reading = true;
        if (m_isApart)
        {
            TakeTalk(ACTIVE, {.start = start, .ack = ack, .size = size}); // the FIN may be there
        }
        else
        {
            const uint64_t before = half.receiver.GetNext();
            auto answer = half.receiver.Receive(start, size);
            if (m_use.tcp->announcesReads)
            {
                answer = AnnounceReads(ACTIVE, before, size, answer);
            }
            m_use.user->HandleDelivered(*this, ACTIVE, at);
            Acknowledge(ACTIVE, answer);
        }
        half.reading = false;
        half.sender.SendAccepted(at);
    }
    CheckBlocked(at);
}

void
ClassicConnection::ReceiveProbe(Nanoseconds at, SegmentPacket packet)
{
    Half& half = m_ends[PASSIVE];
    if (m_use.ways == Ways::TWO)
    {
        return ReceiveTalkProbe(at, packet);
    }
    if (m_use.ways != Ways::BACK)
    {
        return SendAck(PASSIVE);
    }
    const uint64_t start = DataOf(packet.GetValue(), half.receiver.GetNext());
    if (!half.receiver.IsStale(start, 1))
    {
        half.sender.AcceptAck(at, BackOf(packet.GetValue(), half.sender.GetAcknowledged()), true);
    }
    SendAck(PASSIVE);
    half.sender.Send(at);
}

} // namespace ns3::gridftp
