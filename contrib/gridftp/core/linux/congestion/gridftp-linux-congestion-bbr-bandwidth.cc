/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-bbr.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/// Length of the maximum filter of the bandwidth, rounds.
constexpr uint32_t BANDWIDTH_ROUNDS = BBR_CYCLE_PHASES + 2;
/// The pipe is full after this many rounds in which the bandwidth has not grown by a quarter.
constexpr uint32_t FULL_ROUNDS = 3;
constexpr uint32_t FULL_GROWTH = BBR_GAIN_UNIT * 5 / 4;

/// Rounds of an interval of policer detection, at least; four times as many at most.
constexpr uint32_t INTERVAL_ROUNDS = 4;
/// Lost of delivered segments of such an interval, at least, in units of 1/256: about 20 %.
constexpr uint32_t POLICED_LOSS = 50;
/// Two intervals differ by at most this fraction of the bandwidth, in units of 1/256 ...
constexpr uint32_t POLICED_DIFFERENCE = BBR_GAIN_UNIT / 8;
/// ... or by this rate, bytes/s.
constexpr uint64_t POLICED_RATE_DIFFERENCE = 4000 / 8;
/// Rounds for which a detected policer is assumed to exist.
constexpr uint32_t POLICED_ROUNDS = 48;
constexpr uint32_t US_PER_MS = 1000;

/** @param time a simulation time @return ms, rounded down; wraps */
uint32_t
GetMilliseconds(Nanoseconds time)
{
    return static_cast<uint32_t>(LinuxClock::GetMicroseconds(time) / US_PER_MS);
}

} // namespace

uint32_t
LinuxBbr::GetMaxBandwidth() const
{
    return m_maxBandwidth.Get();
}

uint32_t
LinuxBbr::GetBandwidth() const
{
    return m_longTerm.isUsed ? m_longTerm.bandwidth : GetMaxBandwidth();
}

void
LinuxBbr::UpdateBandwidth(const LinuxWindow& window, const LinuxRateSample& sample)
{
    m_isRoundStart = false;
    if (sample.delivered < 0 || sample.intervalUs <= 0)
    {
        return;
    }
    if (sample.priorDelivered >= m_roundEnd)
    {
        m_roundEnd = window.delivered;
        ++m_rounds;
        m_isRoundStart = true;
        m_conserves = false;
    }
    SampleLongTerm(window, sample);
    const uint64_t bandwidth = static_cast<uint64_t>(sample.delivered) * BBR_BANDWIDTH_UNIT /
                               static_cast<uint64_t>(sample.intervalUs);
    // What the application limits shows a lower bound of the bandwidth only
    if (!sample.isAppLimited || bandwidth >= GetMaxBandwidth())
    {
        m_maxBandwidth.Update(BANDWIDTH_ROUNDS, m_rounds, static_cast<uint32_t>(bandwidth));
    }
}

void
LinuxBbr::RestartLongTermInterval(const LinuxWindow& window)
{
    m_longTerm.lastMs = GetMilliseconds(window.deliveredAt);
    m_longTerm.lastDelivered = static_cast<uint32_t>(window.delivered);
    m_longTerm.lastLost = static_cast<uint32_t>(window.lost);
    m_longTerm.rounds = 0;
}

void
LinuxBbr::ResetLongTerm(const LinuxWindow& window)
{
    m_longTerm = {};
    RestartLongTermInterval(window);
}

bool
LinuxBbr::IsLongTermIntervalOver(const LinuxWindow& window, const LinuxRateSample& sample)
{
    if (!m_longTerm.isSampling)
    {
        // The first loss shows that the policer has used up its tokens
        if (sample.losses == 0)
        {
            return false;
        }
        RestartLongTermInterval(window);
        m_longTerm.isSampling = true;
    }
    if (sample.isAppLimited)
    {
        ResetLongTerm(window);
        return false;
    }
    if (m_isRoundStart)
    {
        ++m_longTerm.rounds;
    }
    if (m_longTerm.rounds > 4 * INTERVAL_ROUNDS)
    {
        ResetLongTerm(window);
        return false;
    }
    return m_longTerm.rounds >= INTERVAL_ROUNDS && sample.losses > 0;
}

void
LinuxBbr::SampleLongTerm(const LinuxWindow& window, const LinuxRateSample& sample)
{
    if (m_longTerm.isUsed)
    {
        if (m_mode == Mode::PROBE_BW && m_isRoundStart && ++m_longTerm.rounds >= POLICED_ROUNDS)
        {
            ResetLongTerm(window);
            EnterProbeBandwidth(window);
        }
        return;
    }
    if (!IsLongTermIntervalOver(window, sample))
    {
        return;
    }
    const uint32_t lost = static_cast<uint32_t>(window.lost) - m_longTerm.lastLost;
    const uint32_t delivered = static_cast<uint32_t>(window.delivered) - m_longTerm.lastDelivered;
    if (delivered == 0 || lost << BBR_GAIN_BITS < POLICED_LOSS * delivered)
    {
        return;
    }
    const uint32_t ms = GetMilliseconds(window.deliveredAt) - m_longTerm.lastMs;
    if (static_cast<int32_t>(ms) < 1)
    {
        return;
    }
    if (ms >= ~0U / US_PER_MS)
    {
        ResetLongTerm(window);
        return;
    }
    EndLongTermInterval(window,
                        static_cast<uint32_t>(delivered * BBR_BANDWIDTH_UNIT / (ms * US_PER_MS)));
}

void
LinuxBbr::EndLongTermInterval(const LinuxWindow& window, uint32_t bandwidth)
{
    if (m_longTerm.bandwidth != 0)
    {
        const auto change = static_cast<int32_t>(bandwidth - m_longTerm.bandwidth);
        const auto difference = static_cast<uint32_t>(change < 0 ? -change : change);
        if (difference * BBR_GAIN_UNIT <= POLICED_DIFFERENCE * m_longTerm.bandwidth ||
            GetBytesPerSecond(window, difference, BBR_GAIN_UNIT) <= POLICED_RATE_DIFFERENCE)
        {
            m_longTerm.bandwidth = (bandwidth + m_longTerm.bandwidth) >> 1;
            m_longTerm.isUsed = true;
            m_longTerm.rounds = 0;
            m_pacingGain = BBR_GAIN_UNIT;
            return;
        }
    }
    m_longTerm.bandwidth = bandwidth;
    RestartLongTermInterval(window);
}

void
LinuxBbr::CheckFullPipe(const LinuxRateSample& sample)
{
    if (m_isPipeFull || !m_isRoundStart || sample.isAppLimited)
    {
        return;
    }
    const auto needed = static_cast<uint32_t>(
        static_cast<uint64_t>(m_fullBandwidth) * FULL_GROWTH >> BBR_GAIN_BITS);
    if (GetMaxBandwidth() >= needed)
    {
        m_fullBandwidth = GetMaxBandwidth();
        m_fullRounds = 0;
        return;
    }
    ++m_fullRounds;
    m_isPipeFull = m_fullRounds >= FULL_ROUNDS;
}

} // namespace ns3::gridftp
