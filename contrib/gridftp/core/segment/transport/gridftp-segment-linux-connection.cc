/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-linux-connection.h"

#include "gridftp-segment-network.h"
#include "gridftp-segment-tcp.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** @param segment any @return bytes of its TCP options, padded to words */
int64_t
GetOptionBytes(const LinuxSegment& segment)
{
    if (segment.Has(LinuxSegment::SYN))
    {
        constexpr int64_t MSS_AND_SCALE = 8;
        constexpr int64_t TIMESTAMP = 12; // SACK permitted takes the place of its padding
        constexpr int64_t SACK_PERMITTED = 4;
        return MSS_AND_SCALE + (segment.hasTimestamp ? TIMESTAMP
                                : segment.hasSack    ? SACK_PERMITTED
                                                     : 0);
    }
    constexpr int64_t TIMESTAMP = 12;
    constexpr int64_t SACK = 4;
    constexpr int64_t BLOCK = 8;
    return (segment.hasTimestamp ? TIMESTAMP : 0) +
           (segment.blocks > 0 ? SACK + BLOCK * segment.blocks : 0);
}

} // namespace

LinuxConnection::LinuxConnection(FlowTable& flows, const Use& use)
    : TcpConnection(use),
      m_flows(&flows)
{
}

void
LinuxConnection::Renew(const Use& use)
{
    m_use = use;
    ++m_incarnation;
    for (const End end : {ACTIVE, PASSIVE})
    {
        const Nanoseconds queuedAt = m_ends[end].queuedAt;
        m_ends[end] = {};
        m_usualBytes[end] = m_flows->GetNetwork().GetUsualBytes(use.path.routes[end]);
        m_ends[end].queuedAt = queuedAt;
        LinuxSocket::Port& port = *this;
        m_ends[end].socket =
            std::make_unique<LinuxSocket>(*use.tcp->kernel, port, m_index + (m_incarnation << 16));
        m_ends[end].socket->SetNoDelay(!use.holdsSmall);
    }
    m_ends[PASSIVE].socket->Listen();
    m_source = nullptr;
    m_sourceBegin = 0;
    m_isDrained = m_isDelivered = true;
    m_closesAfterReading = false;
    m_counted = {};
    m_countedAcked = 0;
    m_shownRto = 0;
    m_monitor.End();
    if (use.label)
    {
        m_monitor.Begin(m_flows->FindMonitor(use.label->session), use.label->connection);
    }
    Observe();
}

void
LinuxConnection::Observe()
{
    FlowObserver* const observer = m_flows->GetObserver();
    m_isWatched = m_use.label && (observer || m_monitor.IsOn());
    m_showsRtt = m_use.label && observer && observer->WantsRtt();
    if (m_isWatched)
    {
        m_ends[m_use.source].socket->Observe();
    }
}

// The applications

void
LinuxConnection::Connect(Nanoseconds now)
{
    if (!m_ends[ACTIVE].closed)
    {
        m_ends[ACTIVE].now = now;
        m_flows->SetPorts(m_index, m_use.path, m_use.port);
        m_ends[ACTIVE].socket->Connect(now);
    }
}

void
LinuxConnection::Begin(ByteSource& source, Nanoseconds now)
{
    m_source = &source;
    m_sourceBegin = m_ends[m_use.source].written;
    m_isDrained = m_isDelivered = false;
    if (m_ends[m_use.source].connected)
    {
        Fill(now);
    }
}

void
LinuxConnection::Fill(Nanoseconds now)
{
    Half& half = m_ends[m_use.source];
    half.now = now;
    uint64_t bytes = 0;
    const uint64_t writable = half.socket->GetWritable();
    while (m_source && !m_source->IsExhausted() && bytes < writable)
    {
        const uint64_t written = m_source->Write(writable - bytes);
        if (written == 0)
        {
            break;
        }
        bytes += written;
        m_source->HandleWritten();
    }
    if (bytes > 0)
    {
        half.written += bytes;
        half.socket->Write(now, bytes);
    }
}

