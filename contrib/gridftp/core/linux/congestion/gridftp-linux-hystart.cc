/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-hystart.h"

#include "gridftp-linux-clock.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/// Smallest and largest growth of the RTT that ends slow start, us; RFC 9406 has the same ones.
constexpr uint32_t MIN_THRESHOLD_US = 4000;
constexpr uint32_t MAX_THRESHOLD_US = 16'000;
/// RTT samples of a round that are needed: HYSTART_MIN_SAMPLES, N_RTT_SAMPLE.
constexpr uint32_t MIN_SAMPLES = 8;

/// HyStart does nothing with a smaller cwnd: hystart_low_window.
constexpr uint32_t LOW_WINDOW = 16;
/// ACKs that follow each other within this time are a train, us: hystart_ack_delta_us.
constexpr int32_t TRAIN_GAP_US = 2000;
/// Longest allowance for bursts of the hosts, us.
constexpr uint64_t MAX_ACK_DELAY_US = 1000;
/// Bytes of a burst that headers take: MAX_TCP_HEADER + 1.
constexpr uint32_t HEADER_ROOM = 321;

/// Parameters of RFC 9406, Section 4.3.
constexpr uint32_t CSS_GROWTH_DIVISOR = 4;
constexpr uint32_t CSS_ROUNDS = 5;
constexpr uint32_t UNPACED_LIMIT = 8;

/** @param minUs an RTT, us @return growth of the RTT that ends slow start: an eighth, us */
uint32_t
GetThreshold(uint32_t minUs)
{
    return std::clamp(minUs >> 3, MIN_THRESHOLD_US, MAX_THRESHOLD_US);
}

/** @param window of the sender @return time that four bursts take at the pacing rate, us */
uint32_t
GetAckDelay(const LinuxWindow& window)
{
    if (window.pacingRate == 0)
    {
        return 0;
    }
    const uint64_t burst = window.tsoBytes > HEADER_ROOM ? window.tsoBytes - HEADER_ROOM : 1;
    return static_cast<uint32_t>(
        std::min(MAX_ACK_DELAY_US, burst * 4 * 1'000'000 / window.pacingRate));
}

/** @param window of the sender @return the clock of ACK trains, us; wraps */
uint32_t
GetClock(const LinuxWindow& window)
{
    return static_cast<uint32_t>(LinuxClock::GetMicroseconds(window.now));
}

} // namespace

void
LinuxHystart::Restart(const LinuxWindow& window)
{
    m_roundStart = GetClock(window);
    m_lastAck = m_roundStart;
    m_roundEnd = window.sndNxt;
    m_roundMin = ~0U;
    m_samples = 0;
}

void
LinuxHystart::Rearm(const LinuxWindow& window)
{
    m_found = false;
    Restart(window);
}

void
LinuxHystart::Update(LinuxWindow& window, uint32_t delayUs, uint32_t minDelayUs)
{
    if (m_found)
    {
        return;
    }
    if (window.sndUna > m_roundEnd)
    {
        Restart(window);
    }
    if (window.cwnd < LOW_WINDOW)
    {
        return;
    }
    // Both detections see each ACK
    const bool train = IsTrainLong(window, minDelayUs);
    const bool delay = HasDelayGrown(delayUs, minDelayUs);
    if (train || delay)
    {
        m_found = true;
        window.ssthresh = window.cwnd;
    }
}

bool
LinuxHystart::IsTrainLong(const LinuxWindow& window, uint32_t minDelayUs)
{
    const uint32_t now = GetClock(window);
    if (static_cast<int32_t>(now - m_lastAck) > TRAIN_GAP_US)
    {
        return false;
    }
    m_lastAck = now;
    uint32_t threshold = minDelayUs + GetAckDelay(window);
    if (!window.needsPacing)
    {
        threshold >>= 1; // pacing in slow start spreads a window over half an RTT by itself
    }
    return now - m_roundStart > threshold;
}

bool
LinuxHystart::HasDelayGrown(uint32_t delayUs, uint32_t minDelayUs)
{
    m_roundMin = std::min(m_roundMin, delayUs);
    if (m_samples < MIN_SAMPLES)
    {
        ++m_samples;
        return false;
    }
    return m_roundMin > minDelayUs + GetThreshold(minDelayUs);
}

void
LinuxHystartPlus::EndRound(LinuxWindow& window)
{
    m_lastMin = m_roundMin;
    m_roundMin = NONE;
    m_samples = 0;
    m_roundEnd = window.sndNxt;
    if (m_conservative && ++m_rounds >= CSS_ROUNDS)
    {
        window.ssthresh = window.cwnd;
    }
}

void
LinuxHystartPlus::Update(LinuxWindow& window, uint32_t rttUs)
{
    if (window.ssthresh != LinuxWindow::NO_SSTHRESH)
    {
        return;
    }
    if (window.sndUna >= m_roundEnd)
    {
        EndRound(window);
    }
    m_roundMin = std::min(m_roundMin, rttUs);
    if (++m_samples < MIN_SAMPLES)
    {
        return;
    }
    if (m_conservative)
    {
        if (m_roundMin < m_baselineMin)
        {
            m_conservative = false;
            m_baselineMin = NONE;
        }
    }
    else if (m_lastMin != NONE && m_roundMin >= m_lastMin + GetThreshold(m_lastMin))
    {
        m_conservative = true;
        m_baselineMin = m_roundMin;
        m_rounds = 0;
        m_credit = 0;
    }
}

uint32_t
LinuxHystartPlus::Limit(const LinuxWindow& window, uint32_t acked)
{
    if (window.ssthresh != LinuxWindow::NO_SSTHRESH)
    {
        return acked;
    }
    if (!window.needsPacing)
    {
        acked = std::min(acked, UNPACED_LIMIT);
    }
    if (!m_conservative)
    {
        return acked;
    }
    m_credit += acked;
    const uint32_t segments = m_credit / CSS_GROWTH_DIVISOR;
    m_credit %= CSS_GROWTH_DIVISOR;
    return segments;
}

} // namespace ns3::gridftp
