/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-delay-tally.h"

#include <bit>

namespace ns3::gridftp
{

namespace
{
constexpr unsigned SHARE_BITS = 7;                     // of a power of two: 128 buckets
constexpr uint64_t SHARES = uint64_t{1} << SHARE_BITS; // in each power of two
} // namespace

size_t
DelayHistogram::BucketOf(uint64_t ns)
{
    if (ns < 2 * SHARES)
    {
        return static_cast<size_t>(ns);
    }
    const auto shift = static_cast<unsigned>(std::bit_width(ns)) - SHARE_BITS - 1;
    return static_cast<size_t>(shift * SHARES + (ns >> shift));
}

uint64_t
DelayHistogram::GetBound(size_t bucket)
{
    if (bucket < 2 * SHARES)
    {
        return bucket;
    }
    const uint64_t shift = bucket / SHARES - 1;
    return ((bucket - shift * SHARES + 1) << shift) - 1;
}

void
DelayHistogram::Add(const DelayHistogram& other)
{
    m_sum.Add(other.m_sum);
    m_counts.resize(std::max(m_counts.size(), other.m_counts.size()));
    for (size_t i = 0; i < other.m_counts.size(); ++i)
    {
        m_counts[i] += other.m_counts[i];
    }
}

DelayHistogram
DelayHistogram::operator-(const DelayHistogram& before) const
{
    DelayHistogram since = *this;
    since.m_sum = m_sum - before.m_sum;
    for (size_t i = 0; i < before.m_counts.size(); ++i)
    {
        since.m_counts[i] -= before.m_counts[i];
    }
    return since;
}

int64_t
DelayHistogram::GetPercentileNs(uint64_t percent) const
{
    constexpr uint64_t ALL = 100;
    // In this order the product does not overflow
    const uint64_t rank =
        m_sum.count / ALL * percent + (m_sum.count % ALL * percent + ALL - 1) / ALL;
    uint64_t seen = 0;
    for (size_t i = 0; i < m_counts.size(); ++i)
    {
        seen += m_counts[i];
        if (seen >= rank)
        {
            return std::min(static_cast<int64_t>(GetBound(i)), m_sum.mostNs);
        }
    }
    return m_sum.mostNs;
}

std::optional<DelayFigures>
DelayHistogram::GetFigures() const
{
    const auto meanS = m_sum.GetMeanS();
    if (!meanS)
    {
        return std::nullopt;
    }
    constexpr uint64_t MOST = 95;
    return DelayFigures{m_sum.count,
                        *meanS,
                        static_cast<double>(GetPercentileNs(MOST)) / 1e9,
                        static_cast<double>(m_sum.leastNs) / 1e9,
                        static_cast<double>(m_sum.mostNs) / 1e9};
}

} // namespace ns3::gridftp
