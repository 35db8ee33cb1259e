/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Links with an ActiveQueue: packets are in it until the link is free.

#include "gridftp-segment-network.h"

namespace ns3::gridftp
{

void
SegmentNetwork::FindActive()
{
    for (auto& route : m_routes)
    {
        for (auto& hop : route.hops)
        {
            if (hop.queued && hop.queued->GetActiveQueue())
            {
                ActiveLink& active = m_active[hop.link];
                active.end = active.end ? active.end : m_turns.AddQueue();
                hop.active = &active;
            }
        }
    }
}

void
SegmentNetwork::EnterActive(const Transit& transit, const Hop& hop)
{
    ActiveLink& active = *hop.active;
    if (active.free.empty())
    {
        active.free.push_back(static_cast<uint32_t>(active.packets.size()));
        active.packets.emplace_back();
    }
    const uint32_t handle = active.free.back();
    const QueuedPacket packet{.handle = handle,
                              .bytes =
                                  static_cast<uint32_t>(transit.bytes - m_topology.headerBytes),
                              .flowHash = m_handler->GetFlowHash(transit.packet),
                              .isEct = transit.packet.IsEct()};
    const Nanoseconds now = transit.timeNs;
    const bool isTaken = hop.queued->Enqueue(now, packet);
    if (isTaken)
    {
        active.free.pop_back();
        active.packets[handle] = {transit, m_observer && !active.end->IsEmpty()};
        if (active.packets[handle].isShown) [[unlikely]]
        {
            m_observer->HandleStay({hop.link, LinkPlace::QUEUE, now, NEVER, transit.packet});
        }
    }
    DropActive(hop, now);
    if (!isTaken)
    {
        if (m_observer) [[unlikely]]
        {
            Show(hop, now, DropTailLink::DROPPED, transit);
        }
        m_handler->HandleDrop(hop.link, now, transit.packet, true);
    }
    if (active.end->IsEmpty())
    {
        TransmitActive(hop, now);
    }
}

void
SegmentNetwork::DropActive(const Hop& hop, Nanoseconds now)
{
    for (const QueuedPacket& dropped : hop.queued->GetActiveQueue()->GetDropped())
    {
        const Transit& transit = hop.active->packets[dropped.handle].transit;
        hop.active->free.push_back(dropped.handle);
        if (m_observer) [[unlikely]]
        {
            ShowWaited(hop, dropped, now);
            Show(hop, now, DropTailLink::DROPPED, transit);
        }
        m_handler->HandleDrop(hop.link, now, transit.packet, true);
    }
}

void
SegmentNetwork::ShowWaited(const Hop& hop, const QueuedPacket& queued, Nanoseconds now)
{
    const Waiting& waiting = hop.active->packets[queued.handle];
    if (waiting.isShown || queued.enteredNs < now)
    {
        m_observer->HandleStay(
            {hop.link, LinkPlace::QUEUE, queued.enteredNs, now, waiting.transit.packet});
    }
}

void
SegmentNetwork::StepActiveEnd()
{
    const Transit ended = m_turns.GetNext();
    m_turns.Pop();
    TransmitActive(m_routes[ended.route].hops[ended.hop & ~IS_START], ended.timeNs);
}

void
SegmentNetwork::TransmitActive(const Hop& hop, Nanoseconds now)
{
    ActiveLink& active = *hop.active;
    const auto departure = hop.queued->Dequeue(now, m_topology.headerBytes);
    DropActive(hop, now);
    if (!departure)
    {
        return;
    }
    const uint32_t handle = departure->packet.handle;
    Transit transit = active.packets[handle].transit;
    active.free.push_back(handle);
    if (departure->packet.isMarked)
    {
        transit.packet.Mark();
    }
    m_turns.PushInOrder(*active.end,
                        {.timeNs = hop.queued->GetFreeNs(),
                         .begunNs = now,
                         .sentNs = now,
                         .order = m_turns.TakeOrder(),
                         .packet = {},
                         .bytes = 0,
                         .route = transit.route,
                         .hop = (transit.hop - 1) | IS_START});
    if (m_observer) [[unlikely]]
    {
        ShowWaited(hop, departure->packet, now);
        Show(hop, now, departure->arrivalNs, transit);
    }
    transit.begunNs = now;
    transit.sentNs = now;
    transit.timeNs = departure->arrivalNs;
    if (transit.timeNs < 0) [[unlikely]]
    {
        return m_handler->HandleDrop(hop.link, now, transit.packet, false);
    }
    if (Leave(transit, hop))
    {
        Go(transit);
    }
}

} // namespace ns3::gridftp
