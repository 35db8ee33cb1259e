/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-topology.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr auto NO_LINK = Topology::NO_LINK;

/** The one place that lists them. Each is in its own gridftp-topology-<name>.cc. */
constexpr std::array KINDS{TopologyKind{"dumbbell", &MakeDumbbell}};

/** Gives a host, and its links, another name; returns the old one. */
std::string
RenameHost(Topology& topology, uint32_t host, const std::string& name)
{
    std::string old = std::exchange(topology.nodes[host], name);
    for (auto& link : topology.links)
    {
        if (link.from == host || link.to == host)
        {
            link.name.replace(0, old.size(), name);
        }
    }
    return old;
}

/** Adds a host with a link like that of another one; returns it. */
uint32_t
AddHostLike(Topology& topology, uint32_t head, const std::string& name)
{
    const uint32_t out = FindLinksFrom(topology, head).front();
    const uint32_t host = AddNode(topology, name);
    LinkSpec there = topology.links[out];
    LinkSpec back = topology.links[GetReverse(out)];
    there.name = name + " out";
    there.from = host;
    back.name = name + " in";
    back.to = host;
    AddLink(topology, there, back);
    return host;
}

/** The hosts of the stripes of an end: its head alone, or so many new ones. */
std::vector<uint32_t>
AddHostsLike(Topology& topology, uint32_t head, int64_t count)
{
    if (count == 1)
    {
        return {head};
    }
    std::vector<uint32_t> hosts;
    for (int64_t i = 0; i < count; ++i)
    {
        const std::string name = topology.nodes[head] + " stripe " + std::to_string(i);
        hosts.push_back(AddHostLike(topology, head, name));
    }
    return hosts;
}

/** Hosts have links that are no faster than their network interfaces. @param rateBps 0: any rate */
void
SetInterfaceRates(Topology& topology, const std::vector<uint32_t>& hosts, int64_t rateBps)
{
    for (size_t i = 0; rateBps > 0 && i < hosts.size(); ++i)
    {
        const uint32_t out = FindLinksFrom(topology, hosts[i]).front();
        for (const uint32_t link : {out, GetReverse(out)})
        {
            topology.links[link].rateBps = std::min(topology.links[link].rateBps, rateBps);
        }
    }
}

} // namespace

std::span<const TopologyKind>
GetTopologyKinds()
{
    return KINDS;
}

Topology
MakeTopology(const Scenario& scenario)
{
    std::vector<int64_t> delays;
    for (const auto& session : scenario.sessions)
    {
        delays.push_back(session.delay);
    }
    for (const auto& background : scenario.background)
    {
        delays.push_back(background.delay);
    }
    const auto kind = std::ranges::find(KINDS, scenario.path.topology, &TopologyKind::name);
    Topology made = kind->make(scenario.path, scenario.sessions.front().direction, delays);
    made.headerBytes = scenario.path.linkHeader;
    made.measuresReverse = HasTwoDirections(scenario);
    made.hasEcn = UsesEcn(scenario);
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        if (scenario.sessions[i].direction == Direction::THIRD_PARTY)
        {
            AddThirdParty(made, i, scenario.path, scenario.sessions[i].clientDelay);
        }
    }
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const SessionSpec& session = scenario.sessions[i];
        if (session.accessBandwidth != 0 &&
            session.accessBandwidth != scenario.path.accessBandwidth)
        {
            SetClientAccess(made, i, session.accessBandwidth);
        }
        if (session.server == ServerHost::SHARED)
        {
            made.pairs[i].server = made.pairs.front().server; // its own one stays without a use
        }
    }
    if (scenario.path.limit.IsSet())
    {
        const HostPair& first = made.pairs.front();
        SetHostLimit(made,
                     scenario.path.limitAt == LimitEnd::CLIENT ? first.client : first.server,
                     scenario.path.limit);
    }
    const LinkSpec measured = made.links[made.measured];
    for (auto& link : made.links)
    {
        if (std::minmax(link.from, link.to) == std::minmax(measured.from, measured.to))
        {
            link.outages = ListOutages(scenario, FaultKind::LINK_DOWN, {});
            link.holes = ListSizeHoles(scenario);
        }
    }
    for (size_t i = 0; i < made.pairs.size(); ++i)
    {
        const size_t sessions = scenario.sessions.size();
        const bool isSession = i < sessions;
        AddStripes(made,
                   i,
                   isSession ? scenario.sessions[i].direction
                             : scenario.background[i - sessions].direction,
                   isSession ? scenario.sessions[i].stripes : StripeCounts());
    }
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const BufferSpec& buffers = scenario.sessions[i].buffers;
        SetInterfaceRates(made, made.pairs[i].senders, buffers.sender.nic);
        SetInterfaceRates(made, made.pairs[i].receivers, buffers.receiver.nic);
    }
    return made;
}

