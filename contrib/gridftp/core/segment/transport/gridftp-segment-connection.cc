/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

#include "gridftp-segment-linux-connection.h"

#include <utility>

namespace ns3::gridftp
{

TcpConnection&
TcpConnection::Make(FlowTable& flows, const Use& use)
{
    if (use.tcp->kernel)
    {
        auto connection = std::make_unique<LinuxConnection>(flows, use);
        LinuxConnection& made = *connection;
        made.SetIndex(flows.Add(std::move(connection)));
        made.Renew(use);
        return made;
    }
    return ClassicConnection::MakeClassic(flows, use);
}

ClassicConnection&
ClassicConnection::MakeClassic(FlowTable& flows, const Use& use)
{
    auto connection = std::unique_ptr<ClassicConnection>(new ClassicConnection(flows, use));
    ClassicConnection& made = *connection;
    const uint32_t index = flows.Add(std::move(connection));
    made.m_index = index;
    flows.SetTarget(made, index);
    made.Renew(use);
    return made;
}

ClassicConnection::ClassicConnection(FlowTable& flows, const Use& use)
    : TcpConnection(use),
      m_flows(&flows),
      m_ends{Half(*use.tcp, *this, *this, ACTIVE), Half(*use.tcp, *this, *this, PASSIVE)}
{
}

void
ClassicConnection::Renew(const Use& use)
{
    LeavePool();
    m_use = use;
    m_serial = m_flows->TakeSerial();
    m_ends[ACTIVE] = Half(*use.tcp, *this, *this, ACTIVE);
    m_ends[PASSIVE] = Half(*use.tcp, *this, *this, PASSIVE);
    if (use.holdsSmall)
    {
        m_ends[ACTIVE].sender.HoldSmall();
        m_ends[PASSIVE].sender.HoldSmall();
    }
    m_open = true;
    m_sourceBegin = 0;
    m_ended = m_closing = m_aborted = m_resets = m_lingers = m_flowing = false;
    m_fin.isUnderWay = false; // but m_fin.met is of a FIN that may come later, sent again
    m_isApart = false;
    m_gone = 0;
    m_dataLabel = SegmentPacket(PacketKind::DATA,
                                SegmentPacket::AddressOf(m_index, PASSIVE),
                                0,
                                use.tcp->segmentBytes)
                      .GetLabel();
    m_ackLabel =
        SegmentPacket(PacketKind::ACK, SegmentPacket::AddressOf(m_index, ACTIVE)).GetLabel();
    m_receiverClock = use.path.clocks[PASSIVE];
    m_logs = use.logsDelivery && m_receiverClock->IsAhead();
    m_delivery = {};
    const bool isMoving = (use.ways != Ways::TWO || use.sink) && use.tcp->buffers.AreMoving();
    m_window = isMoving || use.ways == Ways::BACK
                   ? std::make_unique<ReceiveBuffer>(use.tcp->buffers, use.tcp->buffers.GetShift())
                   : nullptr;
    m_hasOptions = use.tcp->HasOptions();
    m_special = m_window || use.pool || use.tcp->announcesReads || m_hasOptions;
    if (use.ways == Ways::BACK)
    {
        OfferToBack();
    }
    m_traced = false;
    m_showsRtt = false;
    m_monitor.End();
    if (use.ways != Ways::TWO)
    {
        Measure();
    }
    if (m_flows->GetObserver())
    {
        Observe();
    }
    Watch(ACTIVE);
}

void
ClassicConnection::Schedule(End end, Nanoseconds at, Timer timer, uint32_t more)
{
    m_use.path.clocks[end]->Schedule(at, *this, end | timer << END_BITS | more << LOW_BITS);
}

void
ClassicConnection::SendPacket(End from,
                              Nanoseconds now,
                              int64_t bytes,
                              PacketKind kind,
                              uint64_t value,
                              uint32_t payload)
{
    const auto address = SegmentPacket::AddressOf(m_index, Other(from));
    const SegmentPacket packet(kind, address, value, payload);
    if (m_hasOptions) [[unlikely]]
    {
        return SendWithOptions(from, now, bytes, packet);
    }
    m_flows->GetNetwork().Send(m_use.path.routes[from], now, bytes, packet);
}

// Sending

void
ClassicConnection::Begin(ByteSource& source, Nanoseconds now)
{
    const End end = m_use.source;
    Half& half = m_ends[end];
    half.nowNs = now;
    m_ended = false;
    m_sourceBegin = half.sender.GetBuffer().GetWritten();
    half.sender.GetBuffer().Begin(source);
    if (!half.connected)
    {
        return;
    }
    LeaveTimerPlace(end);
    half.sender.Supply();
    SendLater(end, now);
    ShowBuffers(end, now);
}

void
ClassicConnection::LeaveTimerPlace(End end)
{
    Half& half = m_ends[end];
    if (half.sender.GetDeadline() == NEVER && half.retryDueNs != NEVER)
    {
        half.retryLeftNs = half.retryDueNs;
        half.retryDueNs = NEVER;
        half.sender.SetTimerQueued(NEVER);
    }
}

void
ClassicConnection::Write(End from, Nanoseconds now, uint64_t bytes)
{
    if (m_ends[from].connected)
    {
        LeaveTimerPlace(from);
    }
    m_ends[from].sender.GetBuffer().Append(bytes);
    if (!m_ends[from].reading)
    {
        SendLater(from, now);
    }
}

void
ClassicConnection::SendLater(End end, Nanoseconds now)
{
    if (m_ends[end].sendDueNs == NEVER)
    {
        m_ends[end].sendDueNs = now + 1;
        Schedule(end, now + 1, SEND);
    }
}

void
ClassicConnection::SendAck(End end)
{
    Half& half = m_ends[end];
    half.receiver.HandleAckSent();
    half.ackDueNs = NEVER;
    if (m_isApart && m_use.ways != Ways::ONE) [[unlikely]]
    {
        const bool hasWindow = m_use.ways == Ways::BACK && half.ending.IsOpen();
        return hasWindow ? SendBare(end, PacketKind::TALK) : half.ending.SendAck();
    }
    if (m_use.ways == Ways::ONE && end == PASSIVE) [[likely]]
    {
        // What has no data of its own to send has no timer either
        const uint64_t next = half.receiver.GetNext();
        if (m_window)
        {
            const uint32_t field = m_window->Advertise(half.nowNs);
            ShowBuffers(end, half.nowNs);
            return SendPacket(end, half.nowNs, HEADER_BYTES, PacketKind::ACK, next, field);
        }
        const SegmentPacket packet(m_ackLabel, next);
        if (m_hasOptions) [[unlikely]]
        {
            return SendWithOptions(end, half.nowNs, HEADER_BYTES, packet);
        }
        return m_flows->GetNetwork().Send(m_use.path.routes[end], half.nowNs, HEADER_BYTES, packet);
    }
    SendBare(end, PacketKind::TALK);
}

void
ClassicConnection::SendBare(End end, PacketKind kind, uint32_t payload)
{
    Half& half = m_ends[end];
    half.sender.ResetRto(); // ns-3's socket does, with every packet that carries no data
    const uint64_t next = half.receiver.GetNext();
    if (m_use.ways == Ways::ONE)
    {
        SendPacket(end, half.nowNs, HEADER_BYTES, PacketKind::ACK, next, payload);
    }
    else if (m_use.ways == Ways::BACK)
    {
        SendBoth(end, half.sender.GetSent(), 0);
    }
    else
    {
        const uint32_t talk = kind == PacketKind::TALK_WINDOW ? payload : PackTalk(end, 0);
        SendPacket(end, half.nowNs, HEADER_BYTES, kind, TalkNumbers::Pack(0, next), talk);
    }
}

// Receiving

void
ClassicConnection::Receive(End to, Nanoseconds at, SegmentPacket packet)
{
    if (m_isApart && m_gone == 0) [[unlikely]]
    {
        if (ReceiveApart(to, at, packet))
        {
            return;
        }
    }
    else if (!m_open && (!IsLeft(to) || packet.GetKind() == PacketKind::RESET)) [[unlikely]]
    {
        return IsDiscarded(at) ? void() : ReceiveClosed(to, at, packet);
    }
    switch (packet.GetKind())
    {
    case PacketKind::ACK:
        return ReceiveAck(to, at, packet);
    case PacketKind::DATA:
        return ReceiveData(at, packet);
    case PacketKind::BOTH_DATA:
        return ReceiveBothData(at, packet);
    case PacketKind::BOTH_ACK:
        return ReceiveBothAck(at, packet);
    default:
        break;
    }
    if (IsDiscarded(at))
    {
        return;
    }
    Half& half = m_ends[to];
    half.nowNs = at;
    switch (packet.GetKind())
    {
    case PacketKind::SYN:
        if ((m_use.refusals && IsOut(*m_use.refusals, at)) || !m_use.user->IsListening(*this))
            [[unlikely]]
        {
            Drop(to);
            SendFromNobody(to, at, PacketKind::RESET);
        }
        else if (!half.connected)
        {
            SendSyn(to);
        }
        return;
    case PacketKind::SYN_ACK:
        return ReceiveSynAck(to);
    case PacketKind::PROBE:
        return ReceiveProbe(at, packet);
    case PacketKind::TALK:
    case PacketKind::TALK_WINDOW:
        half.reading = true;
        ReceiveTalk(to, packet);
        half.reading = false;
        return;
    case PacketKind::TALK_FIN:
        half.sender.AcceptAck(at,
                              TalkNumbers::GetAck(packet.GetValue(), half.sender.GetAcknowledged()),
                              false);
        return SendAck(to);
    default:
        return ReceiveClosed(to, at, packet);
    }
}

void
ClassicConnection::ReceiveData(Nanoseconds at, SegmentPacket packet)
{
    Half& half = m_ends[PASSIVE];
    half.nowNs = at;
    if (!half.connected) [[unlikely]]
    {
        Accept(PASSIVE);
    }
    const uint64_t before = half.receiver.GetNext();
    auto answer = half.receiver.Receive(packet.GetValue(), packet.GetPayload());
    if (m_special)
    {
        HandleArrival(at);
        answer = m_use.tcp->announcesReads
                     ? AnnounceReads(PASSIVE, before, packet.GetPayload(), answer)
                     : answer;
    }
    if (m_logs) [[unlikely]]
    {
        LogDelivery(at);
    }
    Acknowledge(PASSIVE, answer);
    CheckEnd(at);
}

void
ClassicConnection::CheckEnd(Nanoseconds at)
{
    if (GetTaken() >= m_ends[ACTIVE].sender.GetBuffer().GetEnd() && !m_ended)
    {
        m_ended = true;
        m_use.user->HandleDelivered(*this, PASSIVE, at);
    }
}

void
ClassicConnection::ReceiveAck(End to, Nanoseconds at, SegmentPacket packet)
{
    Half& half = m_ends[to];
    half.nowNs = at;
    const uint64_t ack = packet.GetValue();
    if (half.connected && m_special && to == ACTIVE)
    {
        return ReceiveWindow(at, packet);
    }
    if (half.connected) [[likely]]
    {
        const auto send = [&](uint64_t start, uint64_t size) {
            SendSegment(half.sender, start, static_cast<uint32_t>(size));
        };
        return half.sender.IsOnFastPath(ack) ? half.sender.HandleAckFast(at, ack, send)
                                             : half.sender.HandleAck(at, ack);
    }
    if (to == PASSIVE)
    {
        Accept(PASSIVE);
    }
}

void
ClassicConnection::ReceiveTalk(End to, SegmentPacket packet)
{
    Half& half = m_ends[to];
    if (!half.connected)
    {
        if (to == ACTIVE)
        {
            return; // before the SYN-ACK it means nothing
        }
        Accept(to);
    }
    const bool isWindow = packet.GetKind() == PacketKind::TALK_WINDOW;
    const uint32_t size = GetTalkBytes(to, packet);
    const uint64_t before = half.receiver.GetNext();
    const uint64_t start = TalkNumbers::GetStart(packet.GetValue(), before);
    if (m_use.tcp->announcesReads) [[unlikely]]
    {
        TakeAnnouncedWindow(to, isWindow ? packet.GetPayload() : 0);
    }
    if (half.receiver.IsStale(start, size))
    {
        return SendAck(to);
    }
    TakeTalkWindow(to, packet);
    const uint64_t ack = TalkNumbers::GetAck(packet.GetValue(), half.sender.GetAcknowledged());
    if (!half.sender.AcceptAck(half.nowNs, ack, size > 0))
    {
        return;
    }
    if (size > 0 && m_isApart)
    {
        TakeTalk(to, {.start = start, .ack = ack, .size = size});
    }
    else if (size > 0)
    {
        auto answer = half.receiver.Receive(start, size);
        if (m_use.tcp->announcesReads) [[unlikely]]
        {
            answer = AnnounceReads(to, before, size, answer);
        }
        DeliverTalk(to);
        if ((m_gone & 1U << to) != 0)
        {
            return; // reset because of what has come: ns-3 has no endpoint left that would say ACK
        }
        if (m_closing && to == ACTIVE)
        {
            m_closing = false;
            SendBare(to, PacketKind::TALK_FIN);
            SendAck(to); // of the other end's FIN, which is never delayed
            return half.sender.Send(half.nowNs);
        }
        // An ACK follows what the application has done, and precedes what it has written
        Acknowledge(to, answer);
    }
    half.sender.Send(half.nowNs);
    if (to == m_use.source)
    {
        CheckBlocked(half.nowNs);
    }
}

void
ClassicConnection::DeliverTalk(End to)
{
    const Nanoseconds now = m_ends[to].nowNs;
    if (m_window && to == GetReceivingEnd())
    {
        HandleArrival(now);
    }
    else
    {
        m_use.user->HandleDelivered(*this, to, now);
    }
}

void
ClassicConnection::Acknowledge(End end, SegmentReceiver::Answer answer)
{
    Half& half = m_ends[end];
    if (answer == SegmentReceiver::Answer::ACK) [[likely]]
    {
        SendAck(end);
    }
    else if (half.ackDueNs == NEVER)
    {
        half.ackDueNs = half.nowNs + DELAYED_ACK_NS;
        // Where packets wait for a CPU, what is sent just then may expire in the same moment: of
        // such timers the first one that was started is the first
        if (half.ackQueuedNs == NEVER || m_use.path.clocks[end]->DoArrivalsMakeEvents())
        {
            half.ackQueuedNs = half.ackDueNs;
            Schedule(end, half.ackDueNs, ACK);
        }
    }
}

// SegmentSender::Port

void
ClassicConnection::SendSegment(SegmentSender& sender, uint64_t start, uint32_t size)
{
    const auto end = static_cast<End>(sender.GetId());
    Half& half = m_ends[end];
    if (m_use.ways == Ways::ONE)
    {
        const bool isLast = m_isApart && start + size == half.sender.GetBuffer().GetWritten();
        const uint64_t fin = isLast && half.ending.HandleLastSegment() ? FIN_BIT : 0;
        return SendPacket(end,
                          half.nowNs,
                          HEADER_BYTES + size,
                          PacketKind::DATA,
                          start | fin,
                          size);
    }
    half.receiver.HandleAckSent();
    half.ackDueNs = NEVER;
    const bool isLast = m_isApart && start + size == half.sender.GetBuffer().GetWritten();
    const bool hasFin = isLast && half.ending.HandleLastSegment();
    if (m_use.ways == Ways::BACK && !hasFin)
    {
        return SendBoth(end, start, size);
    }
    const auto kind = hasFin ? PacketKind::TALK_FIN : PacketKind::TALK;
    const uint64_t numbers = TalkNumbers::Pack(start, GetTalkNext(end));
    SendPacket(end, half.nowNs, HEADER_BYTES + size, kind, numbers, PackTalk(end, size));
}

void
ClassicConnection::ArmTimer(SegmentSender& sender)
{
    const auto end = static_cast<End>(sender.GetId());
    m_ends[end].retryDueNs = sender.GetDeadline();
    sender.SetTimerQueued(sender.GetDeadline());
    Schedule(end, sender.GetDeadline(), RETRY);
}

void
ClassicConnection::HandleDrained(SegmentSender& sender)
{
    m_use.user->HandleDrained(*this, m_ends[sender.GetId()].nowNs);
}

void
ClassicConnection::HandleGaveUp(SegmentSender& sender)
{
    const Nanoseconds now = m_ends[sender.GetId()].nowNs;
    m_ends[sender.GetId()].ackDueNs = NEVER; // it may be due in this moment, too
    if (m_isApart && m_use.ways != Ways::ONE && m_ends[sender.GetId()].ending.IsClosing())
    {
        return m_ends[sender.GetId()].ending.Drop(now); // its application has let go of it
    }
    if (sender.GetId() == PASSIVE && m_use.ways == Ways::BACK)
    {
        Drop(PASSIVE);
        return m_use.user->HandleReset(*this, PASSIVE, now);
    }
    if (m_use.ways == Ways::TWO && m_use.refusals)
    {
        Drop(static_cast<End>(sender.GetId()));
        if (sender.GetId() == PASSIVE)
        {
            return m_use.user->HandleReset(*this, PASSIVE, now);
        }
    }
    m_use.user->HandleFailed(*this, now, Failure::GAVE_UP);
}

} // namespace ns3::gridftp
