/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_TIME_H
#define GRIDFTP_SEGMENT_TIME_H

#include <cstdint>
#include <limits>

/**
 * @file
 * @ingroup gridftp
 * Times of the segment engine, which counts nanoseconds from 0.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A time that never comes, ns. */
inline constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

/** @ingroup gridftp @brief Beyond it times would no longer add up, ns: 146 years. */
inline constexpr int64_t LONGEST_NS = int64_t{1} << 62;

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_TIME_H
