/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_GATE_H
#define GRIDFTP_SEGMENT_GATE_H

#include "gridftp-segment-turns.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What is between the flows of a host and its links, where packets wait there. It has
 * SegmentNetwork::Resume() and PacketHandler for them later.
 */
class PacketGate
{
  public:
    virtual ~PacketGate() = default;

    /** A packet of a flow is sent. @param transit it, before its first link */
    virtual void Leave(const Transit& transit) = 0;

    /** A packet has come from the last link. @param transit it, at the end of its route */
    virtual void Arrive(const Transit& transit) = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_GATE_H