void
LinuxConnection::CheckDrained(Nanoseconds now)
{
    const Half& half = m_ends[m_use.source];
    if (!m_isDrained && m_source && m_source->IsExhausted() &&
        half.socket->GetAcknowledged() == half.written)
    {
        m_isDrained = true;
        m_use.user->HandleDrained(*this, now);
    }
}

void
LinuxConnection::CheckDelivered(Nanoseconds now)
{
    if (!m_isDelivered && m_source && m_source->IsExhausted() &&
        m_ends[GetReceivingEnd()].socket->GetReceived() == m_ends[m_use.source].written)
    {
        m_isDelivered = true;
        m_use.user->HandleDelivered(*this, GetReceivingEnd(), now);
    }
}

void
LinuxConnection::Write(End from, Nanoseconds now, uint64_t bytes)
{
    Half& half = m_ends[from];
    half.now = now;
    half.written += bytes;
    half.socket->Write(now, bytes);
}

void
LinuxConnection::EndSource()
{
    m_source = nullptr;
}

void
LinuxConnection::CloseEnd(End end, Nanoseconds now)
{
    Half& half = m_ends[end];
    if (!half.closed)
    {
        half.closed = true;
        half.now = now;
        half.socket->Close(now);
    }
}

void
LinuxConnection::Close(Nanoseconds now)
{
    CloseEnd(ACTIVE, now);
    m_ends[ACTIVE].isRetired = true;
    EndSource();
}

void
LinuxConnection::CloseAfterReading()
{
    m_closesAfterReading = true;
}

void
LinuxConnection::ClosePassive(Nanoseconds now)
{
    CloseEnd(PASSIVE, now);
}

void
LinuxConnection::Leave(Nanoseconds now)
{
    CloseEnd(ACTIVE, now);
}

void
LinuxConnection::Stop()
{
    for (Half& half : m_ends)
    {
        half.closed = half.isRetired = true;
        half.socket->Forget();
    }
    EndSource();
}

void
LinuxConnection::Abort(Nanoseconds now)
{
    EndSource();
    m_ends[ACTIVE].now = now;
    m_ends[ACTIVE].closed = m_ends[PASSIVE].closed = true;
    m_ends[ACTIVE].isRetired = m_ends[PASSIVE].isRetired = true;
    m_ends[ACTIVE].socket->Abort(now);
}

void
LinuxConnection::Reset(End end, Nanoseconds now)
{
    Half& half = m_ends[end];
    half.isRetired = true;
    if (std::exchange(half.closed, true))
    {
        return; // its application has closed it; the kernel closes the connection alone
    }
    half.now = now;
    half.socket->Abort(now);
}

// How it is

bool
LinuxConnection::IsOpen() const
{
    return !m_ends[ACTIVE].closed;
}

bool
LinuxConnection::IsOpenAtPassive() const
{
    return !m_ends[PASSIVE].closed;
}

bool
LinuxConnection::MayRenew(Nanoseconds /* now */) const
{
    const auto isOver = [this](End end) {
        const auto state = m_ends[end].socket->GetState();
        return state == LinuxSocket::State::CLOSED || state == LinuxSocket::State::TIME_WAIT ||
               (end == PASSIVE && state == LinuxSocket::State::LISTEN);
    };
    return m_depth == 0 && isOver(ACTIVE) && isOver(PASSIVE);
}

bool
LinuxConnection::IsConnected() const
{
    return m_ends[ACTIVE].connected;
}

bool
LinuxConnection::IsThere(End end) const
{
    return m_ends[end].connected && !m_ends[end].closed;
}

bool
LinuxConnection::IsKnown() const
{
    return m_ends[PASSIVE].socket->GetState() != LinuxSocket::State::LISTEN &&
           !m_ends[PASSIVE].closed;
}

