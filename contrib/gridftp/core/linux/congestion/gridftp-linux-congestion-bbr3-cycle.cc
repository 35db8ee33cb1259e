/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-bbr3.h"

#include <algorithm>
#include <bit>

namespace ns3::gridftp
{

namespace
{

/// Rounds between probings, at most, and how many of them are random.
constexpr uint32_t MOST_PROBE_ROUNDS = 63;
constexpr uint32_t RANDOM_PROBE_ROUNDS = 2;
/// Time between probings: 2 s and up to 1 s more at random, us.
constexpr uint32_t PROBE_WAIT_US = 2'000'000;
constexpr uint32_t RANDOM_PROBE_WAIT_US = 1'000'000;
/// After marks without losses the first round of probing adds this part of inFlightHi.
constexpr uint32_t ECN_REPROBE_GAIN = BBR_GAIN_UNIT / 2;
/// The slope of inFlightHi doubles in this many rounds at most.
constexpr uint32_t MOST_UP_ROUNDS = 30;

} // namespace

bool
LinuxBbr3::IsProbing() const
{
    return m_mode == Mode::STARTUP ||
           (m_mode == Mode::PROBE_BW && (m_phase == Phase::REFILL || m_phase == Phase::UP));
}

uint32_t
LinuxBbr3::GetTargetInFlight(const LinuxWindow& window) const
{
    return std::min(GetInFlightTarget(window, GetBandwidth(), BBR_GAIN_UNIT), window.cwnd);
}

void
LinuxBbr3::SetPhase(Phase phase)
{
    m_phase = phase;
    m_mayTakeFastPath = false;
}

void
LinuxBbr3::StartRefill(const LinuxWindow& window, uint32_t rounds)
{
    ResetLowerBounds();
    m_upRounds = rounds;
    m_upAcked = 0;
    m_stoppedRisky = false;
    m_ackPhase = AckPhase::REFILLING;
    m_roundEnd = window.delivered;
    SetPhase(Phase::REFILL);
}

void
LinuxBbr3::StartUp(const LinuxWindow& window)
{
    m_ackPhase = AckPhase::PROBE_STARTING;
    m_roundEnd = window.delivered;
    m_phaseUs = LinuxClock::GetMicroseconds(window.now);
    ResetFullPipe();
    m_fullBandwidth = m_sample;
    SetPhase(Phase::UP);
    RaiseSlope(window);
}

void
LinuxBbr3::StartDown(const LinuxWindow& window)
{
    ResetSignals();
    m_upCount = NONE;
    m_roundsSinceProbe = Draw(RANDOM_PROBE_ROUNDS);
    m_probeWaitUs = PROBE_WAIT_US + Draw(RANDOM_PROBE_WAIT_US);
    m_phaseUs = LinuxClock::GetMicroseconds(window.now);
    m_ackPhase = AckPhase::PROBE_STOPPING;
    m_roundEnd = window.delivered;
    SetPhase(Phase::DOWN);
}

void
LinuxBbr3::StartCruise()
{
    if (m_bounds.inFlightLo != NONE)
    {
        m_bounds.inFlightLo = std::min(m_bounds.inFlightLo, m_bounds.inFlightHi);
    }
    SetPhase(Phase::CRUISE);
}

void
LinuxBbr3::RaiseSlope(const LinuxWindow& window)
{
    const uint32_t growth = 1U << m_upRounds;
    m_upRounds = std::min(m_upRounds + 1, MOST_UP_ROUNDS);
    m_upCount = std::max(window.cwnd / growth, 1U);
}

void
LinuxBbr3::RaiseInFlight(const LinuxWindow& window, const LinuxRateSample& sample)
{
    if (!window.isCwndLimited || window.cwnd < m_bounds.inFlightHi)
    {
        return;
    }
    m_upAcked += sample.ackedSacked;
    if (m_upAcked >= m_upCount)
    {
        const uint32_t more = m_upAcked / m_upCount;
        m_upAcked -= more * m_upCount;
        m_bounds.inFlightHi += more;
        m_mayTakeFastPath = false;
    }
    if (m_isRoundStart)
    {
        RaiseSlope(window);
    }
}

bool
LinuxBbr3::AdaptUpperBounds(const LinuxWindow& window, const LinuxRateSample& sample)
{
    if (m_ackPhase == AckPhase::PROBE_STARTING && m_isRoundStart)
    {
        m_ackPhase = AckPhase::PROBE_FEEDBACK;
    }
    if (m_ackPhase == AckPhase::PROBE_STOPPING && m_isRoundStart)
    {
        m_hasProbeSamples = false;
        m_ackPhase = AckPhase::INIT;
        if (m_mode == Mode::PROBE_BW && !sample.isAppLimited && m_maxima[1] != 0)
        {
            // The samples of this cycle contain those of probing: older ones are forgotten
            m_maxima = {m_maxima[1], 0};
        }
        if (m_mode == Mode::PROBE_BW && m_stoppedRisky && !m_wasTooHigh)
        {
            StartRefill(window, 0);
            return true;
        }
    }
    if (IsTooHigh(sample))
    {
        if (m_hasProbeSamples)
        {
            CutInFlight(window, sample.txInFlight, sample.isAppLimited);
        }
        return false;
    }
    if (m_bounds.inFlightHi == NONE)
    {
        return false;
    }
    m_bounds.inFlightHi = std::max(m_bounds.inFlightHi, sample.txInFlight);
    if (m_mode == Mode::PROBE_BW && m_phase == Phase::UP)
    {
        RaiseInFlight(window, sample);
    }
    return false;
}

bool
LinuxBbr3::CheckTimeToProbe(const LinuxWindow& window)
{
    if (m_isEcnEligible && m_hasEcnInCycle && !m_hasLossInCycle &&
        window.state == LinuxCaState::OPEN)
    {
        const uint64_t volume =
            static_cast<uint64_t>(m_bounds.inFlightHi) * ECN_REPROBE_GAIN >> BBR_GAIN_BITS;
        const auto bits = static_cast<uint32_t>(std::bit_width(volume));
        StartRefill(window, bits > 0 ? bits - 1 : 0);
        return true;
    }
    const uint32_t rounds = std::min(MOST_PROBE_ROUNDS, GetTargetInFlight(window));
    const uint64_t end = m_phaseUs + m_probeWaitUs;
    if (GetUsSince(window.now, end) > 0 || m_roundsSinceProbe >= rounds)
    {
        StartRefill(window, 0);
        return true;
    }
    return false;
}

void
LinuxBbr3::CheckProbeUp(const LinuxWindow& window, uint32_t inFlight)
{
    bool isDone = false;
    if (m_wasTooHigh && inFlight >= m_bounds.inFlightHi)
    {
        m_stoppedRisky = true;
        isDone = true;
    }
    else if (window.isCwndLimited && window.cwnd >= m_bounds.inFlightHi)
    {
        // inFlightHi, not the path, limits the bandwidth
        ResetFullPipe();
        m_fullBandwidth = m_sample;
    }
    else
    {
        isDone = m_isFullNow;
    }
    if (isDone)
    {
        m_wasTooHigh = false;
        StartDown(window);
    }
}

void
LinuxBbr3::UpdateCycle(const LinuxWindow& window, const LinuxRateSample& sample)
{
    if (!m_isPipeFull || AdaptUpperBounds(window, sample) || m_mode != Mode::PROBE_BW)
    {
        return;
    }
    const uint32_t inFlight = GetInNetworkAtDeparture(window, sample.priorInFlight);
    switch (m_phase)
    {
    case Phase::CRUISE:
        CheckTimeToProbe(window);
        break;
    case Phase::REFILL:
        if (m_isRoundStart)
        {
            m_hasProbeSamples = true;
            StartUp(window);
        }
        break;
    case Phase::UP:
        CheckProbeUp(window, inFlight);
        break;
    case Phase::DOWN:
        if (!CheckTimeToProbe(window) && inFlight <= GetHeadroomBound() &&
            inFlight <= GetInFlightTarget(window, GetMaxBandwidth(), BBR_GAIN_UNIT))
        {
            StartCruise();
        }
        break;
    }
}

} // namespace ns3::gridftp
