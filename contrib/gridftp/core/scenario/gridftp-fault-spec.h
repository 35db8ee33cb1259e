/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FAULT_SPEC_H
#define GRIDFTP_FAULT_SPEC_H

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * A fault of a scenario: what goes wrong, where, when and for how long.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What goes wrong. */
enum class FaultKind
{
    CONTROL_RESET, //!< a server resets its control connection and all that belongs to it
    SERVER_DIES,   //!< a server's protocol interpreter is killed, and its DTP on the same host
    SERVER_SILENT, //!< a server does not execute commands, nor answers them
    DTP_DIES,      //!< a data transfer process is killed
    DATA_RESET,    //!< one end resets a data connection
    LINK_DOWN,     //!< what leaves the bottleneck is lost, in both directions
    DISK_STALL,    //!< the storage of a host stands still
    AUTH_REFUSED,  //!< a server refuses clients that authenticate
    CONTROL_CUT,   //!< a middlebox forgets control connections that carry no packet
    REPLY_LOST,    //!< the final reply to a transfer does not reach the client
    FOREIGN,       //!< a foreign host connects to the data port and closes again
    MTU_HOLE       //!< packets above a size vanish behind the bottleneck, in both directions
};

/** @ingroup gridftp @brief Which end of a session a fault is at. */
enum class FaultServer
{
    SERVER,   //!< the only server, of an upload or download
    RECEIVER, //!< of a third-party transfer, the server that receives
    SENDER,   //!< of a third-party transfer, the server that sends
    CLIENT    //!< the client's end of the data, of an upload or download
};

/** @ingroup gridftp @brief Something that goes wrong at a moment, for a while or for ever. */
struct FaultSpec
{
    FaultKind kind{};     //!< what
    int64_t session{};    //!< at which session, its index
    FaultServer server{}; //!< at which of its ends
    int64_t stripe{};     //!< of that end, its index
    int64_t connection{}; //!< of DATA_RESET: which data connection, its number
    int64_t at{};         //!< when, ns
    int64_t duration{};   //!< how long, ns; 0: for ever
    int64_t idle{};       //!< of CONTROL_CUT: without a packet, ns
    int64_t mtu{};        //!< of MTU_HOLE: the largest IP packet that passes, bytes

    /** Duration of a CONTROL_RESET that strikes one connection: the one that is there, or the next.
     */
    static constexpr int64_t ONCE = 1;

    /** @return whether it strikes one control connection */
    bool IsOnce() const
    {
        return kind == FaultKind::CONTROL_RESET && duration == ONCE;
    }

    /** @return when it is over, ns */
    int64_t GetEndNs() const
    {
        return duration == 0 ? INT64_MAX : at + duration;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FAULT_SPEC_H
