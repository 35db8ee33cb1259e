/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-bbr3.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/// The pipe is full after this many rounds in which the bandwidth has not grown by a quarter.
constexpr uint32_t FULL_ROUNDS = 3;
constexpr uint32_t FULL_GROWTH = BBR_GAIN_UNIT * 5 / 4;
/// STARTUP also ends with this many ACKs with losses in a round, and a high loss rate.
constexpr uint32_t FULL_LOSSES = 6;
constexpr uint32_t MOST_LOSS_EVENTS = 15;
/// ... or with this many rounds of many marks.
constexpr uint32_t FULL_ECN_ROUNDS = 2;
/// Losses of what was in flight that are too many: 2 %.
constexpr uint32_t LOSS_LIMIT = BBR_GAIN_UNIT * 2 / 100;
/// Marks of what was delivered that are too many: a half.
constexpr uint32_t ECN_LIMIT = BBR_GAIN_UNIT / 2;
/// ECN marks matter up to this minimum RTT, us.
constexpr uint32_t ECN_RTT_US = 5000;
/// Weight of a round in the average of marks.
constexpr uint32_t ECN_GAIN = BBR_GAIN_UNIT / 16;
/// Response to marks: of this times their average.
constexpr uint32_t ECN_FACTOR = BBR_GAIN_UNIT / 3;
/// Part of inFlightHi that is left to other flows.
constexpr uint32_t HEADROOM = BBR_GAIN_UNIT * 15 / 100;

/** @param value any @param factor in units of 1/256 @return their product */
uint32_t
Scale(uint32_t value, uint32_t factor)
{
    return static_cast<uint32_t>(static_cast<uint64_t>(value) * factor >> BBR_GAIN_BITS);
}

} // namespace

uint32_t
LinuxBbr3::GetMaxBandwidth() const
{
    return std::max(m_maxima[0], m_maxima[1]);
}

uint32_t
LinuxBbr3::GetBandwidth() const
{
    return std::min(GetMaxBandwidth(), m_bounds.bandwidthLo);
}

void
LinuxBbr3::UpdateRound(const LinuxWindow& window, const LinuxRateSample& sample)
{
    m_isRoundStart = sample.intervalUs > 0 && sample.priorDelivered >= m_roundEnd;
    if (m_isRoundStart)
    {
        m_roundEnd = window.delivered;
        m_roundsSinceProbe = std::min(m_roundsSinceProbe + 1, 0xffU);
        UpdateEcnAlpha(window);
    }
}

void
LinuxBbr3::UpdateSampleBandwidth(const LinuxRateSample& sample)
{
    m_sample = 0;
    if (sample.intervalUs > 0 && sample.delivered >= 0)
    {
        const auto interval = static_cast<uint64_t>(sample.intervalUs);
        const uint64_t scaled = static_cast<uint64_t>(sample.delivered) * BBR_BANDWIDTH_UNIT;
        m_sample = static_cast<uint32_t>((scaled + interval - 1) / interval);
    }
}

void
LinuxBbr3::UpdateLatest(const LinuxWindow& window, const LinuxRateSample& sample)
{
    m_isLossRoundStart = false;
    if (sample.intervalUs <= 0 || sample.ackedSacked == 0)
    {
        return;
    }
    m_latestBandwidth = std::max(m_latestBandwidth, m_sample);
    m_latestInFlight = std::max(m_latestInFlight, static_cast<uint32_t>(sample.delivered));
    if (sample.priorDelivered >= m_lossRoundEnd)
    {
        m_lossRoundEnd = window.delivered;
        m_isLossRoundStart = true;
    }
}

void
LinuxBbr3::AdvanceLatest(const LinuxRateSample& sample)
{
    // A loss probe that repaired the tail does not show what the path can deliver
    if (m_isLossRoundStart && !sample.isAckingTlp)
    {
        m_latestBandwidth = m_sample;
        m_latestInFlight = static_cast<uint32_t>(sample.delivered);
    }
}

void
LinuxBbr3::UpdateSignals(const LinuxWindow& window, const LinuxRateSample& sample)
{
    if (sample.intervalUs <= 0 || sample.ackedSacked == 0)
    {
        return;
    }
    if (!sample.isAppLimited || m_sample >= GetMaxBandwidth())
    {
        m_maxima[1] = std::max(m_maxima[1], m_sample);
    }
    m_hasLossInRound = m_hasLossInRound || sample.losses > 0;
    if (m_isLossRoundStart)
    {
        AdaptLowerBounds(window);
        m_hasLossInRound = false;
        m_hasEcnInRound = false;
    }
}

