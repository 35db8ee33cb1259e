/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * How the ends of a ClassicConnection close where each does so by itself, see TcpEnding: there what
 * they do, here what they say to each other.
 */

namespace ns3::gridftp
{

void
ClassicConnection::SendEnding(uint32_t end, PacketKind kind, uint32_t flags)
{
    Half& half = m_ends[end];
    half.sender.ResetRto(); // as SendBare()
    half.receiver.HandleAckSent();
    half.ackDueNs = NEVER;
    const bool heldEcho =
        std::exchange(half.holdsEcho, half.holdsEcho || (flags & TcpEnding::ANSWERS_FIN) != 0);
    SendEndingPacket(static_cast<End>(end), kind, flags);
    half.holdsEcho = heldEcho;
}

void
ClassicConnection::SendEndingPacket(End end, PacketKind kind, uint32_t flags)
{
    const Half& half = m_ends[end];
    if (m_use.ways != Ways::ONE)
    {
        const bool isFin = kind == PacketKind::FIN;
        const uint64_t fins = isFin ? 0 : half.ending.CountSentFin();
        const uint64_t next = half.sender.GetNextAsNs3() + fins;
        return SendPacket(end,
                          half.nowNs,
                          HEADER_BYTES,
                          isFin ? PacketKind::TALK_FIN : PacketKind::TALK,
                          TalkNumbers::Pack(next, GetTalkNext(end)),
                          m_use.ways == Ways::TWO ? PackTalk(end, 0) : 0);
    }
    const uint64_t number = end == ACTIVE ? half.sender.GetSent() : half.receiver.GetNext();
    SendPacket(end, half.nowNs, HEADER_BYTES, kind, number, flags);
}

void
ClassicConnection::ScheduleEnding(uint32_t end, Nanoseconds at, TcpEnding::Timer timer)
{
    Schedule(static_cast<End>(end), at, timer == TcpEnding::Timer::FIN ? FIN_REPEAT : LAST_ACK);
}

void
ClassicConnection::CloseApart(End end, Nanoseconds now)
{
    m_isApart = true;
    m_flowing = false;
    Half& half = m_ends[end];
    half.nowNs = now;
    if (half.sender.GetNextAsNs3() < half.sender.GetBuffer().GetWritten())
    {
        return half.ending.CloseWithData();
    }
    half.ending.Close(half.GetMoment());
}

void
ClassicConnection::AbortApart(Nanoseconds now)
{
    Stop();
    m_isApart = m_aborted = true;
    m_ends[ACTIVE].sender.StopTimer();
    m_ends[ACTIVE].ending.Drop(now);
    SendPacket(ACTIVE, now, HEADER_BYTES, PacketKind::RESET);
    Half& receiver = m_ends[PASSIVE];
    receiver.nowNs = now;
    if (!receiver.connected)
    {
        return; // its application closes as soon as it has accepted
    }
    if (receiver.receiver.HasGap())
    {
        // ns-3's socket closes with a reset where it has data that its application could not read
        receiver.ending.Drop(now);
        return SendPacket(PASSIVE, now, HEADER_BYTES, PacketKind::RESET);
    }
    receiver.ending.Close(receiver.GetMoment());
}

void
ClassicConnection::AcknowledgeApart(End end, uint64_t ack)
{
    Half& half = m_ends[end];
    const uint64_t sent = half.sender.GetSent();
    const bool wasDrained = half.sender.GetAcknowledged() == sent;
    half.sender.AcceptAck(half.nowNs, ack, false);
    if (half.sender.GetAcknowledged() < sent && half.sender.GetState() != CongestionState::OPEN)
    {
        half.sender.Send(half.nowNs); // what seems lost
    }
    else if (half.sender.GetAcknowledged() == sent && !wasDrained)
    {
        half.ending.HandleDrained(half.GetMoment());
    }
}

bool
ClassicConnection::ReceiveApart(End to, Nanoseconds at, SegmentPacket packet)
{
    Half& half = m_ends[to];
    TcpEnding& ending = half.ending;
    half.nowNs = at;
    const PacketKind kind = packet.GetKind();
    if (kind == PacketKind::RESET)
    {
        ending.HandleReset(at);
        half.ackDueNs = NEVER; // all timers of a socket that is reset end
        return true;
    }
    if (ending.IsClosed(at))
    {
        if (to == ACTIVE || !m_use.hasListener)
        {
            SendFromNobody(to, at, PacketKind::RESET);
        }
        return true;
    }
    if (m_use.ways != Ways::ONE)
    {
        return ReceiveTalkApart(to, packet);
    }
    const uint64_t number = packet.GetValue();
    if (m_aborted && !half.connected && (kind == PacketKind::ACK || kind == PacketKind::DATA))
    {
        Establish(to);
        ending.Close(half.GetMoment());
    }
    if (m_aborted && kind == PacketKind::DATA)
    {
        Acknowledge(to, half.receiver.Receive(number, packet.GetPayload()));
        return true;
    }
    switch (kind)
    {
    case PacketKind::FIN:
        m_monitor.End(); // as engine ns3's
        if (to == ACTIVE && ending.IsOpen())
        {
            half.sender.SampleAck(at, number); // TcpSocketBase::PeerClose() takes no more from it
        }
        else if (to == ACTIVE && ending.TakesAcks())
        {
            AcknowledgeApart(to, number);
        }
        if (to == ACTIVE || number == half.receiver.GetNext()) // else ns-3 ignores it
        {
            ending.HandleFin(half.GetMoment(), packet.GetPayload(), ClosesAtFin(to));
        }
        break;
    case PacketKind::FIN_ACK:
        if (to == ACTIVE && ending.IsOpen())
        {
            half.sender.HandleAck(at, number); // the FIN before it was lost
        }
        else if (to == ACTIVE && ending.TakesAcks())
        {
            AcknowledgeApart(to, number);
        }
        ending.HandleAck(half.GetMoment(), packet.GetPayload());
        break;
    case PacketKind::ACK:
        if (to == ACTIVE && ending.TakesAcks())
        {
            AcknowledgeApart(to, number);
        }
        return !ending.IsOpen();
    case PacketKind::DATA:
    case PacketKind::PROBE:
        if (!ending.IsOpen())
        {
            ending.SendAck(); // it has come before
        }
        if (kind == PacketKind::PROBE || (number & FIN_BIT) == 0)
        {
            return !ending.IsOpen();
        }
        // Whoever closes knows that all data have arrived. An end that has closed answers both, and
        // one that has met a FIN the data alone, whose number is too low
        if (ending.IsOpen() || ending.AwaitsFin())
        {
            ending.HandleFin(half.GetMoment(), TcpEnding::IS_OLD, ClosesAtFin(to));
        }
        break;
    default:
        return !ending.IsOpen();
    }
    if (ending.HasEnded())
    {
        half.sender.StopTimer();
    }
    return true;
}

bool
ClassicConnection::ClosesAtFin(End to)
{
    Half& half = m_ends[to];
    return half.ending.IsOpen() && m_use.user->HandlePeerClosed(*this, to, half.nowNs);
}

bool
ClassicConnection::MayRenew(Nanoseconds now) const
{
    if (m_use.meetsLate && (!m_isApart || m_gone != 0))
    {
        return false;
    }
    return !m_isApart || m_gone != 0 ||
           (m_ends[ACTIVE].ending.IsOver(now) && m_ends[PASSIVE].ending.IsOver(now));
}

} // namespace ns3::gridftp