Nanoseconds
LinuxConnection::GetNow(End end) const
{
    return m_ends[end].now;
}

ConnectionTotals
LinuxConnection::GetTotals(End end) const
{
    const LinuxSenderCounts& counts = m_ends[end].socket->GetSender().GetCounts();
    ConnectionTotals totals;
    totals.segments = counts.segments;
    totals.retransmissions = counts.retransmissions;
    totals.timeouts = counts.timeouts;
    return totals;
}

uint64_t
LinuxConnection::GetWritten(End end) const
{
    return m_ends[end].written;
}

uint64_t
LinuxConnection::GetReceived(End end) const
{
    return m_ends[end].socket->GetReceived();
}

uint64_t
LinuxConnection::GetSendBufferSize() const
{
    return m_ends[ACTIVE].socket->GetSender().GetSendBuffer();
}

SenderView
LinuxConnection::GetSenderView() const
{
    const LinuxSocket& socket = *m_ends[m_use.source].socket;
    const LinuxWindow& window = socket.GetSender().GetWindow();
    const uint64_t mss = window.mss;
    SenderView view;
    view.cwndBytes = window.cwnd * mss;
    if (window.ssthresh < LinuxWindow::NO_SSTHRESH)
    {
        view.ssthreshBytes = window.ssthresh * mss;
    }
    view.flightBytes = window.GetInFlight() * mss;
    view.acknowledgedBytes = socket.GetAcknowledged();
    view.state = window.state == LinuxCaState::OPEN       ? CongestionState::OPEN
                 : window.state == LinuxCaState::DISORDER ? CongestionState::DISORDER
                 : window.state == LinuxCaState::LOSS     ? CongestionState::LOSS
                                                          : CongestionState::RECOVERY;
    view.smoothedRttNs = static_cast<int64_t>(window.srttUs8) * 125;
    return view;
}

std::optional<uint64_t>
LinuxConnection::FindSequence(SegmentPacket packet) const
{
    const LinuxSegment& segment = LinuxPacketPool::Get(packet).segment;
    if (packet.GetEnd() == m_use.source || segment.size == 0)
    {
        return std::nullopt;
    }
    return segment.seq - 1;
}

uint64_t
LinuxConnection::GetDelivered(Nanoseconds /* now */) const
{
    return m_ends[GetReceivingEnd()].socket->GetReceived();
}

uint64_t
LinuxConnection::CountOfSource(uint64_t bytes) const
{
    return bytes > m_sourceBegin ? bytes - m_sourceBegin : 0;
}

void
LinuxConnection::AddState(SegmentState& state) const
{
    state.Bar();
}

// The network and the clock

void
LinuxConnection::Receive(End to, Nanoseconds at, SegmentPacket packet)
{
    auto& packets = m_flows->GetLinuxPackets();
    LinuxPacket& received = LinuxPacketPool::Get(packet);
    if (received.incarnation != m_incarnation || (m_use.entry && m_use.entry->Discards(at)))
        [[unlikely]]
    {
        return packets.Release(received);
    }
    received.segment.isCe = packet.IsMarked();
    Half& half = m_ends[to];
    half.now = at;
    LinuxSocket& socket = *half.socket;
    if (socket.GetState() == LinuxSocket::State::LISTEN && m_use.refusals &&
        IsOut(*m_use.refusals, at)) [[unlikely]]
    {
        // A later SYN, behind the outage, finds the server again
        packets.Release(received);
        LinuxSegment& reset = Prepare(socket);
        reset.flags = LinuxSegment::RST;
        return Send(socket, reset);
    }
    ++m_depth;
    socket.Receive(at, received.segment);
    --m_depth;
    packets.Release(received);
    if (m_isWatched && to == m_use.source) [[unlikely]]
    {
        UpdateMonitor(at);
    }
}

