/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-bbr-base.h"

#include "gridftp-random.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/// The sender paces 1 % below the bandwidth, on average; this is USEC_PER_SEC less 1 %.
constexpr uint64_t PACED_US_PER_SECOND = 1'000'000 / 100 * (100 - 1);
/// RTT before the first measured one, us.
constexpr uint32_t NOMINAL_RTT_US = 1000;
/// The send buffer holds this many windows.
constexpr uint32_t SEND_BUFFER_FACTOR = 3;
/// PROBE_RTT takes this time, us, and a round at least.
constexpr uint32_t PROBE_RTT_US = 200'000;
/// A sampling epoch of ACK aggregation ends before this many segments.
constexpr uint32_t AGGREGATION_LIMIT = 1U << 20;
/// cwnd grows by at most what the bandwidth delivers in this time, us.
constexpr uint64_t AGGREGATION_US = 100'000;

} // namespace

LinuxBbrBase::LinuxBbrBase(const LinuxCongestionParameters& parameters, const Traits& traits)
    : m_clock(parameters.hz),
      m_traits(traits),
      m_seed(parameters.seed)
{
}

bool
LinuxBbrBase::HasControl() const
{
    return true;
}

uint32_t
LinuxBbrBase::GetSendBufferFactor() const
{
    return SEND_BUFFER_FACTOR;
}

void
LinuxBbrBase::Start(LinuxWindow& window)
{
    window.ssthresh = LinuxWindow::NO_SSTHRESH;
    window.needsPacing = true;
    m_roundEnd = window.delivered;
    m_minRttUs = window.minRttUs;
    m_minRttAt = m_clock.GetTicks(window.now);
    m_aggregation.epochUs = LinuxClock::GetMicroseconds(window.now);
    InitPacingRate(window);
}

void
LinuxBbrBase::HandleEvent(LinuxWindow& window, LinuxCaEvent event)
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
LinuxBbrBase::Draw(uint32_t bound)
{
    return static_cast<uint32_t>(UniformBelow(KeyedRandom({m_seed, m_draws++}), bound));
}

uint32_t
LinuxBbrBase::GetUsSince(Nanoseconds time, uint64_t startUs)
{
    const uint64_t us = LinuxClock::GetMicroseconds(time);
    return static_cast<uint32_t>(us > startUs ? us - startUs : 0);
}

uint64_t
LinuxBbrBase::GetBytesPerSecond(const LinuxWindow& window, uint64_t rate, uint32_t gain)
{
    // This order keeps 2.9 Tbit/s within 64 bits
    rate = rate * window.mss * gain >> BBR_GAIN_BITS;
    return rate * PACED_US_PER_SECOND >> BBR_BANDWIDTH_BITS;
}

uint64_t
LinuxBbrBase::GetPacingRate(const LinuxWindow& window, uint32_t bandwidth, uint32_t gain) const
{
    const uint64_t rate = std::max(GetBytesPerSecond(window, bandwidth, gain), m_traits.leastRate);
    return std::min(rate, window.maxPacingRate);
}

void
LinuxBbrBase::InitPacingRate(LinuxWindow& window)
{
    uint32_t rttUs = NOMINAL_RTT_US;
    if (window.srttUs8 != 0)
    {
        rttUs = std::max(window.srttUs8 >> 3, 1U);
        m_hasSeenRtt = true;
    }
    const auto bandwidth = static_cast<uint32_t>(window.cwnd * BBR_BANDWIDTH_UNIT / rttUs);
    window.pacingRate = GetPacingRate(window, bandwidth, m_traits.startupGain);
}

void
LinuxBbrBase::SetPacingRate(LinuxWindow& window, uint32_t bandwidth, uint32_t gain)
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

void
LinuxBbrBase::SaveCwnd(const LinuxWindow& window)
{
    const bool isReduced = m_lastState >= LinuxCaState::RECOVERY || m_mode == Mode::PROBE_RTT;
    m_priorCwnd = isReduced ? std::max(m_priorCwnd, window.cwnd) : window.cwnd;
}

uint32_t
LinuxBbrBase::GetBdp(uint32_t bandwidth, uint32_t gain) const
{
    if (m_minRttUs == LinuxWindow::NO_RTT)
    {
        return m_initialCwnd;
    }
    const uint64_t product = static_cast<uint64_t>(bandwidth) * m_minRttUs;
    return static_cast<uint32_t>(((product * gain >> BBR_GAIN_BITS) + BBR_BANDWIDTH_UNIT - 1) /
                                 BBR_BANDWIDTH_UNIT);
}

uint32_t
LinuxBbrBase::GetInFlightTarget(const LinuxWindow& window, uint32_t bandwidth, uint32_t gain) const
{
    return AddQuantization(window, GetBdp(bandwidth, gain));
}

uint32_t
LinuxBbrBase::GetInNetworkAtDeparture(const LinuxWindow& window, uint32_t inFlight) const
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

void
LinuxBbrBase::UpdateAggregation(const LinuxWindow& window,
                                const LinuxRateSample& sample,
                                uint32_t rounds)
{
    if (sample.ackedSacked == 0 || sample.delivered < 0 || sample.intervalUs <= 0)
    {
        return;
    }
    auto& a = m_aggregation;
    if (m_isRoundStart && ++a.rounds >= rounds)
    {
        a.rounds = 0;
        a.index = 1 - a.index;
        a.excess[a.index] = 0;
    }
    auto expected =
        static_cast<uint32_t>(static_cast<uint64_t>(GetBandwidth()) *
                              GetUsSince(window.deliveredAt, a.epochUs) / BBR_BANDWIDTH_UNIT);
    if (a.epochAcked <= expected || a.epochAcked + sample.ackedSacked >= AGGREGATION_LIMIT)
    {
        a.epochAcked = 0;
        a.epochUs = LinuxClock::GetMicroseconds(window.deliveredAt);
        expected = 0;
    }
    a.epochAcked = std::min(AGGREGATION_LIMIT - 1, a.epochAcked + sample.ackedSacked);
    const uint32_t excess = std::min(a.epochAcked - expected, window.cwnd);
    if (excess > a.excess[a.index])
    {
        a.excess[a.index] = static_cast<uint16_t>(excess); // wraps, as in the kernel
    }
}

uint32_t
LinuxBbrBase::GetAggregationBudget() const
{
    const uint32_t excess = std::max(m_aggregation.excess[0], m_aggregation.excess[1]);
    const auto most = static_cast<uint32_t>(GetBandwidth() * AGGREGATION_US / BBR_BANDWIDTH_UNIT);
    return std::min(excess, most);
}

void
LinuxBbrBase::ProbeRtt(LinuxWindow& window)
{
    // Rates of this mode do not show the bandwidth
    window.appLimited = std::max<uint64_t>(window.delivered + window.GetInFlight(), 1);
    if (m_probeRttDoneAt == 0 && window.GetInFlight() <= GetProbeRttCwnd())
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
LinuxBbrBase::CheckProbeRttDone(LinuxWindow& window)
{
    const uint32_t now = m_clock.GetTicks(window.now);
    if (m_probeRttDoneAt != 0 && LinuxClock::IsAfter(now, m_probeRttDoneAt))
    {
        window.cwnd = std::max(window.cwnd, m_priorCwnd);
        LeaveProbeRtt(window);
    }
}

} // namespace ns3::gridftp
