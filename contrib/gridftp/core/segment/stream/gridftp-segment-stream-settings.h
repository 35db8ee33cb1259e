/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_STREAM_SETTINGS_H
#define GRIDFTP_SEGMENT_STREAM_SETTINGS_H

#include "gridftp-application-host.h"
#include "gridftp-outage.h"
#include "gridftp-scenario.h"
#include "gridftp-segment-flows.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A port on which an application of the segment engine listens. */
struct SegmentListener
{
    uint16_t port{0};          //!< which
    StreamTerms terms{};       //!< of the endpoint that accepts
    ListenUser* user{nullptr}; //!< called for each connection
};

/** @ingroup gridftp @brief What the connections of a SegmentStreamPair have in common. */
struct SegmentStreamSettings
{
    FlowTable* flows{nullptr};                        //!< of the simulation; outlives them
    const Scenario* scenario{nullptr};                //!< resolved; outlives them
    const TcpSpec* tcp{nullptr};                      //!< of both hosts; outlives them
    Outages noRefusals{};                             //!< of a connection with a listener: never
    Outages refusals{{.beginNs = 0, .endNs = NEVER}}; //!< of one without: always
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_STREAM_SETTINGS_H
