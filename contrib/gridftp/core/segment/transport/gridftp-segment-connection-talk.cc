/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * How a TcpConnection of two ways closes packet by packet: which numbers and flags each segment
 * has to the end that it comes to. The rules are those of ns-3's TcpSocketBase, named here by its
 * functions.
 */

namespace ns3::gridftp
{

bool
TcpConnection::ReceiveTalkApart(End to, SegmentPacket packet)
{
    Half& half = m_ends[to];
    const PacketKind kind = packet.GetKind();
    const bool isFin = kind == PacketKind::TALK_FIN;
    if (!isFin && kind != PacketKind::TALK)
    {
        return !half.ending.IsOpen();
    }
    if (IsDiscarded(half.nowNs))
    {
        return true;
    }
    const uint64_t next = GetTalkNext(to);
    const uint64_t start = TalkNumbers::GetStart(packet.GetValue(), next);
    const uint32_t size = packet.GetPayload();
    const bool isUseless = half.ending.TakesNextOnly() ? start != next : start + size < next;
    if (size > 0 && isUseless)
    {
        half.ending.SendAck(); // IsValidTcpSegment()
        return true;
    }
    if (!half.ending.IsOpen())
    {
        ReceiveTalkClosing(to, packet);
        return true;
    }
    if (isFin)
    {
        ReceiveTalkFin(to, packet);
    }
    return isFin;
}

void
TcpConnection::ReceiveTalkClosing(End to, SegmentPacket packet)
{
    Half& half = m_ends[to];
    if (half.ending.TakesAcks())
    {
        ReceiveTalkWaiting(to, packet);
    }
    else
    {
        // ProcessClosing(), ProcessLastAck(): all that counts of an ACK is its sequence number
        const uint64_t next = GetTalkNext(to);
        const bool isNext = TalkNumbers::GetStart(packet.GetValue(), next) == next;
        half.sender.SampleAck(
            half.nowNs,
            TalkNumbers::GetAck(packet.GetValue(), half.sender.GetAcknowledged()));
        if (packet.GetKind() == PacketKind::TALK_FIN)
        {
            half.ending.HandleFin(half.GetMoment(), 0, false);
        }
        else
        {
            half.ending.HandleAck(half.GetMoment(), isNext ? uint32_t{TcpEnding::IS_BEHIND} : 0U);
        }
    }
    if (half.ending.HasEnded())
    {
        half.sender.StopTimer();
        half.ackDueNs = NEVER;
    }
}

void
TcpConnection::ReceiveTalkWaiting(End to, SegmentPacket packet)
{
    // ProcessWait()
    Half& half = m_ends[to];
    TcpEnding& ending = half.ending;
    const bool isFin = packet.GetKind() == PacketKind::TALK_FIN;
    const uint32_t size = packet.GetPayload();
    const uint64_t start = TalkNumbers::GetStart(packet.GetValue(), GetTalkNext(to));
    const uint64_t ack = TalkNumbers::GetAck(packet.GetValue(), half.sender.GetAcknowledged());
    const uint64_t sent = half.sender.GetSent();
    const bool wasDrained = half.sender.GetAcknowledged() == sent;
    const bool isTaken = half.sender.AcceptAck(half.nowNs, std::min(ack, sent), size > 0);
    if (half.sender.GetAcknowledged() == sent && !wasDrained)
    {
        ending.HandleDrained(half.GetMoment());
    }
    if (ack > sent)
    {
        ending.HandleFinAcknowledged(half.GetMoment()); // before it sends the ACK of the data
    }
    if (size > 0)
    {
        TakeTalk(to, start, size, isFin);
    }
    if (isTaken)
    {
        half.sender.Send(half.nowNs);
    }
    const uint32_t flags = ack > sent ? uint32_t{TcpEnding::ACKNOWLEDGES} : 0U;
    if (!isFin)
    {
        return ending.HandleAck(half.GetMoment(), flags);
    }
    // A FIN with data counts where these begin
    half.finAt = start;
    if (start <= half.receiver.GetNext())
    {
        const bool isOld = start < half.receiver.GetNext();
        ending.HandleFin(half.GetMoment(),
                         flags | (isOld ? uint32_t{TcpEnding::IS_OLD} : 0U),
                         false);
    }
}

void
TcpConnection::ReceiveTalkFin(End to, SegmentPacket packet)
{
    // PeerClose(), which takes no ACK from the segment but for the RTT
    Half& half = m_ends[to];
    const uint64_t next = half.receiver.GetNext();
    uint64_t start = TalkNumbers::GetStart(packet.GetValue(), next);
    const uint64_t end = start + packet.GetPayload();
    half.sender.SampleAck(half.nowNs,
                          TalkNumbers::GetAck(packet.GetValue(), half.sender.GetAcknowledged()));
    if (start < next && next <= end)
    {
        start = next; // TcpSocketGuarded::TrimFront()
    }
    if (start < next)
    {
        return;
    }
    half.finAt = end;
    if (end > start)
    {
        TakeTalk(to, start, static_cast<uint32_t>(end - start), true);
    }
    else if (end == next)
    {
        half.ending.MeetFin();
    }
    if (half.ending.CountMetFin() == 0)
    {
        return;
    }
    if (half.ending.AwaitsFin())
    {
        return half.ending.HandleBothClosed();
    }
    AnswerTalkFin(to);
}

void
TcpConnection::TakeTalk(End to, uint64_t start, uint32_t size, bool isFin)
{
    // ReceivedData()
    Half& half = m_ends[to];
    const uint64_t before = half.receiver.GetNext();
    auto answer = half.receiver.Receive(start, size);
    const bool isNew = half.receiver.GetNext() > before;
    const bool isLast = isNew && half.receiver.GetNext() == half.finAt;
    if (isLast)
    {
        half.ending.MeetFin();
        answer = SegmentReceiver::Answer::ACK;
    }
    if (isNew && !half.ending.IsClosing())
    {
        m_use.user->HandleDelivered(*this, to, half.nowNs);
        if (m_gone != 0)
        {
            return;
        }
    }
    if (isLast && !isFin)
    {
        return AnswerTalkFin(to);
    }
    Acknowledge(to, answer);
}

void
TcpConnection::AnswerTalkFin(End to)
{
    // DoPeerClose()
    Half& half = m_ends[to];
    half.ending.PassFinOn();
    if (!half.ending.IsClosing())
    {
        CloseApart(to, half.nowNs);
    }
    half.ending.AnswerFin(half.GetMoment());
}

} // namespace ns3::gridftp