void
AddThirdParty(Topology& topology, size_t pair, const PathSpec& path, int64_t delayNs)
{
    HostPair& hosts = topology.pairs[pair];
    const std::string number = std::to_string(pair);
    const std::string name = RenameHost(topology, hosts.client, "sender " + number);
    RenameHost(topology, hosts.server, "receiver " + number);
    const uint32_t router = topology.links[FindLinksFrom(topology, hosts.client).front()].to;
    hosts.sender = std::exchange(hosts.client, AddNode(topology, name));
    const LinkSpec out{.name = name + " out",
                       .from = hosts.client,
                       .to = router,
                       .rateBps = path.accessBandwidth,
                       .delayNs = delayNs};
    LinkSpec in = out;
    in.name = name + " in";
    std::swap(in.from, in.to);
    AddLink(topology, out, in);
}

void
SetClientAccess(Topology& topology, size_t pair, int64_t rateBps)
{
    const uint32_t out = FindLinksFrom(topology, topology.pairs[pair].client).front();
    topology.links[out].rateBps = rateBps;
    topology.links[GetReverse(out)].rateBps = rateBps;
}

void
SetHostLimit(Topology& topology, uint32_t host, const RateLimit& limit)
{
    const uint32_t out = FindLinksFrom(topology, host).front();
    topology.links[out].limit = limit;
    topology.links[GetReverse(out)].limit = limit;
}

bool
IsLimited(const Topology& topology, uint32_t node)
{
    return std::ranges::any_of(topology.links, [node](const LinkSpec& link) {
        return link.limit.IsSet() && (link.from == node || link.to == node);
    });
}

void
AddStripes(Topology& topology, size_t pair, Direction direction, const StripeCounts& stripes)
{
    HostPair& hosts = topology.pairs[pair];
    const bool isThirdParty = hosts.sender != HostPair::NONE;
    const uint32_t sender = isThirdParty            ? hosts.sender
                            : IsToServer(direction) ? hosts.client
                                                    : hosts.server;
    const uint32_t receiver = IsToServer(direction) ? hosts.server : hosts.client;
    hosts.senders = AddHostsLike(topology, sender, stripes.senders);
    hosts.receivers = AddHostsLike(topology, receiver, stripes.receivers);
}

uint32_t
AddNode(Topology& topology, std::string name)
{
    topology.nodes.push_back(std::move(name));
    return static_cast<uint32_t>(topology.nodes.size() - 1);
}

void
AddLink(Topology& topology, LinkSpec there, LinkSpec back)
{
    for (LinkSpec* link : {&there, &back})
    {
        if (!link->schedule.IsEmpty())
        {
            link->rateBps = link->schedule.GetMostRate();
            link->delayNs = link->schedule.GetLeastDelay();
        }
        topology.links.push_back(std::move(*link));
    }
}

uint32_t
GetAddress(const Topology& topology, uint32_t link)
{
    const LinkSpec& spec = topology.links[link];
    return FIRST_SUBNET + SUBNET_SIZE * (link / 2) + (spec.from < spec.to ? 1 : 2);
}

uint32_t
GetNodeAddress(const Topology& topology, uint32_t node)
{
    return GetAddress(topology, FindLinksFrom(topology, node).front());
}

std::vector<uint32_t>
FindLinksFrom(const Topology& topology, uint32_t node)
{
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < topology.links.size(); ++link)
    {
        if (topology.links[link].from == node)
        {
            links.push_back(link);
        }
    }
    return links;
}

