/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

/**
 * @file
 * @ingroup gridftp
 * A ClassicConnection: what happens later.
 */

namespace ns3::gridftp
{

void
ClassicConnection::HandleEvent(Nanoseconds now, uint32_t id)
{
    const auto end = static_cast<End>(id & ((1U << END_BITS) - 1));
    Half& half = m_ends[end];
    const auto timer = static_cast<Timer>((id & ((1U << LOW_BITS) - 1)) >> END_BITS);
    if (timer == FIN)
    {
        return SendFinAgain(now, id >> LOW_BITS);
    }
    // Of one that is closed, what has arrived is acknowledged all the same
    const bool lingers = (m_lingers && end == PASSIVE) ||
                         (m_isApart && m_gone == 0 && (timer == RETRY || timer > OPENED));
    if (!m_open && !lingers &&
        (m_gone != 0 ? !IsLeft(end) : timer != ACK || m_use.ways == Ways::TWO))
    {
        return;
    }
    switch (timer)
    {
    case SYN:
        if (half.synDueNs == now)
        {
            half.nowNs = now;
            half.synDueNs = NEVER;
            SendSyn(end);
        }
        return;
    case SEND:
        if (half.sendDueNs == now)
        {
            half.nowNs = now;
            half.sendDueNs = NEVER;
            half.sender.Send(now);
            if (end == m_use.source)
            {
                CheckBlocked(now);
            }
        }
        return;
    case ACK:
        return CheckAck(end, now);
    case RETRY:
        if (half.retryLeftNs == now)
        {
            half.retryLeftNs = NEVER; // another event of this moment has its place behind this one
            return;
        }
        return CheckRetry(end, now);
    case READ:
        return ResumeReading(now);
    case WRITE:
        return ResumeWriting(now);
    case PROBE:
        return Probe(now);
    case OPENED:
        return HandleOpened(end, now);
    case FIN_REPEAT:
    case LAST_ACK:
        half.nowNs = now;
        return half.ending.HandleTimer(half.GetMoment(),
                                       timer == LAST_ACK ? TcpEnding::Timer::LAST_ACK
                                                         : TcpEnding::Timer::FIN);
    case FIN:
        return;
    }
}

void
ClassicConnection::CheckAck(End end, Nanoseconds now)
{
    Half& half = m_ends[end];
    if (now != half.ackQueuedNs)
    {
        return;
    }
    half.ackQueuedNs = NEVER;
    if (half.ackDueNs == now && m_use.ways != Ways::ONE) [[unlikely]]
    {
        CheckRetryBeforeAck(end, now);
    }
    if (half.ackDueNs == now)
    {
        half.nowNs = now;
        half.ending.IsOpen() ? SendAck(end) : half.ending.SendAck();
    }
    else if (half.ackDueNs != NEVER)
    {
        half.ackQueuedNs = half.ackDueNs;
        Schedule(end, half.ackDueNs, ACK);
    }
}

void
ClassicConnection::CheckRetryBeforeAck(End end, Nanoseconds now)
{
    // A segment starts the one timer with its ACK, the other with its data behind that. Of timers
    // that expire in the same nanosecond ns-3 has the one that was started first expire first
    Half& half = m_ends[end];
    if (half.sender.GetDeadline() == now && half.sender.GetBackedOffRtoNs() >= DELAYED_ACK_NS)
    {
        half.retryDueNs = now;
        CheckRetry(end, now);
    }
}

void
ClassicConnection::CheckRetry(End end, Nanoseconds now)
{
    Half& half = m_ends[end];
    if (half.retryDueNs != now)
    {
        return;
    }
    half.nowNs = now;
    half.retryDueNs = NEVER;
    half.sender.SetTimerQueued(NEVER);
    const int64_t deadline = half.sender.GetDeadline();
    if (deadline == now)
    {
        half.sender.HandleTimeout(now);
    }
    else if (deadline != NEVER)
    {
        ArmTimer(half.sender);
    }
}

void
ClassicConnection::AddState(SegmentState& state) const
{
    if ((m_open && (m_window || m_pooled || m_hasOptions)) || m_gone != 0)
    {
        state.Bar();
    }
    for (const bool flag : {m_flowing, m_open, m_fin.isUnderWay, m_lingers, m_ended, m_closing})
    {
        state.Add(flag);
    }
    for (const bool flag : {m_isApart, m_aborted, m_resets})
    {
        state.Add(flag);
    }
    state.AddTime(m_fin.restartNs);
    state.Add(static_cast<uint64_t>(m_fin.rtoNs));
    for (const End end : {ACTIVE, PASSIVE})
    {
        const Half& half = m_ends[end];
        half.sender.AddState(state);
        half.receiver.AddState(state, m_ends[Other(end)].sender.GetAcknowledged());
        half.ending.AddState(state);
        for (const bool flag :
             {half.connected, half.reading, half.resuming, half.finAt.has_value()})
        {
            state.Add(flag);
        }
        for (const int64_t ns : {half.nowNs,
                                 half.synSentNs,
                                 half.synDueNs,
                                 half.sendDueNs,
                                 half.ackDueNs,
                                 half.ackQueuedNs,
                                 half.retryDueNs,
                                 half.retryLeftNs,
                                 half.workDueNs,
                                 half.workNs,
                                 half.probeDueNs})
        {
            state.AddTime(ns);
        }
        state.Add(half.synSent);
        state.Add(static_cast<uint64_t>(half.probeNs));
        state.Add(half.probesLeft);
    }
}

} // namespace ns3::gridftp
