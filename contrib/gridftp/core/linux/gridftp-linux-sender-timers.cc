/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-sender-fast.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * LinuxSender: RACK (RFC 8985; net/ipv4/tcp_recovery.c) and timers (net/ipv4/tcp_timer.c).
 */

namespace ns3::gridftp
{

// RACK

void
LinuxSender::AdvanceRack(const LinuxSentSegment& sent)
{
    const auto rttUs = static_cast<uint32_t>(GetUsSince(sent.sentAt));
    if (rttUs < m_window.minRttUs && sent.WasRetransmitted())
    {
        return; // rather the original than the retransmission was delivered
    }
    m_rackHasAdvanced = true;
    m_rackRttUs = rttUs;
    if (sent.sentAt > m_rackSentAt || (sent.sentAt == m_rackSentAt && sent.end > m_rackEnd))
    {
        m_rackSentAt = sent.sentAt;
        m_rackEnd = sent.end;
    }
}

uint32_t
LinuxSender::GetReorderingWindowUs() const
{
    if (m_reorderingSeen == 0 &&
        (m_window.state >= LinuxCaState::RECOVERY || m_window.sackedOut >= m_reordering))
    {
        return 0;
    }
    return std::min((m_window.minRttUs >> 2) * m_rackSteps, m_window.srttUs8 >> 3);
}

uint32_t
LinuxSender::DetectLosses()
{
    using Sent = LinuxSentSegment;
    const uint32_t windowUs = GetReorderingWindowUs();
    uint32_t timeoutUs = 0;
    size_t left = m_queue.CountListed();
    uint32_t number = left > 0 ? m_queue.GetOldest() : 0;
    for (; left > 0; --left)
    {
        const Sent& sent = m_queue.At(number);
        const uint32_t next = sent.next;
        if (!sent.Has(Sent::LOST) || sent.Has(Sent::RETRANSMITTED))
        {
            if (sent.sentAt > m_rackSentAt ||
                (sent.sentAt == m_rackSentAt && sent.end >= m_rackEnd))
            {
                break;
            }
            const int64_t remaining =
                static_cast<int64_t>(m_rackRttUs) + windowUs - GetUsSince(sent.sentAt);
            if (remaining <= 0)
            {
                MarkLost(number);
                m_queue.Unlist(number);
            }
            else
            {
                timeoutUs = std::max(timeoutUs, static_cast<uint32_t>(remaining));
            }
        }
        number = next;
    }
    return timeoutUs;
}

bool
LinuxSender::MarkLostByTime()
{
    if (!m_rackHasAdvanced)
    {
        return false;
    }
    m_rackHasAdvanced = false;
    const uint32_t timeoutUs = DetectLosses();
    if (timeoutUs == 0)
    {
        return false;
    }
    constexpr uint32_t LEAST_US = 2000;
    SetTimer(Timer::REORDERING, std::min(ToTicks(timeoutUs + LEAST_US), m_rto));
    return true;
}

void
LinuxSender::UpdateReorderingWindow(uint64_t priorDelivered)
{
    if (priorDelivered == 0)
    {
        return;
    }
    if (priorDelivered < m_rackDelivered)
    {
        m_rackSawDsack = false; // not yet a round trip since the last change
    }
    if (m_rackSawDsack)
    {
        constexpr uint32_t MOST_STEPS = 255;
        m_rackSteps = std::min(MOST_STEPS, m_rackSteps + 1);
        m_rackSawDsack = false;
        m_rackDelivered = m_window.delivered;
        m_rackPersist = RACK_PERSIST;
    }
    else if (m_rackPersist == 0)
    {
        m_rackSteps = 1;
    }
}

// Timers

bool
LinuxSender::WaitsForWheel(Nanoseconds now)
{
    if (m_timerSetAt < 0)
    {
        return false; // it has waited
    }
    // calc_wheel_index(): level n has buckets of 8^n ticks and reaches 63 * 8^n ticks far
    const int64_t expires = m_timerAt / m_settings.tick;
    const int64_t distance = expires - m_timerSetAt / m_settings.tick;
    uint32_t shift = 0;
    for (int64_t reach = 63; distance >= reach && shift < MOST_WHEEL_SHIFT; reach <<= 3)
    {
        shift += 3;
    }
    m_timerSetAt = -1;
    m_timerAt = (((expires >> shift) + 1) << shift) * m_settings.tick;
    return m_timerAt > now;
}

void
LinuxSender::StopTimer()
{
    m_timer = Timer::NONE;
    m_timerAt = NEVER;
}

void
LinuxSender::RearmRto()
{
    if (m_window.packetsOut == 0)
    {
        return StopTimer();
    }
    Nanoseconds delay = m_rto;
    if (m_timer == Timer::REORDERING || m_timer == Timer::LOSS_PROBE)
    {
        // These have taken the place of an RTO that runs since the first segment was sent
        delay = ToTicks(std::max<int64_t>(GetRtoLeft() / 1000, 1));
    }
    SetTimer(Timer::RETRANSMISSION, delay);
}

void
LinuxSender::HandleDeadline(Nanoseconds now)
{
    m_window.now = now;
    if (m_paceAt <= now)
    {
        m_paceAt = NEVER;
        if (m_window.lostOut > m_window.retransOut && m_window.cwnd > m_window.GetInFlight())
        {
            ResendLost();
        }
        Push(now);
    }
    if (m_timerAt > now || WaitsForWheel(now))
    {
        return;
    }
    const Timer timer = m_timer;
    m_timerAt = NEVER;
    switch (timer)
    {
    case Timer::REORDERING:
        HandleReordering();
        break;
    case Timer::LOSS_PROBE:
        SendProbe();
        break;
    case Timer::RETRANSMISSION:
        m_timer = Timer::NONE;
        HandleRto();
        break;
    case Timer::ZERO_WINDOW:
        m_timer = Timer::NONE;
        HandleZeroWindow();
        break;
    case Timer::NONE:
        break;
    }
    CheckObserver();
}

void
LinuxSender::HandleReordering()
{
    const uint32_t prior = m_window.GetInFlight();
    const uint64_t lost = m_window.lost;
    DetectLosses();
    if (prior != m_window.GetInFlight())
    {
        if (m_window.state != LinuxCaState::RECOVERY)
        {
            EnterRecovery(false);
            if (!m_hasControl)
            {
                ReduceCwnd(1, static_cast<uint32_t>(m_window.lost - lost), false);
            }
        }
        ResendLost();
    }
    if (m_timer != Timer::RETRANSMISSION)
    {
        RearmRto();
    }
}

void
LinuxSender::SendProbe()
{
    if (m_probeHighSeq == 0 && m_window.packetsOut > 0)
    {
        m_probeRetransmits = false;
        const uint32_t packets = m_window.packetsOut;
        bool isSent = false;
        const uint64_t windowEnd = m_window.sndUna + m_peerWindow;
        const uint64_t unsent = m_written - m_window.sndNxt - (m_hasFin ? 1 : 0);
        // New data, or the FIN, if there are some
        if (m_window.sndNxt < m_written &&
            m_window.sndNxt + std::clamp<uint64_t>(unsent, 1, m_window.mss) <= windowEnd)
        {
            SendNew(true);
            isSent = m_window.packetsOut > packets;
        }
        else
        {
            const uint32_t last = m_queue.GetEnd() - 1;
            m_window.isTlpAppLimited = m_queue.At(last).Has(LinuxSentSegment::APP_LIMITED);
            isSent = m_probeRetransmits = Retransmit(last);
        }
        if (isSent)
        {
            m_probeHighSeq = m_window.sndNxt;
            m_timer = Timer::NONE; // the RTO runs from now
        }
    }
    RearmRto();
}

bool
LinuxSender::IsTimedOut() const
{
    if (m_retransmits == 0 || m_retransStampAt < 0)
    {
        return false;
    }
    Nanoseconds limit = 0;
    Nanoseconds rto = m_settings.minRto;
    for (uint32_t i = 0; i <= m_settings.dataRetries; ++i)
    {
        limit += rto;
        rto = std::min(2 * rto, m_settings.maxRto);
    }
    return m_window.now - m_retransStampAt >= limit;
}

void
LinuxSender::HandleRto()
{
    if (m_window.packetsOut == 0)
    {
        return;
    }
    m_probeHighSeq = 0;
    if (IsTimedOut())
    {
        Stop();
        m_port.HandleTimedOut();
        return;
    }
    ++m_counts.timeouts;
    EnterLoss();
    ++m_retransmits;
    const uint32_t first = m_queue.GetBegin();
    if (Retransmit(first))
    {
        NoteRetransmission(m_queue.At(first));
    }
    if (m_peerWindow > 0)
    {
        ++m_backoff;
    }
    m_rto = std::min(2 * m_rto, m_settings.maxRto);
    SetTimer(Timer::RETRANSMISSION, m_rto);
}

void
LinuxSender::EnterLoss()
{
    const bool isNew = m_window.state < LinuxCaState::RECOVERY;
    MarkLostAtTimeout();
    if (m_window.state <= LinuxCaState::DISORDER || m_highSeq <= m_window.sndUna ||
        (m_window.state == LinuxCaState::LOSS && m_retransmits == 0))
    {
        m_priorSsthresh = GetCurrentSsthresh();
        m_window.priorCwnd = m_window.cwnd;
        m_window.ssthresh = m_control->GetSsthresh(m_window);
        m_control->HandleEvent(m_window, LinuxCaEvent::LOSS);
        InitUndo();
    }
    SetCwnd(m_window.GetInFlight() + 1);
    m_window.cwndCount = 0;
    m_cwndStampAt = m_window.now;
    if (m_window.state <= LinuxCaState::DISORDER && m_window.sackedOut >= m_settings.reordering)
    {
        m_reordering = std::min(m_reordering, m_settings.reordering);
    }
    SetState(LinuxCaState::LOSS);
    m_highSeq = m_window.sndNxt;
    m_queuesCwr = m_hasEcn;
    m_isFrto = m_settings.frto && (isNew || m_retransmits > 0);
}

void
LinuxSender::MarkLostAtTimeout()
{
    using Sent = LinuxSentSegment;
    const uint32_t first = m_queue.GetBegin();
    const bool isReneg = m_queue.Front().Has(Sent::SACKED);
    if (isReneg)
    {
        m_window.sackedOut = 0;
        m_isReneg = true;
    }
    else if (!m_hasSack)
    {
        m_window.sackedOut = 0;
    }
    for (uint32_t number = first; number != m_queue.GetEnd(); ++number)
    {
        Sent& sent = m_queue.At(number);
        if (isReneg)
        {
            sent.flags &= static_cast<uint8_t>(~Sent::SACKED);
        }
        else if (number != first && static_cast<int64_t>(m_rackRttUs) - GetUsSince(sent.sentAt) > 0)
        {
            continue; // sent recently
        }
        MarkLost(number);
    }
    m_resendHint = first;
}

void
LinuxSender::CheckZeroWindow()
{
    if (m_window.packetsOut == 0 && m_timer == Timer::NONE)
    {
        SetTimer(Timer::ZERO_WINDOW, std::max(m_rto, m_settings.minRto));
    }
}

void
LinuxSender::HandleWindowOfIdle()
{
    if (m_window.sndNxt >= m_written)
    {
        return;
    }
    const uint64_t unsent = m_written - m_window.sndNxt - (m_hasFin ? 1 : 0);
    const uint64_t first = std::min<uint64_t>(unsent, m_window.mss);
    if (m_window.sndNxt + first <= m_window.sndUna + m_peerWindow)
    {
        m_backoff = 0;
        if (m_timer == Timer::ZERO_WINDOW)
        {
            StopTimer();
        }
        return;
    }
    SetTimer(Timer::ZERO_WINDOW, GetZeroWindowDelay());
}

Nanoseconds
LinuxSender::GetZeroWindowDelay() const
{
    const Nanoseconds base = std::max(m_rto, m_settings.minRto);
    const uint32_t exponent = std::min(m_backoff, 10U);
    return std::min(base << exponent, m_settings.maxRto);
}

void
LinuxSender::HandleZeroWindow()
{
    if (m_window.packetsOut > 0 || m_window.sndNxt >= m_written)
    {
        m_probesOut = 0;
        return;
    }
    if (m_probesOut >= m_settings.dataRetries)
    {
        Stop();
        m_port.HandleTimedOut();
        return;
    }
    const uint64_t windowEnd = m_window.sndUna + m_peerWindow;
    const uint64_t unsent = m_written - m_window.sndNxt - (m_hasFin ? 1 : 0);
    const uint64_t allowed = windowEnd > m_window.sndNxt ? windowEnd - m_window.sndNxt : 0;
    if (allowed > 0)
    {
        const uint64_t bytes = std::min({unsent, allowed, static_cast<uint64_t>(m_window.mss)});
        SendBurst(bytes, m_hasFin && bytes == unsent);
        return;
    }
    // A segment without data in front of the window, which asks for an ACK
    LinuxSegment& probe = m_port.Prepare(false);
    probe.seq = m_window.sndUna - 1;
    m_port.Send(probe);
    ++m_probesOut;
    ++m_backoff;
    SetTimer(Timer::ZERO_WINDOW, GetZeroWindowDelay());
}

} // namespace ns3::gridftp
