/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-run.h"

#include <algorithm>
#include <functional>

namespace ns3::gridftp
{

SegmentRun::SegmentRun(const Scenario& scenario)
    : m_scenario(scenario),
      m_segmentBytes(static_cast<uint32_t>(GetSegmentBytes(scenario))),
      m_upload(scenario.sessions.front().direction == Direction::UPLOAD),
      m_controlTcp(MakeSegmentTcp(m_scenario, "newreno", CONTROL_WINDOW)),
      m_network(m_scenario)
{
    m_owners.reserve(scenario.sessions.size() + scenario.background.size());
    for (uint32_t i = 0; i < m_scenario.sessions.size(); ++i)
    {
        const auto& spec = m_scenario.sessions[i];
        m_sessions.push_back(std::make_unique<SegmentSession>(m_scenario, i, m_controlTcp, *this));
        m_owners.emplace_back().tcp = MakeSegmentTcp(m_scenario, spec.tcp, spec.window);
        Schedule(spec.start, EventKind::SESSION_START, i);
    }
    for (const auto& spec : m_scenario.background)
    {
        const auto owner = static_cast<uint32_t>(m_owners.size());
        m_owners.emplace_back().tcp = MakeSegmentTcp(m_scenario, spec.tcp, spec.window);
        Schedule(spec.start, EventKind::BACKGROUND_START, owner);
        if (spec.stop > 0)
        {
            Schedule(spec.stop, EventKind::BACKGROUND_STOP, owner);
        }
    }
}

void
SegmentRun::SetObserver(SegmentObserver& observer)
{
    m_observer = &observer;
    m_network.GetForward().SetObserver(&observer);
    for (const auto& connection : m_connections)
    {
        connection->sender.Observe();
    }
}

void
SegmentRun::SetPacketObserver(PacketObserver* observer)
{
    m_packetObserver = observer;
    m_network.SetWatcher(observer ? this : nullptr);
}

void
SegmentRun::Schedule(int64_t at, EventKind kind, uint32_t owner, uint32_t message)
{
    m_events.push_back({at, m_order++, kind, owner, message});
    std::push_heap(m_events.begin(), m_events.end(), std::greater<>());
    m_nextEventNs = std::min(m_nextEventNs, at);
}

void
SegmentRun::ScheduleAtReceiver(int64_t at, EventKind kind, uint32_t owner, uint32_t message)
{
    m_receiverEvents.push_back({at, m_order++, kind, owner, message});
    std::push_heap(m_receiverEvents.begin(), m_receiverEvents.end(), std::greater<>());
    m_nextReceiverNs = m_receiverEvents.front().timeNs;
    m_nextEventNs = std::min(m_nextEventNs, at);
}

void
SegmentRun::UpdateNextEvent()
{
    m_nextReceiverNs = m_receiverEvents.empty() ? NEVER : m_receiverEvents.front().timeNs;
    m_nextEventNs = m_events.empty() ? NEVER : m_events.front().timeNs;
    m_nextEventNs = std::min(m_nextEventNs, m_nextReceiverNs);
}

void
SegmentRun::FlushReceiver(int64_t at)
{
    while (!m_receiverEvents.empty() && m_receiverEvents.front().timeNs <= at)
    {
        std::pop_heap(m_receiverEvents.begin(), m_receiverEvents.end(), std::greater<>());
        const Event event = m_receiverEvents.back();
        m_receiverEvents.pop_back();
        Do(event);
    }
    UpdateNextEvent();
}

void
SegmentRun::StepEvent()
{
    if (m_nextReceiverNs == m_nextEventNs)
    {
        return FlushReceiver(m_nextEventNs);
    }
    std::pop_heap(m_events.begin(), m_events.end(), std::greater<>());
    const Event event = m_events.back();
    m_events.pop_back();
    UpdateNextEvent();
    Do(event);
}

[[gnu::always_inline]] inline void
SegmentRun::TakeAck(const SegmentPacket& packet)
{
    const uint64_t ack = packet.GetValue();
    const uint32_t id = packet.GetOwner();
    m_network.DropNext();
    Connection& connection = *m_connections[id];
    if (!connection.IsUp()) [[unlikely]]
    {
        return;
    }
    if (!connection.sender.IsUsual(ack))
    {
        return connection.sender.HandleAck(m_now, ack);
    }
    const uint32_t size = m_segmentBytes;
    const auto send = [&](uint64_t start) __attribute__((always_inline)) {
        const SegmentPacket data(PacketKind::DATA, id, start, size);
        const int64_t at = m_network.SendSingle(*this, m_now, data);
        if (at < 0) [[unlikely]]
        {
            return;
        }
        if (at < m_nextReceiverNs && start + size < connection.sender.GetStream().GetEnd() &&
            connection.receiver.TryReceive(start, size)) [[likely]]
        {
            return m_network.AnswerSingle(*this, at, {PacketKind::ACK, id, start + size});
        }
        HandleAtReceiver(0, at, data);
    };
    connection.sender.HandleUsualAck(m_now, ack, send);
}

void
SegmentRun::TakeAcks(int64_t untilNs)
{
    // An ACK may make an event that comes before the next one, but it ends no session
    while (m_network.HasSingle())
    {
        const int64_t arrival = m_network.GetNextSingle();
        const SegmentPacket& packet = m_network.GetNext();
        if (arrival > untilNs || arrival >= m_nextEventNs || packet.GetKind() != PacketKind::ACK)
        {
            return;
        }
        m_now = arrival;
        TakeAck(packet);
    }
}

bool
SegmentRun::Advance(int64_t untilNs)
{
    const auto sessions = static_cast<uint32_t>(m_sessions.size());
    const bool isSingle = m_network.IsSingle();
    while (m_ended < sessions)
    {
        if (m_network.IsFast())
        {
            TakeAcks(untilNs);
        }
        const int64_t arrival = m_network.GetNextTime();
        if (std::min(arrival, m_nextEventNs) > untilNs)
        {
            m_now = untilNs;
            if (m_observer)
            {
                // What the next packet to come would find out; at equal times it may be ahead
                m_network.GetForward().Release(m_now - 1);
            }
            return false;
        }
        if (arrival < m_nextEventNs) [[likely]]
        {
            m_now = arrival;
            m_eventCount += isSingle ? 0 : 1; // those of a single pair count themselves
            m_network.Step(*this);
            continue;
        }
        if (m_nextEventNs > LONGEST_NS)
        {
            FailAll(m_nextEventNs == NEVER ? "nothing more happened"
                                           : "the simulated time passes 146 years");
            break;
        }
        m_now = m_nextEventNs;
        ++m_eventCount;
        StepEvent();
    }
    return true;
}

void
SegmentRun::FailAll(const std::string& reason)
{
    for (const auto& session : m_sessions)
    {
        session->Fail(m_now, reason);
    }
}

void
SegmentRun::Do(const Event& event)
{
    switch (event.kind)
    {
    case EventKind::SESSION_START:
        return m_sessions[event.owner]->Start(event.timeNs);
    case EventKind::BACKGROUND_START: {
        const uint32_t id = MakeConnection(event.owner, 0, 0);
        m_owners[event.owner].startNs = event.timeNs;
        m_connections[id]->sender.GetStream().Begin(nullptr, 0);
        return SendSyn(id, event.timeNs);
    }
    case EventKind::BACKGROUND_STOP:
        return Abort(event.owner, event.timeNs);
    case EventKind::OPEN:
        return SendSyn(event.owner, event.timeNs);
    case EventKind::SYN_AGAIN:
        return RetrySyn(event.owner, event.timeNs);
    case EventKind::SEND:
        if (m_connections[event.owner]->open)
        {
            m_connections[event.owner]->sender.Send(event.timeNs);
        }
        return;
    case EventKind::TIMER:
        return CheckTimer(event.owner, event.timeNs);
    case EventKind::CONTROL:
        return m_sessions[event.owner]->GetControl().HandleTimer(
            static_cast<SegmentControl::Side>(event.message % SegmentControl::SIDES),
            event.timeNs,
            static_cast<SegmentControl::Timer>(event.message / SegmentControl::SIDES));
    case EventKind::TRANSFERRING:
        return HandleTransferring(*m_sessions[event.owner], event.timeNs);
    case EventKind::CHUNK:
        return HandleChunk(*m_sessions[event.owner], event.timeNs);
    case EventKind::ENDED:
        return HandleEnded(*m_sessions[event.owner], event.timeNs);
    case EventKind::FIN_AGAIN:
        return SendFin(event.owner, event.timeNs, event.message);
    case EventKind::MARKER: {
        uint64_t bytes = 0;
        for (const uint32_t id : m_owners[event.owner].connections)
        {
            bytes += m_connections[id]->receiver.GetNext();
        }
        return m_sessions[event.owner]->HandleMarker(event.timeNs, bytes);
    }
    case EventKind::DELAYED_ACK:
        Connection& connection = *m_connections[event.owner];
        if (event.timeNs != connection.ackQueuedNs)
        {
            return; // of a connection that was here before
        }
        connection.ackQueuedNs = NEVER;
        if (connection.ackDueNs == event.timeNs)
        {
            SendAck(event.owner, event.timeNs);
        }
        else if (connection.ackDueNs != NEVER)
        {
            connection.ackQueuedNs = connection.ackDueNs;
            ScheduleAtReceiver(connection.ackDueNs, EventKind::DELAYED_ACK, event.owner);
        }
        return;
    }
}

// Packets

void
SegmentRun::SendSegment(SegmentSender& sender, uint64_t start, uint32_t size)
{
    const uint32_t id = sender.GetId();
    m_network.SendForward(*this,
                          m_connections[id]->pair,
                          m_now,
                          HEADER_BYTES + size,
                          {PacketKind::DATA, id, start, size});
}

void
SegmentRun::SendControl(const SegmentSession& session,
                        SegmentControl::Side from,
                        int64_t now,
                        int64_t bytes,
                        const SegmentPacket& packet)
{
    if (IsSender(from))
    {
        m_network.SendForward(*this, session.GetIndex(), now, bytes, packet);
    }
    else
    {
        m_network.SendReverse(*this, session.GetIndex(), now, bytes, packet);
    }
}

void
SegmentRun::ScheduleControl(const SegmentSession& session,
                            SegmentControl::Side side,
                            int64_t at,
                            SegmentControl::Timer timer)
{
    const uint32_t message = side + SegmentControl::SIDES * static_cast<uint32_t>(timer);
    if (IsSender(side))
    {
        Schedule(at, EventKind::CONTROL, session.GetIndex(), message);
    }
    else
    {
        ScheduleAtReceiver(at, EventKind::CONTROL, session.GetIndex(), message);
    }
}

void
SegmentRun::ScheduleMarker(SegmentSession& session, int64_t at)
{
    ScheduleAtReceiver(at, EventKind::MARKER, session.GetIndex());
}

void
SegmentRun::HandleAtReceiver(uint32_t pair, int64_t at, SegmentPacket packet)
{
    if (at >= m_nextReceiverNs) [[unlikely]]
    {
        FlushReceiver(at);
    }
    switch (packet.GetKind())
    {
    case PacketKind::DATA:
        return ReceiveData(at, packet);
    case PacketKind::SYN:
        return m_network.SendReverse(*this,
                                     pair,
                                     at,
                                     HEADER_BYTES + SYN_OPTION_BYTES,
                                     {PacketKind::SYN_ACK, packet.GetOwner()});
    case PacketKind::FIN:
        return m_network.SendReverse(
            *this,
            pair,
            at,
            HEADER_BYTES,
            {m_upload ? PacketKind::FIN_ACK : PacketKind::WITHOUT_EFFECT, pair});
    case PacketKind::CONTROL:
    case PacketKind::CONTROL_SYN:
    case PacketKind::CONTROL_SYN_ACK:
    case PacketKind::CONTROL_FIN: {
        const auto side = m_upload ? SegmentControl::SERVER : SegmentControl::CLIENT;
        return m_sessions[packet.GetOwner()]->GetControl().Receive(side, at, packet);
    }
    default:
        return;
    }
}

void
SegmentRun::ReceiveData(int64_t at, SegmentPacket packet)
{
    Connection& connection = *m_connections[packet.GetOwner()];
    if (!connection.open) [[unlikely]]
    {
        if (connection.reset)
        {
            m_network.SendReverse(*this,
                                  connection.pair,
                                  at,
                                  HEADER_BYTES,
                                  {PacketKind::WITHOUT_EFFECT, packet.GetOwner()});
        }
        if (connection.reset || !connection.aborted)
        {
            return;
        }
    }
    const auto answer = connection.receiver.Receive(packet.GetValue(), packet.GetPayload());
    if (answer == SegmentReceiver::Answer::ACK) [[likely]]
    {
        SendAck(packet.GetOwner(), at);
    }
    else if (connection.ackDueNs == NEVER)
    {
        connection.ackDueNs = at + DELAYED_ACK_NS;
        if (connection.ackQueuedNs == NEVER)
        {
            connection.ackQueuedNs = connection.ackDueNs;
            ScheduleAtReceiver(connection.ackDueNs, EventKind::DELAYED_ACK, packet.GetOwner());
        }
    }
    if (connection.receiver.GetNext() >= connection.sender.GetStream().GetEnd() &&
        !connection.ended)
    {
        connection.ended = true;
        if (connection.owner < m_sessions.size())
        {
            m_sessions[connection.owner]->HandleEndOfData(at);
        }
    }
}

void
SegmentRun::SendAck(uint32_t id, int64_t at)
{
    Connection& connection = *m_connections[id];
    connection.ackDueNs = NEVER;
    connection.receiver.HandleAckSent();
    m_network.SendReverse(*this,
                          connection.pair,
                          at,
                          HEADER_BYTES,
                          {PacketKind::ACK, id, connection.receiver.GetNext()});
}

void
SegmentRun::HandleAtSender(uint32_t pair, int64_t at, SegmentPacket packet)
{
    switch (packet.GetKind())
    {
    case PacketKind::ACK: {
        Connection& connection = *m_connections[packet.GetOwner()];
        if (connection.IsUp()) [[likely]]
        {
            connection.sender.HandleAck(at, packet.GetValue());
        }
        else if (connection.aborted)
        {
            m_network.SendForward(*this, pair, at, HEADER_BYTES, {PacketKind::WITHOUT_EFFECT, 0});
        }
        return;
    }
    case PacketKind::SYN_ACK:
        return Connect(packet.GetOwner(), at);
    case PacketKind::FIN: // of a download, whose client closes first
    case PacketKind::FIN_ACK:
        return m_network.SendForward(*this,
                                     pair,
                                     at,
                                     HEADER_BYTES,
                                     {PacketKind::WITHOUT_EFFECT, packet.GetOwner()});
    case PacketKind::CONTROL:
    case PacketKind::CONTROL_SYN:
    case PacketKind::CONTROL_SYN_ACK:
    case PacketKind::CONTROL_FIN: {
        const auto side = m_upload ? SegmentControl::CLIENT : SegmentControl::SERVER;
        return m_sessions[packet.GetOwner()]->GetControl().Receive(side, at, packet);
    }
    default:
        return;
    }
}

void
SegmentRun::HandleDrop(int64_t at, SegmentPacket packet, bool refused)
{
    if (m_observer && refused)
    {
        const bool isData = packet.GetKind() == PacketKind::DATA;
        const bool isOurs = isData || packet.GetKind() == PacketKind::SYN;
        m_observer->HandleDrop(at,
                               isOurs ? std::optional(m_connections[packet.GetOwner()]->label)
                                      : std::nullopt,
                               isData ? std::optional(packet.GetValue()) : std::nullopt);
    }
    if (packet.GetKind() == PacketKind::FIN && packet.GetPayload() > 0)
    {
        const auto sent = static_cast<int64_t>(packet.GetValue());
        const int64_t again = sent + int64_t{1000} * packet.GetPayload();
        Schedule(std::max(at, again), EventKind::FIN_AGAIN, packet.GetOwner(), packet.GetPayload());
    }
}

} // namespace ns3::gridftp
