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
    return std::max<uint32_t>(sample.IsValid() ? DoDecide(sample) : DoSkip(sample), 1);
}

uint32_t
TuningPolicy::DoSkip(const ChunkSample& sample)
{
    return sample.parallelism;
}

bool
TuningPolicy::IsWindowLimited(const ChunkSample& sample, double eta)
{
    return sample.GetPairGoodputBps() > eta * sample.GetWindowLimitBps();
}

} // namespace ns3::gridftp
