/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a network learns of its routes, before anything is sent: where they merge, and which short
// ways are open to their packets.

#include "gridftp-segment-network.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t NO_LINK = UINT32_MAX;
} // namespace

void
SegmentNetwork::SetGate(uint32_t node, PacketGate& gate)
{
    m_gates[node] = &gate;
}

uint32_t
SegmentNetwork::AddRoute(uint32_t from, uint32_t to, const RouteUse& use)
{
    constexpr uint64_t BEHIND = uint64_t{1} << 63;
    Route route{.order = use.yields ? BEHIND : 0, .use = use};
    for (const uint32_t index : FindRoute(m_topology, from, to))
    {
        const Link& link = m_links[index];
        const int64_t bytes = use.usualBytes + m_topology.headerBytes;
        if (link.open)
        {
            link.open->SetUsualBytes(bytes);
        }
        else
        {
            link.queued->SetUsualBytes(bytes);
        }
        route.hops.push_back({index, nullptr, link.open, link.queued});
    }
    for (size_t i = 0; i < 2; ++i)
    {
        const auto gate = m_gates.find(i == 0 ? from : to);
        route.gates[i] = gate == m_gates.end() ? nullptr : gate->second;
    }
    // So that Step() takes none for one that arrives
    route.hopCount = static_cast<uint32_t>(route.hops.size() + (route.gates[1] ? 1 : 0));
    m_routes.push_back(std::move(route));
    return static_cast<uint32_t>(m_routes.size() - 1);
}

void
SegmentNetwork::FindMerges()
{
    m_isSingle = FindSingle();
    if (m_isSingle)
    {
        return;
    }
    // Of each link, the links by which packets come to it; NO_LINK: they start there
    std::map<uint32_t, std::set<uint32_t>> before;
    for (const auto& route : m_routes)
    {
        uint32_t last = NO_LINK;
        for (const auto& hop : route.hops)
        {
            before[hop.link].insert(last);
            last = hop.link;
        }
    }
    const auto mains = FindMains(before);
    const bool isVariedAmongHosts = IsVariedAmongHosts();
    FindActive();
    std::set<uint32_t> inTime;
    for (const auto& route : m_routes)
    {
        for (const auto& hop : route.hops)
        {
            if (hop.queued &&
                (route.use.inTime || hop.queued->GetLimiter() || hop.queued->GetActiveQueue()))
            {
                inTime.insert(hop.link);
            }
        }
    }
    std::map<std::pair<uint32_t, uint32_t>, TurnHeap::Queue*> queues;
    const auto queueOf = [&](uint32_t last, uint32_t next) {
        TurnHeap::Queue*& queue = queues[{last, next}];
        queue = queue ? queue : m_turns.AddQueue();
        return queue;
    };
    for (auto& route : m_routes)
    {
        uint32_t last = NO_LINK;
        for (auto& hop : route.hops)
        {
            const uint32_t main = isVariedAmongHosts ? NO_LINK : mains[hop.link];
            hop.isLate = main != NO_LINK && main != last;
            route.isShared = main != NO_LINK && main == last;
            hop.isInTime = inTime.contains(hop.link);
            const bool isMerge = before[hop.link].size() > 1 && main != last;
            const bool isBehindVaried = last != NO_LINK && IsVaried(last);
            hop.isInTime = hop.isInTime || isBehindVaried || isVariedAmongHosts;
            if (last != NO_LINK && (isMerge || hop.isInTime))
            {
                hop.queue = queueOf(last, hop.link);
            }
            last = hop.link;
        }
        route.arrivals = route.use.toAhead ? nullptr : queueOf(last, NO_LINK);
        route.waits = route.use.fromAhead || route.use.inTime;
    }
    if (isVariedAmongHosts)
    {
        return FindStarts();
    }
    FindPlain();
    FindAnswers();
    m_isPiped = FindPipe();
}

bool
SegmentNetwork::IsVariedAmongHosts() const
{
    if (m_routes.size() <= 2)
    {
        return false;
    }
    return std::ranges::any_of(m_tails, &DropTailLink::IsVaried);
}

void
SegmentNetwork::FindStarts()
{
    for (auto& route : m_routes)
    {
        for (auto& hop : route.hops)
        {
            if (hop.open)
            {
                LinkStarts& starts = m_starts[hop.link];
                starts.queue = starts.queue ? starts.queue : m_turns.AddQueue();
                hop.starts = &starts;
            }
        }
    }
}

bool
SegmentNetwork::IsVaried(uint32_t link) const
{
    return m_links[link].queued && m_links[link].queued->IsVaried();
}

bool
SegmentNetwork::FindSingle()
{
    if (m_routes.size() != 2 || !m_routes[0].use.toAhead || m_routes[1].use.toAhead)
    {
        return false;
    }
    PlainRoute* const singles[] = {&m_there, &m_back};
    for (size_t i = 0; i < 2; ++i)
    {
        const auto& hops = m_routes[i].hops;
        if (hops.size() != 3 || !hops[0].open || !hops[1].queued || !hops[2].open ||
            hops[1].queued->IsVaried() || hops[1].queued->GetActiveQueue())
        {
            return false;
        }
        const int64_t bytes = m_routes[i].use.usualBytes + m_topology.headerBytes;
        *singles[i] = {.out = hops[0].open,
                       .queued = hops[1].queued,
                       .in = hops[2].open,
                       .link = hops[1].link,
                       .leadNs = hops[0].open->GetLead(bytes)};
    }
    return m_there.queued != m_back.queued && m_there.out != m_back.out && m_there.in != m_back.in;
}

