/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-bbr.h"

#include <algorithm>

namespace ns3::gridftp
{

/** @return the row of bbr */
LinuxCongestionKind DeclareLinuxBbr();

namespace
{

/// Gain of STARTUP: 2 / ln 2, by which a paced sender doubles its rate each round; of DRAIN: its
/// reciprocal.
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
/// Below this pacing rate, bytes/s, a burst is one segment.
constexpr uint64_t MIN_TSO_RATE = 1'200'000 >> 3;
/// A burst is what leaves in 2^-10 s (sk_pacing_shift), and at most 64 KiB with headers.
constexpr uint32_t PACING_SHIFT = 10;
constexpr uint64_t MAX_BURST_BYTES = 65'536 - BBR_HEADER_ROOM;
constexpr uint32_t MAX_BURST_SEGMENTS = 0x7f;
/// Segments that are delivered before cwnd has to be below its target: TCP_INIT_CWND.
constexpr uint32_t INITIAL_CWND = 10;
/// Length of each of the two windows of the maximum of ACK aggregation, rounds.
constexpr uint32_t AGGREGATION_ROUNDS = 5;

} // namespace

LinuxBbr::LinuxBbr(const LinuxCongestionParameters& parameters)
    : LinuxBbrBase(parameters, {.startupGain = HIGH_GAIN})
{
}

void
LinuxBbr::Init(LinuxWindow& window)
{
    Start(window);
    m_maxBandwidth.Reset(m_rounds, 0);
    ResetLongTerm(window);
}

uint32_t
LinuxBbr::GetSsthresh(LinuxWindow& window)
{
    SaveCwnd(window);
    return window.ssthresh;
}

void
LinuxBbr::Control(LinuxWindow& window, const LinuxRateSample& sample)
{
    UpdateBandwidth(window, sample);
    UpdateAggregation(window, sample, AGGREGATION_ROUNDS);
    UpdateCycle(window, sample);
    CheckFullPipe(sample);
    CheckDrain(window);
    UpdateMinRtt(window, sample);
    UpdateGains();
    SetPacingRate(window, GetBandwidth(), m_pacingGain);
    SetCwnd(window, sample);
}

void
LinuxBbr::HandleState(LinuxWindow& window, LinuxCaState next)
{
    if (next != LinuxCaState::LOSS)
    {
        return;
    }
    m_lastState = LinuxCaState::LOSS;
    m_fullBandwidth = 0;
    m_isRoundStart = true;
    LinuxRateSample loss;
    loss.losses = 1;
    SampleLongTerm(window, loss);
}

uint32_t
LinuxBbr::GetUndoCwnd(LinuxWindow& window)
{
    m_fullBandwidth = 0;
    m_fullRounds = 0;
    ResetLongTerm(window);
    return window.cwnd;
}

uint32_t
LinuxBbr::GetMinTsoSegments(const LinuxWindow& window) const
{
    return window.pacingRate < MIN_TSO_RATE ? 1 : 2;
}

uint32_t
LinuxBbr::GetTsoGoal(const LinuxWindow& window) const
{
    const uint64_t bytes = std::min(window.pacingRate >> PACING_SHIFT, MAX_BURST_BYTES);
    const auto segments = static_cast<uint32_t>(bytes) / window.mss;
    return std::min(std::max(segments, GetMinTsoSegments(window)), MAX_BURST_SEGMENTS);
}

uint32_t
LinuxBbr::AddQuantization(const LinuxWindow& window, uint32_t cwnd) const
{
    // One burst in the queue of the host, one in its NIC, one at the receiver
    cwnd += 3 * GetTsoGoal(window);
    cwnd = (cwnd + 1) & ~1U;
    if (m_mode == Mode::PROBE_BW && m_phase == 0)
    {
        cwnd += 2; // also a small BDP has to be exceeded in order to probe
    }
    return cwnd;
}

uint32_t
LinuxBbr::GetProbeRttCwnd() const
{
    return BBR_MIN_CWND;
}

void
LinuxBbr::LeaveProbeRtt(LinuxWindow& window)
{
    m_minRttAt = m_clock.GetTicks(window.now);
    if (m_isPipeFull)
    {
        EnterProbeBandwidth(window);
    }
    else
    {
        m_mode = Mode::STARTUP;
    }
}

bool
LinuxBbr::RecoverOrRestore(const LinuxWindow& window, const LinuxRateSample& sample, uint32_t& cwnd)
{
    if (sample.losses > 0)
    {
        cwnd = static_cast<uint32_t>(std::max(static_cast<int32_t>(cwnd - sample.losses), 1));
    }
    const LinuxCaState last = m_lastState;
    m_lastState = window.state;
    const uint32_t conserved = window.GetInFlight() + sample.ackedSacked;
    if (window.state == LinuxCaState::RECOVERY && last != LinuxCaState::RECOVERY)
    {
        m_conserves = true;
        m_roundEnd = window.delivered;
        cwnd = conserved;
    }
    else if (last >= LinuxCaState::RECOVERY && window.state < LinuxCaState::RECOVERY)
    {
        cwnd = std::max(cwnd, m_priorCwnd);
        m_conserves = false;
    }
    if (m_conserves)
    {
        cwnd = std::max(cwnd, conserved);
    }
    return m_conserves;
}

void
LinuxBbr::SetCwnd(LinuxWindow& window, const LinuxRateSample& sample)
{
    const uint32_t acked = sample.ackedSacked;
    uint32_t cwnd = window.cwnd;
    if (acked > 0 && !RecoverOrRestore(window, sample, cwnd))
    {
        const uint32_t excess = m_isPipeFull ? GetAggregationBudget() : 0;
        const uint32_t target =
            AddQuantization(window, GetBdp(GetBandwidth(), m_cwndGain) + excess);
        if (m_isPipeFull)
        {
            cwnd = std::min(cwnd + acked, target);
        }
        else if (cwnd < target || window.delivered < INITIAL_CWND)
        {
            cwnd += acked;
        }
        cwnd = std::max(cwnd, BBR_MIN_CWND);
    }
    window.cwnd = std::min(cwnd, window.cwndClamp);
    if (m_mode == Mode::PROBE_RTT)
    {
        window.cwnd = std::min(window.cwnd, BBR_MIN_CWND);
    }
}

bool
LinuxBbr::IsPhaseOver(const LinuxWindow& window, const LinuxRateSample& sample) const
{
    const bool isFullLength = GetUsSince(window.deliveredAt, m_phaseUs) > m_minRttUs;
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
    m_mode = Mode::PROBE_BW;
    m_phase = BBR_CYCLE_PHASES - 1 - Draw(RANDOM_PHASES);
    AdvancePhase(window);
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

LinuxCongestionKind
DeclareLinuxBbr()
{
    return {
        .name = "bbr",
        .make = [](const LinuxCongestionParameters& parameters)
            -> std::unique_ptr<LinuxCongestionControl> {
            return std::make_unique<LinuxBbr>(parameters);
        },
    };
}

} // namespace ns3::gridftp
