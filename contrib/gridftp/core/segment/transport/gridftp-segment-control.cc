/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-control.h"

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t MOST_SYNS = 15; // TcpDefaults::synRetries

// A packet says both numbers. Neither direction carries 4 GiB of lines

uint64_t
PackNumbers(uint64_t start, uint64_t ack)
{
    return start | ack << 32;
}

uint64_t
StartOf(uint64_t packed)
{
    return static_cast<uint32_t>(packed);
}

uint64_t
AckOf(uint64_t packed)
{
    return packed >> 32;
}

} // namespace

SegmentControl::SegmentControl(const SegmentTcp& tcp, Port& port)
    : m_port(&port),
      m_ends{End(tcp, *this, CLIENT), End(tcp, *this, SERVER)}
{
}

void
SegmentControl::Connect(int64_t now)
{
    m_ends[CLIENT].nowNs = now;
    SendSyn(CLIENT);
}

void
SegmentControl::SendSyn(Side side)
{
    End& end = m_ends[side];
    if (end.synSent == MOST_SYNS)
    {
        if (side == CLIENT)
        {
            m_port->HandleControlFailed(end.nowNs, "the control connection was refused");
        }
        return;
    }
    end.synSentNs = end.nowNs;
    end.sender.SetRto(SYN_TIMEOUT_NS << end.synSent++);
    if (end.synDueNs == NEVER)
    {
        end.synDueNs = end.nowNs + end.sender.GetBackedOffRtoNs();
        m_port->ScheduleControl(side, end.synDueNs, Timer::SYN);
    }
    const auto kind = side == CLIENT ? PacketKind::CONTROL_SYN : PacketKind::CONTROL_SYN_ACK;
    m_port->SendControl(side, end.nowNs, HEADER_BYTES + SYN_OPTION_BYTES, kind, 0, 0);
}

void
SegmentControl::SendAck(Side side)
{
    End& end = m_ends[side];
    end.receiver.HandleAckSent();
    end.ackDueNs = NEVER;
    SendBare(side, PacketKind::CONTROL);
}

void
SegmentControl::SendBare(Side side, PacketKind kind)
{
    End& end = m_ends[side];
    end.sender.ResetRto(); // ns-3's socket does, with every packet that carries no data
    const uint64_t numbers = PackNumbers(0, end.receiver.GetNext());
    m_port->SendControl(side, end.nowNs, HEADER_BYTES, kind, numbers, 0);
}

void
SegmentControl::Write(Side from, int64_t now, uint32_t bytes, uint32_t message)
{
    End& end = m_ends[from];
    end.sender.GetStream().Append(bytes);
    end.lines.push_back({end.sender.GetStream().GetWritten(), message});
    if (!end.reading && end.sendDueNs == NEVER)
    {
        // What an application writes of its own accord, ns-3's socket sends a nanosecond later
        end.sendDueNs = now + 1;
        m_port->ScheduleControl(from, end.sendDueNs, Timer::SEND);
    }
}

void
SegmentControl::Close()
{
    m_closing = true;
}

void
SegmentControl::Establish(End& end)
{
    const bool isFirst = end.synSent == 1;
    const int64_t backedOff = end.sender.GetBackedOffRtoNs();
    end.connected = true;
    end.synDueNs = NEVER;
    end.sender.HandleConnected(end.nowNs, isFirst ? end.nowNs - end.synSentNs : 0);
    if (!isFirst)
    {
        end.sender.SetRto(backedOff); // until there is a sample, or an ACK is sent
    }
}

void
SegmentControl::Receive(Side to, int64_t now, const SegmentPacket& packet)
{
    if (m_stopped)
    {
        return;
    }
    End& end = m_ends[to];
    end.nowNs = now;
    switch (packet.GetKind())
    {
    case PacketKind::CONTROL_SYN:
        if (!end.connected)
        {
            SendSyn(to);
        }
        return;
    case PacketKind::CONTROL_SYN_ACK:
        if (!end.connected)
        {
            Establish(end);
            SendBare(to,
                     PacketKind::CONTROL); // the first line is acknowledged at once all the same
        }
        else if (end.sender.GetStream().GetWritten() == end.sender.GetAcknowledged())
        {
            SendAck(to); // its ACK was lost; what is outstanding would acknowledge it as well
        }
        return;
    case PacketKind::CONTROL_FIN:
        end.sender.AcceptAck(now, AckOf(packet.GetValue()), false);
        return SendAck(to);
    default:
        end.reading = true;
        ReceiveSegment(to, packet);
        end.reading = false;
        return;
    }
}

