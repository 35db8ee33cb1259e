/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVER_MEMORY_H
#define GRIDFTP_SERVER_MEMORY_H

#include "gridftp-scenario.h"

#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The memory of a host of servers: what its processes have allocated over time (Allcock et al.,
 * "The Globus Striped GridFTP Framework and Server", Section 6.4, Figure 12).
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A server process for one client: from accepting it to its end. */
struct ServerSpan
{
    int64_t beginNs{0}; //!< the control connection is accepted
    int64_t endNs{0};   //!< QUIT is answered, or the connection is gone

    bool operator==(const ServerSpan&) const = default;
};

/** @ingroup gridftp @brief Memory that is allocated for a while. */
struct MemoryHold
{
    ServerSpan span;   //!< when
    uint64_t bytes{0}; //!< how much
};

/** @ingroup gridftp @brief What a host's processes have allocated, from the first one on. */
struct ServerMemory
{
    uint64_t mostBytes{0};             //!< at any time
    double meanBytes{0};               //!< over the time from the first accept to the last end
    std::optional<int64_t> beyondNs{}; //!< how long it was more than the host has; none: not told
};

/**
 * @ingroup gridftp
 * @param holds in any order
 * @param hostBytes memory that the host has; 0: not told
 * @return what becomes of them together; at equal times one ends before another begins
 */
ServerMemory MeasureMemory(const std::vector<MemoryHold>& holds, uint64_t hostBytes);

/**
 * @ingroup gridftp
 * @param scenario resolved
 * @param spans of each session's server, by session
 * @return memory of the first session's server's host; none where no server on it allocates any
 */
std::optional<ServerMemory> MeasureServers(const Scenario& scenario,
                                           const std::vector<std::vector<ServerSpan>>& spans);

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVER_MEMORY_H
