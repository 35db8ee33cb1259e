/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-rounding.h"

#include <cmath>

namespace ns3::gridftp
{

namespace
{

/**
 * @param value a number of connections, at least 1 and below 2^32
 * @return the whole number it stands for where it is one but for the error of its arithmetic:
 *   10 (1 - 0.7) is 3.0000000000000004 in binary, and not to be rounded up to 4
 */
double
Snap(double value)
{
    const auto nearest = static_cast<double>(static_cast<uint64_t>(value + 0.5));
    return std::abs(value - nearest) <= 1e-12 * value ? nearest : value;
}

} // namespace

uint32_t
RoundUpParallelism(double value, uint32_t maxParallelism)
{
    const uint32_t down = RoundDownParallelism(value, maxParallelism);
    return down < maxParallelism && down < Snap(value) ? down + 1 : down;
}

uint32_t
RoundDownParallelism(double value, uint32_t maxParallelism)
{
    if (!(value >= 1))
    {
        return 1;
    }
    return value >= maxParallelism ? maxParallelism : static_cast<uint32_t>(Snap(value));
}

} // namespace ns3::gridftp
