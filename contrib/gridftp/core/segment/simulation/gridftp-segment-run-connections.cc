/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-run.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * SegmentRun's data connections: how they are opened, time out and are closed.
 */

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t MOST_SYNS = 15; // TcpDefaults::synRetries
} // namespace

uint32_t
SegmentRun::MakeConnection(uint32_t owner, uint32_t index, uint32_t chunk)
{
    auto& ids = m_owners[owner].connections;
    if (index == ids.size())
    {
        ids.push_back(static_cast<uint32_t>(m_connections.size()));
        m_connections.emplace_back();
    }
    const uint32_t id = ids[index];
    const SegmentTcp& tcp = m_owners[owner].tcp;
    m_connections[id].reset(new Connection{.sender = SegmentSender(tcp, *this, id),
                                           .receiver = SegmentReceiver(tcp.delayedAck),
                                           .label = {owner, chunk, index},
                                           .owner = owner,
                                           .pair = owner});
    if (m_observer)
    {
        m_connections[id]->sender.Observe();
    }
    return id;
}

void
SegmentRun::BeginData(SegmentSession& session, uint32_t connection, int64_t now, int64_t openAt)
{
    const uint32_t owner = session.GetIndex();
    const auto& ids = m_owners[owner].connections;
    const bool isOpen = connection < ids.size() && m_connections[ids[connection]]->open;
    const uint32_t id =
        isOpen ? ids[connection] : MakeConnection(owner, connection, session.GetChunk());
    Connection& made = *m_connections[id];
    made.ended = false;
    made.chunkBegin = made.sender.GetAcknowledged();
    made.sender.GetStream().Begin(&session.GetDealer(), connection);
    if (isOpen)
    {
        if (made.sender.GetDeadline() == NEVER)
        {
            // Of the timers of one moment the first one started expires first, so none waits in
            // the place that it had in the chunk before
            made.timerDueNs = NEVER;
            made.sender.SetTimerQueued(NEVER);
        }
        made.sender.Supply();
        Schedule(now + 1, EventKind::SEND, id);
    }
    else if (openAt > now)
    {
        Schedule(openAt, EventKind::OPEN, id);
    }
    else
    {
        SendSyn(id, now);
    }
}

void
SegmentRun::SendSyn(uint32_t id, int64_t now)
{
    Connection& connection = *m_connections[id];
    if (!connection.open)
    {
        return;
    }
    connection.synSentNs = now;
    connection.synDueNs = now + (SYN_TIMEOUT_NS << connection.synSent++);
    Schedule(connection.synDueNs, EventKind::SYN_AGAIN, id);
    m_network.SendForward(*this,
                          connection.pair,
                          now,
                          HEADER_BYTES + SYN_OPTION_BYTES,
                          {PacketKind::SYN, id});
}

void
SegmentRun::RetrySyn(uint32_t id, int64_t now)
{
    Connection& connection = *m_connections[id];
    if (!connection.open || connection.connected || connection.synDueNs != now)
    {
        return;
    }
    if (connection.synSent < MOST_SYNS)
    {
        return SendSyn(id, now);
    }
    FailConnection(connection, now, 425, "was refused");
}

void
SegmentRun::Connect(uint32_t id, int64_t now)
{
    Connection& connection = *m_connections[id];
    if (!connection.open || connection.connected)
    {
        return;
    }
    connection.connected = true;
    connection.sender.HandleConnected(now,
                                      connection.synSent == 1 ? now - connection.synSentNs : 0);
    m_network.SendForward(*this,
                          connection.pair,
                          now,
                          HEADER_BYTES,
                          {PacketKind::WITHOUT_EFFECT, id});
    connection.sender.Supply();
    // What an application writes, ns-3's socket sends a nanosecond later
    Schedule(now + 1, EventKind::SEND, id);
}

void
SegmentRun::CheckTimer(uint32_t id, int64_t now)
{
    Connection& connection = *m_connections[id];
    if (!connection.open || connection.timerDueNs != now)
    {
        return; // of a connection that was here before, or a later look
    }
    connection.timerDueNs = NEVER;
    connection.sender.SetTimerQueued(NEVER);
    const int64_t deadline = connection.sender.GetDeadline();
    if (deadline == now)
    {
        connection.sender.HandleTimeout(now);
    }
    else if (deadline != NEVER)
    {
        ArmTimer(connection.sender);
    }
}

