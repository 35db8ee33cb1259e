/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-bbr3.h"

#include <algorithm>

namespace ns3::gridftp
{

/** @return the row of bbr3 */
LinuxCongestionKind DeclareLinuxBbr3();

namespace
{

/// Pacing gain of STARTUP, 4 ln 2, and of DRAIN.
constexpr uint32_t STARTUP_GAIN = BBR_GAIN_UNIT * 277 / 100 + 1;
constexpr uint32_t DRAIN_GAIN = BBR_GAIN_UNIT * 1000 / 2885;
/// Gain of cwnd, and how much more it is while probing for bandwidth.
constexpr uint32_t CWND_GAIN = BBR_GAIN_UNIT * 2;
constexpr uint32_t PROBE_CWND_GAIN = BBR_GAIN_UNIT / 4;
/// Pacing gains of UP, DOWN, CRUISE and REFILL.
constexpr std::array<uint32_t, 4> CYCLE{BBR_GAIN_UNIT * 5 / 4,
                                        BBR_GAIN_UNIT * 91 / 100,
                                        BBR_GAIN_UNIT,
                                        BBR_GAIN_UNIT};
/// cwnd of PROBE_RTT, of the bandwidth-delay product.
constexpr uint32_t PROBE_RTT_GAIN = BBR_GAIN_UNIT / 2;
/// The minimum RTT is measured anew after 5 s; that of the last 10 s counts, s.
constexpr uint32_t PROBE_RTT_S = 5;
constexpr uint32_t MIN_RTT_S = 10;
/// The initial cwnd that is remembered, at most.
constexpr uint32_t MOST_INITIAL_CWND = 0x7f;
/// Lengths of each of the two windows of the maximum of ACK aggregation, rounds.
constexpr uint32_t AGGREGATION_ROUNDS = 5;
constexpr uint32_t STARTUP_AGGREGATION_ROUNDS = 1;
/// A burst is what leaves in 2^-10 s, and 64 KiB, halved for each 512 us of the minimum RTT, more.
constexpr uint32_t PACING_SHIFT = 10;
constexpr uint32_t TSO_RTT_SHIFT = 9;
constexpr uint32_t TSO_BYTES = 65'536;
constexpr uint32_t MIN_TSO_SEGMENTS = 2;

/** @param window of the sender @param minRttUs minimum RTT, us @param most largest burst, bytes
 * @return segments of a burst */
uint32_t
GetBurst(const LinuxWindow& window, uint32_t minRttUs, uint32_t most)
{
    uint64_t bytes = window.pacingRate >> PACING_SHIFT;
    const uint32_t halvings = minRttUs >> TSO_RTT_SHIFT;
    if (halvings < 32)
    {
        bytes += TSO_BYTES >> halvings;
    }
    const uint32_t bounded = std::min(static_cast<uint32_t>(bytes), most - BBR_HEADER_ROOM);
    return std::max(bounded / window.mss, MIN_TSO_SEGMENTS);
}

} // namespace

LinuxBbr3::LinuxBbr3(const LinuxCongestionParameters& parameters)
    : LinuxBbrBase(parameters, {.startupGain = STARTUP_GAIN, .leastRate = 1})
{
}

void
LinuxBbr3::Init(LinuxWindow& window)
{
    m_initialCwnd = std::min(MOST_INITIAL_CWND, window.cwnd);
    m_priorCwnd = window.priorCwnd;
    Start(window);
    m_probeRttMinUs = m_minRttUs;
    m_probeRttMinAt = m_minRttAt;
    m_lossRoundEnd = window.delivered + 1; // behind the first flight
}

uint32_t
LinuxBbr3::GetSsthresh(LinuxWindow& window)
{
    SaveCwnd(window);
    m_undo = m_bounds;
    return window.ssthresh;
}

uint32_t
LinuxBbr3::GetUndoCwnd(LinuxWindow& /* window */)
{
    ResetFullPipe();
    m_hasLossInRound = false;
    m_bounds.bandwidthLo = std::max(m_bounds.bandwidthLo, m_undo.bandwidthLo);
    m_bounds.inFlightLo = std::max(m_bounds.inFlightLo, m_undo.inFlightLo);
    m_bounds.inFlightHi = std::max(m_bounds.inFlightHi, m_undo.inFlightHi);
    m_mayTakeFastPath = false;
    return m_priorCwnd;
}

void
LinuxBbr3::HandleState(LinuxWindow& window, LinuxCaState next)
{
    if (next == LinuxCaState::LOSS)
    {
        m_lastState = LinuxCaState::LOSS;
        ResetFullPipe();
        if (!IsProbing() && m_bounds.inFlightLo == NONE)
        {
            m_bounds.inFlightLo = std::max(window.cwnd, m_priorCwnd);
        }
    }
    else if (m_lastState == LinuxCaState::LOSS)
    {
        window.cwnd = std::max(window.cwnd, m_priorCwnd);
        m_mayTakeFastPath = false;
    }
}

void
LinuxBbr3::HandleEvent(LinuxWindow& window, LinuxCaEvent event)
{
    if (event == LinuxCaEvent::TLP_RECOVERY)
    {
        HandleTlpRecovery(window);
    }
    else
    {
        LinuxBbrBase::HandleEvent(window, event);
    }
}

uint32_t
LinuxBbr3::GetTsoSegments(const LinuxWindow& window) const
{
    return GetBurst(window, m_minRttUs, window.tsoBytes - BBR_HEADER_ROOM);
}

uint32_t
LinuxBbr3::GetTsoGoal(const LinuxWindow& window) const
{
    return GetBurst(window, m_minRttUs, TSO_BYTES);
}

uint32_t
LinuxBbr3::AddQuantization(const LinuxWindow& window, uint32_t cwnd) const
{
    cwnd = std::max({cwnd, 3 * GetTsoGoal(window), BBR_MIN_CWND});
    return m_mode == Mode::PROBE_BW && m_phase == Phase::UP ? cwnd + 2 : cwnd;
}

uint32_t
LinuxBbr3::GetProbeRttCwnd() const
{
    return std::max(BBR_MIN_CWND, GetBdp(GetBandwidth(), PROBE_RTT_GAIN));
}

void
LinuxBbr3::LeaveProbeRtt(LinuxWindow& window)
{
    m_probeRttMinAt = m_clock.GetTicks(window.now);
    ResetLowerBounds();
    if (!m_isPipeFull)
    {
        m_mode = Mode::STARTUP;
        return;
    }
    m_mode = Mode::PROBE_BW;
    StartDown(window);
    StartCruise();
}

void
LinuxBbr3::Control(LinuxWindow& window, const LinuxRateSample& sample)
{
    UpdateRound(window, sample);
    m_hasEcnInRound = m_hasEcnInRound || (m_isEcnEligible && sample.isEce);
    UpdateSampleBandwidth(sample);
    UpdateLatest(window, sample);
    bool updates = true;
    if (!TakeFastPath(window, sample, updates))
    {
        if (updates)
        {
            UpdateModel(window, sample);
        }
        UpdateGains();
        SetPacingRate(window, GetBandwidth(), m_pacingGain);
        SetCwnd(window, sample);
        BoundCwnd(window);
    }
    AdvanceLatest(sample);
    m_lastState = window.state;
    m_hasLossInCycle = m_hasLossInCycle || sample.lost > 0;
    m_hasEcnInCycle = m_hasEcnInCycle || sample.deliveredCe > 0;
}

void
LinuxBbr3::UpdateModel(LinuxWindow& window, const LinuxRateSample& sample)
{
    UpdateSignals(window, sample);
    UpdateAggregation(window,
                      sample,
                      m_isPipeFull ? AGGREGATION_ROUNDS : STARTUP_AGGREGATION_ROUNDS);
    CheckStartupLoss(window, sample);
    CheckFullPipe(sample);
    CheckDrain(window);
    UpdateCycle(window, sample);
    UpdateMinRtt(window, sample);
}

bool
LinuxBbr3::TakeFastPath(LinuxWindow& window, const LinuxRateSample& sample, bool& updates)
{
    if (!m_mayTakeFastPath || !sample.isAppLimited || m_sample >= GetMaxBandwidth() ||
        m_hasLossInRound || m_hasEcnInRound)
    {
        return false;
    }
    const Mode mode = m_mode;
    const uint32_t minRttUs = m_minRttUs;
    CheckDrain(window);
    UpdateCycle(window, sample);
    UpdateMinRtt(window, sample);
    if (m_mode == mode && m_minRttUs == minRttUs && m_mayTakeFastPath)
    {
        return true;
    }
    updates = false;
    return false;
}

void
LinuxBbr3::CheckDrain(LinuxWindow& window)
{
    if (m_mode == Mode::STARTUP && m_isPipeFull)
    {
        m_mode = Mode::DRAIN;
        window.ssthresh = GetInFlightTarget(window, GetMaxBandwidth(), BBR_GAIN_UNIT);
        ResetSignals();
    }
    if (m_mode == Mode::DRAIN && GetInNetworkAtDeparture(window, window.GetInFlight()) <=
                                     GetInFlightTarget(window, GetMaxBandwidth(), BBR_GAIN_UNIT))
    {
        m_mode = Mode::PROBE_BW;
        StartDown(window);
    }
}

void
LinuxBbr3::UpdateMinRtt(LinuxWindow& window, const LinuxRateSample& sample)
{
    const uint32_t now = m_clock.GetTicks(window.now);
    const uint32_t hz = m_clock.GetHz();
    const bool isProbeDue = LinuxClock::IsAfter(now, m_probeRttMinAt + PROBE_RTT_S * hz);
    if (sample.rttUs >= 0 &&
        (sample.rttUs < m_probeRttMinUs || (isProbeDue && !sample.isAckDelayed)))
    {
        m_probeRttMinUs = static_cast<uint32_t>(sample.rttUs);
        m_probeRttMinAt = now;
    }
    if (m_probeRttMinUs <= m_minRttUs || LinuxClock::IsAfter(now, m_minRttAt + MIN_RTT_S * hz))
    {
        m_minRttUs = m_probeRttMinUs;
        m_minRttAt = m_probeRttMinAt;
    }
    if (isProbeDue && !m_isIdleRestart && m_mode != Mode::PROBE_RTT)
    {
        m_mode = Mode::PROBE_RTT;
        SaveCwnd(window);
        m_probeRttDoneAt = 0;
        m_ackPhase = AckPhase::PROBE_STOPPING;
        m_roundEnd = window.delivered;
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
LinuxBbr3::UpdateGains()
{
    switch (m_mode)
    {
    case Mode::STARTUP:
        m_pacingGain = STARTUP_GAIN;
        m_cwndGain = CWND_GAIN;
        break;
    case Mode::DRAIN:
        m_pacingGain = DRAIN_GAIN;
        m_cwndGain = CWND_GAIN;
        break;
    case Mode::PROBE_BW:
        m_pacingGain = CYCLE[static_cast<uint8_t>(m_phase)];
        m_cwndGain = CWND_GAIN + (m_phase == Phase::UP ? PROBE_CWND_GAIN : 0);
        break;
    case Mode::PROBE_RTT:
        m_pacingGain = BBR_GAIN_UNIT;
        m_cwndGain = BBR_GAIN_UNIT;
        break;
    }
}

void
LinuxBbr3::SetCwnd(LinuxWindow& window, const LinuxRateSample& sample)
{
    uint32_t cwnd = window.cwnd;
    if (sample.ackedSacked > 0)
    {
        const uint32_t target =
            AddQuantization(window, GetBdp(GetBandwidth(), m_cwndGain) + GetAggregationBudget());
        m_mayTakeFastPath = false;
        if (m_isPipeFull)
        {
            cwnd += sample.ackedSacked;
            if (cwnd >= target)
            {
                cwnd = target;
                m_mayTakeFastPath = true;
            }
        }
        else if (cwnd < target || cwnd < 2 * m_initialCwnd)
        {
            cwnd += sample.ackedSacked;
        }
        else
        {
            m_mayTakeFastPath = true;
        }
        cwnd = std::max(cwnd, BBR_MIN_CWND);
    }
    window.cwnd = std::min(cwnd, window.cwndClamp);
    if (m_mode == Mode::PROBE_RTT)
    {
        window.cwnd = std::min(window.cwnd, GetProbeRttCwnd());
    }
}

void
LinuxBbr3::BoundCwnd(LinuxWindow& window) const
{
    uint32_t bound = NONE;
    const bool isCruising = m_mode == Mode::PROBE_BW && m_phase == Phase::CRUISE;
    if (isCruising || m_mode == Mode::PROBE_RTT)
    {
        bound = GetHeadroomBound();
    }
    else if (m_mode == Mode::PROBE_BW)
    {
        bound = m_bounds.inFlightHi;
    }
    bound = std::max(std::min(bound, m_bounds.inFlightLo), BBR_MIN_CWND);
    window.cwnd = std::min(bound, window.cwnd);
}

LinuxCongestionKind
DeclareLinuxBbr3()
{
    return {
        .name = "bbr3",
        .make = [](const LinuxCongestionParameters& parameters)
            -> std::unique_ptr<LinuxCongestionControl> {
            return std::make_unique<LinuxBbr3>(parameters);
        },
    };
}

} // namespace ns3::gridftp
