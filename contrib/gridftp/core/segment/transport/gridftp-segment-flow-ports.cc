/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-flow-ports.h"

#include "gridftp-assigned-ports.h"

namespace ns3::gridftp
{

uint16_t
FlowPorts::TakePort(uint32_t node)
{
    // ns-3 begins with the port after the first one
    uint16_t& last = m_last.try_emplace(node, FIRST_EPHEMERAL_PORT).first->second;
    last = last == UINT16_MAX ? FIRST_EPHEMERAL_PORT : static_cast<uint16_t>(last + 1);
    return last;
}

void
FlowPorts::Set(Hashes& hashes, uint32_t flow, const Ends& ends, uint8_t protocol)
{
    if (hashes.size() <= flow)
    {
        hashes.resize(flow + 1);
    }
    for (const uint32_t to : {0, 1})
    {
        const uint32_t from = 1 - to;
        hashes[flow][to] = HashFlow({.source = ends.addresses[from],
                                     .destination = ends.addresses[to],
                                     .protocol = protocol,
                                     .sourcePort = ends.ports[from],
                                     .destinationPort = ends.ports[to]});
    }
}

} // namespace ns3::gridftp
