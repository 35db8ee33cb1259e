/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRANSFER_ORDER_H
#define GRIDFTP_TRANSFER_ORDER_H

#include "gridftp-block-scheduler.h"
#include "gridftp-connection-totals.h"
#include "gridftp-marker-ranges.h"
#include "gridftp-stripe-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What a protocol interpreter orders a data transfer process to send or receive.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a data transfer process has to send. */
struct SendOrder
{
    uint64_t chunk{0};           //!< index, for the draw of the start jitter
    uint64_t offset{0};          //!< of the chunk in the file
    uint64_t bytes{1};           //!< of the chunk; offsets on the wire run from 0
    uint32_t parallelism{1};     //!< N connections to each receiver
    Layout layout{};             //!< which connection carries which block
    uint64_t blockBytes{1};      //!< payload of a block
    StripeLayout stripeLayout{}; //!< which stripe has which part of the chunk
    uint64_t stripeBlock{1};     //!< of a blocked layout, bytes
    StripeCounts stripes{};      //!< how many send and receive
    uint32_t stripe{0};          //!< index of this one among those that send
    MarkerRanges held{};         //!< of the file, of MergeRanges(): what the receivers have (REST)
    std::vector<uint32_t> pairs{}; //!< N of each pair of stripes, of all that send, where they
                                   //!< differ
};

/** @ingroup gridftp @brief What a data transfer process has to receive. */
struct ReceiveOrder
{
    std::optional<uint64_t> bytes; //!< of the chunk, of all stripes; none: as many as arrive,
                                   //!< without a gap
    uint64_t offset{0};            //!< of the chunk in the file, for its storage
    uint32_t stripe{0};            //!< index of this one among those that receive
    uint32_t receivers{1};         //!< how many there are
    MarkerRanges held{};           //!< of the file, of MergeRanges(): what has arrived before, and
                                   //!< does not arrive again (REST)
};

/** @ingroup gridftp @brief How a transfer ended that cannot go on. */
struct TransferFailure
{
    int code{0};          //!< of the reply: 425 or 426
    std::string reason{}; //!< for people
};

/** @ingroup gridftp Counts pair by pair. @param sums by receiver @param more of the same receivers;
 * there may be more of them */
void AddPairTotals(std::vector<ConnectionTotals>& sums, const std::vector<ConnectionTotals>& more);

} // namespace ns3::gridftp

#endif // GRIDFTP_TRANSFER_ORDER_H
