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

/// Gain of STARTUP: 2 / ln 2, by which a paced sender doubles its rate each round.
constexpr uint32_t HIGH_GAIN = BBR_GAIN_UNIT * 2885 / 1000 + 1;
/// The sender paces 1 % below the bandwidth, on average; this is USEC_PER_SEC less 1 %.
constexpr uint64_t PACED_US_PER_SECOND = 1'000'000 / 100 * (100 - 1);
/// Below this pacing rate, bytes/s, a burst is one segment.
constexpr uint64_t MIN_TSO_RATE = 1'200'000 >> 3;
/// A burst is what leaves in 2^-10 s (sk_pacing_shift), and at most 64 KiB with headers.
constexpr uint32_t PACING_SHIFT = 10;
constexpr uint64_t MAX_BURST_BYTES = 65'536 - 1 - 320;
constexpr uint32_t MAX_BURST_SEGMENTS = 0x7f;
/// cwnd before the first RTT, segments: TCP_INIT_CWND.
constexpr uint32_t INITIAL_CWND = 10;
/// RTT before the first measured one, us.
constexpr uint32_t NOMINAL_RTT_US = 1000;
/// The send buffer holds this many windows.
constexpr uint32_t SEND_BUFFER_FACTOR = 3;

} // namespace

LinuxBbr::LinuxBbr(const LinuxCongestionParameters& parameters)
    : m_clock(parameters.hz),
      m_seed(parameters.seed)
{
}

void
LinuxBbr::Init(LinuxWindow& window)
{
    window.ssthresh = LinuxWindow::NO_SSTHRESH;
    window.needsPacing = true;
    m_roundEnd = window.delivered;
    m_minRttUs = window.minRttUs;
    m_minRttAt = m_clock.GetTicks(window.now);
    m_maxBandwidth.Reset(m_rounds, 0);
    InitPacingRate(window);
    ResetLongTerm(window);
    m_aggregation.epochUs = LinuxClock::GetMicroseconds(window.now);
}

uint32_t
LinuxBbr::GetSsthresh(LinuxWindow& window)
{
    SaveCwnd(window);
    return window.ssthresh;
}

bool
LinuxBbr::HasControl() const
{
    return true;
}

void
LinuxBbr::Control(LinuxWindow& window, const LinuxRateSample& sample)
{
    UpdateBandwidth(window, sample);
    UpdateAggregation(window, sample);
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

void
LinuxBbr::HandleEvent(LinuxWindow& window, LinuxCaEvent event)
{
    if (event != LinuxCaEvent::TRANSMISSION_START || window.appLimited == 0)
    {
        return;
    }
    m_isIdleRestart = true;
    m_aggregation.epochUs = LinuxClock::GetMicroseconds(window.now);
    m_aggregation.epochAcked = 0;
    if (m_mode == Mode::PROBE_BW)
    {
        SetPacingRate(window, GetBandwidth(), BBR_GAIN_UNIT);
    }
    else if (m_mode == Mode::PROBE_RTT)
    {
        CheckProbeRttDone(window);
    }
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
LinuxBbr::GetSendBufferFactor() const
{
    return SEND_BUFFER_FACTOR;
}

uint64_t
LinuxBbr::GetBytesPerSecond(const LinuxWindow& window, uint64_t rate, uint32_t gain)
{
    // This order keeps 2.9 Tbit/s within 64 bits
    rate = rate * window.mss * gain >> BBR_GAIN_BITS;
    return rate * PACED_US_PER_SECOND >> BBR_BANDWIDTH_BITS;
}

uint64_t
LinuxBbr::GetPacingRate(const LinuxWindow& window, uint32_t bandwidth, uint32_t gain)
{
    return std::min(GetBytesPerSecond(window, bandwidth, gain), window.maxPacingRate);
}

void
LinuxBbr::InitPacingRate(LinuxWindow& window)
{
    uint32_t rttUs = NOMINAL_RTT_US;
    if (window.srttUs8 != 0)
    {
        rttUs = std::max(window.srttUs8 >> 3, 1U);
        m_hasSeenRtt = true;
    }
    const auto bandwidth = static_cast<uint32_t>(window.cwnd * BBR_BANDWIDTH_UNIT / rttUs);
    window.pacingRate = GetPacingRate(window, bandwidth, HIGH_GAIN);
}

void
LinuxBbr::SetPacingRate(LinuxWindow& window, uint32_t bandwidth, uint32_t gain)
{
    const uint64_t rate = GetPacingRate(window, bandwidth, gain);
    if (!m_hasSeenRtt && window.srttUs8 != 0)
    {
        InitPacingRate(window);
    }
    if (m_isPipeFull || rate > window.pacingRate)
    {
        window.pacingRate = rate;
    }
}

uint32_t
LinuxBbr::GetTsoGoal(const LinuxWindow& window) const
{
    const uint64_t bytes = std::min(window.pacingRate >> PACING_SHIFT, MAX_BURST_BYTES);
    const auto segments = static_cast<uint32_t>(bytes) / window.mss;
    return std::min(std::max(segments, GetMinTsoSegments(window)), MAX_BURST_SEGMENTS);
}

void
LinuxBbr::SaveCwnd(const LinuxWindow& window)
{
    const bool isReduced = m_lastState >= LinuxCaState::RECOVERY || m_mode == Mode::PROBE_RTT;
    m_priorCwnd = isReduced ? std::max(m_priorCwnd, window.cwnd) : window.cwnd;
}

uint32_t
LinuxBbr::GetBdp(uint32_t bandwidth, uint32_t gain) const
{
    if (m_minRttUs == LinuxWindow::NO_RTT)
    {
        return INITIAL_CWND;
    }
    const uint64_t product = static_cast<uint64_t>(bandwidth) * m_minRttUs;
    return static_cast<uint32_t>(((product * gain >> BBR_GAIN_BITS) + BBR_BANDWIDTH_UNIT - 1) /
                                 BBR_BANDWIDTH_UNIT);
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
LinuxBbr::GetInFlightTarget(const LinuxWindow& window, uint32_t bandwidth, uint32_t gain) const
{
    return AddQuantization(window, GetBdp(bandwidth, gain));
}

uint32_t
LinuxBbr::GetInNetworkAtDeparture(const LinuxWindow& window, uint32_t inFlight) const
{
    const Nanoseconds departure = std::max(window.nextDepartureAt, window.now);
    const auto waitUs = static_cast<uint64_t>((departure - window.now) / 1000);
    const auto delivered = static_cast<uint32_t>(GetBandwidth() * waitUs >> BBR_BANDWIDTH_BITS);
    if (m_pacingGain > BBR_GAIN_UNIT)
    {
        inFlight += GetTsoGoal(window);
    }
    return delivered >= inFlight ? 0 : inFlight - delivered;
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
        const uint32_t target =
            AddQuantization(window, GetBdp(GetBandwidth(), m_cwndGain) + GetAggregationBudget());
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