bool
SegmentNetwork::FindPipe()
{
    const auto isFit = [](const Route& route) {
        return route.isPlain && route.use.inTime && !route.use.fromAhead && !route.use.toAhead &&
               route.plain.commonBytes != 0;
    };
    if (m_observer || m_routes.size() != 2 || !std::ranges::all_of(m_routes, isFit))
    {
        return false;
    }
    const PlainRoute& there = m_routes[0].plain;
    const PlainRoute& back = m_routes[1].plain;
    // An IPv4 header, which every packet has
    const int64_t least = 20 + m_topology.headerBytes;
    const int64_t leastNs =
        back.out->GetLead(least) + back.queued->GetLead(least) + back.in->GetLead(least);
    m_pipe = SegmentPipe(there, back, leastNs, *m_events, *m_handler);
    return there.out != back.out && there.queued != back.queued && there.in != back.in;
}

std::vector<uint32_t>
SegmentNetwork::FindMains(const std::map<uint32_t, std::set<uint32_t>>& before) const
{
    std::vector<uint32_t> mains(m_links.size(), NO_LINK);
    std::vector<bool> isExcluded(m_links.size(), false);
    for (const auto& route : m_routes)
    {
        for (const auto& hop : route.hops)
        {
            const bool isLast = &hop == &route.hops.back();
            isExcluded[hop.link] = isExcluded[hop.link] || !isLast || route.use.toAhead;
        }
    }
    for (const auto& [link, others] : before)
    {
        uint32_t queued = NO_LINK;
        bool isFit = m_links[link].open && others.size() > 1 && !isExcluded[link];
        for (const uint32_t other : others)
        {
            if (other == NO_LINK || !m_links[other].queued)
            {
                isFit = isFit && other != NO_LINK;
                continue;
            }
            isFit = isFit && queued == NO_LINK && !m_links[other].queued->GetSchedule() &&
                    !IsVaried(other);
            queued = other;
        }
        mains[link] = isFit ? queued : NO_LINK;
    }
    return mains;
}

void
SegmentNetwork::FindPlain()
{
    for (auto& route : m_routes)
    {
        const auto& hops = route.hops;
        if (route.gates[0] || route.gates[1] || hops.size() != 3 || !hops[0].open ||
            !hops[1].queued || hops[1].active || !hops[2].open || hops[2].queue)
        {
            continue;
        }
        const bool isSolo =
            !hops[1].queue && route.arrivals && !route.isAnswer && !IsVaried(hops[1].link) &&
            std::ranges::none_of(hops, [](const Hop& hop) { return hop.starts || hop.isLate; });
        if (!hops[1].queue && !isSolo)
        {
            continue;
        }
        const int64_t bytes = route.use.usualBytes + m_topology.headerBytes;
        const bool isCommon = hops[0].open->GetUsualBytes() == bytes &&
                              hops[1].queued->GetUsualBytes() == bytes &&
                              hops[2].open->GetUsualBytes() == bytes;
        route.isSolo = isSolo && isCommon;
        route.isPlain = !isSolo;
        route.plain = {.out = hops[0].open,
                       .queued = hops[1].queued,
                       .in = hops[2].open,
                       .link = hops[1].link,
                       .queue = hops[1].queue,
                       .usualBytes = static_cast<uint32_t>(bytes),
                       .commonBytes = isCommon && !isSolo ? static_cast<uint32_t>(bytes) : 0,
                       .leadNs = hops[0].open->GetLead(bytes),
                       .inLeadNs = hops[2].open->GetLead(bytes),
                       .isShared = route.isShared};
    }
}

void
SegmentNetwork::FindAnswers()
{
    const int64_t leastBytes = HEADER_BYTES + m_topology.headerBytes;
    const DropTailLink* data = nullptr;
    const DropTailLink* answers = nullptr;
    int64_t inNs = NEVER;
    int64_t outNs = NEVER;
    for (const auto& route : m_routes)
    {
        if (!route.isPlain || route.use.fromAhead == route.use.toAhead)
        {
            return;
        }
        const DropTailLink*& link = route.use.toAhead ? data : answers;
        if (link && link != route.plain.queued)
        {
            return;
        }
        link = route.plain.queued;
        if (route.use.toAhead)
        {
            inNs = std::min(inNs, route.plain.in->GetLead(leastBytes));
        }
        else
        {
            outNs = std::min(outNs, route.plain.out->GetLead(leastBytes));
        }
    }
    if (!data || !answers || data == answers)
    {
        return;
    }
    m_answers = AnswerMerge(*data, *m_events, data->GetLead(leastBytes) + inNs + outNs, outNs);
    for (auto& route : m_routes)
    {
        route.isAnswer = route.use.fromAhead;
    }
}

} // namespace ns3::gridftp
