/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

/**
 * @file
 * @ingroup gridftp
 * How a ClassicConnection is opened: the handshake at both ends.
 */

namespace ns3::gridftp
{

void
ClassicConnection::Connect(Nanoseconds now)
{
    if (m_open || IsLeft(ACTIVE))
    {
        m_ends[ACTIVE].nowNs = now;
        m_flows->SetPorts(m_index, m_use.path, m_use.port);
        SendSyn(ACTIVE);
    }
}

void
ClassicConnection::SendSyn(End end)
{
    Half& half = m_ends[end];
    if (half.synSent == MOST_SYNS)
    {
        if (end == ACTIVE)
        {
            m_use.user->HandleFailed(*this, half.nowNs, Failure::REFUSED);
        }
        return;
    }
    if (half.synSent == 0)
    {
        half.sender.HandleOpen(half.nowNs);
    }
    half.synSentNs = half.nowNs;
    half.sender.SetRto(SYN_TIMEOUT_NS << half.synSent++);
    if (half.synDueNs == NEVER)
    {
        half.synDueNs = half.nowNs + half.sender.GetBackedOffRtoNs();
        Schedule(end, half.synDueNs, SYN);
    }
    const auto kind = end == ACTIVE ? PacketKind::SYN : PacketKind::SYN_ACK;
    SendPacket(end, half.nowNs, HEADER_BYTES + GetSynOptionBytes(*m_use.tcp), kind);
}

void
ClassicConnection::Establish(End end)
{
    Half& half = m_ends[end];
    // Timestamps say which SYN was answered
    const bool hasTimestamps = m_use.tcp->hasTimestamps;
    const bool isFirst = half.synSent == 1 || hasTimestamps;
    const int64_t backedOff = half.sender.GetBackedOffRtoNs();
    half.connected = true;
    m_flowing = m_ends[ACTIVE].connected && m_ends[PASSIVE].connected && !m_special;
    half.synDueNs = NEVER;
    const int64_t sampleNs = hasTimestamps ? half.sender.GetEchoedNs(half.nowNs)
                             : isFirst     ? half.nowNs - half.synSentNs
                                           : 0;
    half.sender.HandleConnected(half.nowNs, sampleNs);
    if (end == m_use.source)
    {
        if (m_use.ways == Ways::TWO)
        {
            Measure(); // either end may send, so that the RTT of the handshake is left out
        }
        Watch(end);
        m_monitor.Open(half.nowNs, half.sender.GetCwnd());
    }
    if (m_window && end == GetReceivingEnd())
    {
        m_window->Open(half.nowNs, sampleNs);
    }
    if (m_use.pool && end == ACTIVE)
    {
        JoinPool();
    }
    if (!isFirst)
    {
        half.sender.SetRto(backedOff); // until there is a sample, or an ACK is sent
    }
}

void
ClassicConnection::Accept(End to)
{
    Establish(to);
    ShowBuffers(to, m_ends[to].nowNs);
    m_use.user->HandleAccepted(*this, m_ends[to].nowNs);
}

void
ClassicConnection::HandleOpened(End end, Nanoseconds now)
{
    if (m_use.ways == Ways::TWO)
    {
        return m_use.user->HandleConnected(*this, now);
    }
    Half& half = m_ends[end];
    half.nowNs = now;
    if (m_use.preamble > 0 || m_use.reportsOpening)
    {
        m_use.user->HandleConnected(*this, now);
    }
    half.sender.Supply();
    SendLater(end, now);
    ShowBuffers(end, now);
}

void
ClassicConnection::ReceiveSynAck(End to)
{
    Half& half = m_ends[to];
    if (!half.connected)
    {
        Establish(to);
        SendBare(to, PacketKind::TALK); // the first segment is acknowledged at once all the same
        if (m_use.path.clocks[to]->DoArrivalsMakeEvents())
        {
            return Schedule(to, half.nowNs, OPENED); // behind what is due, as ns-3's socket does
        }
        HandleOpened(to, half.nowNs);
    }
    else if (half.sender.GetBuffer().GetWritten() == half.sender.GetAcknowledged())
    {
        SendAck(to); // its ACK was lost; what is outstanding would acknowledge it as well
    }
}

} // namespace ns3::gridftp
