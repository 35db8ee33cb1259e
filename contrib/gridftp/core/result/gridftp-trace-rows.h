/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRACE_ROWS_H
#define GRIDFTP_TRACE_ROWS_H

#include "gridftp-connection-label.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * The rows of the traces: cwnd.csv (windows of the sending sockets), queue.csv (packets waiting at
 * the bottleneck), drops.csv (packets that its queue refused). Times in seconds, windows in bytes.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief First line of cwnd.csv. */
inline constexpr std::string_view CWND_TRACE_HEADER =
    "time_s,session,chunk,connection,cwnd_bytes,ssthresh_bytes\n";
/** @ingroup gridftp @brief First line of queue.csv. */
inline constexpr std::string_view QUEUE_TRACE_HEADER = "time_s,packets\n";
/** @ingroup gridftp @brief First line of drops.csv. */
inline constexpr std::string_view DROP_TRACE_HEADER = "time_s,session,chunk,connection,sequence\n";

/**
 * @ingroup gridftp
 * @param now ns
 * @param label which connection
 * @param cwnd bytes
 * @param ssthresh bytes; none while it is not set
 * @return a row of cwnd.csv
 */
std::string MakeWindowRow(int64_t now,
                          const ConnectionLabel& label,
                          uint64_t cwnd,
                          const std::optional<uint64_t>& ssthresh);

/** @ingroup gridftp @param now ns @param packets waiting @return a row of queue.csv */
std::string MakeQueueRow(int64_t now, uint64_t packets);

/**
 * @ingroup gridftp
 * @param now ns
 * @param label which data connection, none for another
 * @param sequence first byte of its data in the stream, none where it had no data
 * @return a row of drops.csv
 */
std::string MakeDropRow(int64_t now,
                        const std::optional<ConnectionLabel>& label,
                        const std::optional<uint64_t>& sequence);

} // namespace ns3::gridftp

#endif // GRIDFTP_TRACE_ROWS_H
