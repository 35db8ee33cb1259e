/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RTT_ESTIMATOR_H
#define GRIDFTP_RTT_ESTIMATOR_H

#include "gridftp-segment-state.h"

#include <algorithm>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The retransmission timeout of RFC 6298, Section 2, in the integer arithmetic of Jacobson and
 * Karels that ns-3's RttMeanDeviation follows.
 */
class RttEstimator
{
  public:
    /** @param minRtoNs least timeout, ns */
    explicit RttEstimator(int64_t minRtoNs)
        : m_minRtoNs(minRtoNs)
    {
    }

    /** @param sampleNs a round-trip time, ns; 0 is none */
    void Add(int64_t sampleNs)
    {
        if (sampleNs == 0)
        {
            return;
        }
        if (!m_hasSample)
        {
            m_hasSample = true;
            m_smoothedNs = sampleNs;
            m_variationNs = sampleNs / 2;
            return;
        }
        const int64_t error = sampleNs - m_smoothedNs;
        m_smoothedNs = ((m_smoothedNs << 3) + error) >> 3;
        m_variationNs = ((m_variationNs << 2) + (error < 0 ? -error : error) - m_variationNs) >> 2;
    }

    /** @return the timeout, not backed off, ns */
    int64_t GetRtoNs() const
    {
        return std::max(GetShortRtoNs(), m_minRtoNs);
    }

    /** @return the timeout without its lower bound, not backed off, ns */
    int64_t GetShortRtoNs() const
    {
        constexpr int64_t GRANULARITY_NS = 1'000'000;
        return m_smoothedNs + std::max(GRANULARITY_NS, 4 * m_variationNs);
    }

    /** @return whether a sample was taken */
    bool HasSample() const
    {
        return m_hasSample;
    }

    /** @return the smoothed round-trip time, ns */
    int64_t GetSmoothedNs() const
    {
        return m_smoothedNs;
    }

    /** @param state gets the estimates */
    void AddState(SegmentState& state) const
    {
        state.Add(static_cast<uint64_t>(m_smoothedNs));
        state.Add(static_cast<uint64_t>(m_variationNs));
        state.Add(m_hasSample);
    }

  private:
    int64_t m_minRtoNs;                  //!< least timeout
    int64_t m_smoothedNs{1'000'000'000}; //!< SRTT; before the first sample 1 s, RFC 6298, 2.1
    int64_t m_variationNs{0};            //!< RTTVAR
    bool m_hasSample{false};             //!< a sample was taken
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RTT_ESTIMATOR_H
