/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-flows.h"

#include "gridftp-segment-connection.h"
#include "gridftp-segment-datagrams.h"
#include "gridftp-segment-linux-connection.h"

#include <algorithm>

namespace ns3::gridftp
{

void
FlowObserver::HandleReceiveBuffer(Nanoseconds /* now */,
                                  Nanoseconds /* at */,
                                  const ConnectionLabel& /* label */,
                                  const ReceiveBufferState& /* state */)
{
}

void
FlowObserver::HandleSendBuffer(Nanoseconds /* now */,
                               const ConnectionLabel& /* label */,
                               const SendBufferState& /* state */)
{
}

void
FlowObserver::HandleRttSample(Nanoseconds /* now */,
                              const ConnectionLabel& /* label */,
                              int64_t /* sampleNs */,
                              int64_t /* smoothedNs */)
{
}

void
FlowObserver::HandleRto(Nanoseconds /* now */,
                        const ConnectionLabel& /* label */,
                        int64_t /* rtoNs */)
{
}

FlowTable::FlowTable(uint32_t measured)
    : m_measured(measured)
{
}

FlowTable::~FlowTable() = default;

uint32_t
FlowTable::Add(std::unique_ptr<TcpConnection> connection)
{
    m_connections.push_back(std::move(connection));
    return GetCount() - 1;
}

uint32_t
FlowTable::Add(std::unique_ptr<DatagramFlow> flow)
{
    m_datagrams.push_back(std::move(flow));
    return static_cast<uint32_t>(m_datagrams.size() - 1);
}

inline ClassicConnection&
FlowTable::GetClassic(uint32_t index) const
{
    return static_cast<ClassicConnection&>(*m_connections[index]);
}

void
FlowTable::SetPorts(uint32_t index, const FlowPath& path, uint16_t port)
{
    if (m_ports) [[unlikely]]
    {
        const uint32_t nodes[] = {m_network->GetStart(path.routes[0]),
                                  m_network->GetStart(path.routes[1])};
        m_ports->SetConnection(
            index,
            {.addresses = {m_network->GetAddress(nodes[0]), m_network->GetAddress(nodes[1])},
             .ports = {m_ports->TakePort(nodes[0]), port}});
    }
}

void
FlowTable::SetDatagramPorts(uint32_t index, const FlowPath& path, uint16_t port)
{
    if (m_ports) [[unlikely]]
    {
        const auto addressOf = [&](size_t end) {
            return m_network->GetAddress(m_network->GetStart(path.routes[end]));
        };
        m_ports->SetDatagrams(index,
                              {.addresses = {addressOf(0), addressOf(1)}, .ports = {port, port}});
    }
}

uint16_t
FlowTable::TakePort(const FlowPath& path, uint32_t end)
{
    return m_ports ? m_ports->TakePort(m_network->GetStart(path.routes[end])) : 0;
}

uint32_t
FlowTable::GetFlowHash(SegmentPacket packet) const
{
    return m_ports ? m_ports->GetHash(IsDatagram(packet), packet.GetFlow(), packet.GetEnd()) : 0;
}

void
FlowTable::SetObserver(FlowObserver* observer)
{
    m_observer = observer;
    for (const auto& connection : m_connections)
    {
        connection->Observe();
    }
}

void
FlowTable::HandleArrival(Nanoseconds at, SegmentPacket packet)
{
    if (packet.GetKind() >= PacketKind::WITH_OPTIONS) [[unlikely]]
    {
        return HandleOtherArrival(at, packet);
    }
    const auto end = static_cast<TcpConnection::End>(packet.GetEnd());
    if (packet.GetKind() == PacketKind::SEGMENT) [[unlikely]]
    {
        return m_connections[packet.GetFlow()]->Receive(end, at, packet);
    }
    ClassicConnection& connection = GetClassic(packet.GetFlow());
    HostClock& clock = *connection.m_use.path.clocks[end];
    if (at >= clock.GetNextTime()) [[unlikely]]
    {
        clock.Reach(at - 1);
        if (connection.IsBeforeWork(end, at, packet, 0))
        {
            return connection.Receive(end, at, packet);
        }
        clock.Reach(at);
    }
    else if (connection.IsWorkDue(end, at) && !connection.IsBeforeWork(end, at, packet, 0))
        [[unlikely]]
    {
        connection.ResumeWork(end, at);
    }
    const uint64_t value = packet.GetValue();
    if (packet.GetKind() == PacketKind::DATA && connection.TryReceive(packet)) [[likely]]
    {
        if (connection.m_logs) [[unlikely]]
        {
            connection.LogDelivery(at);
        }
        return Answer(connection, at, value + packet.GetPayload());
    }
    if (packet.GetLabel() == connection.m_ackLabel && connection.m_flowing &&
        connection.m_ends[TcpConnection::ACTIVE].sender.IsOnFastPath(value)) [[likely]]
    {
        return TakeAckAmongOthers(connection, at, value);
    }
    connection.Receive(end, at, packet);
}

void
FlowTable::HandleOtherArrival(Nanoseconds at, SegmentPacket packet)
{
    if (IsDatagram(packet))
    {
        return m_datagrams[packet.GetFlow()]->Receive(at, packet);
    }
    const auto number = static_cast<uint32_t>(packet.GetValue());
    SegmentOptions options = m_options.Get(number);
    options.isMarked = packet.IsMarked();
    m_options.Release(number);
    ClassicConnection& connection = GetClassic(packet.GetFlow());
    const auto end = static_cast<TcpConnection::End>(packet.GetEnd());
    HostClock& clock = *connection.m_use.path.clocks[end];
    const auto isFirst = [&] {
        return connection.IsBeforeWork(end, at, options.packet, packet.GetOptionBytes());
    };
    if (at >= clock.GetNextTime())
    {
        clock.Reach(at - 1);
        if (!isFirst())
        {
            clock.Reach(at);
        }
    }
    else if (connection.IsWorkDue(end, at) && !isFirst())
    {
        connection.ResumeWork(end, at);
    }
    connection.ReceiveOptions(end, at, options);
}

void
FlowTable::HandleDatagram(Nanoseconds at, SegmentPacket packet)
{
    m_datagrams[packet.GetFlow()]->ReceiveData(at, packet);
}

void
FlowTable::Answer(ClassicConnection& connection, Nanoseconds now, uint64_t ack)
{
    m_network->SendUsual(connection.m_use.path.routes[TcpConnection::PASSIVE],
                         now,
                         {connection.m_ackLabel, ack});
}

void
FlowTable::TakeAckAmongOthers(ClassicConnection& connection, Nanoseconds now, uint64_t ack)
{
    auto& sending = connection.m_ends[TcpConnection::ACTIVE];
    sending.nowNs = now;
    SegmentNetwork& network = *m_network;
    const uint32_t route = connection.m_use.path.routes[TcpConnection::ACTIVE];
    const auto send = [&](uint64_t start, uint64_t /* size */) __attribute__((always_inline)) {
        network.SendUsual(route, now, {connection.m_dataLabel, start});
    };
    sending.sender.HandleAckFast(now, ack, send);
}

void
FlowTable::HandleDrop(uint32_t link, Nanoseconds at, SegmentPacket packet, bool refused)
{
    if (IsDatagram(packet)) [[unlikely]]
    {
        if (m_observer && refused && link == m_measured)
        {
            m_observer->HandleDrop(at, std::nullopt, std::nullopt);
        }
        return m_datagrams[packet.GetFlow()]->HandleDrop(packet);
    }
    if (packet.GetKind() == PacketKind::WITH_OPTIONS) [[unlikely]]
    {
        const auto number = static_cast<uint32_t>(packet.GetValue());
        packet = m_options.Get(number).packet;
        m_options.Release(number);
    }
    TcpConnection& connection = *m_connections[packet.GetFlow()];
    if (m_observer && refused && link == m_measured)
    {
        const bool isNamed = packet.GetEnd() != connection.GetUse().source;
        m_observer->HandleDrop(at,
                               isNamed ? connection.GetUse().label : std::nullopt,
                               connection.FindSequence(packet));
    }
    connection.HandleDrop(at, packet);
}

[[gnu::always_inline]] inline void
FlowTable::TakeAck(SegmentNetwork& network, Nanoseconds now)
{
    const SegmentPacket packet = network.GetSingle();
    const uint64_t ack = packet.GetValue();
    const uint32_t flow = packet.GetFlow();
    network.DropSingle();
    ClassicConnection& connection = GetClassic(flow);
    if (!connection.m_flowing) [[unlikely]]
    {
        if (connection.m_special)
        {
            HandleArrival(now, packet);
        }
        return;
    }
    auto& sending = connection.m_ends[TcpConnection::ACTIVE];
    sending.nowNs = now;
    if (!sending.sender.IsOnFastPath(ack))
    {
        return sending.sender.HandleAck(now, ack);
    }
    const auto send = [&](uint64_t start, uint64_t size) __attribute__((always_inline)) {
        const SegmentPacket data(connection.m_dataLabel, start);
        const Nanoseconds at = network.SendSingle(now, data);
        if (at < 0) [[unlikely]]
        {
            return;
        }
        if (at < connection.m_receiverClock->GetNextTime() &&
            start + size < sending.sender.GetBuffer().GetEnd() &&
            connection.m_ends[TcpConnection::PASSIVE].receiver.TryReceive(start, size)) [[likely]]
        {
            return network.AnswerSingle(at, {connection.m_ackLabel, start + size});
        }
        HandleArrival(at, data);
    };
    sending.sender.HandleAckFast(now, ack, send);
}

inline bool
FlowTable::TakeLinuxAck(SegmentNetwork& network, Nanoseconds now)
{
    const SegmentPacket packet = network.GetSingle();
    if (packet.GetKind() != PacketKind::SEGMENT)
    {
        return false;
    }
    auto& connection = static_cast<LinuxConnection&>(*m_connections[packet.GetFlow()]);
    if (!connection.IsAck(packet))
    {
        return false;
    }
    network.DropSingle();
    connection.Deliver(static_cast<TcpConnection::End>(packet.GetEnd()), now, packet);
    return true;
}

int64_t
FlowTable::TakeAcks(const EventQueue& events, int64_t untilNs, Nanoseconds now)
{
    SegmentNetwork& network = *m_network;
    // An ACK may make an event that comes before the next one, but it ends no session
    while (network.HasSingle())
    {
        const int64_t arrival = network.GetNextSingle();
        if (arrival > untilNs || arrival >= events.GetNextTime())
        {
            break;
        }
        if (network.GetSingle().GetKind() == PacketKind::ACK)
        {
            TakeAck(network, arrival);
        }
        else if (!TakeLinuxAck(network, arrival))
        {
            break;
        }
        now = arrival;
    }
    return now;
}

int64_t
FlowTable::TakeAcksPuttingDown(const EventQueue& events, int64_t untilNs, Nanoseconds now)
{
    SegmentNetwork& network = *m_network;
    while (network.HasSingle())
    {
        const SegmentPacket packet = network.GetSingle();
        const int64_t arrival = network.GetNextSingle();
        if (arrival > untilNs || arrival >= events.GetNextTime() ||
            packet.GetKind() != PacketKind::ACK)
        {
            break;
        }
        now = arrival;
        network.DropSingle();
        const ClassicConnection& connection = GetClassic(packet.GetFlow());
        if (connection.m_flowing || connection.m_special)
        {
            HandleArrival(now, packet);
        }
    }
    return now;
}

void
FlowTable::AddState(SegmentPacket packet, SegmentState& state) const
{
    if (IsDatagram(packet))
    {
        return state.Bar();
    }
    constexpr uint64_t ADDRESS = UINT32_MAX; // of a label: its lowest bits
    state.Add((static_cast<uint64_t>(packet.GetLabel()) & ~ADDRESS) | packet.GetEnd());
    state.Add(GetName(Get(packet.GetFlow())));
    if (packet.GetKind() == PacketKind::WITH_OPTIONS)
    {
        return state.Bar();
    }
    if (packet.GetKind() != PacketKind::TALK && packet.GetKind() != PacketKind::TALK_WINDOW &&
        packet.GetKind() != PacketKind::TALK_FIN)
    {
        return state.Add(packet.GetValue());
    }
    // The low halves of two positions, see TcpConnection: those of a connection that stays open
    const ClassicConnection& connection = GetClassic(packet.GetFlow());
    const auto to = static_cast<TcpConnection::End>(packet.GetEnd());
    const auto from = to == TcpConnection::ACTIVE ? TcpConnection::PASSIVE : TcpConnection::ACTIVE;
    constexpr unsigned BITS = 32;
    const auto low = [](uint64_t position) { return static_cast<uint32_t>(position); };
    state.Add(low(low(packet.GetValue()) - low(connection.GetSender(from).GetAcknowledged())));
    state.Add(
        low(low(packet.GetValue() >> BITS) - low(connection.GetSender(to).GetAcknowledged())));
}

void
FlowTable::AddState(SegmentState& state) const
{
    if (!m_datagrams.empty())
    {
        state.Bar();
    }
    std::vector<const TcpConnection*> used;
    for (const auto& connection : m_connections)
    {
        const bool isRecent = state.IsRecent(connection->GetNow(TcpConnection::ACTIVE)) ||
                              state.IsRecent(connection->GetNow(TcpConnection::PASSIVE));
        if (connection->IsOpenAtPassive() || connection->IsLingering() ||
            (isRecent && !connection->HasEnded()))
        {
            used.push_back(connection.get());
        }
    }
    std::ranges::sort(used, {}, &TcpConnection::GetSerial);
    state.Add(used.size());
    for (const TcpConnection* const connection : used)
    {
        state.Add(GetName(*connection));
        connection->AddState(state);
    }
}

std::optional<uint64_t>
FlowTable::FindName(const EventTarget& target) const
{
    const auto found = m_targets.find(&target);
    return found == m_targets.end() ? std::nullopt : std::optional(GetName(Get(found->second)));
}

uint64_t
FlowTable::GetName(const TcpConnection& connection) const
{
    constexpr uint64_t STAYS = uint64_t{1} << 63;
    const bool stays = connection.GetUse().ways == TcpConnection::Ways::TWO;
    return stays ? connection.GetSerial() | STAYS : m_begun - connection.GetSerial();
}

} // namespace ns3::gridftp