void
SegmentRun::ArmTimer(SegmentSender& sender)
{
    Connection& connection = *m_connections[sender.GetId()];
    connection.timerDueNs = sender.GetDeadline();
    sender.SetTimerQueued(connection.timerDueNs);
    Schedule(connection.timerDueNs, EventKind::TIMER, sender.GetId());
}

void
SegmentRun::HandleDrained(SegmentSender& sender)
{
    const uint32_t owner = m_connections[sender.GetId()]->owner;
    if (owner < m_sessions.size())
    {
        m_sessions[owner]->HandleDrained(m_now);
    }
}

void
SegmentRun::HandleGaveUp(SegmentSender& sender)
{
    FailConnection(*m_connections[sender.GetId()], m_now, 426, "was reset or gave up its retries");
}

void
SegmentRun::FailConnection(Connection& connection, int64_t now, int code, const std::string& reason)
{
    if (connection.owner < m_sessions.size())
    {
        const auto index = std::to_string(connection.label.connection);
        return m_sessions[connection.owner]->HandleDataFailed(now,
                                                              code,
                                                              "data connection " + index + " " +
                                                                  reason);
    }
    m_owners[connection.owner].reason = "the connection " + reason;
    Close(connection);
}

void
SegmentRun::HandleWindow(const SegmentSender& sender)
{
    m_observer->HandleWindow(m_now, m_connections[sender.GetId()]->label, sender);
}

void
SegmentRun::EndData(SegmentSession& session)
{
    for (const uint32_t id : m_owners[session.GetIndex()].connections)
    {
        m_connections[id]->sender.GetStream().End();
    }
}

void
SegmentRun::CloseData(SegmentSession& session, uint32_t from, int64_t now)
{
    const auto& ids = m_owners[session.GetIndex()].connections;
    for (uint32_t i = from; i < ids.size(); ++i)
    {
        Connection& connection = *m_connections[ids[i]];
        if (connection.open && connection.connected)
        {
            constexpr int64_t MICROSECOND = 1000;
            SendFin(connection.pair,
                    now,
                    static_cast<uint32_t>(connection.sender.GetRtoNs() / MICROSECOND));
        }
        Close(connection);
    }
}

void
SegmentRun::SendFin(uint32_t pair, int64_t now, uint32_t rtoUs)
{
    constexpr uint32_t MOST = (1U << 24) - 1; // the room in a packet, 16 s
    const SegmentPacket fin(PacketKind::FIN,
                            pair,
                            static_cast<uint64_t>(now),
                            std::min(rtoUs, MOST));
    m_network.SendForward(*this, pair, now, HEADER_BYTES, fin);
}

void
SegmentRun::CloseReceivers(SegmentSession& session, int64_t now)
{
    const uint32_t pair = session.GetIndex();
    for (const uint32_t id : m_owners[pair].connections)
    {
        if (m_connections[id]->open)
        {
            m_network.SendReverse(*this, pair, now, HEADER_BYTES, {PacketKind::FIN, pair});
        }
    }
}

void
SegmentRun::Close(Connection& connection)
{
    if (!connection.open)
    {
        return;
    }
    connection.open = false;
    connection.sender.GetStream().End();
    auto& sum = m_owners[connection.owner].closed;
    const auto& totals = connection.sender.GetTotals();
    sum.segments += totals.segments;
    sum.retransmissions += totals.retransmissions;
    sum.timeouts += totals.timeouts;
}

void
SegmentRun::Abort(uint32_t owner, int64_t now)
{
    const uint32_t id = m_owners[owner].connections.front();
    Connection& connection = *m_connections[id];
    m_owners[owner].endNs = now;
    m_owners[owner].bytes = connection.receiver.GetNext();
    Close(connection);
    connection.aborted = true;
    const uint32_t pair = connection.pair;
    m_network.SendForward(*this, pair, now, HEADER_BYTES, {PacketKind::WITHOUT_EFFECT, id});
    if (!connection.connected)
    {
        return;
    }
    // ns-3's socket closes with a reset where it has data that its application could not read,
    // otherwise with a FIN, which meets nobody and is reset like an ACK
    connection.reset = connection.receiver.HasGap();
    const auto kind = connection.reset ? PacketKind::WITHOUT_EFFECT : PacketKind::ACK;
    m_network.SendReverse(*this, pair, now, HEADER_BYTES, {kind, id});
}

} // namespace ns3::gridftp
