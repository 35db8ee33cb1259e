/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_START_JITTER_H
#define GRIDFTP_START_JITTER_H

#include "gridftp-random.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * How late each fresh data connection starts: U(0, jitter), drawn from (seed, run, session, chunk,
 * connection) alone, so that both engines, and every tuning mode, draw the same.
 */
struct StartJitter
{
    uint64_t seed{0};    //!< seed of the scenario
    uint64_t run{0};     //!< number of the replication
    uint64_t session{0}; //!< index of the session
    int64_t jitterNs{0}; //!< exclusive upper bound, ns

    /**
     * @param chunk index of the chunk
     * @param connection index of the connection within the chunk
     * @return the delay of its start, ns
     */
    int64_t Draw(uint64_t chunk, uint64_t connection) const
    {
        return static_cast<int64_t>(
            UniformBelow(KeyedRandom({seed, run, session, chunk, connection}),
                         static_cast<uint64_t>(jitterNs)));
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_START_JITTER_H
