/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TCP_DEFAULTS_H
#define GRIDFTP_TCP_DEFAULTS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief TCP as the scenario asks for it, as defaults of ns-3's attributes.
 *
 * ns-3's own defaults are those of a modern stack, and not Reno: PRR instead of classic recovery,
 * limited transmit, SACK and timestamps on, segments of 536 bytes, buffers of 128 KiB, an
 * initial window of 10, a minimum RTO of 1 s, an ACK for every second segment, a connection given
 * up after 6 timeouts in a row.
 *
 * The first group of fields are options of a scenario, whose defaults live in the option table
 * only: here they start as zero, which Apply() refuses where it makes no sense.
 */
struct TcpDefaults
{
    uint32_t segmentSize{0};     //!< SMSS, bytes; see SegmentBytesFor()
    uint32_t window{0};          //!< TCP window of each end of a connection, bytes
    uint32_t initialWindow{0};   //!< initial cwnd, segments
    Time minRto;                 //!< minimum RTO
    uint32_t delayedAck{0};      //!< segments per ACK; 1 is an ACK for every segment
    bool sack{false};            //!< SACK option (RFC 2018)
    bool timestamps{false};      //!< timestamps option (RFC 7323)
    bool limitedTransmit{false}; //!< limited transmit (RFC 3042)
    bool ecn{false};             //!< explicit congestion notification (RFC 3168)

    /// Timeouts in a row before a connection is given up, as Linux's tcp_retries2. With ns-3's 6
    /// and a minimum RTO of 0.2 s, 25 s of bad luck would end a transfer.
    uint32_t dataRetries{15};
    /// SYNs sent before a connection attempt fails. With ns-3's 6, one of a thousand connections
    /// that start together behind a queue of 100 packets is refused.
    uint32_t synRetries{15};
    /// Granularity G in RTO = SRTT + max(G, 4 RTTVAR) (RFC 6298): ns-3's own. Anything finer than
    /// the minimum RTO less the RTT has no effect.
    Time clockGranularity{MilliSeconds(1)};
    /// No Nagle algorithm (RFC 896): a block header, or the end of a chunk, does not wait for the
    /// ACK of what went before. ns-3's own default.
    bool noDelay{true};

    /**
     * @brief Make these the attribute defaults of all TCP sockets and protocols created from now
     *        on.
     *
     * Fatal for a zero segment size, initial window, minimum RTO or delayed-ACK count, and for a
     * window of less than a segment: whoever parses a scenario has refused these before.
     */
    void Apply() const;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TCP_DEFAULTS_H
