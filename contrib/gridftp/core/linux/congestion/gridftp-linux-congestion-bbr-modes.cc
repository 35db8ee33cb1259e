/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-bbr.h"
#include "gridftp-random.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/// Gains of STARTUP, of the pacing rate and cwnd, and of DRAIN, its reciprocal.
constexpr uint32_t HIGH_GAIN = BBR_GAIN_UNIT * 2885 / 1000 + 1;
constexpr uint32_t DRAIN_GAIN = BBR_GAIN_UNIT * 1000 / 2885;
/// Gain of cwnd in PROBE_BW.
constexpr uint32_t CWND_GAIN = BBR_GAIN_UNIT * 2;
/// Pacing gains of the cycle of PROBE_BW: probe, drain, cruise.
constexpr std::array<uint32_t, BBR_CYCLE_PHASES> CYCLE{BBR_GAIN_UNIT * 5 / 4,
                                                       BBR_GAIN_UNIT * 3 / 4,
                                                       BBR_GAIN_UNIT,
                                                       BBR_GAIN_UNIT,
                                                       BBR_GAIN_UNIT,
                                                       BBR_GAIN_UNIT,
                                                       BBR_GAIN_UNIT,
                                                       BBR_GAIN_UNIT};
/// PROBE_BW starts at one of this many phases at random: at all but the draining one.
constexpr uint32_t RANDOM_PHASES = 7;
/// The minimum RTT is measured anew after this time, s.
constexpr uint32_t MIN_RTT_S = 10;
/// PROBE_RTT takes this time, us, and a round at least.
constexpr uint32_t PROBE_RTT_US = 200'000;

} // namespace

bool
LinuxBbr::IsPhaseOver(const LinuxWindow& window, const LinuxRateSample& sample) const
{
    const uint64_t now = LinuxClock::GetMicroseconds(window.deliveredAt);
    const auto length = static_cast<uint32_t>(now > m_phaseUs ? now - m_phaseUs : 0);
    const bool isFullLength = length > m_minRttUs;
    if (m_pacingGain == BBR_GAIN_UNIT)
    {
        return isFullLength;
    }
    const uint32_t inFlight = GetInNetworkAtDeparture(window, sample.priorInFlight);
    const uint32_t bandwidth = GetMaxBandwidth();
    if (m_pacingGain > BBR_GAIN_UNIT)
    {
        return isFullLength && (sample.losses > 0 ||
                                inFlight >= GetInFlightTarget(window, bandwidth, m_pacingGain));
    }
    return isFullLength || inFlight <= GetInFlightTarget(window, bandwidth, BBR_GAIN_UNIT);
}

void
LinuxBbr::AdvancePhase(const LinuxWindow& window)
{
    m_phase = (m_phase + 1) % BBR_CYCLE_PHASES;
    m_phaseUs = LinuxClock::GetMicroseconds(window.deliveredAt);
}

void
LinuxBbr::UpdateCycle(const LinuxWindow& window, const LinuxRateSample& sample)
{
    if (m_mode == Mode::PROBE_BW && IsPhaseOver(window, sample))
    {
        AdvancePhase(window);
    }
}

void
LinuxBbr::EnterProbeBandwidth(const LinuxWindow& window)
{
    const uint64_t bits = KeyedRandom({m_seed, m_draws++});
    m_mode = Mode::PROBE_BW;
    m_phase = BBR_CYCLE_PHASES - 1 - static_cast<uint32_t>(UniformBelow(bits, RANDOM_PHASES));
    AdvancePhase(window);
}

void
LinuxBbr::LeaveProbeRtt(const LinuxWindow& window)
{
    if (m_isPipeFull)
    {
        EnterProbeBandwidth(window);
    }
    else
    {
        m_mode = Mode::STARTUP;
    }
}

void
LinuxBbr::CheckDrain(LinuxWindow& window)
{
    if (m_mode == Mode::STARTUP && m_isPipeFull)
    {
        m_mode = Mode::DRAIN;
        window.ssthresh = GetInFlightTarget(window, GetMaxBandwidth(), BBR_GAIN_UNIT);
    }
    if (m_mode == Mode::DRAIN && GetInNetworkAtDeparture(window, window.GetInFlight()) <=
                                     GetInFlightTarget(window, GetMaxBandwidth(), BBR_GAIN_UNIT))
    {
        EnterProbeBandwidth(window);
    }
}

void
LinuxBbr::CheckProbeRttDone(LinuxWindow& window)
{
    const uint32_t now = m_clock.GetTicks(window.now);
    if (m_probeRttDoneAt == 0 || !LinuxClock::IsAfter(now, m_probeRttDoneAt))
    {
        return;
    }
    m_minRttAt = now;
    window.cwnd = std::max(window.cwnd, m_priorCwnd);
    LeaveProbeRtt(window);
}

void
LinuxBbr::UpdateMinRtt(LinuxWindow& window, const LinuxRateSample& sample)
{
    const uint32_t now = m_clock.GetTicks(window.now);
    const bool hasExpired = LinuxClock::IsAfter(now, m_minRttAt + MIN_RTT_S * m_clock.GetHz());
    if (sample.rttUs >= 0 && (sample.rttUs < m_minRttUs || (hasExpired && !sample.isAckDelayed)))
    {
        m_minRttUs = static_cast<uint32_t>(sample.rttUs);
        m_minRttAt = now;
    }
    if (hasExpired && !m_isIdleRestart && m_mode != Mode::PROBE_RTT)
    {
        m_mode = Mode::PROBE_RTT;
        SaveCwnd(window);
        m_probeRttDoneAt = 0;
    }
    if (m_mode == Mode::PROBE_RTT)
    {
        ProbeRtt(window);
    }
    if (sample.delivered > 0)
    {
        m_isIdleRestart = false;
    }
}

void
LinuxBbr::ProbeRtt(LinuxWindow& window)
{
    // Rates of this mode do not show the bandwidth
    window.appLimited = std::max<uint64_t>(window.delivered + window.GetInFlight(), 1);
    if (m_probeRttDoneAt == 0 && window.GetInFlight() <= BBR_MIN_CWND)
    {
        m_probeRttDoneAt = m_clock.GetTicks(window.now) + m_clock.GetTicksOf(PROBE_RTT_US);
        m_isProbeRttRoundDone = false;
        m_roundEnd = window.delivered;
    }
    else if (m_probeRttDoneAt != 0)
    {
        m_isProbeRttRoundDone = m_isProbeRttRoundDone || m_isRoundStart;
        if (m_isProbeRttRoundDone)
        {
            CheckProbeRttDone(window);
        }
    }
}

void
LinuxBbr::UpdateGains()
{
    switch (m_mode)
    {
    case Mode::STARTUP:
        m_pacingGain = HIGH_GAIN;
        m_cwndGain = HIGH_GAIN;
        break;
    case Mode::DRAIN:
        m_pacingGain = DRAIN_GAIN;
        m_cwndGain = HIGH_GAIN;
        break;
    case Mode::PROBE_BW:
        m_pacingGain = m_longTerm.isUsed ? BBR_GAIN_UNIT : CYCLE[m_phase];
        m_cwndGain = CWND_GAIN;
        break;
    case Mode::PROBE_RTT:
        m_pacingGain = BBR_GAIN_UNIT;
        m_cwndGain = BBR_GAIN_UNIT;
        break;
    }
}

} // namespace ns3::gridftp
