/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNING_ROUNDING_H
#define GRIDFTP_TUNING_ROUNDING_H

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * Whole numbers of connections from what formulas give.
 */

namespace ns3::gridftp
{

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

#endif // GRIDFTP_TUNING_ROUNDING_H
