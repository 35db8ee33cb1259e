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
    m_isAhead = use.path.clocks[Other(use.source)]->IsAhead() && use.ways != Ways::TWO;
    m_logs = use.logsDelivery && m_isAhead;
    m_delivery = {};
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
    if (m_use.label && observer && observer->WantsDeliveries() && !m_logs)
    {
        const HostClock& clock = *m_use.path.clocks[GetReceivingEnd()];
        m_logs = clock.IsAhead();
        m_ends[GetReceivingEnd()].socket->ReadAtOnce(0);
        LogDelivery(clock.GetNow());
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
        if (m_isAhead && !m_logs)
        {
            m_ends[GetReceivingEnd()].socket->ReadAtOnce(half.written);
        }
        half.socket->Write(now, bytes);
    }
}

void
LinuxConnection::CheckDrained(Nanoseconds now)
{
    if (!m_isDrained && m_source->IsExhausted())
    {
        m_isDrained = true;
        m_use.user->HandleDrained(*this, now);
    }
}

void
LinuxConnection::CheckDelivered(Nanoseconds now)
{
    if (!m_isDelivered && m_source->IsExhausted())
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
    if (!m_ends[m_use.source].connected)
    {
        return {}; // no window yet
    }
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
LinuxConnection::GetDelivered(Nanoseconds now) const
{
    return m_logs ? m_delivery.Get(now) : m_ends[GetReceivingEnd()].socket->GetReceived();
}

void
LinuxConnection::LogDelivery(Nanoseconds at)
{
    const End end = GetReceivingEnd();
    m_delivery.Add(m_use.path.clocks[end]->GetNow(), at, m_ends[end].socket->GetReceived());
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

} // namespace ns3::gridftp
