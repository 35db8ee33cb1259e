/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection-ending.h"

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t MOST_LAST_FINS = 15;           // as many as data are sent again (TcpDefaults)
constexpr int64_t TIME_WAIT_NS = 240'000'000'000; // twice the MSL of RFC 9293, Section 3.4.1
} // namespace

bool
TcpEnding::IsOver(Nanoseconds now) const
{
    return HasEnded() && now - m_endedNs > TIME_WAIT_NS;
}

void
TcpEnding::Close(const Moment& moment)
{
    if (m_stage == Stage::OPEN || m_stage == Stage::CLOSE_WAIT)
    {
        SendFin(moment);
        m_stage = m_stage == Stage::OPEN ? Stage::FIN_WAIT_1 : Stage::LAST_ACK;
    }
}

bool
TcpEnding::HandleLastSegment()
{
    if (m_isWithData && (m_stage == Stage::OPEN || m_stage == Stage::CLOSE_WAIT))
    {
        m_hasSentFin = true;
        m_stage = m_stage == Stage::OPEN ? Stage::FIN_WAIT_1 : Stage::LAST_ACK;
    }
    return m_isWithData;
}

void
TcpEnding::HandleDrained(const Moment& moment)
{
    if (m_stage == Stage::FIN_WAIT_1)
    {
        StartFinTimer(moment.now + moment.rtoNs, false);
    }
}

void
TcpEnding::HandleFin(const Moment& moment, uint32_t flags, bool isAnswered)
{
    const bool acknowledges = (flags & ACKNOWLEDGES) != 0;
    switch (m_stage)
    {
    case Stage::OPEN:
        m_hasMetFin = true;
        m_stage = Stage::CLOSE_WAIT;
        if (!isAnswered)
        {
            return SendAck(ANSWERS_FIN);
        }
        Close(moment);
        return StartLastAckTimer(moment, MOST_LAST_FINS);
    case Stage::FIN_WAIT_1:
    case Stage::FIN_WAIT_2:
        if (acknowledges)
        {
            HandleFinAcknowledged(moment);
        }
        m_hasMetFin = (flags & IS_OLD) == 0;
        if (m_stage == Stage::FIN_WAIT_1 && !acknowledges)
        {
            m_stage = Stage::CLOSING;
        }
        else
        {
            End(Stage::TIME_WAIT, moment.now);
        }
        return SendAck(ANSWERS_FIN);
    case Stage::CLOSING:
        SendAck(ANSWERS_FIN);
        return End(Stage::CLOSED, moment.now);
    case Stage::LAST_ACK:
        return End(Stage::CLOSED, moment.now);
    default:
        return;
    }
}

void
TcpEnding::AnswerFin(const Moment& moment)
{
    SendAck(ANSWERS_FIN);
    AwaitLastAck(moment);
}

void
TcpEnding::AwaitLastAck(const Moment& moment)
{
    if (m_stage == Stage::LAST_ACK)
    {
        StartLastAckTimer(moment, MOST_LAST_FINS);
    }
}

void
TcpEnding::HandleAck(const Moment& moment, uint32_t flags)
{
    const bool acknowledges = (flags & ACKNOWLEDGES) != 0;
    const bool isBehind = (flags & IS_BEHIND) != 0;
    switch (m_stage)
    {
    case Stage::FIN_WAIT_1:
    case Stage::FIN_WAIT_2:
        if (acknowledges)
        {
            HandleFinAcknowledged(moment);
            m_stage = Stage::FIN_WAIT_2;
        }
        return;
    case Stage::CLOSING: // here ns-3 looks at the sequence number alone
        return isBehind && m_hasMetFin ? End(Stage::TIME_WAIT, moment.now) : void();
    case Stage::LAST_ACK:
        return isBehind ? End(Stage::CLOSED, moment.now) : void();
    default:
        return;
    }
}

void
TcpEnding::HandleReset(Nanoseconds now)
{
    if (m_stage != Stage::OPEN && m_stage != Stage::TIME_WAIT)
    {
        End(Stage::CLOSED, now);
    }
}

void
TcpEnding::HandleTimer(const Moment& moment, Timer timer)
{
    if (timer == Timer::LAST_ACK)
    {
        if (m_lastAckDueNs != moment.now)
        {
            return;
        }
        m_lastAckDueNs = NEVER;
        if (m_retries == 0)
        {
            return End(Stage::CLOSED, moment.now);
        }
        SendFin(moment);
        return StartLastAckTimer(moment, m_retries - 1);
    }
    if (m_finDueNs != moment.now)
    {
        return;
    }
    m_finDueNs = NEVER;
    if (m_isRepeat || m_stage == Stage::FIN_WAIT_1 || m_stage == Stage::CLOSING)
    {
        SendFin(moment);
    }
}

void
TcpEnding::SendFin(const Moment& moment)
{
    m_hasSentFin = true;
    m_port->SendEnding(m_end, PacketKind::FIN, m_hasMetFin ? uint32_t{ACKNOWLEDGES} : 0U);
    if (m_finDueNs == NEVER && !moment.isTimerRunning)
    {
        StartFinTimer(moment.now + moment.rtoNs, true);
    }
}

void
TcpEnding::SendAck(uint32_t more)
{
    uint32_t flags = more | (m_hasMetFin ? uint32_t{ACKNOWLEDGES} : 0U);
    flags |= m_hasSentFin ? uint32_t{IS_BEHIND} : 0U;
    m_port->SendEnding(m_end, PacketKind::FIN_ACK, flags);
}

void
TcpEnding::HandleFinAcknowledged(const Moment& moment)
{
    if (!m_isAcknowledged)
    {
        m_isAcknowledged = true;
        StartFinTimer(moment.now + moment.rtoNs, false);
    }
}

void
TcpEnding::StartFinTimer(Nanoseconds at, bool isRepeat)
{
    m_isRepeat = isRepeat;
    m_finDueNs = at;
    m_port->ScheduleEnding(m_end, at, Timer::FIN);
}

void
TcpEnding::StartLastAckTimer(const Moment& moment, uint32_t retries)
{
    m_retries = retries;
    m_lastAckDueNs = moment.now + moment.shortRtoNs;
    m_port->ScheduleEnding(m_end, m_lastAckDueNs, Timer::LAST_ACK);
}

void
TcpEnding::End(Stage stage, Nanoseconds now)
{
    m_stage = stage;
    m_finDueNs = NEVER;
    m_lastAckDueNs = NEVER;
    m_endedNs = HasEnded() ? m_endedNs : now;
}

void
TcpEnding::AddState(SegmentState& state) const
{
    state.Add(static_cast<uint64_t>(m_stage));
    for (const bool flag : {m_isWithData, m_hasSentFin, m_hasMetFin, m_isAcknowledged, m_isRepeat})
    {
        state.Add(flag);
    }
    state.Add(m_retries);
    state.AddTime(m_finDueNs);
    state.AddTime(m_lastAckDueNs);
    state.Add(HasEnded());
}

} // namespace ns3::gridftp
