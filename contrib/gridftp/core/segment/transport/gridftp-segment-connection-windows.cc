/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * A ClassicConnection whose window moves, or whose applications take their time: as
 * TcpSocketRightSizing, DataSender and DataReceiver do in engine ns3. The window is that of the end
 * without the source; on a connection of one way, this is the end that accepts. At the end of the
 * file, a ClassicConnection whose window does not move and whose receivers announce what their
 * applications have read (TcpRules::announcesReads).
 */

namespace ns3::gridftp
{

void
ClassicConnection::HandleArrival(Nanoseconds at)
{
    const End end = GetReceivingEnd();
    const uint64_t next = m_ends[end].receiver.GetNext();
    if (m_window && next > m_window->GetRead() + m_window->GetUnread())
    {
        m_window->HandleArrival(at, next);
        Read(at);
    }
    ShowBuffers(end, at);
}

void
ClassicConnection::Read(Nanoseconds at)
{
    const BufferSettings& buffers = m_use.tcp->buffers;
    Half& half = m_ends[GetReceivingEnd()];
    if (m_window->GetRead() < m_use.preamble)
    {
        const uint64_t rest = m_use.preamble - m_window->GetRead();
        const uint64_t bytes = std::min(m_window->GetUnread(), rest);
        AnnounceRead(PASSIVE, m_window->GetUnread(), bytes);
        m_window->HandleRead(at, bytes);
        m_use.user->HandleRead(*this, at);
    }
    if (m_use.sink) [[unlikely]]
    {
        return ReadInto(*m_use.sink, at);
    }
    // A segment at a time, as DataReceiver reads
    while (m_window->GetUnread() > 0 && half.workDueNs == NEVER)
    {
        const uint64_t bytes = std::min(m_window->GetUnread(), buffers.segmentBytes);
        AnnounceRead(PASSIVE, m_window->GetUnread(), bytes);
        m_window->HandleRead(at, bytes);
        if (buffers.readRate > 0)
        {
            Work(GetReceivingEnd(), at, GetWorkNs(bytes, buffers.readRate), READ);
        }
    }
    if (m_use.ways == Ways::BACK)
    {
        m_use.user->HandleRead(*this, at);
    }
}

void
ClassicConnection::ReadInto(ByteSink& sink, Nanoseconds at)
{
    const BufferSettings& buffers = m_use.tcp->buffers;
    const End end = GetReceivingEnd();
    Half& half = m_ends[end];
    while (half.workDueNs == NEVER)
    {
        const int64_t nextNs = sink.GetNextNs(at);
        if (nextNs == NEVER)
        {
            return; // until ReadOn()
        }
        if (nextNs > at)
        {
            return Work(end, at, nextNs - at, READ);
        }
        if (m_window->GetUnread() == 0)
        {
            return;
        }
        const uint64_t most = std::min(buffers.segmentBytes, sink.GetRoom());
        const uint64_t bytes = std::min(m_window->GetUnread(), most);
        m_window->HandleRead(at, bytes);
        if (half.resuming && m_window->IsUpdateDue())
        {
            SendAck(end);
        }
        if (buffers.readRate > 0)
        {
            Work(end, at, GetWorkNs(bytes, buffers.readRate), READ);
        }
        if (m_use.ways == Ways::BACK)
        {
            m_use.user->HandleRead(*this, at);
        }
        sink.Take(at, bytes);
    }
}

void
ClassicConnection::ReadOn(Nanoseconds now)
{
    Half& half = m_ends[GetReceivingEnd()];
    if (m_window && half.connected && half.workDueNs == NEVER)
    {
        half.workDueNs = now;
        ResumeReading(now);
    }
}

void
ClassicConnection::ResumeReading(Nanoseconds at)
{
    const End end = GetReceivingEnd();
    Half& half = m_ends[end];
    if (half.workDueNs != at)
    {
        return;
    }
    half.nowNs = at;
    half.workDueNs = NEVER;
    if (m_window->GetUnread() == 0)
    {
        return;
    }
    half.resuming = true;
    Read(at);
    half.resuming = false;
    if (m_window->IsUpdateDue())
    {
        SendAck(end);
    }
    ShowBuffers(end, at);
    if (m_use.ways == Ways::TWO)
    {
        return;
    }
    if (m_logs)
    {
        LogDelivery(at);
    }
    CheckEnd(at);
}

void
ClassicConnection::HandleRest(SegmentSender& sender)
{
    const auto end = static_cast<End>(sender.GetId());
    Half& half = m_ends[end];
    const SegmentSendBuffer& buffer = sender.GetBuffer();
    const uint64_t rest = buffer.GetRest();
    const int64_t ns =
        rest == 0 ? buffer.GetNextNs() - half.nowNs : GetWorkNs(rest, m_use.tcp->buffers.writeRate);
    Work(end, half.nowNs, ns, WRITE);
}

void
ClassicConnection::Work(End end, Nanoseconds now, int64_t ns, Timer timer)
{
    m_ends[end].workNs = ns;
    m_ends[end].workDueNs = now + ns;
    m_use.path.clocks[end]->ScheduleWork(now + ns, *this, end | timer << END_BITS);
}

void
ClassicConnection::ResumeWork(End end, Nanoseconds at)
{
    return end == m_use.source ? ResumeWriting(at) : ResumeReading(at);
}

bool
ClassicConnection::IsBeforeWork(End end,
                                Nanoseconds at,
                                SegmentPacket packet,
                                uint32_t options) const
{
    const Half& half = m_ends[end];
    if (!IsWorkDue(end, at))
    {
        return false;
    }
    const auto kind = packet.GetKind();
    const bool isData = kind == PacketKind::DATA || kind == PacketKind::BOTH_DATA;
    const uint32_t back = kind == PacketKind::BOTH_ACK ? GetBackBytes(packet)
                          : kind == PacketKind::TALK   ? GetTalkBytes(end, packet)
                                                       : 0;
    const int64_t bytes = HEADER_BYTES + options + (isData ? packet.GetPayload() : back);
    const uint32_t route = m_use.path.routes[Other(end)];
    return m_flows->GetNetwork().GetLastLead(route, bytes) > half.workNs;
}

void
ClassicConnection::ResumeWriting(Nanoseconds now)
{
    Half& half = m_ends[m_use.source];
    if (half.workDueNs != now)
    {
        return;
    }
    half.workDueNs = NEVER;
    half.sender.GetBuffer().Resume();
    WriteOn(now);
}

void
ClassicConnection::GrowSendBuffer(Nanoseconds now, uint64_t bytes)
{
    Half& half = m_ends[ACTIVE];
    if (bytes > half.sender.GetBuffer().GetSize())
    {
        half.sender.GetBuffer().Resize(bytes, GetWriteBatch(bytes));
        if (half.connected)
        {
            WriteOn(now);
        }
    }
}

void
ClassicConnection::WriteOn(Nanoseconds now)
{
    Half& half = m_ends[m_use.source];
    half.nowNs = now;
    const uint64_t written = half.sender.GetBuffer().GetWritten();
    half.sender.Supply();
    if (half.sender.GetBuffer().GetWritten() > written)
    {
        SendLater(m_use.source, now);
        CheckBlocked(now);
    }
}

void
ClassicConnection::TakeWindow(uint64_t window)
{
    SegmentSender& sender = m_ends[m_use.source].sender;
    m_ends[m_use.source].probesLeft = SegmentSender::DATA_RETRIES;
    sender.SetOffered(window);
    const uint64_t wanted = GetSendBufferFor(window);
    if (m_use.tcp->buffers.DoesSendBufferFollow() && wanted > sender.GetBuffer().GetSize())
    {
        sender.GetBuffer().Resize(wanted, GetWriteBatch(wanted));
    }
}

void
ClassicConnection::FollowPool()
{
    if (m_pooled)
    {
        const SegmentSender& sender = m_ends[ACTIVE].sender;
        m_use.pool->Follow(m_member, std::min(sender.GetCwnd(), sender.GetReceiverWindow()));
        TakeShare();
    }
}

void
ClassicConnection::JoinPool()
{
    m_member = m_use.pool->Join();
    m_pooled = true;
    TakeShare();
}

void
ClassicConnection::LeavePool()
{
    if (m_pooled)
    {
        m_pooled = false;
        m_use.pool->Leave(m_member);
    }
}

void
ClassicConnection::TakeShare()
{
    SegmentSender& sender = m_ends[ACTIVE].sender;
    SegmentSendBuffer& buffer = sender.GetBuffer();
    const uint64_t held = buffer.GetWritten() - sender.GetAcknowledged();
    const uint64_t bytes = std::max(m_use.pool->GetShare(m_member), held);
    if (bytes != buffer.GetSize())
    {
        buffer.Resize(bytes, GetWriteBatch(bytes));
    }
}

void
ClassicConnection::ReceiveWindow(Nanoseconds at, SegmentPacket packet)
{
    FollowPool();
    if (m_window)
    {
        TakeWindow(static_cast<uint64_t>(packet.GetPayload()) << m_window->GetShift());
    }
    else if (m_use.tcp->announcesReads)
    {
        TakeAnnouncedWindow(ACTIVE, packet.GetPayload());
    }
    TakeAck(at, packet.GetValue());
    CheckBlocked(at);
}

void
ClassicConnection::TakeAck(Nanoseconds at, uint64_t ack)
{
    SegmentSender& sender = m_ends[ACTIVE].sender;
    if (sender.IsOnFastPath(ack))
    {
        sender.TakeOffered();
        sender.HandleAckFast(at, ack, [&](uint64_t start, uint64_t size) {
            SendSegment(sender, start, static_cast<uint32_t>(size));
        });
    }
    else
    {
        sender.HandleAck(at, ack);
    }
}

void
ClassicConnection::TellBuffers(End end, Nanoseconds at) const
{
    const Half& half = m_ends[end];
    if (!m_open || !half.connected)
    {
        return;
    }
    FlowObserver& observer = *m_flows->GetObserver();
    if (end == ACTIVE)
    {
        const uint64_t bytes = half.sender.GetBuffer().GetSize();
        return observer.HandleSendBuffer(at, *m_use.label, {bytes, half.sender.GetUnsent()});
    }
    ReceiveBufferState state;
    if (m_window)
    {
        state = {m_window->GetSize(), m_window->GetAdvertised(), m_window->GetUnread()};
    }
    else
    {
        // What has arrived is taken and acknowledged; the SYN-ACK's window is not scaled
        const SegmentTcp& tcp = *m_use.tcp;
        const bool isFirst = half.receiver.GetNext() == 0;
        state = {tcp.buffers.window, isFirst ? tcp.firstWindow : tcp.window, 0};
    }
    observer.HandleReceiveBuffer(m_receiverClock->GetNow(), at, *m_use.label, state);
}

void
ClassicConnection::CheckBlocked(Nanoseconds now)
{
    Half& half = m_ends[m_use.source];
    if (!m_special)
    {
        return;
    }
    ShowBuffers(m_use.source, now);
    if (!GetWindow() || !half.connected || !half.sender.IsBlocked())
    {
        half.probeDueNs = NEVER;
        return;
    }
    half.sender.StopTimer();
    if (half.probeDueNs == NEVER)
    {
        half.probesLeft = SegmentSender::DATA_RETRIES;
        half.probeNs = half.sender.GetBackedOffRtoNs();
        half.probeDueNs = now + half.probeNs;
        Schedule(m_use.source, half.probeDueNs, PROBE);
    }
}

void
ClassicConnection::Probe(Nanoseconds now)
{
    Half& half = m_ends[m_use.source];
    if (half.probeDueNs != now)
    {
        return;
    }
    half.nowNs = now;
    half.probeDueNs = NEVER;
    if (!half.sender.IsClosed())
    {
        half.sender.SendPart(now);
        return ShowBuffers(m_use.source, now);
    }
    if (half.probesLeft == 0)
    {
        return HandleGaveUp(half.sender);
    }
    --half.probesLeft;
    SendPacket(m_use.source, now, HEADER_BYTES + 1, PacketKind::PROBE, PackProbe());
    half.probeNs = std::min(2 * half.probeNs, LARGEST_RTO_NS);
    half.probeDueNs = now + half.probeNs;
    Schedule(m_use.source, half.probeDueNs, PROBE);
}

// Reads that are announced, as TcpSocketBase::Recv() has it in ns-3 after release 3.48. ns-3
// compares the window field, which is scaled, with the segment size, which is not; so does this

SegmentReceiver::Answer
ClassicConnection::AnnounceReads(End end,
                                 uint64_t before,
                                 uint32_t size,
                                 SegmentReceiver::Answer answer)
{
    const SegmentReceiver& receiver = m_ends[end].receiver;
    const uint64_t next = receiver.GetNext();
    const bool hasRead = m_window && end == GetReceivingEnd(); // in Read()
    // What comes back to the end that connects is a message, and is read as a whole
    const uint64_t most = m_use.ways == Ways::BACK ? next - before : m_use.tcp->segmentBytes;
    for (uint64_t unread = hasRead ? 0 : next - before; unread > 0;)
    {
        const uint64_t bytes = std::min(unread, most);
        AnnounceRead(end, unread, bytes);
        unread -= bytes;
    }
    const bool wasAnnounced = m_announced;
    m_announced = false;
    // Where a gap was filled, or is left, the segment is acknowledged at once all the same
    const bool isCounted = next > before && next <= before + size && !receiver.HasGap();
    return wasAnnounced && isCounted ? m_ends[end].receiver.CountAgain() : answer;
}

void
ClassicConnection::AnnounceRead(End end, uint64_t unread, uint64_t bytes)
{
    const SegmentTcp& tcp = *m_use.tcp;
    if (!tcp.announcesReads)
    {
        return;
    }
    const uint64_t window = tcp.buffers.window;
    const auto fieldOf = [&](uint64_t waiting) {
        const uint64_t room = window > waiting ? window - waiting : 0;
        return std::min(room >> tcp.buffers.GetShift(), LARGEST_WINDOW_FIELD);
    };
    const uint64_t old = fieldOf(unread);
    const uint64_t now = fieldOf(unread - bytes);
    if (old < tcp.segmentBytes && now > old &&
        now >= std::min<uint64_t>(tcp.segmentBytes, window / 2))
    {
        m_announced = true;
        SendWindow(end, static_cast<uint32_t>(now));
    }
}

void
ClassicConnection::SendWindow(End end, uint32_t field)
{
    Half& half = m_ends[end];
    half.receiver.HandleAckSent();
    half.ackDueNs = NEVER;
    if (m_use.ways == Ways::BACK && end == PASSIVE)
    {
        half.sender.ResetRto();
        return SendBack(half.sender.GetSent(), 0, field);
    }
    SendBare(end, PacketKind::TALK_WINDOW, field);
}

void
ClassicConnection::TakeAnnouncedWindow(End end, uint32_t field)
{
    const SegmentTcp& tcp = *m_use.tcp;
    m_ends[end].sender.SetOffered(field > 0 ? uint64_t{field} << tcp.buffers.GetShift()
                                            : tcp.window);
}

} // namespace ns3::gridftp
