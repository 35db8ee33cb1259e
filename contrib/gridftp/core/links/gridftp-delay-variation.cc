/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-delay-variation.h"

#include "gridftp-random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ns3::gridftp
{

namespace
{

constexpr size_t STEPS = 4096;           // of cumulative probability in a table
constexpr unsigned STEP_SHIFT = 64 - 12; // of 64 bits, those below the step
constexpr int64_t MOST = 4 * JITTER_SCALE;

using Table = std::array<int64_t, STEPS + 1>;

/**
 * Quantiles of the normal distribution. The density is summed up over steps of 1/8192, as netem's
 * unit: exp(-x^2 / 2) at the middle of each step, the next one from the last one by multiplication.
 */
Table
MakeNormal()
{
    constexpr int64_t BINS = 8192; // of a standard deviation
    constexpr size_t SIGMAS = 8;   // beyond these there are 1e-15
    // exp(-h^2) with h = 2^-13, in 1 / 2^64: 1 - 2^-26 + 2^-53
    constexpr uint64_t RATIO = 0 - (uint64_t{1} << 38) + (uint64_t{1} << 11);
    std::array<uint64_t, SIGMAS * BINS> density{};
    uint64_t total = 0;
    uint64_t weight = uint64_t{1} << 44; // the sum of all is below 2^58
    uint64_t ratio = RATIO;
    for (uint64_t& bin : density)
    {
        bin = weight;
        total += weight;
        weight = UniformBelow(ratio, weight); // the high half of the product
        ratio = UniformBelow(ratio, RATIO);
    }
    Table table{};
    constexpr size_t HALF = STEPS / 2;
    size_t k = 0;
    uint64_t before = 0; // sum of the bins before k
    for (size_t i = 0; i < HALF; ++i)
    {
        const uint64_t target = total / HALF * i;
        while (before + density[k] < target)
        {
            before += density[k++];
        }
        constexpr unsigned FINE = 16;
        const uint64_t part = ((target - before) << FINE) / density[k];
        table[HALF + i] = static_cast<int64_t>((uint64_t{k} << FINE) + part);
        table[HALF - i] = -table[HALF + i];
    }
    table[0] = -MOST;
    table[STEPS] = MOST;
    return table;
}

/** @param value below 2^62 @return its cube root, rounded down */
uint64_t
CubeRoot(uint64_t value)
{
    uint64_t root = 0;
    for (uint64_t bit = uint64_t{1} << 20; bit > 0; bit >>= 1)
    {
        const uint64_t next = root + bit;
        root = next * next * next <= value ? next : root;
    }
    return root;
}

/** Quantiles of netem's Pareto distribution. */
Table
MakePareto()
{
    Table table{};
    for (size_t i = 0; i <= STEPS; ++i)
    {
        // s^(-1/3) of s = left / 4096, in 1 / 2^16
        const uint64_t left = STEPS - i;
        const auto value =
            left == 0 ? MOST : static_cast<int64_t>(CubeRoot((uint64_t{1} << 60) / left));
        const int64_t moved = ((value << 13) - JITTER_SCALE * 3 / 2) * 4 / 3;
        table[i] = left == 0 ? MOST : std::min(MOST, moved);
    }
    return table;
}

/** Quantiles of netem's mixture of both. */
Table
MakeParetoNormal(const Table& normal, const Table& pareto)
{
    Table table{};
    for (size_t i = 0; i <= STEPS; ++i)
    {
        table[i] = (normal[i] + 3 * pareto[i]) / 4;
    }
    return table;
}

const Table&
GetNormal()
{
    static const Table table = MakeNormal();
    return table;
}

const Table&
GetPareto()
{
    static const Table table = MakePareto();
    return table;
}

const Table&
GetParetoNormal()
{
    static const Table table = MakeParetoNormal(GetNormal(), GetPareto());
    return table;
}

/** Between two quantiles of a table the values are linear. */
int64_t
Interpolate(const Table& table, uint64_t uniform)
{
    constexpr unsigned PART_BITS = 24;
    const size_t i = uniform >> STEP_SHIFT;
    const auto part = static_cast<int64_t>((uniform >> (STEP_SHIFT - PART_BITS)) &
                                           ((uint64_t{1} << PART_BITS) - 1));
    return table[i] + (((table[i + 1] - table[i]) * part) >> PART_BITS);
}

/** The cumulative probability of a normal variate, in 1 / 2^64: the inverse of Interpolate(). */
uint64_t
GetNormalProbability(int64_t value)
{
    constexpr unsigned PART_BITS = 24;
    const Table& table = GetNormal();
    const auto above = std::upper_bound(table.begin() + 1, table.end() - 1, value);
    const int64_t from = *(above - 1);
    const int64_t part =
        std::min(((value - from) << PART_BITS) / (*above - from), (int64_t{1} << PART_BITS) - 1);
    return (static_cast<uint64_t>(above - 1 - table.begin()) << STEP_SHIFT) +
           (static_cast<uint64_t>(part) << (STEP_SHIFT - PART_BITS));
}

/** @param number at least 0 @return it in 1 / 2^30 */
int64_t
ToFixed(double number)
{
    return static_cast<int64_t>(number * static_cast<double>(int64_t{1} << 30));
}

// What random numbers are for
constexpr uint64_t JITTER = 0;
constexpr uint64_t REORDER = 1;

} // namespace

int64_t
GetJitterQuantile(JitterDistribution distribution, uint64_t uniform)
{
    switch (distribution)
    {
    case JitterDistribution::NORMAL:
        return Interpolate(GetNormal(), uniform);
    case JitterDistribution::PARETO:
        return Interpolate(GetPareto(), uniform);
    case JitterDistribution::PARETO_NORMAL:
        return Interpolate(GetParetoNormal(), uniform);
    case JitterDistribution::UNIFORM:
        break;
    }
    return static_cast<int64_t>(uniform >> 34) - JITTER_SCALE;
}

CorrelatedUniform::CorrelatedUniform(double correlation)
    : m_share(ToFixed(correlation)),
      m_rest(ToFixed(std::sqrt((1 - correlation) * (1 + correlation))))
{
}

uint64_t
CorrelatedUniform::Next(uint64_t bits)
{
    if (m_share == 0)
    {
        return bits;
    }
    constexpr unsigned BITS = 30; // see ToFixed()
    const int64_t fresh = Interpolate(GetNormal(), bits);
    const int64_t next = m_isFirst ? fresh : (m_share * m_normal + m_rest * fresh) >> BITS;
    m_isFirst = false;
    m_normal = std::clamp(next, -MOST, MOST);
    return GetNormalProbability(m_normal);
}

DelayVariation::DelayVariation(const DelayVariationSpec& spec, uint64_t key)
    : m_spec(spec),
      m_key(key),
      m_reorderBound(static_cast<uint64_t>(spec.reorder * 9223372036854775808.0)), // 2^63
      m_jitter(spec.correlation),
      m_reorder(spec.reorderCorrelation)
{
}

int64_t
DelayVariation::Vary(Nanoseconds beginNs, Nanoseconds endNs, Nanoseconds arrivalNs)
{
    if (m_reorderBound > 0 && IsNextAhead(beginNs))
    {
        return endNs;
    }
    if (m_spec.jitterNs > 0)
    {
        arrivalNs = std::max(endNs, arrivalNs + GetNextJitter(beginNs));
    }
    if (m_spec.order == JitterOrder::FIFO)
    {
        // Later by a nanosecond, so that no two packets arrive at the same time: at hosts of
        // different connections the engines might take another one first.
        arrivalNs = std::max(arrivalNs, m_lastArrivalNs + 1);
        m_lastArrivalNs = arrivalNs;
    }
    return arrivalNs;
}

bool
DelayVariation::IsNextAhead(int64_t beginNs)
{
    if (m_sinceAhead < m_spec.reorderGap - 1)
    {
        ++m_sinceAhead;
        return false;
    }
    const uint64_t number =
        m_reorder.Next(KeyedRandom({m_key, REORDER, static_cast<uint64_t>(beginNs)}));
    const bool isAhead = (number >> 1) < m_reorderBound;
    m_sinceAhead = isAhead ? 0 : m_sinceAhead + 1;
    return isAhead;
}

int64_t
DelayVariation::GetNextJitter(int64_t beginNs)
{
    const uint64_t number =
        m_jitter.Next(KeyedRandom({m_key, JITTER, static_cast<uint64_t>(beginNs)}));
    const int64_t quantile = GetJitterQuantile(m_spec.distribution, number);
    // The product alone may pass 2^63
    const int64_t whole = m_spec.jitterNs / JITTER_SCALE * quantile;
    const int64_t part = m_spec.jitterNs % JITTER_SCALE * quantile;
    return whole + ((part + JITTER_SCALE / 2) >> JITTER_SCALE_BITS);
}

DelayVariation
DelayVariation::InStream(uint64_t stream) const
{
    return {m_spec, KeyedRandom({m_key, stream})};
}

} // namespace ns3::gridftp