std::vector<uint32_t>
FindNextLinks(const Topology& topology, uint32_t to)
{
    const auto& links = topology.links;
    // Of each node, one link that ends there; of each link, the next one that ends where it does
    std::vector<uint32_t> last(topology.nodes.size(), NO_LINK);
    std::vector<uint32_t> before(links.size(), NO_LINK);
    for (uint32_t link = 0; link < links.size(); ++link)
    {
        before[link] = std::exchange(last[links[link].to], link);
    }
    // Breadth first, from the end; of each node reached, how many links are left from there
    constexpr uint32_t FAR = UINT32_MAX;
    std::vector<uint32_t> left(topology.nodes.size(), FAR);
    left[to] = 0;
    std::vector<uint32_t> reached{to};
    for (size_t i = 0; i < reached.size(); ++i)
    {
        for (uint32_t link = last[reached[i]]; link != NO_LINK; link = before[link])
        {
            const uint32_t node = links[link].from;
            if (left[node] == FAR)
            {
                left[node] = left[reached[i]] + 1;
                reached.push_back(node);
            }
        }
    }
    std::vector<uint32_t> next(topology.nodes.size(), NO_LINK);
    for (uint32_t link = 0; link < links.size(); ++link)
    {
        const auto& spec = links[link];
        if (left[spec.to] != FAR && left[spec.from] == left[spec.to] + 1 &&
            next[spec.from] == NO_LINK)
        {
            next[spec.from] = link;
        }
    }
    return next;
}

std::vector<uint32_t>
FindRoute(const Topology& topology, uint32_t from, uint32_t to)
{
    const auto next = FindNextLinks(topology, to);
    std::vector<uint32_t> route;
    for (uint32_t link = next[from]; link != NO_LINK; link = next[topology.links[link].to])
    {
        route.push_back(link);
    }
    return route;
}

RandomLoss
MakeRandomLoss(const Topology& topology, uint32_t link, uint64_t seed, uint64_t run)
{
    constexpr uint64_t APART = 0x6c6f7373; // from the draws of the start jitter
    const uint64_t key = link == topology.measured ? KeyedRandom({seed, run, APART})
                                                   : KeyedRandom({seed, run, APART, link});
    return {topology.links[link].randomLoss, key};
}

std::optional<RandomEarlyDetection>
MakeRed(const Topology& topology, uint32_t link, uint64_t seed, uint64_t run)
{
    constexpr uint64_t APART = 0x726564; // from other draws
    const LinkSpec& spec = topology.links[link];
    if (spec.discipline != QueueDiscipline::RED)
    {
        return std::nullopt;
    }
    return RandomEarlyDetection(spec.red, spec.rateBps, KeyedRandom({seed, run, APART, link}));
}

std::unique_ptr<ActiveQueue>
MakeActiveQueue(const Topology& topology, uint32_t link, uint64_t seed, uint64_t run)
{
    constexpr uint64_t PIE = 0x706965; // keeps these random numbers from others
    const LinkSpec& spec = topology.links[link];
    const auto mostPackets = static_cast<uint64_t>(spec.queuePackets);
    switch (spec.discipline)
    {
    case QueueDiscipline::CODEL:
        return std::make_unique<CodelQueue>(spec.codel, mostPackets);
    case QueueDiscipline::FQ_CODEL:
        return std::make_unique<FqCodelQueue>(spec.fqCodel, spec.codel, mostPackets);
    case QueueDiscipline::PIE:
        return std::make_unique<PieQueue>(spec.pie,
                                          mostPackets,
                                          KeyedRandom({seed, run, PIE, link}));
    case QueueDiscipline::DROP_TAIL:
    case QueueDiscipline::RED:
        break;
    }
    return nullptr;
}

std::optional<DelayVariation>
MakeDelayVariation(const Topology& topology, uint32_t link, uint64_t seed, uint64_t run)
{
    constexpr uint64_t JITTER = 0x6a6974746572; // keeps these random numbers from others
    const DelayVariationSpec& spec = topology.links[link].variation;
    if (!spec.IsSet())
    {
        return std::nullopt;
    }
    return DelayVariation(spec, KeyedRandom({seed, run, JITTER, link}));
}

} // namespace ns3::gridftp
