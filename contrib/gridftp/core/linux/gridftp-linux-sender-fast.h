/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_SENDER_FAST_H
#define GRIDFTP_LINUX_SENDER_FAST_H

#include "gridftp-linux-sender.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * LinuxSender: what it does for each ACK while nothing is lost. LinuxSocket and the sources of
 * LinuxSender include it, so that it is compiled into their functions.
 */

namespace ns3::gridftp
{

inline void
LinuxSender::EstimateRtt(uint32_t rttUs)
{
    const auto leastUs = static_cast<uint32_t>(m_settings.minRto / 1000);
    m_lastRttUs = rttUs;
    ++m_counts.rttSamples;
    if (m_window.srttUs8 == 0)
    {
        m_window.srttUs8 = std::max(rttUs * 8, 1U);
        m_mdevUs4 = rttUs * 2;
        m_rttVarUs = std::max(m_mdevUs4, leastUs);
        m_mdevMaxUs = m_rttVarUs;
        m_rttSeq = m_window.sndNxt;
        return;
    }
    int64_t error = static_cast<int64_t>(rttUs) - (m_window.srttUs8 >> 3);
    const int64_t srtt = m_window.srttUs8 + error;
    if (error < 0)
    {
        error = -error - (m_mdevUs4 >> 2);
        if (error > 0)
        {
            error >>= 3; // an RTT that falls does not widen the timeout much
        }
    }
    else
    {
        error -= m_mdevUs4 >> 2;
    }
    m_mdevUs4 = static_cast<uint32_t>(m_mdevUs4 + error);
    if (m_mdevUs4 > m_mdevMaxUs)
    {
        m_mdevMaxUs = m_mdevUs4;
        m_rttVarUs = std::max(m_rttVarUs, m_mdevMaxUs);
    }
    if (m_window.sndUna > m_rttSeq)
    {
        if (m_mdevMaxUs < m_rttVarUs)
        {
            m_rttVarUs -= (m_rttVarUs - m_mdevMaxUs) >> 2;
        }
        m_rttSeq = m_window.sndNxt;
        m_mdevMaxUs = leastUs;
    }
    m_window.srttUs8 = static_cast<uint32_t>(std::max<int64_t>(srtt, 1));
}

inline void
LinuxSender::SetRto()
{
    m_rto = std::min(ToTicks(static_cast<int64_t>(m_window.srttUs8 >> 3) + m_rttVarUs),
                     m_settings.maxRto);
}

inline void
LinuxSender::AddRtt(int64_t sequenceUs, int64_t congestionUs, bool maybeDelayed)
{
    const auto rttUs = static_cast<uint32_t>(congestionUs);
    if (!maybeDelayed || rttUs <= m_window.minRttUs)
    {
        const uint32_t sample = rttUs > 0 ? rttUs : static_cast<uint32_t>(m_settings.tick / 1000);
        m_minRtt.Update(MIN_RTT_WINDOW, m_window.now, sample);
        m_window.minRttUs = m_minRtt.Get();
    }
    EstimateRtt(static_cast<uint32_t>(sequenceUs));
    SetRto();
    m_backoff = 0;
}

inline void
LinuxSender::UpdatePacingRate()
{
    constexpr uint64_t HUNDREDTHS = 1'000'000 / 100 * 8;
    uint64_t rate = m_window.mss * HUNDREDTHS;
    rate *= m_window.cwnd < m_window.ssthresh / 2 ? m_settings.pacingSlowStart
                                                  : m_settings.pacingAvoidance;
    rate *= std::max(m_window.cwnd, m_window.packetsOut);
    if (m_window.srttUs8 > 0)
    {
        rate /= m_window.srttUs8;
    }
    m_window.pacingRate = std::min(rate, m_window.maxPacingRate);
}

inline void
LinuxSender::ExpandSendBuffer()
{
    const uint64_t segments = std::max({m_settings.initialWindow, m_window.cwnd, m_reordering + 1});
    if (segments > m_bufferSegments && m_settings.fixedSendBuffer == 0) [[unlikely]]
    {
        m_bufferSegments = segments;
        const uint64_t wanted = m_control->GetSendBufferFactor() * segments * m_segmentMemory;
        m_sendBuffer = std::max(m_sendBuffer, std::min(wanted, m_settings.sendBuffer[2]));
    }
}

inline void
LinuxSender::SetTimer(Timer timer, Nanoseconds delay)
{
    m_timer = timer;
    m_timerSetAt = m_window.now;
    const Nanoseconds at = m_window.now + std::min(delay, m_settings.maxRto);
    const bool isEarlier = at < m_timerAt;
    m_timerAt = at;
    if (isEarlier)
    {
        m_port.HandleDeadline();
    }
}

inline Nanoseconds
LinuxSender::GetRtoLeft() const
{
    return m_queue.Front().sentAt + m_rto - m_window.now;
}

inline bool
LinuxSender::ScheduleProbe(bool isRtoAdvancing)
{
    if (!m_settings.tlp || m_window.packetsOut == 0 || !m_hasSack ||
        (m_window.state != LinuxCaState::OPEN && m_window.state != LinuxCaState::CWR))
    {
        return false;
    }
    Nanoseconds timeout = 1000 * LINUX_MS;
    if (m_window.srttUs8 > 0)
    {
        // 2 RTT, and what a delayed ACK may take where one segment is in flight
        timeout = ToTicks(m_window.srttUs8 >> 2);
        timeout += m_window.packetsOut == 1 ? m_settings.minRto : 2 * m_settings.tick;
    }
    const Nanoseconds left = isRtoAdvancing ? m_rto : GetRtoLeft();
    if (left > 0)
    {
        timeout = std::min(timeout, ToTicks(left / 1000));
    }
    SetTimer(Timer::LOSS_PROBE, timeout);
    return true;
}

inline void
LinuxSender::SetTransmitTimer()
{
    if (!ScheduleProbe(true))
    {
        RearmRto();
    }
}

[[gnu::always_inline]] inline void
LinuxSender::HandlePlainAck(Nanoseconds now, const LinuxSegment& segment)
{
    const uint64_t priorUna = m_window.sndUna;
    const uint32_t priorInFlight = m_window.packetsOut;
    m_window.now = now;
    m_retransmits = m_probesOut = 0;
    m_windowSeq = segment.seq;
    if (m_peerWindow != segment.window) [[unlikely]]
    {
        SetPeerWindow(segment.window);
    }
    m_window.sndUna = segment.ack;
    const Nanoseconds firstAt = m_queue.Front().sentAt;
    const LinuxSentSegment* last = nullptr; // what is taken off stays there until the next is added
    do
    {
        last = &m_queue.Front();
        m_queue.Pop();
    } while (!m_queue.IsEmpty() && m_queue.Front().end <= segment.ack);
    m_window.packetsOut = static_cast<uint32_t>(m_queue.GetSize());
    const uint32_t acked = priorInFlight - m_window.packetsOut;
    m_window.delivered += acked;
    const int64_t lastUs = GetUsSince(last->sentAt);
    m_rackHasAdvanced = true;
    m_rackRttUs = static_cast<uint32_t>(lastUs);
    if (last->sentAt >= m_rackSentAt)
    {
        m_rackSentAt = last->sentAt;
        m_rackEnd = last->end;
    }
    const bool isShort = segment.ack - priorUna < m_window.mss;
    const bool isDelayed = acked == 1 && isShort && last->delivered + 1 == m_window.delivered &&
                           (m_queue.IsEmpty() || m_queue.Front().start >= segment.ack);
    AddRtt(firstAt == last->sentAt ? lastUs : GetUsSince(firstAt), lastUs, isDelayed);
    m_firstSentAt = last->sentAt;
    m_window.deliveredAt = now;
    if (m_window.appLimited > 0 && m_window.delivered > m_window.appLimited) [[unlikely]]
    {
        m_window.appLimited = 0;
    }
    m_control->HandleAcked(m_window, {.rttUs = lastUs});
    if (m_rackSawDsack || m_rackSteps != 1) [[unlikely]]
    {
        UpdateReorderingWindow(last->delivered);
    }
    if (m_window.packetsOut == 0) [[unlikely]]
    {
        SetTransmitTimer();
    }
    else
    {
        m_rearms = true; // sending may set it
    }
    if (m_hasControl)
    {
        ControlPlain(*last, lastUs, acked, priorInFlight, isDelayed);
    }
    else
    {
        m_control->Increase(m_window, acked);
        m_cwndStampAt = now;
        UpdatePacingRate();
    }
    if (m_window.packetsOut < m_window.cwnd)
    {
        ExpandSendBuffer();
    }
}

inline void
LinuxSender::Push(Nanoseconds now)
{
    m_window.now = now;
    if (m_window.sndNxt < m_written && SendNew(false)) [[unlikely]]
    {
        CheckZeroWindow();
    }
    if (std::exchange(m_rearms, false))
    {
        SetTransmitTimer();
    }
    if (m_observed) [[unlikely]]
    {
        CheckObserver();
    }
}

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_SENDER_FAST_H
