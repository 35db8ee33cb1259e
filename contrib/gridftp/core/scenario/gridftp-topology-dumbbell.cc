/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-topology.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * The dumbbell.
 */

namespace ns3::gridftp
{

namespace
{

/** The reverse direction of a link that is alike in both. */
LinkSpec
TurnRound(LinkSpec link, std::string name)
{
    link.name = std::move(name);
    link.randomLoss = 0;
    std::swap(link.from, link.to);
    return link;
}

/** The reverse direction of the bottleneck. @param forward its other direction */
LinkSpec
MakeReverse(const PathSpec& path, const LinkSpec& forward)
{
    LinkSpec reverse = TurnRound(forward, std::string(REVERSE_BOTTLENECK_LINK));
    reverse.rateBps = path.reverseBandwidth;
    reverse.delayNs = path.reverseDelay;
    reverse.queuePackets = path.reverseQueue;
    reverse.randomLoss = path.reverseRandomLoss;
    reverse.discipline = GetReverseDiscipline(path.discipline, path.reverseDiscipline);
    return reverse;
}

/** Adds an access link. */
void
AddAccess(Topology& topology, const PathSpec& path, uint32_t host, uint32_t router, int64_t delay)
{
    const std::string name = topology.nodes[host];
    const LinkSpec out{.name = name + " out",
                       .from = host,
                       .to = router,
                       .rateBps = path.accessBandwidth,
                       .delayNs = delay};
    AddLink(topology, out, TurnRound(out, name + " in"));
}

} // namespace

Topology
MakeDumbbell(const PathSpec& given, Direction direction, std::span<const int64_t> delaysNs)
{
    PathSpec path = given;
    ResolveReverse(path);
    const bool upload = IsToServer(direction); // to the right
    Topology made;
    const uint32_t left = AddNode(made, "left router");
    const uint32_t right = AddNode(made, "right router");
    LinkSpec bottleneck{.name = std::string(BOTTLENECK_LINK),
                        .from = upload ? left : right,
                        .to = upload ? right : left,
                        .rateBps = path.bandwidth,
                        .delayNs = path.delay,
                        .queuePackets = path.queue,
                        .discipline = path.discipline,
                        .red = path.red,
                        .codel = path.codel,
                        .fqCodel = path.fqCodel,
                        .pie = path.pie,
                        .randomLoss = path.randomLoss,
                        .schedule = path.schedule};
    bottleneck.red.packetBytes = path.packetSize + path.linkHeader;
    bottleneck.codel.leastBytes = path.packetSize;
    LinkSpec back = MakeReverse(path, bottleneck);
    if (path.variationAt != VariedDirections::ACKS)
    {
        bottleneck.variation = path.variation;
    }
    if (path.variationAt != VariedDirections::DATA)
    {
        back.variation = path.variation;
    }
    AddLink(made, bottleneck, back);
    for (const int64_t delay : delaysNs)
    {
        const auto number = std::to_string(made.pairs.size());
        HostPair pair;
        pair.client = AddNode(made, "client " + number);
        pair.server = AddNode(made, "server " + number);
        const int64_t more = std::max<int64_t>(0, delay - path.delay);
        AddAccess(made, path, pair.client, left, path.accessDelay + more);
        AddAccess(made, path, pair.server, right, path.accessDelay);
        made.pairs.push_back(pair);
    }
    return made;
}

} // namespace ns3::gridftp
