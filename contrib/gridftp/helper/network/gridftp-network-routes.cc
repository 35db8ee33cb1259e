/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-network-routes.h"

#include "gridftp-fixed-routing.h"
#include "gridftp-lean-host.h"
#include "gridftp-lean-net-device.h"
#include "gridftp-lean-router.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"

#include <map>
#include <set>

namespace ns3::gridftp
{

namespace
{

/** Gives nodes FixedRouting. */
class FixedRoutingHelper : public Ipv4RoutingHelper
{
  public:
    FixedRoutingHelper* Copy() const override
    {
        return new FixedRoutingHelper(*this);
    }

    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node> /* node */) const override
    {
        return CreateObject<FixedRouting>();
    }
};

/** @param topology a network @return of each node, the links that begin there */
std::vector<std::vector<uint32_t>>
ListLinks(const Topology& topology)
{
    std::vector<std::vector<uint32_t>> links(topology.nodes.size());
    for (uint32_t link = 0; link < topology.links.size(); ++link)
    {
        links[topology.links[link].from].push_back(link);
    }
    return links;
}

/** @param links that begin at a node @return whether it is a host, else a router */
bool
IsHost(const std::vector<uint32_t>& links)
{
    return links.size() == 1;
}

/** How a router goes on towards a host. */
struct Step
{
    uint32_t node;       //!< the router
    uint32_t link;       //!< where what is for the host leaves
    uint32_t host;       //!< its node
    Ipv4Address address; //!< its address
};

/** @param topology a network @return the steps to the hosts of all pairs */
std::vector<Step>
ListSteps(const Topology& topology)
{
    const auto links = ListLinks(topology);
    std::set<uint32_t> hosts;
    for (const auto& pair : topology.pairs)
    {
        hosts.insert({pair.client, pair.server});
        if (pair.sender != HostPair::NONE)
        {
            hosts.insert(pair.sender);
        }
        hosts.insert(pair.senders.begin(), pair.senders.end());
        hosts.insert(pair.receivers.begin(), pair.receivers.end());
    }
    std::vector<Step> steps;
    for (const uint32_t host : hosts)
    {
        const Ipv4Address address(GetAddress(topology, links[host].front()));
        const auto next = FindNextLinks(topology, host);
        for (uint32_t node = 0; node < next.size(); ++node)
        {
            if (!IsHost(links[node]) && next[node] != Topology::NO_LINK)
            {
                steps.push_back({node, next[node], host, address});
            }
        }
    }
    return steps;
}

uint32_t
InterfaceOf(Ptr<NetDevice> device)
{
    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    return static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device));
}

Ptr<Ipv4StaticRouting>
RoutingOf(Ptr<NetDevice> device)
{
    return Ipv4StaticRoutingHelper().GetStaticRouting(device->GetNode()->GetObject<Ipv4>());
}

Ptr<FixedRouting>
FixedRoutingOf(Ptr<NetDevice> device)
{
    return DynamicCast<FixedRouting>(device->GetNode()->GetObject<Ipv4>()->GetRoutingProtocol());
}

/** Gives a host its default route. */
void
SetHostRoute(Ptr<NetDevice> device, Ipv4Address gateway)
{
    if (const auto fixed = FixedRoutingOf(device))
    {
        fixed->SetGateway(gateway, InterfaceOf(device));
        return;
    }
    RoutingOf(device)->SetDefaultRoute(gateway, InterfaceOf(device));
}

} // namespace

void
InstallStacks(const Topology& topology, const std::vector<Ptr<Node>>& nodes, LinkKind kind)
{
    InternetStackHelper plain;
    plain.SetIpv6StackInstall(false);
    plain.SetRoutingHelper(Ipv4StaticRoutingHelper());
    InternetStackHelper fixed;
    fixed.SetIpv6StackInstall(false);
    fixed.SetRoutingHelper(FixedRoutingHelper());
    const auto links = ListLinks(topology);
    for (uint32_t node = 0; node < nodes.size(); ++node)
    {
        (kind == LinkKind::LEAN && IsHost(links[node]) ? fixed : plain).Install(nodes[node]);
    }
}

void
InstallRoutes(const Topology& topology, const std::vector<Ptr<NetDevice>>& devices)
{
    const auto gatewayOf = [&](uint32_t link) {
        return Ipv4Address(GetAddress(topology, GetReverse(link)));
    };
    for (const auto& links : ListLinks(topology))
    {
        if (IsHost(links))
        {
            SetHostRoute(devices[links.front()], gatewayOf(links.front()));
        }
    }
    // Looking for a route takes ns-3 a time in proportion to their number, so a router has as few
    // as will do: none to its own subnets, and a default one by the link that it needs first
    std::map<uint32_t, uint32_t> usual;
    for (const auto& step : ListSteps(topology))
    {
        if (topology.links[step.link].to == step.host)
        {
            continue;
        }
        const auto device = devices[step.link];
        const auto gateway = gatewayOf(step.link);
        const auto [found, isFirst] = usual.emplace(step.node, step.link);
        if (isFirst)
        {
            RoutingOf(device)->SetDefaultRoute(gateway, InterfaceOf(device));
        }
        else if (found->second != step.link)
        {
            RoutingOf(device)->AddHostRouteTo(step.address, gateway, InterfaceOf(device));
        }
    }
}

void
InstallShortWays(const Topology& topology, const std::vector<Ptr<NetDevice>>& devices)
{
    const auto lean = [&](uint32_t link) { return DynamicCast<LeanNetDevice>(devices[link]); };
    std::map<uint32_t, Ptr<LeanRouter>> routers;
    const auto all = ListLinks(topology);
    for (uint32_t node = 0; node < all.size(); ++node)
    {
        const auto& links = all[node];
        if (IsHost(links))
        {
            const auto device = devices[links.front()];
            CreateObject<LeanHost>()->Install(device->GetNode(), FixedRoutingOf(device));
        }
        else if (!links.empty())
        {
            const auto router = CreateObject<LeanRouter>();
            devices[links.front()]->GetNode()->AggregateObject(router);
            for (const uint32_t link : links)
            {
                lean(link)->SetFrameSink(router);
            }
            routers[node] = router;
        }
    }
    for (const auto& step : ListSteps(topology))
    {
        routers[step.node]->AddRoute(step.address, lean(step.link));
    }
}

} // namespace ns3::gridftp