void
LinuxBbr3::UpdateEcnAlpha(const LinuxWindow& window)
{
    m_isEcnEligible = m_isEcnEligible || (window.hasLowEcn && m_minRttUs <= ECN_RTT_US);
    const uint64_t delivered = window.delivered - m_alphaDelivered;
    if (!m_isEcnEligible || delivered == 0)
    {
        return;
    }
    const uint64_t marked = window.deliveredCe - m_alphaDeliveredCe;
    const uint64_t ratio = (marked << BBR_GAIN_BITS) / delivered;
    const uint64_t alpha = ((BBR_GAIN_UNIT - ECN_GAIN) * m_ecnAlpha >> BBR_GAIN_BITS) +
                           (ECN_GAIN * ratio >> BBR_GAIN_BITS);
    m_ecnAlpha = std::min(static_cast<uint32_t>(alpha), BBR_GAIN_UNIT);
    m_alphaDelivered = window.delivered;
    m_alphaDeliveredCe = window.deliveredCe;
    CheckStartupEcn(window, ratio);
}

void
LinuxBbr3::CheckStartupEcn(const LinuxWindow& window, uint64_t ratio)
{
    if (m_isPipeFull)
    {
        return;
    }
    m_ecnRounds = ratio >= ECN_LIMIT ? m_ecnRounds + 1 : 0;
    if (m_ecnRounds >= FULL_ECN_ROUNDS)
    {
        EndStartupByQueue(window);
    }
}

void
LinuxBbr3::CheckStartupLoss(const LinuxWindow& window, const LinuxRateSample& sample)
{
    if (m_isPipeFull)
    {
        return;
    }
    if (sample.losses > 0)
    {
        m_lossEvents = std::min(m_lossEvents + 1, MOST_LOSS_EVENTS);
    }
    if (!m_isLossRoundStart)
    {
        return;
    }
    if (window.state == LinuxCaState::RECOVERY && m_lossEvents >= FULL_LOSSES && IsTooHigh(sample))
    {
        EndStartupByQueue(window);
        return;
    }
    m_lossEvents = 0;
}

void
LinuxBbr3::EndStartupByQueue(const LinuxWindow& window)
{
    m_isPipeFull = true;
    m_bounds.inFlightHi =
        std::max(GetInFlightTarget(window, GetMaxBandwidth(), BBR_GAIN_UNIT), m_latestInFlight);
}

void
LinuxBbr3::CheckFullPipe(const LinuxRateSample& sample)
{
    if (m_isFullNow || sample.isAppLimited)
    {
        return;
    }
    if (m_sample >= Scale(m_fullBandwidth, FULL_GROWTH))
    {
        ResetFullPipe();
        m_fullBandwidth = m_sample;
        return;
    }
    if (m_isRoundStart)
    {
        ++m_fullRounds;
        m_isFullNow = m_fullRounds >= FULL_ROUNDS;
        m_isPipeFull = m_isPipeFull || m_isFullNow;
    }
}

void
LinuxBbr3::ResetFullPipe()
{
    m_fullBandwidth = 0;
    m_fullRounds = 0;
    m_isFullNow = false;
}

void
LinuxBbr3::AdaptLowerBounds(const LinuxWindow& window)
{
    if (IsProbing())
    {
        return;
    }
    uint32_t ecnBound = NONE;
    if (m_hasEcnInRound)
    {
        m_bounds.inFlightLo = m_bounds.inFlightLo == NONE ? window.cwnd : m_bounds.inFlightLo;
        ecnBound = Scale(m_bounds.inFlightLo, BBR_GAIN_UNIT - Scale(m_ecnAlpha, ECN_FACTOR));
    }
    if (m_hasLossInRound)
    {
        const bool isFirst = m_bounds.bandwidthLo == NONE;
        m_bounds.bandwidthLo = isFirst ? GetMaxBandwidth() : m_bounds.bandwidthLo;
        m_bounds.inFlightLo = m_bounds.inFlightLo == NONE ? window.cwnd : m_bounds.inFlightLo;
        m_bounds.bandwidthLo =
            std::max(m_latestBandwidth, Scale(m_bounds.bandwidthLo, BBR3_LOSS_CUT));
        m_bounds.inFlightLo = std::max(m_latestInFlight, Scale(m_bounds.inFlightLo, BBR3_LOSS_CUT));
    }
    m_bounds.inFlightLo = std::min(m_bounds.inFlightLo, ecnBound);
    m_bounds.bandwidthLo = std::max(m_bounds.bandwidthLo, 1U);
}

