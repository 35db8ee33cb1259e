/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FIXED_ROUTING_H
#define GRIDFTP_FIXED_ROUTING_H

#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-static-routing.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Static routing of a host with one link and one gateway, which remembers the one route that it
 * takes to all other networks. Whatever else is asked goes to Ipv4StaticRouting.
 */
class FixedRouting : public Ipv4StaticRouting
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /**
     * Sets the default route; called once, when the interface has its address.
     * @param gateway next hop
     * @param interface where it is
     */
    void SetGateway(Ipv4Address gateway, uint32_t interface);

    /** @return the route to all other networks; null without a gateway */
    const Ptr<Ipv4Route>& GetGatewayRoute() const;

    void SetIpv4(Ptr<Ipv4> ipv4) override;
    Ptr<Ipv4Route> RouteOutput(Ptr<Packet> packet,
                               const Ipv4Header& header,
                               Ptr<NetDevice> device,
                               Socket::SocketErrno& error) override;

  private:
    void DoDispose() override;

    /** @param destination an address @return whether it is a host in another network */
    bool IsBeyondGateway(Ipv4Address destination) const;

    Ptr<Ipv4> m_host;             //!< whose routes these are
    Ptr<Ipv4Route> m_route;       //!< to all other networks
    Ipv4InterfaceAddress m_local; //!< address and network of the interface
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FIXED_ROUTING_H
