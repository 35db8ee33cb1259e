/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-linux-connection.h"
#include "gridftp-segment-network.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * What a LinuxConnection does between the network and its two sockets: it passes packets and timers
 * to the sockets, sends their segments, and passes their events to the applications.
 */

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

void
LinuxConnection::Receive(End to, Nanoseconds at, SegmentPacket packet)
{
    HostClock& clock = *m_use.path.clocks[to];
    if (clock.IsAhead())
    {
        if (!IsPlain(LinuxPacketPool::Get(packet).segment)) [[unlikely]]
        {
            m_early.Push(packet);
            return clock.Schedule(at, *this, EARLY | to);
        }
        clock.Reach(at);
    }
    Deliver(to, at, packet);
}

void
LinuxConnection::Deliver(End to, Nanoseconds at, SegmentPacket packet)
{
    LinuxPacketPool& packets = m_flows->GetLinuxPackets();
    LinuxPacket& received = LinuxPacketPool::Get(packet);
    if (received.incarnation == m_incarnation && !(m_use.entry && m_use.entry->Discards(at)))
        [[likely]]
    {
        received.segment.isCe = packet.IsMarked();
        Deliver(to, at, received.segment);
    }
    packets.Release(received);
}

inline void
LinuxConnection::Deliver(End to, Nanoseconds at, const LinuxSegment& segment)
{
    Half& half = m_ends[to];
    half.now = at;
    LinuxSocket& socket = *half.socket;
    if (socket.GetState() == LinuxSocket::State::LISTEN &&
        ((m_use.refusals && IsOut(*m_use.refusals, at)) || !m_use.user->IsListening(*this)))
        [[unlikely]]
    {
        // A later SYN, behind the outage, finds the server again
        LinuxSegment reset;
        reset.flags = LinuxSegment::RST;
        return Send(socket, reset);
    }
    ++m_depth;
    socket.Receive(at, segment);
    --m_depth;
    ShowBuffers(to);
    if (m_isWatched && to == m_use.source) [[unlikely]]
    {
        UpdateMonitor(at);
    }
}

void
LinuxConnection::HandleEvent(Nanoseconds now, uint32_t id)
{
    if ((id & EARLY) != 0)
    {
        const SegmentPacket early = m_early.Front();
        m_early.Pop();
        return Deliver(static_cast<End>(id & ~EARLY), now, early);
    }
    if (id >= ENDS) [[unlikely]]
    {
        return HandleWork(static_cast<End>(id - ENDS), now);
    }
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
    ShowBuffers(static_cast<End>(id));
    if (m_isWatched && id == m_use.source) [[unlikely]]
    {
        UpdateMonitor(now);
    }
}

void
LinuxConnection::HandleDrop(Nanoseconds /* at */, SegmentPacket packet)
{
    if (packet.GetValue() != 0) // else SendAhead() has not stored it
    {
        m_flows->GetLinuxPackets().Release(LinuxPacketPool::Get(packet));
    }
}

// LinuxSocket::Port

[[gnu::always_inline]] inline void
LinuxConnection::SendAhead(const LinuxSegment& segment)
{
    const End to = GetReceivingEnd();
    const SegmentPacket packet(PacketKind::SEGMENT,
                               SegmentPacket::AddressOf(m_index, to),
                               0,
                               segment.size);
    const Nanoseconds at = m_flows->GetNetwork().SendSingle(m_ends[m_use.source].now, packet);
    if (at < 0) [[unlikely]]
    {
        return;
    }
    m_use.path.clocks[to]->Reach(at);
    Deliver(to, at, segment);
}

inline SegmentPacket
LinuxConnection::Store(End from, const LinuxSegment& segment)
{
    LinuxPacket& stored = m_flows->GetLinuxPackets().Take();
    stored.segment.Copy(segment);
    stored.incarnation = m_incarnation;
    return {PacketKind::SEGMENT,
            SegmentPacket::AddressOf(m_index, Other(from)),
            LinuxPacketPool::GetValue(stored),
            segment.size};
}

void
LinuxConnection::Send(LinuxSocket& socket, const LinuxSegment& segment)
{
    const End from = EndOf(socket);
    const int64_t bytes = HEADER_BYTES + GetOptionBytes(segment) + segment.size;
    const bool isUsual = bytes == m_usualBytes[from];
    SegmentNetwork& network = m_flows->GetNetwork();
    if (isUsual && m_isAhead && network.IsFast() && !m_flows->GetObserver()) [[likely]]
    {
        if (from != m_use.source)
        {
            return network.AnswerSingle(m_ends[from].now, Store(from, segment));
        }
        if (IsPlain(segment)) [[likely]]
        {
            return SendAhead(segment);
        }
    }
    SegmentPacket packet = Store(from, segment);
    if (segment.isEct) [[unlikely]]
    {
        packet.SetEct();
    }
    const uint32_t route = m_use.path.routes[from];
    if (isUsual) [[likely]]
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
    if (end == ACTIVE && m_use.pool)
    {
        JoinPool();
    }
    if (end == PASSIVE)
    {
        m_use.user->HandleAccepted(*this, now);
    }
    else if (m_use.ways == Ways::TWO || m_use.preamble > 0 || m_use.reportsOpening)
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
    if (m_readsSlowly && end == GetReceivingEnd()) [[unlikely]]
    {
        return ReadSlowly(now);
    }
    if (const uint64_t bytes = socket.GetReadable(); bytes > 0)
    {
        socket.Read(now, bytes);
        if (end == GetReceivingEnd())
        {
            if (m_logs) [[unlikely]]
            {
                LogDelivery(now);
            }
            if (socket.GetReceived() >= m_sourceEnd && !half.isRetired) [[unlikely]]
            {
                CheckDelivered(now);
            }
        }
        if (!half.isRetired && m_use.ways != Ways::ONE)
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
        HandleEndOfFile(end, now);
    }
}

void
LinuxConnection::HandleEndOfFile(End end, Nanoseconds now)
{
    Half& half = m_ends[end];
    if (m_use.ways == Ways::TWO || !m_use.reportsOpening || half.isRetired)
    {
        const bool wasOpen = !half.closed;
        CloseEnd(end, now); // the application reads the end of file, and closes
        if (wasOpen && !half.isRetired)
        {
            m_use.user->HandlePeerClosed(*this, end, now);
        }
    }
    else if (!half.closed && m_use.user->HandlePeerClosed(*this, end, now))
    {
        CloseEnd(end, now);
    }
}

void
LinuxConnection::HandleAcknowledged(LinuxSocket& socket, Nanoseconds now)
{
    if (!m_source || &socket != m_ends[m_use.source].socket.get())
    {
        return;
    }
    FollowPool();
    if (IsWritable() && !m_source->IsExhausted())
    {
        Fill(now);
    }
    if (socket.GetAcknowledged() == m_ends[m_use.source].written) [[unlikely]]
    {
        CheckDrained(now);
    }
}

void
LinuxConnection::HandleFailed(LinuxSocket& socket, Nanoseconds now, LinuxSocket::Failure failure)
{
    const End end = EndOf(socket);
    Half& half = m_ends[end];
    const bool isHeard = !half.isRetired && !half.closed; // who has closed hears nothing more
    const bool wasConnected = half.connected;
    end == ACTIVE ? LeavePool() : void();
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
