/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOPOLOGY_H
#define GRIDFTP_TOPOLOGY_H

#include "gridftp-scenario.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The network of a scenario as data, from which both engines build theirs.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The dumbbell's shared link, in the direction of the data. */
inline constexpr std::string_view BOTTLENECK_LINK = "bottleneck";

/** @ingroup gridftp @brief One direction of a link. */
struct LinkSpec
{
    /** As LinkSpec::queuePackets: the queue drops nothing. */
    static constexpr int64_t UNLIMITED = -1;

    std::string name;                //!< what results and messages call it
    uint32_t from{};                 //!< node
    uint32_t to{};                   //!< node
    int64_t rateBps{};               //!< bit/s
    int64_t delayNs{};               //!< of propagation, ns
    int64_t queuePackets{UNLIMITED}; //!< DropTail: packets waiting, without the one in service
    double randomLoss{};             //!< independent loss of packets behind the queue, [0, 1)
};

/** @ingroup gridftp @brief The two hosts of a session or a background connection. */
struct HostPair
{
    uint32_t client{}; //!< node that connects
    uint32_t server{}; //!< node that accepts
};

/** @ingroup gridftp @brief Nodes and links; nodes are numbered from 0. */
struct Topology
{
    std::vector<std::string> nodes; //!< names
    std::vector<LinkSpec> links;    //!< each direction apart
    std::vector<HostPair> pairs;    //!< of the sessions, then of the background connections
    uint32_t measured{};            //!< link whose use, queue and drops are told
};

/**
 * @ingroup gridftp
 * @param scenario resolved
 * @return its network: the dumbbell (Ito et al., Fig. 2), with a pair of hosts for each session and
 *         each background connection. What one's delay is more than the bottleneck's is on its
 *         client's access link. Measured is the bottleneck in the direction of the data.
 */
Topology MakeTopology(const Scenario& scenario);

/**
 * @ingroup gridftp
 * @param topology a network
 * @param from node
 * @param to another node
 * @return the links of the way with the fewest, the first ones listed among equals; empty where
 *         there is no way
 */
std::vector<uint32_t> FindRoute(const Topology& topology, uint32_t from, uint32_t to);

} // namespace ns3::gridftp

#endif // GRIDFTP_TOPOLOGY_H
