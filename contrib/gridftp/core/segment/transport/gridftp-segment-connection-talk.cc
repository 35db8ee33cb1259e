/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * How a ClassicConnection on which both ends send closes packet by packet: which numbers and flags
 * each segment has to the end that it comes to. The rules are those of ns-3's TcpSocketBase, named
 * here by its functions.
 */

namespace ns3::gridftp
{

ClassicConnection::TalkSegment
ClassicConnection::ReadTalk(End to, SegmentPacket packet) const
{
    const PacketKind kind = packet.GetKind();
    const bool isProbe = kind == PacketKind::PROBE && m_use.ways != Ways::TWO;
    if (kind == PacketKind::BOTH_DATA || kind == PacketKind::BOTH_ACK || isProbe)
    {
        return ReadBoth(to, packet);
    }
    const uint64_t value = packet.GetValue();
    return {.start = TalkNumbers::GetStart(value, GetTalkNext(to)),
            .ack = TalkNumbers::GetAck(value, m_ends[to].sender.GetAcknowledged()),
            .size = GetTalkBytes(to, packet),
            .isFin = kind == PacketKind::TALK_FIN};
}

bool
ClassicConnection::ReceiveTalkApart(End to, SegmentPacket packet)
{
    Half& half = m_ends[to];
    switch (packet.GetKind())
    {
    case PacketKind::TALK:
    case PacketKind::TALK_WINDOW:
    case PacketKind::TALK_FIN:
    case PacketKind::BOTH_DATA:
    case PacketKind::BOTH_ACK:
        break;
    default:
        return !half.ending.IsOpen();
    }
    if (IsDiscarded(half.nowNs))
    {
        return true;
    }
    if (m_use.ways == Ways::TWO && !half.ending.IsOpen())
    {
        TakeTalkWindow(to, packet);
    }
    const TalkSegment segment = ReadTalk(to, packet);
    const uint64_t next = GetTalkNext(to);
    const bool isUseless =
        half.ending.TakesNextOnly() ? segment.start != next : segment.start + segment.size < next;
    if (segment.size > 0 && isUseless)
    {
        SendAck(to); // IsValidTcpSegment()
        return true;
    }
    if (!half.ending.IsOpen())
    {
        ReceiveTalkClosing(to, segment);
        return true;
    }
    if (segment.isFin)
    {
        ReceiveTalkFin(to, segment);
    }
    return segment.isFin;
}

void
ClassicConnection::ReceiveTalkClosing(End to, const TalkSegment& segment)
{
    Half& half = m_ends[to];
    if (half.ending.TakesAcks())
    {
        ReceiveTalkWaiting(to, segment);
    }
    else
    {
        // ProcessClosing(), ProcessLastAck(): all that counts of an ACK is its sequence number
        const bool isNext = segment.start == GetTalkNext(to);
        half.sender.SampleAck(half.nowNs, segment.ack);
        if (segment.isFin)
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
ClassicConnection::ReceiveTalkWaiting(End to, const TalkSegment& segment)
{
    // ProcessWait()
    Half& half = m_ends[to];
    TcpEnding& ending = half.ending;
    const uint64_t sent = half.sender.GetSent();
    const bool wasDrained = half.sender.GetAcknowledged() == sent;
    const uint64_t ack = std::min(segment.ack, sent);
    const bool isTaken = half.sender.AcceptAck(half.nowNs, ack, segment.size > 0);
    if (half.sender.GetAcknowledged() == sent && !wasDrained)
    {
        ending.HandleDrained(half.GetMoment());
    }
    if (segment.ack > sent)
    {
        ending.HandleFinAcknowledged(half.GetMoment()); // before it sends the ACK of the data
    }
    if (segment.size > 0)
    {
        TakeTalk(to, segment);
    }
    if (isTaken)
    {
        half.sender.Send(half.nowNs);
    }
    const uint32_t flags = segment.ack > sent ? uint32_t{TcpEnding::ACKNOWLEDGES} : 0U;
    if (!segment.isFin)
    {
        return ending.HandleAck(half.GetMoment(), flags);
    }
    // A FIN with data counts where these begin
    half.finAt = segment.start;
    if (segment.start <= half.receiver.GetNext())
    {
        const bool isOld = segment.start < half.receiver.GetNext();
        ending.HandleFin(half.GetMoment(),
                         flags | (isOld ? uint32_t{TcpEnding::IS_OLD} : 0U),
                         false);
    }
}

void
ClassicConnection::ReceiveTalkFin(End to, TalkSegment segment)
{
    // PeerClose(), which takes no ACK from the segment but for the RTT
    Half& half = m_ends[to];
    m_monitor.End(); // as engine ns3's
    const uint64_t next = half.receiver.GetNext();
    const uint64_t end = segment.start + segment.size;
    half.sender.SampleAck(half.nowNs, segment.ack);
    if (segment.start < next && next <= end)
    {
        segment.start = next; // TcpSocketGuarded::TrimFront()
        segment.size = static_cast<uint32_t>(end - next);
    }
    if (segment.start < next)
    {
        return;
    }
    half.finAt = end;
    if (segment.size > 0)
    {
        TakeTalk(to, segment);
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
ClassicConnection::TakeTalk(End to, const TalkSegment& segment)
{
    // ReceivedData()
    Half& half = m_ends[to];
    const uint64_t before = half.receiver.GetNext();
    auto answer = half.receiver.Receive(segment.start, segment.size);
    const bool isNew = half.receiver.GetNext() > before;
    const bool isLast = isNew && half.receiver.GetNext() == half.finAt;
    if (isLast)
    {
        half.ending.MeetFin();
        answer = SegmentReceiver::Answer::ACK;
    }
    if (isNew && !half.ending.IsClosing())
    {
        const auto passed = PassTalkOn(to, before, segment.size, answer);
        if (m_gone != 0)
        {
            return;
        }
        answer = isLast ? answer : passed;
    }
    if (isLast && !segment.isFin)
    {
        return AnswerTalkFin(to);
    }
    Acknowledge(to, answer);
}

SegmentReceiver::Answer
ClassicConnection::PassTalkOn(End to,
                              uint64_t before,
                              uint32_t size,
                              SegmentReceiver::Answer answer)
{
    const Nanoseconds now = m_ends[to].nowNs;
    const bool announces = m_use.tcp->announcesReads;
    if (m_use.ways == Ways::TWO || to == ACTIVE)
    {
        answer = announces ? AnnounceReads(to, before, size, answer) : answer;
        DeliverTalk(to);
        return answer;
    }
    HandleArrival(now);
    answer = announces ? AnnounceReads(to, before, size, answer) : answer;
    CheckEnd(now);
    return answer;
}

void
ClassicConnection::AnswerTalkFin(End to)
{
    // DoPeerClose()
    Half& half = m_ends[to];
    half.ending.PassFinOn();
    if (m_use.ways == Ways::BACK && to == PASSIVE)
    {
        // It has shut down: the FIN also goes with its last data, should these be sent again
        half.ending.CloseWithData();
        CloseApart(to, half.nowNs);
        return half.ending.AwaitLastAck(half.GetMoment());
    }
    // Who sends data to one that talks back goes on until it closes by itself
    const bool closes = m_use.ways == Ways::TWO && !half.ending.IsClosing();
    if (closes)
    {
        CloseApart(to, half.nowNs);
    }
    half.ending.AnswerFin(half.GetMoment());
    if (closes || (m_use.ways == Ways::BACK && to == ACTIVE && !half.ending.IsClosing()))
    {
        m_use.user->HandlePeerClosed(*this, to, half.nowNs);
    }
}

} // namespace ns3::gridftp
