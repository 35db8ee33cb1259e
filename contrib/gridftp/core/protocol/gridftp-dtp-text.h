/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DTP_TEXT_H
#define GRIDFTP_DTP_TEXT_H

#include "gridftp-control-text.h"
#include "gridftp-stripes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What a protocol interpreter and a data transfer process (DTP) on another host say to each other,
 * a line each, over a TCP connection that the former opens (Allcock et al., Section 5: an internal
 * protocol, which in the Globus server is binary; this one is ours). Nothing here throws.
 */

namespace ns3::gridftp
{

/// The TCP port at which a DTP waits for its protocol interpreter.
inline constexpr uint16_t DTP_PORT = 50000;

/// What a DTP is to do.
enum class DtpVerb : uint8_t
{
    LISTEN,  //!< for data connections; those of before are closed; answered with PORT
    RECEIVE, //!< the next chunk; answered with READY
    SEND,    //!< the next chunk, at once; connections to other addresses are closed before;
             //!< answered with READY
    FINISH,  //!< the chunk is over
    ABORT,   //!< lets go of everything
    END      //!< lets go of everything, the connection to its protocol interpreter included
};

/// What a stripe that sends has to know of a chunk, beside what is set for the whole session.
struct DtpOrder
{
    uint64_t offset{0};                         //!< of the chunk in the file
    uint64_t length{0};                         //!< of the chunk, bytes, at least 1
    uint32_t stripe{0};                         //!< which of the senders it is, from 0
    uint32_t senders{1};                        //!< how many there are
    StripeLayout layout{StripeLayout::BLOCKED}; //!< which stripe has which part of the file
    uint64_t blockBytes{1};                     //!< of a blocked layout, at least 1
    uint32_t parallelism{1};                    //!< connections to each of its receivers
    uint32_t window{1};                         //!< W, bytes
    std::vector<HostPort> receivers;            //!< where all stripes listen that receive
    MarkerRanges held{};                        //!< of the file, which the receiver has already
    std::vector<uint32_t> pairs{}; //!< connections of each pair of stripes, of all senders, in the
                                   //!< order of StripePlan, in place of the same for all; empty:
                                   //!< not said. DONE tells the times of pairs then

    bool operator==(const DtpOrder&) const = default;
};

/// A line to a DTP.
struct DtpCommand
{
    DtpVerb verb{DtpVerb::LISTEN}; //!< what to do
    uint32_t window{0};            //!< LISTEN: W, bytes
    uint64_t offset{0};            //!< RECEIVE: of the chunk in the file
    uint64_t bytes{0};             //!< RECEIVE: of the chunk, over all stripes; 0: not known
    uint32_t stripe{0};            //!< RECEIVE: which of the receivers it is, from 0
    uint32_t receivers{0};         //!< RECEIVE: how many there are
    MarkerRanges held{};           //!< RECEIVE: ranges of the file that are there already
    bool closes{false};            //!< FINISH: the data connections are closed
    DtpOrder order{};              //!< SEND: what

    bool operator==(const DtpCommand&) const = default;
};

/// @param command what to do @return the line with CRLF
std::string FormatDtpCommand(const DtpCommand& command);
/// @param line without its end @return the command, or 500 or 501
TextResult<DtpCommand> ParseDtpCommand(std::string_view line);

/// What a DTP tells.
enum class DtpEvent : uint8_t
{
    PORT,  //!< it listens; number: the TCP port
    READY, //!< it has begun
    BYTES, //!< number: file bytes of the chunk that have arrived so far; ranges: where they are,
           //!< if somebody is to know
    DONE,  //!< all is acknowledged or has arrived; number: file bytes of the chunk
    FAIL   //!< it cannot go on, and has let go of everything; number: code of a reply
};

/// A line from a DTP.
struct DtpNotice
{
    DtpEvent event{DtpEvent::READY};  //!< what it tells
    uint64_t number{0};               //!< see DtpEvent
    std::string reason{};             //!< FAIL: for a person
    MarkerRanges ranges{};            //!< BYTES: of the file, with what was held before
    std::vector<int64_t> elapsedNs{}; //!< DONE of one that sends, where pairs have numbers of their
                                      //!< own: to each of its receivers, from SEND to the last
                                      //!< acknowledgement, ns

    bool operator==(const DtpNotice&) const = default;
};

/// @param notice what to tell @return the line with CRLF
std::string FormatDtpNotice(const DtpNotice& notice);
/// @param line without its end @return what is told, or 500 or 501
TextResult<DtpNotice> ParseDtpNotice(std::string_view line);

} // namespace ns3::gridftp

#endif // GRIDFTP_DTP_TEXT_H