void
LinuxConnection::HandleEvent(Nanoseconds now, uint32_t id)
{
    Half& half = m_ends[id];
    if (half.queuedAt != now)
    {
        return;
    }
    half.queuedAt = NEVER;
    LinuxSocket& socket = *half.socket;
    ++m_depth;
    if (socket.GetDeadline() <= now)
    {
        half.now = now;
    }
    socket.HandleTimer(now); // even where its deadline is later: it reports the next one then
    --m_depth;
    HandleDeadline(socket);
    if (m_isWatched && id == m_use.source) [[unlikely]]
    {
        UpdateMonitor(now);
    }
}

void
LinuxConnection::HandleDrop(Nanoseconds /* at */, SegmentPacket packet)
{
    m_flows->GetLinuxPackets().Release(LinuxPacketPool::Get(packet));
}

// LinuxSocket::Port

LinuxSegment&
LinuxConnection::Prepare(LinuxSocket& /* socket */)
{
    m_prepared = &m_flows->GetLinuxPackets().Take();
    m_prepared->segment.Clear();
    m_prepared->incarnation = m_incarnation;
    return m_prepared->segment;
}

void
LinuxConnection::Send(LinuxSocket& socket, const LinuxSegment& segment)
{
    const End from = EndOf(socket);
    SegmentPacket packet(PacketKind::SEGMENT,
                         SegmentPacket::AddressOf(m_index, Other(from)),
                         LinuxPacketPool::GetValue(*m_prepared),
                         segment.size);
    if (segment.isEct) [[unlikely]]
    {
        packet.SetEct();
    }
    SegmentNetwork& network = m_flows->GetNetwork();
    const uint32_t route = m_use.path.routes[from];
    const int64_t bytes = HEADER_BYTES + GetOptionBytes(segment) + segment.size;
    if (bytes == m_usualBytes[from]) [[likely]]
    {
        return network.SendUsual(route, m_ends[from].now, packet);
    }
    network.Send(route, m_ends[from].now, bytes, packet);
}

void
LinuxConnection::HandleDeadline(LinuxSocket& socket)
{
    const End end = EndOf(socket);
    Half& half = m_ends[end];
    const Nanoseconds deadline = socket.GetDeadline();
    if (deadline < half.queuedAt)
    {
        half.queuedAt = deadline;
        m_use.path.clocks[end]->Schedule(deadline, *this, end);
    }
}

void
LinuxConnection::HandleConnected(LinuxSocket& socket, Nanoseconds now)
{
    const End end = EndOf(socket);
    Half& half = m_ends[end];
    half.now = now;
    half.connected = true;
    if (end == m_use.source && m_monitor.IsOn())
    {
        const LinuxWindow& window = socket.GetSender().GetWindow();
        m_monitor.Open(now, static_cast<uint64_t>(window.cwnd) * window.mss);
    }
    if (half.isRetired)
    {
        return;
    }
    if (end == PASSIVE)
    {
        m_use.user->HandleAccepted(*this, now);
    }
    else if (m_use.ways == Ways::TWO || m_use.preamble > 0)
    {
        m_use.user->HandleConnected(*this, now);
    }
    if (end == m_use.source && m_source && !half.isRetired)
    {
        Fill(now);
    }
}

void
LinuxConnection::HandleReadable(LinuxSocket& socket, Nanoseconds now)
{
    const End end = EndOf(socket);
    Half& half = m_ends[end];
    if (const uint64_t bytes = socket.GetReadable(); bytes > 0)
    {
        socket.Read(now, bytes);
        if (!half.isRetired && end == GetReceivingEnd() && m_source)
        {
            CheckDelivered(now);
        }
        if (!half.isRetired && m_use.ways == Ways::TWO)
        {
            m_use.user->HandleDelivered(*this, end, now);
        }
        if (end == ACTIVE && std::exchange(m_closesAfterReading, false))
        {
            CloseEnd(ACTIVE, now);
        }
    }
    if (socket.GetReceiver().HasFin())
    {
        CloseEnd(end, now); // the application reads the end of file, and closes
    }
}

