/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

/**
 * @file
 * @ingroup gridftp
 * ECN of a TcpConnection: which packets carry which flags, and what these change at the other end,
 * as ns-3's TcpSocketBase has it; the rules themselves are those of SegmentEcn. Both ends have
 * negotiated ECN by the time that they send data: all hosts of a scenario have it, or none.
 */

namespace ns3::gridftp
{

ClassicConnection::TalkSegment
ClassicConnection::ReadData(End to, SegmentPacket packet) const
{
    switch (packet.GetKind())
    {
    case PacketKind::DATA:
        return {.start = packet.GetValue() & ~FIN_BIT, .ack = 0, .size = packet.GetPayload()};
    case PacketKind::BOTH_DATA:
    case PacketKind::BOTH_ACK:
    case PacketKind::TALK:
    case PacketKind::TALK_WINDOW:
    case PacketKind::TALK_FIN:
    case PacketKind::PROBE:
        return ReadTalk(to, packet);
    default:
        return {.start = GetTalkNext(to), .ack = 0, .size = 0};
    }
}

void
ClassicConnection::AddEcn(End from, int64_t bytes, SegmentOptions& options)
{
    Half& half = m_ends[from];
    SegmentEcn& ecn = half.sender.GetEcn();
    switch (options.packet.GetKind())
    {
    case PacketKind::DATA:
    case PacketKind::BOTH_DATA:
    case PacketKind::BOTH_ACK:
    case PacketKind::TALK:
    case PacketKind::TALK_FIN:
        if (bytes > HEADER_BYTES)
        {
            const TalkSegment segment = ReadData(Other(from), options.packet);
            const SegmentEcn::Flags flags = ecn.HandleSegment(segment.start, segment.size);
            options.hasEcnFlag = flags.hasCwr;
            return flags.isEct ? options.packet.SetEct() : void();
        }
        break;
    case PacketKind::ACK:
    case PacketKind::TALK_WINDOW:
        break;
    case PacketKind::FIN_ACK: // an ACK where each end closes by itself, else with a FIN
        if (m_isApart)
        {
            break;
        }
        return;
    default:
        return;
    }
    const bool isFin = options.packet.GetKind() == PacketKind::TALK_FIN;
    options.hasEcnFlag = !isFin && !half.holdsEcho && ecn.TakeEcho();
}

void
ClassicConnection::ReceiveEcn(End to, Nanoseconds at, const SegmentOptions& options)
{
    Half& half = m_ends[to];
    TakeEcn(to, options);
    Receive(to, at, options.packet);
    half.holdsEcho = false; // it is of this packet, as are its flags
    half.sender.SetEcho(false);
}

void
ClassicConnection::TakeEcn(End to, const SegmentOptions& options)
{
    Half& half = m_ends[to];
    const PacketKind kind = options.packet.GetKind();
    const uint64_t next = GetTalkNext(to);
    const TalkSegment segment = ReadData(to, options.packet);
    const uint32_t size = kind == PacketKind::PROBE ? 1 : segment.size;
    const bool isUseless = size > 0 && (half.ending.TakesNextOnly() ? segment.start != next
                                                                    : segment.start + size < next);
    // The ACK of a segment that TcpSocketBase::IsValidTcpSegment() refuses has no ECE, nor that of
    // a FIN
    half.holdsEcho = isUseless || (kind == PacketKind::TALK_FIN && !m_isApart);
    if (isUseless)
    {
        return;
    }
    SegmentEcn& ecn = half.sender.GetEcn();
    if (options.isMarked)
    {
        ecn.HandleMark(segment.start);
    }
    if (!options.hasEcnFlag)
    {
        return;
    }
    if (size == 0)
    {
        half.sender.SetEcho(true);
    }
    else if (half.connected && half.ending.IsOpen())
    {
        ecn.HandleReduction();
    }
}

} // namespace ns3::gridftp
