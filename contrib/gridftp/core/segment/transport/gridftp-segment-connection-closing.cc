/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * How a ClassicConnection is closed, and what comes to it then.
 */

namespace ns3::gridftp
{

void
ClassicConnection::Close(Nanoseconds now)
{
    if (m_open && IsConnected() && m_use.closesApart)
    {
        CloseApart(ACTIVE, now);
    }
    else if (m_open && IsConnected())
    {
        m_fin.rtoNs = GetSender().GetRtoNs();
        m_fin.restartNs = 0;
        constexpr uint32_t FINS = 1U << 16; // none is under way for so many
        m_fin.number = m_fin.number % FINS + 1;
        SendFin(now, m_fin.number);
        m_fin.isUnderWay = m_fin.isUnderWay || m_use.meetsFin; // it may be lost by now
    }
    const bool isBack = m_use.ways == Ways::BACK && !m_use.closesApart;
    const bool lingers = m_open && IsConnected() && isBack;
    Stop();
    if (isBack)
    {
        m_ends[ACTIVE].ackDueNs = NEVER; // the FIN has an ACK
    }
    m_lingers = lingers;
}

void
ClassicConnection::SendFinAgain(Nanoseconds now, uint32_t number)
{
    if (number == m_fin.number && m_fin.restartNs > now)
    {
        return Schedule(ACTIVE, m_fin.restartNs, FIN, number);
    }
    SendFin(now, number);
}

void
ClassicConnection::HandleAckOfClosed(Nanoseconds at, uint64_t ack)
{
    SegmentSender& sender = m_ends[ACTIVE].sender;
    if (ack > sender.GetAcknowledged())
    {
        m_ends[ACTIVE].nowNs = at;
        sender.AcceptAck(at, ack, false);
        m_fin.rtoNs = sender.GetRtoNs();
        m_fin.restartNs = at + m_fin.rtoNs;
    }
}

void
ClassicConnection::SendFin(Nanoseconds now, uint32_t number)
{
    const auto again = static_cast<uint64_t>(now + m_fin.rtoNs);
    SendPacket(ACTIVE, now, HEADER_BYTES, PacketKind::FIN, again, number);
}

void
ClassicConnection::CloseAfterReading()
{
    if (!m_use.closesApart)
    {
        m_closing = true;
    }
    else if (!m_ends[ACTIVE].ending.IsClosing())
    {
        CloseApart(ACTIVE, m_ends[ACTIVE].nowNs);
    }
}

void
ClassicConnection::ClosePassive(Nanoseconds now)
{
    if (m_use.closesApart)
    {
        return CloseApart(PASSIVE, now);
    }
    if (m_use.ways == Ways::TWO)
    {
        return; // the end that connects closes both
    }
    m_ends[PASSIVE].ackDueNs = NEVER; // the FIN has an ACK
    m_fin.met = std::exchange(m_fin.isUnderWay, false) ? m_fin.number : m_fin.met;
    SendPacket(PASSIVE, now, HEADER_BYTES, PacketKind::FIN, m_ends[PASSIVE].receiver.GetNext());
}

void
ClassicConnection::Stop()
{
    LeavePool();
    m_open = m_flowing = m_lingers = false;
    m_gone = m_gone == 0 ? 0 : 1U << ACTIVE | 1U << PASSIVE;
    EndSource();
}

void
ClassicConnection::Abort(Nanoseconds now)
{
    const bool isConnected = IsConnected();
    if (m_use.closesApart && m_open && isConnected)
    {
        return AbortApart(now);
    }
    Stop();
    m_aborted = true;
    SendPacket(ACTIVE, now, HEADER_BYTES, PacketKind::WITHOUT_EFFECT);
    if (!isConnected)
    {
        return;
    }
    // ns-3's socket closes with a reset where it has data that its application could not read,
    // otherwise with a FIN, which meets nobody and is reset like an ACK
    m_resets = GetReceiver().HasGap();
    SendPacket(PASSIVE, now, HEADER_BYTES, m_resets ? PacketKind::WITHOUT_EFFECT : PacketKind::ACK);
}

void
ClassicConnection::Leave(Nanoseconds now)
{
    if (m_use.closesApart)
    {
        return CloseApart(ACTIVE, now);
    }
    m_ends[ACTIVE].nowNs = now;
    SendBare(ACTIVE, PacketKind::TALK_FIN);
}

void
ClassicConnection::Reset(End end, Nanoseconds now)
{
    if (m_isApart && m_use.ways == Ways::TWO && m_ends[end].ending.IsClosing())
    {
        return; // its application has let go of it
    }
    const bool isThere = m_open || IsLeft(end);
    Drop(end);
    const Half& half = m_ends[end];
    if (isThere && (half.connected || (end == ACTIVE && half.synSent > 0)))
    {
        SendPacket(end, now, HEADER_BYTES, PacketKind::RESET);
    }
}

void
ClassicConnection::Drop(End end)
{
    if (!m_open && m_gone == 0)
    {
        return; // closed, both ends
    }
    if (end == ACTIVE)
    {
        LeavePool();
    }
    m_open = m_flowing = false;
    m_gone |= 1U << end;
}

void
ClassicConnection::ReceiveAfterReset(End to, Nanoseconds at, SegmentPacket packet)
{
    switch (packet.GetKind())
    {
    case PacketKind::RESET:
        if (IsLeft(to))
        {
            Drop(to);
            m_ends[to].nowNs = at;
            if (m_ends[to].connected)
            {
                m_use.user->HandleReset(*this, to, at);
            }
            else if (to == ACTIVE)
            {
                m_use.user->HandleFailed(*this, at, Failure::REFUSED);
            }
        }
        return;
    case PacketKind::WITHOUT_EFFECT:
        return;
    default:
        return SendPacket(to, at, HEADER_BYTES, PacketKind::RESET);
    }
}

void
ClassicConnection::ReceiveClosed(End to, Nanoseconds at, SegmentPacket packet)
{
    if (m_gone != 0)
    {
        return ReceiveAfterReset(to, at, packet);
    }
    switch (packet.GetKind())
    {
    case PacketKind::BOTH_DATA:
        if (to == PASSIVE && m_lingers)
        {
            ReceiveBothData(at, packet);
        }
        return;
    case PacketKind::FIN:
        // ns-3's socket takes no ACK from the FIN that ends what it is established for
        if (to == ACTIVE && !m_open)
        {
            HandleAckOfClosed(at, packet.GetValue());
        }
        if (to == PASSIVE && m_use.ways == Ways::BACK)
        {
            m_lingers = false;
            m_ends[PASSIVE].ackDueNs = NEVER; // the answer has an ACK
        }
        m_fin.isUnderWay =
            m_fin.isUnderWay && (to != PASSIVE || packet.GetPayload() != m_fin.number);
        if (to == PASSIVE && m_use.answersFin && packet.GetPayload() != m_fin.met)
        {
            SendPacket(to, at, HEADER_BYTES, PacketKind::FIN_ACK);
            if (!m_use.acksAgain)
            {
                return;
            }
        }
        [[fallthrough]];
    case PacketKind::FIN_ACK:
        return SendPacket(to, at, HEADER_BYTES, PacketKind::WITHOUT_EFFECT);
    case PacketKind::BOTH_ACK:
        HandleAckOfClosed(at, GetAckOfBoth(packet));
        if (GetBackBytes(packet) > 0)
        {
            SendPacket(to, at, HEADER_BYTES, PacketKind::WITHOUT_EFFECT); // a socket that waits for
        } // the other FIN takes data
        return;
    case PacketKind::ACK:
        if (to == ACTIVE && m_aborted)
        {
            SendPacket(to, at, HEADER_BYTES, PacketKind::WITHOUT_EFFECT);
        }
        else if (to == ACTIVE)
        {
            HandleAckOfClosed(at, packet.GetValue());
        }
        return;
    case PacketKind::DATA:
        if (m_resets)
        {
            SendPacket(to, at, HEADER_BYTES, PacketKind::WITHOUT_EFFECT);
        }
        else if (m_aborted)
        {
            m_ends[to].nowNs = at;
            Acknowledge(to, m_ends[to].receiver.Receive(packet.GetValue(), packet.GetPayload()));
        }
        return;
    default:
        return;
    }
}

void
ClassicConnection::HandleDrop(Nanoseconds at, SegmentPacket packet)
{
    if (packet.GetKind() == PacketKind::FIN && packet.GetPayload() > 0 && !m_use.closesApart)
    {
        const uint32_t number = packet.GetPayload();
        Schedule(ACTIVE,
                 std::max<int64_t>(at, static_cast<int64_t>(packet.GetValue())),
                 FIN,
                 number);
        // Until then the end that accepts knows nothing of it, and may close by itself
        m_fin.isUnderWay =
            m_fin.isUnderWay || (m_use.answersFin && number == m_fin.number && number != m_fin.met);
    }
}

} // namespace ns3::gridftp
