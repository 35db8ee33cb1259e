/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-udt-arrivals.h"

#include <algorithm>
#include <span>

namespace ns3::gridftp
{

namespace
{

constexpr Nanoseconds NS_PER_S = 1'000'000'000;

/** The program sorts all gaps but the last one of its ring, and takes the one in the middle of all:
 * of 16 the ninth of 15. */
template <size_t N>
Nanoseconds
FindMedian(const std::array<Nanoseconds, N>& gaps)
{
    std::array<Nanoseconds, N - 1> sorted;
    std::copy_n(gaps.begin(), N - 1, sorted.begin());
    std::nth_element(sorted.begin(), sorted.begin() + N / 2, sorted.end());
    return sorted[N / 2];
}

/** Gaps and how many they are. */
struct GapSum
{
    Nanoseconds sum{0}; //!< of all of them
    int64_t count{0};   //!< how many
};

/** The gaps within a factor of 8 of the median. */
GapSum
AddNear(std::span<const Nanoseconds> gaps, Nanoseconds median)
{
    GapSum near;
    for (const Nanoseconds gap : gaps)
    {
        if (gap < median * 8 && gap > median / 8)
        {
            near.sum += gap;
            ++near.count;
        }
    }
    return near;
}

/** Packets in a second, rounded up; gaps of nothing are the fastest there is. */
uint32_t
GetRate(const GapSum& gaps)
{
    const Nanoseconds sum = std::max<Nanoseconds>(gaps.sum, 1);
    const int64_t rate = (gaps.count * NS_PER_S + sum - 1) / sum;
    return static_cast<uint32_t>(std::min<int64_t>(rate, INT32_MAX));
}

} // namespace

UdtArrivals::UdtArrivals(Nanoseconds now)
    : m_lastNs(now)
{
    constexpr Nanoseconds FIRST_PAIR = 1'000'000; // 1000 packets/s
    m_gaps.fill(NS_PER_S);                        // 1 packet/s
    m_pairs.fill(FIRST_PAIR);
}

uint32_t
UdtArrivals::GetSpeed() const
{
    const GapSum near = AddNear(m_gaps, FindMedian(m_gaps));
    return near.count > GAPS / 2 ? GetRate(near) : 0;
}

uint32_t
UdtArrivals::GetCapacity() const
{
    const Nanoseconds median = FindMedian(m_pairs);
    const GapSum near = AddNear(m_pairs, median);
    return GetRate({near.sum + median, near.count + 1});
}

void
UdtDelayTrend::Add(int64_t us)
{
    const int64_t last = m_samples[(m_next + SAMPLES - 1) % SAMPLES];
    m_samples[m_next] = us;
    m_steps[m_next] = us - last;
    m_next = (m_next + 1) % SAMPLES;
}

bool
UdtDelayTrend::IsRising() const
{
    int64_t rises = 0;
    int64_t moves = 0;
    for (uint32_t i = 0; i < SAMPLES; ++i)
    {
        if (i != m_next) // the oldest sample: what came before it is forgotten
        {
            rises += m_steps[i] > 0 ? 1 : 0;
            moves += m_steps[i] > 0 ? m_steps[i] : -m_steps[i];
        }
    }
    if (moves == 0)
    {
        return false;
    }
    const double share = static_cast<double>(rises) / (SAMPLES - 1);
    const int64_t grown = m_samples[(m_next + SAMPLES - 1) % SAMPLES] - m_samples[m_next];
    const double difference = static_cast<double>(grown) / static_cast<double>(moves);
    return (share > 0.66 && difference > 0.45) || (share > 0.54 && difference > 0.55);
}

} // namespace ns3::gridftp