void
LinuxBbr3::ResetLowerBounds()
{
    m_bounds.bandwidthLo = NONE;
    m_bounds.inFlightLo = NONE;
}

void
LinuxBbr3::ResetSignals()
{
    m_hasLossInRound = false;
    m_hasEcnInRound = false;
    m_hasLossInCycle = false;
    m_hasEcnInCycle = false;
    m_latestBandwidth = 0;
    m_latestInFlight = 0;
}

bool
LinuxBbr3::IsTooHigh(uint32_t lost, uint32_t inFlight) const
{
    return lost > 0 && inFlight > 0 && lost > Scale(inFlight, LOSS_LIMIT);
}

bool
LinuxBbr3::IsTooHigh(const LinuxRateSample& sample) const
{
    if (IsTooHigh(sample.lost, sample.txInFlight))
    {
        return true;
    }
    return m_isEcnEligible && sample.deliveredCe > 0 && sample.delivered > 0 &&
           static_cast<uint64_t>(sample.deliveredCe) >
               (static_cast<uint64_t>(sample.delivered) * ECN_LIMIT >> BBR_GAIN_BITS);
}

void
LinuxBbr3::NoteLoss(const LinuxWindow& window)
{
    if (!m_hasLossInRound)
    {
        m_lossRoundEnd = window.delivered;
    }
    m_hasLossInRound = true;
    m_hasLossInCycle = true;
}

void
LinuxBbr3::CutInFlight(const LinuxWindow& window, uint32_t inFlight, bool isAppLimited)
{
    m_wasTooHigh = true;
    m_hasProbeSamples = false;
    // The application, not the path, may have limited what was in flight
    if (!isAppLimited)
    {
        m_bounds.inFlightHi = std::max(inFlight, Scale(GetTargetInFlight(window), BBR3_LOSS_CUT));
    }
    if (m_mode == Mode::PROBE_BW && m_phase == Phase::UP)
    {
        StartDown(window);
    }
}

uint32_t
LinuxBbr3::GetInFlightOfLoss(const LinuxLostSegment& segment, uint32_t lost)
{
    const auto before = static_cast<int32_t>(segment.inFlight - 1);
    const auto lostBefore = static_cast<int32_t>(lost - 1);
    if (before < 0 || lostBefore < 0)
    {
        return NONE;
    }
    // The prefix x of the segment with (lostBefore + x) / (before + x) = LOSS_LIMIT
    const uint64_t budget =
        (static_cast<uint64_t>(before) * LOSS_LIMIT + BBR_GAIN_UNIT - 1) >> BBR_GAIN_BITS;
    uint64_t prefix = 0;
    if (static_cast<uint64_t>(lostBefore) < budget)
    {
        prefix = ((budget - static_cast<uint64_t>(lostBefore)) << BBR_GAIN_BITS) /
                 (BBR_GAIN_UNIT - LOSS_LIMIT);
    }
    return static_cast<uint32_t>(static_cast<uint64_t>(before) + prefix);
}

void
LinuxBbr3::HandleLost(LinuxWindow& window, const LinuxLostSegment& segment)
{
    NoteLoss(window);
    if (!m_hasProbeSamples || !segment.hasSample)
    {
        return;
    }
    const auto lost = static_cast<uint32_t>(window.lost - segment.lostBefore);
    if (IsTooHigh(lost, segment.inFlight))
    {
        CutInFlight(window, GetInFlightOfLoss(segment, lost), segment.isAppLimited);
    }
}

void
LinuxBbr3::HandleTlpRecovery(LinuxWindow& window)
{
    NoteLoss(window);
    if (!m_hasProbeSamples)
    {
        return;
    }
    const uint32_t inFlight = m_latestInFlight + 1;
    if (IsTooHigh(1, inFlight))
    {
        CutInFlight(window, inFlight, window.isTlpAppLimited);
    }
}

uint32_t
LinuxBbr3::GetHeadroomBound() const
{
    if (m_bounds.inFlightHi == NONE)
    {
        return NONE;
    }
    const uint32_t room = std::max(Scale(m_bounds.inFlightHi, HEADROOM), 1U);
    return static_cast<uint32_t>(std::max(static_cast<int32_t>(m_bounds.inFlightHi - room),
                                          static_cast<int32_t>(BBR_MIN_CWND)));
}

} // namespace ns3::gridftp
