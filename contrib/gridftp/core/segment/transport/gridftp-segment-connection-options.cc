/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * TCP options of a TcpConnection: which packets carry timestamps and SACK blocks, how long that
 * makes them, and what becomes of these at the other end. As ns-3's TcpSocketBase and TcpHeader
 * have it. ECN is in gridftp-segment-connection-ecn.cc.
 */

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t WINDOW_SCALE_BYTES = 3;   // RFC 7323, Section 2.2
constexpr uint32_t SACK_PERMITTED_BYTES = 2; // RFC 2018, Section 2
constexpr uint32_t TIMESTAMP_BYTES = 10;     // RFC 7323, Section 3.2
constexpr uint32_t SACK_BYTES = 2;           // RFC 2018, Section 3, and for each block:
constexpr uint32_t SACK_BLOCK_BYTES = 8;
constexpr uint32_t MOST_OPTION_BYTES = 40; // RFC 9293, Section 3.1
constexpr int64_t MILLISECOND = 1'000'000;

/** @param bytes of options @return with the padding behind them, which ends a header */
uint32_t
Pad(uint32_t bytes)
{
    constexpr uint32_t WORD = 4;
    return (bytes + WORD - 1) / WORD * WORD;
}

} // namespace

int64_t
GetSynOptionBytes(const SegmentTcp& tcp)
{
    return Pad(WINDOW_SCALE_BYTES + (tcp.hasSack ? SACK_PERMITTED_BYTES : 0) +
               (tcp.hasTimestamps ? TIMESTAMP_BYTES : 0));
}

void
ClassicConnection::SendWithOptions(End from, Nanoseconds now, int64_t bytes, SegmentPacket packet)
{
    Half& half = m_ends[from];
    const SegmentTcp& tcp = *m_use.tcp;
    const PacketKind kind = packet.GetKind();
    const bool isSyn = kind == PacketKind::SYN || kind == PacketKind::SYN_ACK;
    const bool isAck = (bytes == HEADER_BYTES || kind == PacketKind::SYN_ACK) &&
                       kind != PacketKind::RESET && kind != PacketKind::WITHOUT_EFFECT;
    SegmentOptions options{.packet = packet};
    uint32_t optionBytes = 0;
    if (tcp.hasTimestamps)
    {
        optionBytes = TIMESTAMP_BYTES;
        options.timestampMs = static_cast<uint32_t>(now / MILLISECOND);
        options.echoMs = half.timestamps.GetEchoMs();
    }
    if (isAck)
    {
        options.number = GetNextNumber(from);
        half.timestamps.HandleAckSent(GetTalkNext(from));
        if (half.receiver.GetSackBlocks().GetCount() > 0)
        {
            options.blocks = half.receiver.GetSackBlocks();
            options.blocks.Truncate((MOST_OPTION_BYTES - optionBytes - SACK_BYTES) /
                                    SACK_BLOCK_BYTES);
            optionBytes += SACK_BYTES + SACK_BLOCK_BYTES * options.blocks.GetCount();
        }
    }
    if (tcp.hasEcn)
    {
        AddEcn(from, bytes, options);
    }
    const uint32_t route = m_use.path.routes[from];
    SegmentNetwork& network = m_flows->GetNetwork();
    if (optionBytes == 0 && !tcp.hasEcn)
    {
        return network.Send(route, now, bytes, packet);
    }
    // A SYN has its length already
    optionBytes = isSyn ? static_cast<uint32_t>(GetSynOptionBytes(tcp)) : Pad(optionBytes);
    const uint32_t number = m_flows->GetOptions().Add(options);
    auto sent = SegmentPacket::WithOptions(kind, packet.GetAddress(), number, optionBytes);
    if (options.packet.IsEct())
    {
        sent.SetEct();
    }
    network.Send(route, now, isSyn ? bytes : bytes + optionBytes, sent);
}

uint64_t
ClassicConnection::GetNextNumber(End end) const
{
    const Half& half = m_ends[end];
    return half.sender.GetNextAsNs3() + half.ending.CountSentFin();
}

void
ClassicConnection::ReceiveOptions(End to, Nanoseconds at, const SegmentOptions& options)
{
    Half& half = m_ends[to];
    const PacketKind kind = options.packet.GetKind();
    if (kind == PacketKind::SYN || kind == PacketKind::SYN_ACK)
    {
        const bool isKnown = half.connected || (to == PASSIVE && half.synSent > 0);
        if (!half.connected)
        {
            half.timestamps.HandleSyn(options.timestampMs, !isKnown);
        }
    }
    else if (half.synSent > 0)
    {
        TakeTimestamp(to, options);
    }
    half.sender.SetOptions(options.echoMs, options.blocks);
    if (m_use.tcp->hasEcn) [[unlikely]]
    {
        ReceiveEcn(to, at, options);
    }
    else
    {
        Receive(to, at, options.packet);
    }
    half.sender.SetOptions(options.echoMs, {}); // the next packet may have no options
}

void
ClassicConnection::TakeTimestamp(End to, const SegmentOptions& options)
{
    Half& half = m_ends[to];
    const SegmentPacket packet = options.packet;
    TalkSegment segment{.start = options.number, .ack = 0, .size = 0};
    switch (packet.GetKind())
    {
    case PacketKind::ACK:
        break;
    case PacketKind::DATA:
        segment.start = packet.GetValue() & ~FIN_BIT;
        segment.size = packet.GetPayload();
        break;
    case PacketKind::PROBE:
        return; // of a byte that is there
    default: {
        const TalkSegment talk = ReadData(to, packet);
        segment = talk.size > 0 ? talk : segment;
        break;
    }
    }
    if (half.receiver.IsStale(segment.start, segment.size))
    {
        return; // answered, and nothing else
    }
    half.timestamps.HandleSegment(options.timestampMs, segment.start, GetTalkNext(to));
}

} // namespace ns3::gridftp