void
LinuxConnection::HandleAcknowledged(LinuxSocket& socket, Nanoseconds now)
{
    if (!m_source || &socket != m_ends[m_use.source].socket.get())
    {
        return;
    }
    if (socket.GetSender().IsWritable() && !m_source->IsExhausted())
    {
        Fill(now);
    }
    CheckDrained(now);
}

void
LinuxConnection::HandleFailed(LinuxSocket& socket, Nanoseconds now, LinuxSocket::Failure failure)
{
    const End end = EndOf(socket);
    Half& half = m_ends[end];
    const bool isHeard = !half.isRetired && !half.closed; // who has closed hears nothing more
    const bool wasConnected = half.connected;
    half.closed = half.isRetired = true;
    if (!isHeard)
    {
        return;
    }
    if (wasConnected && (failure == LinuxSocket::Failure::RESET || end == PASSIVE))
    {
        m_use.user->HandleReset(*this, end, now);
    }
    else if (end == ACTIVE)
    {
        m_use.user->HandleFailed(*this, now, wasConnected ? Failure::GAVE_UP : Failure::REFUSED);
    }
}

void
LinuxConnection::HandleWindow(const LinuxSocket& socket, Nanoseconds now)
{
    const LinuxWindow& window = socket.GetSender().GetWindow();
    const uint64_t mss = window.mss;
    if (m_monitor.IsOn())
    {
        m_monitor.SetCwnd(now, window.cwnd * mss);
    }
    if (auto* observer = m_flows->GetObserver(); observer && m_use.label)
    {
        const bool isSet = window.ssthresh < LinuxWindow::NO_SSTHRESH;
        observer->HandleWindow(
            now,
            *m_use.label,
            {.cwndBytes = window.cwnd * mss,
             .ssthreshBytes = isSet ? std::optional(window.ssthresh * mss) : std::nullopt,
             .receiverBytes = socket.GetSender().GetPeerWindow()});
    }
}

void
LinuxConnection::ShowRtt(Nanoseconds now)
{
    const LinuxSender& sender = m_ends[m_use.source].socket->GetSender();
    FlowObserver& observer = *m_flows->GetObserver();
    if (sender.GetCounts().rttSamples > m_counted.rttSamples)
    {
        constexpr int64_t US = 1000;
        const int64_t smoothed = static_cast<int64_t>(sender.GetWindow().srttUs8) * US / 8;
        observer.HandleRttSample(now, *m_use.label, sender.GetLastRttUs() * US, smoothed);
    }
    if (sender.GetRto() != m_shownRto)
    {
        m_shownRto = sender.GetRto();
        observer.HandleRto(now, *m_use.label, m_shownRto);
    }
}

void
LinuxConnection::UpdateMonitor(Nanoseconds now)
{
    const LinuxSocket& socket = *m_ends[m_use.source].socket;
    const LinuxSenderCounts& counts = socket.GetSender().GetCounts();
    if (m_showsRtt)
    {
        ShowRtt(now);
    }
    for (; m_counted.segments < counts.segments; ++m_counted.segments)
    {
        m_monitor.CountSegment(false);
    }
    for (; m_counted.retransmissions < counts.retransmissions; ++m_counted.retransmissions)
    {
        m_monitor.CountSegment(true);
    }
    for (; m_counted.timeouts < counts.timeouts; ++m_counted.timeouts)
    {
        m_monitor.CountTimeout();
    }
    if (counts.rttSamples > m_counted.rttSamples)
    {
        m_counted.rttSamples = counts.rttSamples;
        m_monitor.AddSample(static_cast<int64_t>(socket.GetSender().GetLastRttUs()) * 1000);
    }
    if (const uint64_t acked = socket.GetAcknowledged(); acked > m_countedAcked)
    {
        m_countedAcked = acked;
        m_monitor.Acknowledge(now, acked);
    }
}

} // namespace ns3::gridftp
