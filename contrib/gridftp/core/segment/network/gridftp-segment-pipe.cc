/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-pipe.h"

namespace ns3::gridftp
{

void
SegmentPipe::Step()
{
    const Transit next = FindNext();
    Way& way = m_ways[next.route];
    if (next.hop == 1)
    {
        Cross(way);
    }
    else
    {
        Arrive(way);
    }
    FindBack();
}

uint64_t
SegmentPipe::GetStepCount() const
{
    uint64_t count = 0;
    for (const auto& way : m_ways)
    {
        count += way.turns.items.GetPushCount() + way.arrivals.items.GetPushCount();
    }
    return count;
}

Transit
SegmentPipe::Take()
{
    const Transit next = FindNext();
    Way& way = m_ways[next.route];
    (next.hop == 1 ? way.turns : way.arrivals).Pop();
    FindBack();
    return next;
}

bool
SegmentPipe::IsArrivalFirst(const Way& way)
{
    return GetFirst(0, way.turns, *way.route.out, 1)
        .IsLater(GetFirst(0, way.arrivals, *way.route.in, 3));
}

Transit
SegmentPipe::GetFirst(uint32_t route, const Lane& lane, const OpenLink& last, uint32_t hop)
{
    const Item& item = lane.items.Front();
    return {.timeNs = item.timeNs,
            .begunNs = item.timeNs - last.GetLead(item.bytes),
            .sentNs = item.sentNs,
            .packet = item.packet,
            .bytes = item.bytes,
            .route = route,
            .hop = hop};
}

Transit
SegmentPipe::FindNext() const
{
    Transit first;
    first.timeNs = NEVER;
    const auto look = [&](uint32_t route, const Lane& lane, const OpenLink& last, uint32_t hop) {
        if (lane.nextNs <= first.timeNs && lane.nextNs != NEVER)
        {
            const Transit next = GetFirst(route, lane, last, hop);
            first = first.IsLater(next) ? next : first;
        }
    };
    for (uint32_t route = 0; route < m_ways.size(); ++route)
    {
        const Way& way = m_ways[route];
        look(route, way.turns, *way.route.out, 1);
        look(route, way.arrivals, *way.route.in, 3);
    }
    return first;
}

} // namespace ns3::gridftp
