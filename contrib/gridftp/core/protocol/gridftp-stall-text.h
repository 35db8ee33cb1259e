/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STALL_TEXT_H
#define GRIDFTP_STALL_TEXT_H

#include "gridftp-control-reply.h"
#include "gridftp-control-text.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * What a waiter says that has waited without any progress for as long as it may.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How long a client whose data connection was reset waits for the server
 * to say why, ns. */
inline constexpr int64_t LAST_WORD_NS = 5'000'000'000;

/** @ingroup gridftp @param limitNs of a wait, ns @return as in "600 s" */
std::string FormatLimit(int64_t limitNs);

/** @ingroup gridftp @param verb that a server owes a reply to @param limitNs ns @return why a
 * client fails */
std::string MakeNoReplyReason(Verb verb, int64_t limitNs);

/** @ingroup gridftp @param limitNs ns @return why a client fails that is not even greeted */
std::string MakeNoGreetingReason(int64_t limitNs);

/** @ingroup gridftp @param limitNs ns @return why a data transfer process fails that receives */
std::string MakeNoDataReason(int64_t limitNs);

/** @ingroup gridftp @return why a data transfer process fails whose peer resets a connection */
std::string MakeResetReason();

/** @ingroup gridftp @return why a data transfer process fails that a foreign host has connected to
 */
std::string MakeForeignReason();

/** @ingroup gridftp @param limitNs ns @return why a data transfer process fails whose storage does
 * not complete what it is to write */
std::string MakeStandstillReason(int64_t limitNs);

/** @ingroup gridftp @param rateBps the least rate, bit/s @param periodNs of its mean, ns @return
 * why a client gives up a transfer that is slower */
std::string MakeSlowReason(int64_t rateBps, int64_t periodNs);

/** @ingroup gridftp @param limitNs ns @return what a server says to a client that says nothing */
Reply MakeIdleReply(int64_t limitNs);

} // namespace ns3::gridftp

#endif // GRIDFTP_STALL_TEXT_H
