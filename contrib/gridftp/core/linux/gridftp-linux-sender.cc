/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-sender.h"

#include "gridftp-linux-sender-fast.h"

#include <algorithm>
#include <bit>

/**
 * @file
 * @ingroup gridftp
 * LinuxSender: what its owner and the application call.
 */

namespace ns3::gridftp
{

namespace
{

/** @return parameters with a seed of the connection's own */
LinuxCongestionParameters
MakeParameters(const LinuxSettings& settings, uint32_t number)
{
    constexpr uint32_t GOLDEN = 0x9e3779b9; // spreads numbers that are near each other
    LinuxCongestionParameters parameters = settings.congestionParameters;
    constexpr Nanoseconds SECOND = 1000 * LINUX_MS;
    parameters.seed += GOLDEN * (number + 1);
    parameters.hz = static_cast<uint32_t>(SECOND / settings.tick);
    return parameters;
}

} // namespace

LinuxSender::LinuxSender(const LinuxSettings& settings, Port& port, uint32_t number)
    : m_settings(settings),
      m_port(port),
      m_control(settings.congestion->make(MakeParameters(settings, number))),
      m_reordering(settings.reordering)
{
    m_hasControl = m_control->HasControl();
    m_window.cwnd = settings.initialWindow;
    m_window.sndUna = m_window.sndNxt = 1;
    m_window.delivered = 1; // the SYN, as in the kernel: 0 would mean that there is no rate sample
    m_window.maxPacingRate = settings.maxPacingRate > 0 ? settings.maxPacingRate : NO_LIMIT;
    m_window.needsPacing = settings.paces;
    m_window.tsoBytes = settings.tsoBytes;
    m_window.appLimited = 1; // until the first ACK of data
    m_sendBuffer =
        settings.fixedSendBuffer > 0 ? 2 * settings.fixedSendBuffer : settings.sendBuffer[1];
}

void
LinuxSender::Open(Nanoseconds now, const Handshake& handshake)
{
    m_window.now = now;
    m_window.mss = handshake.mss;
    m_hasSack = handshake.hasSack;
    m_hasTimestamp = handshake.hasTimestamp;
    m_hasEcn = handshake.hasEcn;
    m_peerWindow = m_maxPeerWindow = handshake.window;
    m_cwndStampAt = m_window.lastSentAt = m_window.deliveredAt = m_firstSentAt = now;
    if (handshake.rttUs >= 0)
    {
        const auto rttUs = static_cast<uint32_t>(handshake.rttUs);
        m_minRtt.Update(MIN_RTT_WINDOW, now, std::max(rttUs, 1U));
        m_window.minRttUs = m_minRtt.Get();
        EstimateRtt(rttUs);
        SetRto();
    }
    else
    {
        m_window.cwnd = 1; // RFC 5681, Section 3.1: the SYN or its answer was lost
    }
    m_segmentMemory = std::bit_ceil(m_window.mss + SEGMENT_OVERHEAD) + SKB_BYTES;
    ExpandSendBuffer();
    m_control->Init(m_window);
    if (!m_hasControl)
    {
        UpdatePacingRate();
    }
    CheckObserver();
}

void
LinuxSender::Write(Nanoseconds now, uint64_t bytes)
{
    m_window.now = now;
    CheckAppLimited();
    CheckIdle();
    m_written += bytes;
}

void
LinuxSender::Finish()
{
    m_hasFin = true;
    ++m_written;
}

void
LinuxSender::Stop()
{
    m_timer = Timer::NONE;
    m_timerAt = m_paceAt = NEVER;
    m_rearms = false;
    m_written = m_window.sndNxt;
}

void
LinuxSender::CheckAppLimited()
{
    const uint64_t unsent = m_written - m_window.sndNxt;
    if (unsent < m_window.mss && m_window.GetInFlight() < m_window.cwnd &&
        m_window.lostOut <= m_window.retransOut)
    {
        m_window.appLimited = std::max<uint64_t>(m_window.delivered + m_window.GetInFlight(), 1);
    }
}

void
LinuxSender::CheckIdle()
{
    if (!m_settings.idleRestart || m_window.packetsOut > 0 || m_hasControl)
    {
        return;
    }
    Nanoseconds idle = m_window.now - m_window.lastSentAt;
    if (idle <= m_rto)
    {
        return;
    }
    m_control->HandleEvent(m_window, LinuxCaEvent::CWND_RESTART);
    m_window.ssthresh = GetCurrentSsthresh();
    const uint32_t restart = std::min(m_settings.initialWindow, m_window.cwnd);
    uint32_t cwnd = m_window.cwnd;
    while ((idle -= m_rto) > 0 && cwnd > restart)
    {
        cwnd /= 2;
    }
    SetCwnd(std::max(cwnd, restart));
    m_cwndStampAt = m_window.now;
    m_cwndUsed = 0;
}

void
LinuxSender::CheckObserver()
{
    if (m_observed && (m_shownCwnd != m_window.cwnd || m_shownSsthresh != m_window.ssthresh))
    {
        m_shownCwnd = m_window.cwnd;
        m_shownSsthresh = m_window.ssthresh;
        m_port.HandleWindow();
    }
}

} // namespace ns3::gridftp
