/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-policy.h"

#include <algorithm>

namespace ns3::gridftp
{

uint32_t
TuningPolicy::Decide(const ChunkSample& sample)
{
    if (!sample.IsValid())
    {
        return std::max<uint32_t>(sample.parallelism, 1);
    }
    return std::max<uint32_t>(DoDecide(sample), 1);
}

bool
TuningPolicy::IsWindowLimited(const ChunkSample& sample, double eta)
{
    return sample.GetPairGoodputBps() > eta * sample.GetWindowLimitBps();
}

} // namespace ns3::gridftp
