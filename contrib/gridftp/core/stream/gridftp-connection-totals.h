/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONNECTION_TOTALS_H
#define GRIDFTP_CONNECTION_TOTALS_H

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What senders of one or several data connections did, summed. */
struct ConnectionTotals
{
    uint64_t segments{0};        //!< data segments delivered to the receiver for the first time
    uint64_t retransmissions{0}; //!< data segments sent again
    uint64_t timeouts{0};        //!< retransmission timeouts

    /** Counts what others did, too. @param other counts of them */
    void Add(const ConnectionTotals& other)
    {
        segments += other.segments;
        retransmissions += other.retransmissions;
        timeouts += other.timeouts;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONNECTION_TOTALS_H
