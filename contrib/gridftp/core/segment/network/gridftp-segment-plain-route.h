/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_PLAIN_ROUTE_H
#define GRIDFTP_SEGMENT_PLAIN_ROUTE_H

#include "gridftp-segment-link.h"
#include "gridftp-segment-open-link.h"
#include "gridftp-segment-turns.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A route of three links, the second of which has a queue, where others merge: what most packets do
 * there is worked out without looking at the hops.
 */
struct PlainRoute
{
    OpenLink* out{nullptr};          //!< from the host
    DropTailLink* queued{nullptr};   //!< with the queue
    OpenLink* in{nullptr};           //!< to the host
    uint32_t link{0};                //!< index of the one with the queue
    TurnHeap::Queue* queue{nullptr}; //!< turns that are waited for before it
    uint32_t usualBytes{0};          //!< with the link header
    uint32_t commonBytes{0};         //!< the same where its links have them, too; else 0
    int64_t leadNs{0};               //!< OpenLink::GetLead() of the first, for these
    int64_t inLeadNs{0};             //!< OpenLink::GetLead() of the last, for these
    bool isShared{false};            //!< others come to the last by another link
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_PLAIN_ROUTE_H
