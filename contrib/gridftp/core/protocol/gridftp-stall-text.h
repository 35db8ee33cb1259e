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

/** @ingroup gridftp @param limitNs of a wait, ns @return as in "600 s" */
std::string FormatLimit(int64_t limitNs);

/** @ingroup gridftp @param verb that a server owes a reply to @param limitNs ns @return why a
 * client fails */
std::string MakeNoReplyReason(Verb verb, int64_t limitNs);

/** @ingroup gridftp @param limitNs ns @return why a client fails that is not even greeted */
std::string MakeNoGreetingReason(int64_t limitNs);

/** @ingroup gridftp @param limitNs ns @return why a data transfer process fails that receives */
std::string MakeNoDataReason(int64_t limitNs);

/** @ingroup gridftp @param limitNs ns @return what a server says to a client that says nothing */
Reply MakeIdleReply(int64_t limitNs);

} // namespace ns3::gridftp

#endif // GRIDFTP_STALL_TEXT_H
