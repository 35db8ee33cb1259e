/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fluid-model.h"

#include <algorithm>
#include <cmath>

namespace ns3::gridftp
{

namespace
{
constexpr double BITS_PER_BYTE = 8;

bool
IsPositive(double value)
{
    return value > 0 && std::isfinite(value);
}
} // namespace

bool
FluidPath::IsValid() const
{
    return IsPositive(bandwidthBps) && IsPositive(rttS) && IsPositive(windowBytes) &&
           IsPositive(segmentBytes);
}

FluidModel::FluidModel(const FluidPath& path)
    : m_path(path)
{
}

std::optional<double>
FluidModel::Loss(double parallelism) const
{
    const double packets = m_path.bandwidthBps * m_path.rttS / BITS_PER_BYTE / m_path.segmentBytes;
    const double x = packets / parallelism;
    const double inverse = -2 + 2 * x + 2.0 / 3.0 * x * x;
    if (!(inverse > 1) || !std::isfinite(inverse))
    {
        return std::nullopt;
    }
    return 1 / inverse;
}

FluidPoint
FluidModel::At(uint32_t parallelism) const
{
    const double n = parallelism;
    FluidPoint point;
    point.parallelism = parallelism;
    point.windowLimitBps = n * m_path.windowBytes * BITS_PER_BYTE / m_path.rttS;
    point.goodputBps = std::min(point.windowLimitBps, m_path.bandwidthBps);
    point.loss = Loss(n);
    if (point.loss)
    {
        const double p = *point.loss;
        const double packetBits = m_path.segmentBytes * BITS_PER_BYTE;
        point.networkLimitBps = packetBits * n * (1 - p) / (2 * m_path.rttS) *
                                (-3 + std::sqrt(6 + 21 * p) / std::sqrt(p));
        point.goodputBps = std::min(point.windowLimitBps, *point.networkLimitBps);
    }
    return point;
}

uint64_t
FluidModel::GetLargestValidParallelism() const
{
    const double packets = m_path.bandwidthBps * m_path.rttS / BITS_PER_BYTE / m_path.segmentBytes;
    const double bound = packets / (1.5 * (std::sqrt(3.0) - 1));
    if (!(bound < 1e18))
    {
        return 1'000'000'000'000'000'000ULL;
    }
    // The estimate can be off by one at the boundary; Loss() decides.
    auto n = static_cast<uint64_t>(bound) + 1;
    while (n > 0 && !Loss(static_cast<double>(n)))
    {
        --n;
    }
    return n;
}

FluidPoint
FluidModel::Optimum(uint32_t maxParallelism) const
{
    FluidPoint best = At(1);
    for (uint32_t n = 2; n <= maxParallelism; ++n)
    {
        const FluidPoint point = At(n);
        if (!point.loss)
        {
            break; // x only shrinks from here on
        }
        if (point.goodputBps > best.goodputBps)
        {
            best = point;
        }
    }
    return best;
}

} // namespace ns3::gridftp
