/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FRAME_ECN_H
#define GRIDFTP_FRAME_ECN_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

/**
 * @file
 * @ingroup gridftp
 * The ECN field of frames (RFC 3168, section 5): an IPv4 packet behind a PPP header, as in the
 * queue of a device.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @param frame in a queue @return whether it may be marked: the field is ECT or
 * CE */
bool IsEctFrame(const Ptr<const Packet>& frame);

/**
 * @ingroup gridftp
 * @param frame in a queue, which stays as it is, as traces may store it
 * @return a copy with CE in the field, and with a new checksum where nodes have checksums
 */
Ptr<Packet> MarkFrame(const Ptr<const Packet>& frame);

} // namespace ns3::gridftp

#endif // GRIDFTP_FRAME_ECN_H