void
SegmentControl::ReceiveSegment(Side side, const SegmentPacket& packet)
{
    End& end = m_ends[side];
    if (!end.connected)
    {
        if (side == CLIENT)
        {
            return; // before the SYN-ACK it means nothing
        }
        Establish(end);
        m_port->HandleAccepted(end.nowNs);
    }
    const uint32_t size = packet.GetPayload();
    if (!end.sender.AcceptAck(end.nowNs, AckOf(packet.GetValue()), size > 0))
    {
        return;
    }
    if (size > 0)
    {
        const auto answer = end.receiver.Receive(StartOf(packet.GetValue()), size);
        Read(side);
        if (m_closing && side == CLIENT)
        {
            m_closing = false;
            SendBare(side, PacketKind::CONTROL_FIN);
            if (end.sender.GetTcp().delayedAck > 1)
            {
                return; // the FIN counts as its ACK, and the connection ends before the next one
            }
        }
        // An ACK follows what the application has done, and precedes what it has written
        if (answer == SegmentReceiver::Answer::ACK)
        {
            SendAck(side);
        }
        else if (end.ackDueNs == NEVER)
        {
            end.ackDueNs = end.nowNs + DELAYED_ACK_NS;
            m_port->ScheduleControl(side, end.ackDueNs, Timer::ACK);
        }
    }
    end.sender.Send(end.nowNs);
}

void
SegmentControl::Read(Side side)
{
    auto& lines = m_ends[side == CLIENT ? SERVER : CLIENT].lines;
    const uint64_t next = m_ends[side].receiver.GetNext();
    while (!lines.empty() && lines.front().end <= next)
    {
        const uint32_t message = lines.front().message;
        lines.pop_front();
        m_port->HandleLine(side, m_ends[side].nowNs, message);
    }
}

void
SegmentControl::HandleTimer(Side side, int64_t now, Timer timer)
{
    End& end = m_ends[side];
    if (m_stopped)
    {
        return;
    }
    switch (timer)
    {
    case Timer::SYN:
        if (end.synDueNs == now)
        {
            end.nowNs = now;
            end.synDueNs = NEVER;
            SendSyn(side);
        }
        return;
    case Timer::SEND:
        end.nowNs = now;
        end.sendDueNs = NEVER;
        end.sender.Send(now);
        return;
    case Timer::ACK:
        if (end.ackDueNs == now)
        {
            end.nowNs = now;
            SendAck(side);
        }
        return;
    case Timer::RETRY:
        if (end.retryDueNs == now)
        {
            end.nowNs = now;
            CheckRetry(end);
        }
        return;
    }
}

void
SegmentControl::CheckRetry(End& end)
{
    end.retryDueNs = NEVER;
    end.sender.SetTimerQueued(NEVER);
    const int64_t deadline = end.sender.GetDeadline();
    if (deadline == end.nowNs)
    {
        end.sender.HandleTimeout(end.nowNs);
    }
    else if (deadline != NEVER)
    {
        ArmTimer(end.sender);
    }
}

// SegmentSender::Port

void
SegmentControl::SendSegment(SegmentSender& sender, uint64_t start, uint32_t size)
{
    const auto side = static_cast<Side>(sender.GetId());
    End& end = m_ends[side];
    end.receiver.HandleAckSent();
    end.ackDueNs = NEVER;
    m_port->SendControl(side,
                        end.nowNs,
                        HEADER_BYTES + size,
                        PacketKind::CONTROL,
                        PackNumbers(start, end.receiver.GetNext()),
                        size);
}

void
SegmentControl::ArmTimer(SegmentSender& sender)
{
    const auto side = static_cast<Side>(sender.GetId());
    End& end = m_ends[side];
    end.retryDueNs = sender.GetDeadline();
    sender.SetTimerQueued(end.retryDueNs);
    m_port->ScheduleControl(side, end.retryDueNs, Timer::RETRY);
}

void
SegmentControl::HandleDrained(SegmentSender& /* sender */)
{
    // of a chunk; there is none
}

void
SegmentControl::HandleGaveUp(SegmentSender& sender)
{
    m_port->HandleControlFailed(m_ends[sender.GetId()].nowNs, "control connection failed");
}

void
SegmentControl::HandleWindow(const SegmentSender& /* sender */)
{
    // nobody observes it
}

} // namespace ns3::gridftp
