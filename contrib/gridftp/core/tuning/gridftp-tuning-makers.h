/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNING_MAKERS_H
#define GRIDFTP_TUNING_MAKERS_H

#include "gridftp-tuning-policy.h"

#include <string>

/**
 * @file
 * @ingroup gridftp
 * The makers named in the registry, and the checks they share.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a maker returns. */
using MadePolicy = Expected<std::unique_ptr<TuningPolicy>>;

/** @ingroup gridftp @param parameters of MI @return the policy, or what is out of range */
MadePolicy MakeMi(const TuningParameters& parameters);
/** @ingroup gridftp @param parameters of MI+ @return the policy, or what is out of range */
MadePolicy MakeMiPlus(const TuningParameters& parameters);
/** @ingroup gridftp @param parameters of AIMD @return the policy, or what is out of range */
MadePolicy MakeAimd(const TuningParameters& parameters);
/** @ingroup gridftp @param parameters of fixed @return the policy, or what is out of range */
MadePolicy MakeFixed(const TuningParameters& parameters);

/**
 * @ingroup gridftp
 * Checks what all adaptive policies share: 1 <= N0 <= max and 0 < eta <= 1.
 * @param parameters the policy's numbers
 * @return nothing, or what is out of range
 */
Done CheckAdaptive(const TuningParameters& parameters);

/**
 * @ingroup gridftp
 * @param value a number of connections, not rounded
 * @param maxParallelism upper bound
 * @return the value rounded up, within [1, max] (MI and MI+ round N up)
 */
uint32_t RoundUpParallelism(double value, uint32_t maxParallelism);

/**
 * @ingroup gridftp
 * @param value a number of connections, not rounded
 * @param maxParallelism upper bound
 * @return the value rounded down, within [1, max] (AIMD rounds N down)
 */
uint32_t RoundDownParallelism(double value, uint32_t maxParallelism);

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNING_MAKERS_H
