/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-frame-ecn.h"

#include "ns3/ipv4-header.h"
#include "ns3/node.h"
#include "ns3/ppp-header.h"

#include <array>

namespace ns3::gridftp
{

bool
IsEctFrame(const Ptr<const Packet>& frame)
{
    constexpr uint32_t AT = 3; // PPP header, version and length, then the field's byte
    constexpr uint8_t FIELD = 3;
    std::array<uint8_t, AT + 1> bytes{};
    frame->CopyData(bytes.data(), bytes.size());
    return (bytes[AT] & FIELD) != 0;
}

Ptr<Packet>
MarkFrame(const Ptr<const Packet>& frame)
{
    const Ptr<Packet> marked = frame->Copy();
    PppHeader ppp;
    Ipv4Header header;
    marked->RemoveHeader(ppp);
    marked->RemoveHeader(header);
    header.SetEcn(Ipv4Header::ECN_CE);
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    marked->AddHeader(header);
    marked->AddHeader(ppp);
    return marked;
}

} // namespace ns3::gridftp
