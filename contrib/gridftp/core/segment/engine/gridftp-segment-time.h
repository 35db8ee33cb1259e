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
 * Times of the segment engine, which counts nanoseconds from 0. What TCP's specifications leave
 * open is as ns-3 has it.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A time that never comes, ns. */
inline constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

/** @ingroup gridftp @brief An ACK is delayed no longer, ns (ns3::TcpSocket::DelAckTimeout). */
inline constexpr int64_t DELAYED_ACK_NS = 200'000'000;

/** @ingroup gridftp @brief A SYN is sent again after, at first, ns (TcpSocket::ConnTimeout). */
inline constexpr int64_t SYN_TIMEOUT_NS = 3'000'000'000;

/** @ingroup gridftp @brief Largest retransmission timeout, ns (RFC 6298, Section 2.4). */
inline constexpr int64_t LARGEST_RTO_NS = 60'000'000'000;

/** @ingroup gridftp @brief Between two 112 markers, ns (Server's attribute MarkerInterval). */
inline constexpr int64_t MARKER_INTERVAL_NS = 5'000'000'000;

/** @ingroup gridftp @brief Beyond it times would no longer add up, ns: 146 years. */
inline constexpr int64_t LONGEST_NS = int64_t{1} << 62;

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_TIME_H
