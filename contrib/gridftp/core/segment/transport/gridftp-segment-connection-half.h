/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_CONNECTION_HALF_H
#define GRIDFTP_SEGMENT_CONNECTION_HALF_H

#include "gridftp-segment-connection-ending.h"
#include "gridftp-segment-connection-terms.h"
#include "gridftp-segment-options.h"
#include "gridftp-segment-receiver.h"
#include "gridftp-segment-sender.h"
#include "gridftp-segment-tcp.h"
#include "gridftp-segment-time.h"

#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What happens later to an end of a TcpConnection, as ids of events. */
struct TcpConnectionTimers
{
    /** What it is; the low bits of an event's id, behind the end. */
    enum Timer : uint32_t
    {
        SYN,        //!< there is no answer to a SYN or SYN-ACK
        SEND,       //!< what was written is to be sent
        ACK,        //!< an ACK was delayed long enough
        RETRY,      //!< the retransmission timer may have expired
        READ,       //!< the application may read again
        WRITE,      //!< the application may write again
        PROBE,      //!< the receiver's window is to be probed
        FIN,        //!< a FIN was dropped; behind the low bits: its number
        OPENED,     //!< its application is told of the connection
        FIN_REPEAT, //!< TcpEnding::Timer::FIN
        LAST_ACK    //!< TcpEnding::Timer::LAST_ACK
    };

    static constexpr uint32_t END_BITS = 1; //!< of an event's id: whose it is
    static constexpr uint32_t LOW_BITS = 5; //!< these, and what it is; behind them perhaps more
};

/** @ingroup gridftp @brief With the first byte of a segment of one way: it carries a FIN, too. */
inline constexpr uint64_t FIN_BIT = uint64_t{1} << 63;

/** @ingroup gridftp @brief The FIN of the end that connects, where both ends close together. */
struct TcpConnectionFin
{
    bool isUnderWay{false}; //!< closed, but the end that accepts does not know yet
    uint32_t number{0};     //!< of the last connection that was closed
    uint32_t met{0};        //!< of the last one whose ends closed before either knew
    int64_t rtoNs{0};       //!< after which a FIN that was lost is sent again
    int64_t restartNs{0};   //!< not before this, since an ACK has come meanwhile
};

/** @ingroup gridftp @brief What one end of a TcpConnection has of its own. */
struct TcpConnectionHalf
{
    /** @param tcp its TCP @param port of its sender @param endingPort of its ending @param end
     * which it is */
    TcpConnectionHalf(const SegmentTcp& tcp,
                      SegmentSender::Port& port,
                      TcpEnding::Port& endingPort,
                      TcpConnectionTerms::End end)
        : sender(tcp, port, end),
          receiver(tcp.delayedAck, tcp.hasSack),
          ending(endingPort, end)
    {
    }

    /** @return its TcpEnding::Moment, by its clock */
    TcpEnding::Moment GetMoment() const
    {
        return {.now = nowNs,
                .rtoNs = sender.GetRtoNs(),
                .shortRtoNs = sender.GetShortRtoNs(),
                .isTimerRunning = sender.GetDeadline() != NEVER};
    }

    SegmentSender sender;          //!< what it sends
    SegmentReceiver receiver;      //!< what it receives
    TimestampEcho timestamps;      //!< which timestamp it echoes, where there are any
    TcpEnding ending;              //!< how it closes, where TcpConnectionTerms::Use::closesApart
    std::optional<uint64_t> finAt; //!< of two ways: first byte behind what the other end sends,
                                   //!< once its FIN has come
    int64_t nowNs{0};              //!< its clock
    bool connected{false};         //!< its handshake is done
    bool reading{false};           //!< it is working on what has come
    bool resuming{false};          //!< its application reads, and nothing has come
    bool holdsEcho{false};         //!< with ECN: ACKs that it sends now carry no ECE
    uint32_t synSent{0};           //!< SYNs or SYN-ACKs sent
    int64_t synSentNs{0};          //!< when the last one was
    int64_t synDueNs{NEVER};       //!< when the next one is
    int64_t sendDueNs{NEVER};      //!< when what was written is sent
    int64_t ackDueNs{NEVER};       //!< when a delayed ACK is sent
    int64_t ackQueuedNs{NEVER};    //!< when its event is
    int64_t retryDueNs{NEVER};     //!< when the retransmission timer is looked at
    int64_t retryLeftNs{NEVER};    //!< when an event of it comes that has lost its place
    int64_t workDueNs{NEVER};      //!< when its application may read or write again
    int64_t workNs{0};             //!< since when it could not, before that, ns
    int64_t probeDueNs{NEVER};     //!< when the receiver's window is probed
    int64_t probeNs{0};            //!< how long after the last probe, ns
    uint32_t probesLeft{0};        //!< before it gives up
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_CONNECTION_HALF_H
