/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fixed-routing.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(FixedRouting);

TypeId
FixedRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::FixedRouting")
                            .SetParent<Ipv4StaticRouting>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<FixedRouting>();
    return tid;
}

void
FixedRouting::DoDispose()
{
    m_host = nullptr;
    m_route = nullptr;
    Ipv4StaticRouting::DoDispose();
}

void
FixedRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    m_host = ipv4;
    Ipv4StaticRouting::SetIpv4(ipv4);
}

void
FixedRouting::SetGateway(Ipv4Address gateway, uint32_t interface)
{
    SetDefaultRoute(gateway, interface);
    m_local = m_host->GetAddress(interface, 0);
    m_route = Create<Ipv4Route>();
    m_route->SetDestination(Ipv4Address::GetZero());
    m_route->SetSource(m_local.GetLocal());
    m_route->SetGateway(gateway);
    m_route->SetOutputDevice(m_host->GetNetDevice(interface));
}

const Ptr<Ipv4Route>&
FixedRouting::GetGatewayRoute() const
{
    return m_route;
}

bool
FixedRouting::IsBeyondGateway(Ipv4Address destination) const
{
    constexpr uint32_t LOOPBACK = 127; // first byte (RFC 1122, Section 3.2.1.3)
    return !m_local.GetMask().IsMatch(destination, m_local.GetLocal()) &&
           destination.Get() >> 24 != LOOPBACK && !destination.IsMulticast() &&
           !destination.IsBroadcast();
}

Ptr<Ipv4Route>
FixedRouting::RouteOutput(Ptr<Packet> packet,
                          const Ipv4Header& header,
                          Ptr<NetDevice> device,
                          Socket::SocketErrno& error)
{
    if (m_route && !device && IsBeyondGateway(header.GetDestination()))
    {
        error = Socket::ERROR_NOTERROR;
        return m_route;
    }
    return Ipv4StaticRouting::RouteOutput(packet, header, device, error);
}

} // namespace ns3::gridftp
