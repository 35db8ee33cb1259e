/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-lean-host.h"

#include "gridftp-assigned-numbers.h"

#include "ns3/ipv4-header.h"
#include "ns3/node.h"
#include "ns3/ppp-header.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(LeanHost);

namespace
{
constexpr uint16_t PPP_IPV4 = 0x0021; // RFC 1332
constexpr uint32_t IP_BYTES = 20;
} // namespace

TypeId
LeanHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::LeanHost")
                            .SetParent<LeanFrameSink>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<LeanHost>();
    return tid;
}

LeanHost::LeanHost() = default;

LeanHost::~LeanHost() = default;

void
LeanHost::Install(Ptr<Node> node, Ptr<FixedRouting> routing)
{
    node->AggregateObject(this);
    m_routing = routing;
    m_ipv4 = node->GetObject<Ipv4L3Protocol>();
    m_tcp = node->GetObject<TcpL4Protocol>();
    const auto& route = routing->GetGatewayRoute();
    m_device = DynamicCast<LeanNetDevice>(route->GetOutputDevice());
    m_interface =
        m_ipv4->GetInterface(static_cast<uint32_t>(m_ipv4->GetInterfaceForDevice(m_device)));
    m_address = route->GetSource();
    m_device->SetFrameSink(this);
    m_tcp->SetDownTarget(MakeCallback(&LeanHost::SendSegment, this));
}

void
LeanHost::DoInitialize()
{
    UintegerValue ttl;
    m_ipv4->GetAttribute("DefaultTtl", ttl);
    m_ttl = static_cast<uint8_t>(ttl.Get());
    m_checksums = Node::ChecksumEnabled();
    LeanFrameSink::DoInitialize();
}

void
LeanHost::DoDispose()
{
    m_ipv4 = nullptr;
    m_tcp = nullptr;
    m_routing = nullptr;
    m_device = nullptr;
    m_interface = nullptr;
    LeanFrameSink::DoDispose();
}

void
LeanHost::SendSegment(Ptr<Packet> segment,
                      Ipv4Address from,
                      Ipv4Address to,
                      uint8_t protocol,
                      Ptr<Ipv4Route> route)
{
    if (!m_device)
    {
        return; // the node is being taken apart
    }
    if (!route || route != m_routing->GetGatewayRoute() ||
        segment->GetSize() + IP_BYTES > m_device->GetMtu())
    {
        m_ipv4->Send(segment, from, to, protocol, route);
        return;
    }
    SocketIpTtlTag ttl;
    ttl.SetTtl(m_ttl);
    segment->RemovePacketTag(ttl);
    SocketIpTosTag tos;
    tos.SetTos(0);
    segment->RemovePacketTag(tos);
    Ipv4Header header;
    header.SetSource(from);
    header.SetDestination(to);
    header.SetProtocol(protocol);
    header.SetPayloadSize(static_cast<uint16_t>(segment->GetSize()));
    header.SetTtl(ttl.GetTtl());
    header.SetTos(tos.GetTos());
    header.SetMayFragment();
    header.SetIdentification(m_identification[to.Get()]++);
    if (m_checksums)
    {
        header.EnableChecksum();
    }
    segment->AddHeader(header);
    m_device->SendIpv4(std::move(segment));
}

bool
LeanHost::TakeFrame(const Ptr<Packet>& frame)
{
    PppHeader ppp;
    Ipv4Header header;
    if (m_checksums)
    {
        header.EnableChecksum();
    }
    frame->RemoveHeader(ppp);
    if (ppp.GetProtocol() != PPP_IPV4)
    {
        frame->AddHeader(ppp);
        return false;
    }
    frame->RemoveHeader(header);
    if (!header.IsChecksumOk())
    {
        return true; // dropped, as by Ipv4L3Protocol
    }
    if (header.GetProtocol() != IP_PROTOCOL_TCP || header.GetDestination() != m_address ||
        !header.IsLastFragment() || header.GetFragmentOffset() != 0)
    {
        frame->AddHeader(header);
        frame->AddHeader(ppp);
        return false;
    }
    m_tcp->Receive(frame, header, m_interface);
    return true;
}

} // namespace ns3::gridftp
