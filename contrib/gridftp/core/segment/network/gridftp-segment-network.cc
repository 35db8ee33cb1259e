/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-network.h"

#include "gridftp-segment-red-queue.h"

#include <utility>

namespace ns3::gridftp
{

SegmentNetwork::SegmentNetwork(const Topology& topology, EventQueue& events, PacketHandler& handler)
    : m_topology(topology),
      m_events(&events),
      m_handler(&handler)
{
    const size_t count = topology.links.size();
    m_open.reserve(count); // hops point to them
    m_tails.reserve(count);
    for (const auto& spec : topology.links)
    {
        const TransmissionTime time(spec.rateBps, 0);
        if (spec.queuePackets == LinkSpec::UNLIMITED && spec.randomLoss == 0 &&
            spec.schedule.IsEmpty() && spec.outages.empty() && spec.holes.empty() &&
            !spec.limit.IsSet() && !spec.variation.IsSet())
        {
            m_links.push_back({.open = &m_open.emplace_back(time, spec.delayNs)});
        }
        else
        {
            const int64_t limit =
                spec.queuePackets == LinkSpec::UNLIMITED ? NEVER : spec.queuePackets;
            m_links.push_back({.queued = &m_tails.emplace_back(time, spec.delayNs, limit)});
            m_links.back().queued->SetOutages(spec.outages);
            m_links.back().queued->SetHoles(spec.holes, topology.headerBytes);
            if (!spec.schedule.IsEmpty())
            {
                m_links.back().queued->SetSchedule(spec.schedule);
            }
            if (spec.limit.IsSet())
            {
                m_links.back().queued->SetLimit(spec.limit, topology.headerBytes);
            }
        }
    }
}

void
SegmentNetwork::SeedLosses(uint64_t seed, uint64_t run)
{
    for (uint32_t i = 0; i < m_links.size(); ++i)
    {
        if (m_links[i].queued)
        {
            m_links[i].queued->SetLoss(MakeRandomLoss(m_topology, i, seed, run));
            const auto red = MakeRed(m_topology, i, seed, run);
            if (red && m_topology.hasEcn)
            {
                DropTailLink& link = *m_links[i].queued;
                const auto most = static_cast<uint64_t>(m_topology.links[i].queuePackets);
                link.SetActiveQueue(std::make_unique<SegmentRedQueue>(*red, link, most));
            }
            else if (red)
            {
                m_links[i].queued->SetRed(*red);
            }
            if (auto queue = MakeActiveQueue(m_topology, i, seed, run))
            {
                m_links[i].queued->SetActiveQueue(std::move(queue));
            }
            if (const auto variation = MakeDelayVariation(m_topology, i, seed, run))
            {
                m_links[i].queued->SetVariation(*variation);
            }
        }
    }
}

void
SegmentNetwork::SetObserver(NetworkObserver* observer)
{
    m_observer = observer;
    if (observer && m_isPiped)
    {
        m_isPiped = false;
        m_turnsAtOnce = m_pipe.GetStepCount();
        for (; m_pipe.GetNextTime() != NEVER; --m_turnsAtOnce)
        {
            const Transit next = m_pipe.Take();
            const Route& route = m_routes[next.route];
            m_turns.Push(next.hop == route.hopCount ? *route.arrivals : *route.plain.queue, next);
        }
    }
}

void
SegmentNetwork::GoSingle(uint32_t route, Nanoseconds now, int64_t bytes, SegmentPacket packet)
{
    PlainRoute& way = route == 0 ? m_there : m_back;
    const int64_t atQueue = way.out->Cross(now, bytes);
    const int64_t across = way.queued->Cross(atQueue, bytes, way.out->GetLead(bytes));
    if (across < 0) [[unlikely]]
    {
        const bool refused = across == DropTailLink::DROPPED;
        return m_handler->HandleDrop(way.link, atQueue, packet, refused);
    }
    const int64_t arrival = way.in->Cross(across, bytes);
    if (route == 0)
    {
        return m_handler->HandleArrival(arrival, packet);
    }
    m_arrivals.Push({arrival, packet});
}

void
SegmentNetwork::Resume(const Transit& transit)
{
    Go(transit);
}

void
SegmentNetwork::Go(Transit transit, bool hasBegun)
{
    const Route& route = m_routes[transit.route];
    while (transit.hop < route.hops.size())
    {
        const Hop& hop = route.hops[transit.hop++];
        const Nanoseconds at = transit.timeNs;
        if (hop.isLate) [[unlikely]]
        {
            return CrossLate(transit, *hop.open);
        }
        if (hop.active) [[unlikely]]
        {
            return EnterActive(transit, hop);
        }
        if (hop.starts && !std::exchange(hasBegun, false)) [[unlikely]]
        {
            if (!hop.starts->queue->IsEmpty() || hop.open->GetFreeNs() > at)
            {
                return Hold(transit, hop);
            }
            hop.starts->begunNs = at;
            hop.starts->order = m_turns.TakeOrder();
        }
        if (hop.queued)
        {
            transit.timeNs = hop.queued->Cross(at, transit.bytes, at - transit.begunNs);
            transit.begunNs = hop.queued->GetLastStart(transit.bytes);
        }
        else
        {
            transit.timeNs = hop.open->Cross(at, transit.bytes);
            transit.begunNs = transit.timeNs - hop.open->GetLead(transit.bytes);
        }
        if (m_observer) [[unlikely]]
        {
            Show(hop, at, transit.timeNs, transit);
        }
        if (transit.timeNs < 0) [[unlikely]]
        {
            const bool refused = transit.timeNs == DropTailLink::DROPPED;
            return m_handler->HandleDrop(hop.link, at, transit.packet, refused);
        }
        if (!Leave(transit, hop))
        {
            return;
        }
    }
    Arrive(transit);
}

bool
SegmentNetwork::Leave(Transit& transit, const Hop& hop)
{
    const Route& route = m_routes[transit.route];
    const bool isThere = transit.hop == route.hops.size();
    TurnHeap::Queue* const queue = isThere ? route.arrivals : route.hops[transit.hop].queue;
    if (queue)
    {
        const bool isTurn = route.isAnswer ? m_answers.IsTurn(transit.timeNs)
                                           : IsTurn(transit.timeNs, route) && !IsLateFin(transit);
        const bool isInTime = !isThere && route.hops[transit.hop].isInTime;
        if (isThere || !isTurn || isInTime)
        {
            transit.order = isThere ? 0 : route.order;
            if (hop.queued && hop.queued->IsVaried()) [[unlikely]]
            {
                m_turns.PushAmong(*queue, transit);
            }
            else
            {
                Wait(route, *queue, transit);
            }
            return false;
        }
        ++m_turnsAtOnce;
        transit.sentNs = transit.timeNs;
    }
    else if (!isThere && route.isShared && transit.hop + 1 == route.hops.size())
    {
        transit.sentNs = transit.timeNs;
    }
    return true;
}

void
SegmentNetwork::Arrive(const Transit& transit)
{
    const Route& route = m_routes[transit.route];
    if (route.gates[1]) [[unlikely]]
    {
        return route.gates[1]->Arrive(transit);
    }
    if (m_isSingle && !route.use.toAhead)
    {
        m_arrivals.Push({transit.timeNs, transit.packet});
    }
    else
    {
        m_handler->HandleArrival(transit.timeNs, transit.packet);
    }
}

void
SegmentNetwork::Hold(Transit transit, const Hop& hop)
{
    LinkStarts& starts = *hop.starts;
    transit.hop = (transit.hop - 1) | IS_START;
    if (!starts.queue->IsEmpty())
    {
        return starts.queue->Push(transit); // its turn is known when the one before begins
    }
    transit.timeNs = hop.open->GetFreeNs();
    transit.begunNs = starts.begunNs;
    transit.sentNs = starts.begunNs;
    transit.order = starts.order;
    m_turns.PushInOrder(*starts.queue, transit);
}

void
SegmentNetwork::StepStart()
{
    Transit transit = m_turns.GetNext();
    transit.hop &= ~IS_START;
    const Hop& hop = m_routes[transit.route].hops[transit.hop];
    LinkStarts& starts = *hop.starts;
    starts.begunNs = transit.timeNs;
    starts.order = m_turns.TakeOrder();
    if (starts.queue->GetSize() > 1)
    {
        Transit& second = starts.queue->At(1);
        second.timeNs = hop.open->GetSentNs(transit.timeNs + hop.open->GetLead(transit.bytes));
        second.begunNs = starts.begunNs;
        second.sentNs = starts.begunNs;
        second.order = starts.order;
    }
    m_turns.Pop();
    transit.sentNs = starts.begunNs;
    Go(transit, true);
}

void
SegmentNetwork::CrossLate(const Transit& transit, OpenLink& link)
{
    // In the order of ns-3: when each comes to the link, then when its transmission on the one
    // before has begun
    const auto comes = [this](const Transit& each, int64_t at) {
        const auto& hops = m_routes[each.route].hops;
        const Hop& hop = hops[hops.size() - 2];
        const int64_t lead =
            hop.open ? hop.open->GetLead(each.bytes) : hop.queued->GetLead(each.bytes);
        return std::pair(at, at - lead);
    };
    TurnHeap::Queue& queue = *m_routes[transit.route].arrivals;
    const auto turn = comes(transit, transit.timeNs);
    size_t first = queue.GetSize(); // those that have arrived have left the link
    while (first > 0 && comes(queue.At(first - 1), queue.At(first - 1).sentNs) > turn)
    {
        --first;
    }
    link.Rewind(first > 0 ? link.GetSentNs(queue.At(first - 1).timeNs) : 0);
    Transit next = transit;
    next.sentNs = transit.timeNs;
    next.hop = static_cast<uint32_t>(m_routes[transit.route].hops.size());
    next.order = 0;
    const auto cross = [&link](Transit& each) {
        each.timeNs = link.Cross(each.sentNs, each.bytes);
        each.begunNs = each.timeNs - link.GetLead(each.bytes);
    };
    for (size_t i = first; i < queue.GetSize(); ++i)
    {
        cross(next);
        next.order = i == first ? m_turns.TakeOrder() : next.order;
        std::swap(next, queue.At(i));
    }
    cross(next);
    next.order = 0;
    const bool isSole = queue.IsEmpty();
    m_turns.Push(queue, next);
    if (first == 0 && !isSole)
    {
        m_turns.Refresh();
    }
}

void
SegmentNetwork::Step()
{
    if (m_isSingle)
    {
        const Arrival arrival = m_arrivals.Front();
        m_arrivals.Pop();
        return m_handler->HandleArrival(arrival.timeNs, arrival.packet);
    }
    if (m_isPiped)
    {
        return m_pipe.Step();
    }
    if (m_answers.GetNextTime() != NEVER && StepAnswers()) [[unlikely]]
    {
        return;
    }
    const Transit& next = m_turns.GetNext();
    const Route& route = m_routes[next.route];
    const Nanoseconds at = next.timeNs;
    const SegmentPacket packet = next.packet;
    if (next.hop == route.hopCount)
    {
        m_turns.Pop();
        return m_handler->HandleArrival(at, packet);
    }
    if (route.isPlain && !m_observer) [[likely]]
    {
        const uint32_t bytes = next.bytes;
        const uint32_t number = next.route;
        m_turns.Pop();
        if (bytes == route.plain.commonBytes) [[likely]]
        {
            return CrossUsual(route, at, number, packet);
        }
        return CrossPlain(route, at, route.plain.out->GetLead(bytes), bytes, number, packet);
    }
    if ((next.hop & IS_START) != 0) [[unlikely]]
    {
        const Hop& hop = route.hops[next.hop & ~IS_START];
        return hop.active ? StepActiveEnd() : StepStart();
    }
    Transit transit = next;
    m_turns.Pop();
    transit.sentNs = at;
    Go(transit);
}

void
SegmentNetwork::WaitAsAnswer(Transit transit)
{
    transit.order |= m_turns.TakeOrder();
    m_answers.Push(transit);
}

bool
SegmentNetwork::IsLateFin(const Transit& transit) const
{
    if (transit.packet.GetContent() != PacketKind::FIN)
    {
        return false;
    }
    for (const auto& route : m_routes)
    {
        for (size_t i = 0; route.isAnswer && i < route.arrivals->GetSize(); ++i)
        {
            const int64_t turn = route.arrivals->At(i).sentNs;
            if (turn > transit.sentNs && turn <= transit.timeNs)
            {
                return true;
            }
        }
    }
    return false;
}

bool
SegmentNetwork::StepAnswers()
{
    const int64_t turn = m_turns.GetNextTime();
    const int64_t answer = m_answers.GetNextTime();
    const bool isTurn =
        answer < turn || (answer == turn && m_turns.GetNext().IsLater(m_answers.GetNext()));
    if (isTurn)
    {
        CrossAnswer();
    }
    // Nothing is under way between two turns, so all that can come before is known
    while (m_answers.GetNextTime() != NEVER && m_answers.IsSettled(m_answers.GetNextTime()))
    {
        CrossAnswer();
    }
    return isTurn;
}

void
SegmentNetwork::CrossAnswer()
{
    Transit transit = m_answers.Take();
    transit.sentNs = transit.timeNs;
    Go(transit);
}

int64_t
SegmentNetwork::GetLastLead(uint32_t route, int64_t bytes) const
{
    if (m_routes[route].gates[1])
    {
        return NEVER;
    }
    const Hop& last = m_routes[route].hops.back();
    const int64_t size = bytes + m_topology.headerBytes;
    return last.open ? last.open->GetLead(size) : last.queued->GetLead(size);
}

DropTailLink&
SegmentNetwork::GetQueued(uint32_t link)
{
    return *m_links[link].queued;
}

const DropTailLink&
SegmentNetwork::GetQueued(uint32_t link) const
{
    return *m_links[link].queued;
}

void
SegmentNetwork::Show(const Hop& hop, Nanoseconds at, int64_t arrival, const Transit& transit)
{
    const SegmentPacket packet = transit.packet;
    if (arrival == DropTailLink::DROPPED)
    {
        return m_observer->HandleStay({hop.link, LinkPlace::REFUSED, at, at, packet});
    }
    if (!hop.queued)
    {
        return m_observer->HandleStay(
            {hop.link, LinkPlace::LINK, transit.begunNs, arrival, packet});
    }
    const int64_t left = hop.queued->GetFreeNs();
    const int64_t begun = hop.queued->GetLastStart(transit.bytes);
    if (begun > at)
    {
        m_observer->HandleStay({hop.link, LinkPlace::QUEUE, at, begun, packet});
    }
    if (arrival == DropTailLink::LOST)
    {
        return m_observer->HandleStay({hop.link, LinkPlace::LOST, left, left, packet});
    }
    m_observer->HandleStay({hop.link, LinkPlace::LINK, begun, arrival, packet});
}

} // namespace ns3::gridftp
