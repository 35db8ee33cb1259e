/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_ACK_STATE_H
#define GRIDFTP_LINUX_ACK_STATE_H

#include "gridftp-linux-congestion.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Counts of a LinuxSender, as in the kernel's TCP_INFO and SNMP counters.
 */
struct LinuxSenderCounts
{
    uint64_t segments{0};        //!< segments with data sent for the first time
    uint64_t retransmissions{0}; //!< segments sent again (tcpi_total_retrans), probes included
    uint64_t timeouts{0};   //!< expired retransmission timers, of SYNs, too (TcpExtTCPTimeouts)
    uint64_t rttSamples{0}; //!< samples of the RTT
};

/**
 * @ingroup gridftp
 * What a LinuxSender finds out while it processes one ACK (the kernel's flags and sacktag state).
 */
struct LinuxAckState
{
    bool hasData{false};           //!< the segment with the ACK has data
    bool isWindowUpdate{false};    //!< it has changed the window
    bool isAdvance{false};         //!< it acknowledges new data cumulatively
    bool isDataAcked{false};       //!< segments left the queue
    bool isRetransAcked{false};    //!< of these, some were retransmitted
    bool isDataSacked{false};      //!< a SACK block covers more than before
    bool isOriginalAcked{false};   //!< a segment sent once, before the recovery, was delivered
    bool isEcho{false};            //!< ECE
    bool isDsack{false};           //!< a DSACK that counts
    bool isDsackOfProbe{false};    //!< a DSACK of a tail loss probe
    bool isReneging{false};        //!< the first segment of the queue was SACKed
    bool isLostRetrans{false};     //!< a retransmission was lost
    bool setsTimer{false};         //!< the timer is to be set anew
    bool maybeDelayed{false};      //!< the receiver probably delayed the ACK
    uint64_t priorUna{0};          //!< first position not acknowledged before it
    uint64_t reordered{0};         //!< lowest position that was reordered
    uint32_t sackDelivered{0};     //!< segments delivered by SACK and DSACK
    Nanoseconds firstSackedAt{-1}; //!< when the first one newly SACKed, sent once, was sent
    Nanoseconds lastSackedAt{-1};  //!< when the last one was
    LinuxRateSample rate;          //!< delivery rate
    Nanoseconds rateSentAt{-1};    //!< when the newest delivered segment was sent
    uint64_t rateEnd{0};           //!< its end

    /** @return whether it is no duplicate ACK (FLAG_NOT_DUP) */
    bool IsNoDuplicate() const
    {
        return hasData || isWindowUpdate || isDataAcked;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_ACK_STATE_H
