/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bottleneck-observer.h"

#include "gridftp-active-packet-queue.h"
#include "gridftp-red-queue.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{
constexpr size_t MOST_AT_ONCE = 8; // packets that leave within one nanosecond
} // namespace

BottleneckObserver::BottleneckObserver(Ptr<Queue<Packet>> queue,
                                       const Topology& topology,
                                       uint32_t link,
                                       bool measuresDelay)
    : m_queue(queue),
      m_clock(topology.links[link].rateBps,
              topology.links[link].schedule,
              topology.headerBytes - LINK_HEADER_BYTES),
      m_bareBytes(topology.measuresReverse ? 0 : BARE_PACKET_BYTES + topology.headerBytes)
{
    m_marked.name = topology.links[link].name;
    m_queue->TraceConnectWithoutContext("PacketsInQueue",
                                        MakeCallback(&BottleneckObserver::HandleLength, this));
    if (measuresDelay)
    {
        m_delays.emplace(MOST_AT_ONCE);
    }
    if (IsActive())
    {
        m_queue->TraceConnectWithoutContext(
            "Departure",
            MakeCallback(&BottleneckObserver::HandleDeparture, this));
        return;
    }
    m_queue->TraceConnectWithoutContext("Dequeue",
                                        MakeCallback(&BottleneckObserver::HandleLeaving, this));
    if (measuresDelay)
    {
        m_queue->TraceConnectWithoutContext(
            "Enqueue",
            MakeCallback(&BottleneckObserver::HandleEntering, this));
    }
}

BottleneckObserver::~BottleneckObserver()
{
    m_queue->TraceDisconnectWithoutContext("PacketsInQueue",
                                           MakeCallback(&BottleneckObserver::HandleLength, this));
    if (IsActive())
    {
        m_queue->TraceDisconnectWithoutContext(
            "Departure",
            MakeCallback(&BottleneckObserver::HandleDeparture, this));
        return;
    }
    m_queue->TraceDisconnectWithoutContext("Dequeue",
                                           MakeCallback(&BottleneckObserver::HandleLeaving, this));
    if (m_delays)
    {
        m_queue->TraceDisconnectWithoutContext(
            "Enqueue",
            MakeCallback(&BottleneckObserver::HandleEntering, this));
    }
}

void
BottleneckObserver::HandleEntering(Ptr<const Packet> /* packet */)
{
    m_entered.push(Simulator::Now().GetNanoSeconds());
}

void
BottleneckObserver::Begin()
{
    m_changeNs = Simulator::Now().GetNanoSeconds();
    m_forwarded = 0;
    m_beginNs = m_changeNs;
    m_beginBusyNs = GetBusyNs();
    m_beginCarried = GetCarried();
    m_beginDrops = m_queue->GetTotalDroppedPackets();
    m_beginMarks = CountMarks();
    m_packetNs = 0;
    m_most = 0;
    if (m_delays)
    {
        m_delays->Begin(m_beginNs);
    }
}

void
BottleneckObserver::Mark()
{
    Integrate();
    m_markNs = m_changeNs;
    m_marked.utilisation =
        m_clock.GetSchedule().IsEmpty()
            ? static_cast<double>(GetBusyNs() - m_beginBusyNs)
            : GetUtilisation(GetCarried() - m_beginCarried,
                             m_clock.GetSchedule().GetCapacity(m_beginNs, m_markNs));
    m_marked.drops = m_queue->GetTotalDroppedPackets() - m_beginDrops;
    if (m_marked.marks)
    {
        m_marked.marks = CountMarks() - m_beginMarks;
    }
    m_marked.meanQueuePackets = m_packetNs;
    m_marked.maxQueuePackets = m_most;
    if (m_delays)
    {
        m_delays->Mark(Simulator::Now().GetNanoSeconds());
    }
}

uint64_t
BottleneckObserver::GetForwardedBytes() const
{
    return m_forwarded;
}

void
BottleneckObserver::HandleLeaving(Ptr<const Packet> packet)
{
    if (m_delays)
    {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        if (m_clock.GetBytes(packet->GetSize()) > m_bareBytes)
        {
            m_delays->Add(now, now - m_entered.front());
        }
        m_entered.pop();
    }
    HandleTransmission(packet);
}

void
BottleneckObserver::HandleDeparture(Ptr<const Packet> packet, int64_t waitNs)
{
    if (m_delays && m_clock.GetBytes(packet->GetSize()) > m_bareBytes)
    {
        m_delays->Add(Simulator::Now().GetNanoSeconds(), waitNs);
    }
    HandleTransmission(packet);
}

void
BottleneckObserver::MeasureMarks()
{
    m_marked.marks = 0;
}

uint64_t
BottleneckObserver::CountMarks() const
{
    if (const auto active = DynamicCast<ActivePacketQueue>(m_queue))
    {
        return active->GetMarks();
    }
    const auto red = DynamicCast<RedQueue>(m_queue);
    return red ? red->GetMarks() : 0;
}

bool
BottleneckObserver::IsActive() const
{
    return DynamicCast<ActivePacketQueue>(m_queue) != nullptr;
}

void
BottleneckObserver::HandleTransmission(Ptr<const Packet> packet)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    m_forwarded += static_cast<uint64_t>(m_clock.GetBytes(packet->GetSize()));
    m_freeNs = m_clock.GetEnd(now, packet->GetSize());
    if (m_clock.GetSchedule().IsEmpty())
    {
        m_busyNs += m_freeNs - now;
        return;
    }
    m_carried = m_carried + m_clock.GetSchedule().GetCapacity(now, m_freeNs);
}

int64_t
BottleneckObserver::GetBusyNs() const
{
    return m_busyNs - std::max<int64_t>(0, m_freeNs - Simulator::Now().GetNanoSeconds());
}

LinkCapacity
BottleneckObserver::GetCarried() const
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    return m_clock.GetSchedule().IsEmpty() || m_freeNs <= now
               ? m_carried
               : m_carried - m_clock.GetSchedule().GetCapacity(now, m_freeNs);
}

LinkResult
BottleneckObserver::GetResult() const
{
    LinkResult result = m_marked;
    const auto duration = static_cast<double>(m_markNs - m_beginNs);
    if (m_clock.GetSchedule().IsEmpty())
    {
        result.utilisation = duration > 0 ? m_marked.utilisation / duration : 0;
    }
    result.queueDelay = m_delays ? m_delays->GetMarked().GetFigures() : std::nullopt;
    result.meanQueuePackets = duration > 0 ? m_marked.meanQueuePackets / duration : 0;
    return result;
}

void
BottleneckObserver::HandleLength(uint32_t /* before */, uint32_t now)
{
    Integrate();
    m_length = now;
}

void
BottleneckObserver::Integrate()
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    if (now > m_changeNs)
    {
        // A packet that passes through an idle device's queue in no time has not waited.
        m_packetNs += static_cast<double>(m_length) * static_cast<double>(now - m_changeNs);
        m_most = std::max(m_most, m_length);
        m_changeNs = now;
    }
}

} // namespace ns3::gridftp
