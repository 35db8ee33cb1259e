/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-topology.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** Adds a node. */
uint32_t
AddNode(Topology& topology, std::string name)
{
    topology.nodes.push_back(std::move(name));
    return static_cast<uint32_t>(topology.nodes.size() - 1);
}

/** Adds both directions of an access link. */
void
AddAccess(Topology& topology, const PathSpec& path, uint32_t host, uint32_t router, int64_t delay)
{
    LinkSpec link{.name = topology.nodes[host] + " out",
                  .from = host,
                  .to = router,
                  .rateBps = path.accessBandwidth,
                  .delayNs = delay};
    topology.links.push_back(link);
    link.name = topology.nodes[host] + " in";
    std::swap(link.from, link.to);
    topology.links.push_back(link);
}

} // namespace

Topology
MakeTopology(const Scenario& scenario)
{
    const PathSpec& path = scenario.path;
    const bool upload = scenario.sessions.front().direction == Direction::UPLOAD;
    Topology made;
    const uint32_t left = AddNode(made, "left router");
    const uint32_t right = AddNode(made, "right router");
    LinkSpec bottleneck{.name = std::string(BOTTLENECK_LINK),
                        .from = upload ? left : right,
                        .to = upload ? right : left,
                        .rateBps = path.bandwidth,
                        .delayNs = path.delay,
                        .queuePackets = path.queue,
                        .randomLoss = path.randomLoss};
    made.links.push_back(bottleneck);
    bottleneck.name = "bottleneck, against the data";
    bottleneck.randomLoss = 0;
    std::swap(bottleneck.from, bottleneck.to);
    made.links.push_back(bottleneck);

    const auto add = [&](int64_t delay) {
        const auto number = std::to_string(made.pairs.size());
        const HostPair pair{AddNode(made, "client " + number), AddNode(made, "server " + number)};
        const int64_t more = std::max<int64_t>(0, delay - path.delay);
        AddAccess(made, path, pair.client, left, path.accessDelay + more);
        AddAccess(made, path, pair.server, right, path.accessDelay);
        made.pairs.push_back(pair);
    };
    for (const auto& session : scenario.sessions)
    {
        add(session.delay);
    }
    for (const auto& background : scenario.background)
    {
        add(background.delay);
    }
    return made;
}

std::vector<uint32_t>
FindRoute(const Topology& topology, uint32_t from, uint32_t to)
{
    constexpr uint32_t NONE = UINT32_MAX;
    // Breadth first; of each node reached, the link by which it was
    std::vector<uint32_t> by(topology.nodes.size(), NONE);
    std::vector<uint32_t> reached{from};
    for (size_t i = 0; i < reached.size() && by[to] == NONE; ++i)
    {
        for (uint32_t link = 0; link < topology.links.size(); ++link)
        {
            const auto& spec = topology.links[link];
            if (spec.from == reached[i] && spec.to != from && by[spec.to] == NONE)
            {
                by[spec.to] = link;
                reached.push_back(spec.to);
            }
        }
    }
    std::vector<uint32_t> route;
    for (uint32_t node = to; node != from && by[node] != NONE; node = topology.links[by[node]].from)
    {
        route.push_back(by[node]);
    }
    std::reverse(route.begin(), route.end());
    return route;
}

} // namespace ns3::gridftp
