/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NETWORK_ROUTES_H
#define GRIDFTP_NETWORK_ROUTES_H

#include "gridftp-topology.h"

#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/ptr.h"

#include <vector>

/**
 * @file
 * @ingroup gridftp
 * IPv4 stacks and routes of the nodes of a topology. A node with one link is a host, which has one
 * gateway; one with several is a router, which knows the way of FindRoute() to each HostPair.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Installs IPv4, and no IPv6; before the devices are made.
 *
 * @param topology a network
 * @param nodes of it
 * @param kind of links; with lean ones hosts have FixedRouting
 */
void InstallStacks(const Topology& topology, const std::vector<Ptr<Node>>& nodes, LinkKind kind);

/**
 * @ingroup gridftp
 * Sets the static routes, when the devices have their addresses.
 *
 * @param topology a network
 * @param devices of each direction of a link, where it begins
 */
void InstallRoutes(const Topology& topology, const std::vector<Ptr<NetDevice>>& devices);

/**
 * @ingroup gridftp
 * Makes the short ways of LeanRouter and LeanHost, when there are routes.
 *
 * @param topology a network
 * @param devices as for InstallRoutes(), of lean links
 */
void InstallShortWays(const Topology& topology, const std::vector<Ptr<NetDevice>>& devices);

} // namespace ns3::gridftp

#endif // GRIDFTP_NETWORK_ROUTES_H
