/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bottleneck-probe.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::gridftp
{

BottleneckProbe::BottleneckProbe(Ptr<Queue<Packet>> queue)
    : m_queue(queue)
{
    m_queue->TraceConnectWithoutContext("PacketsInQueue",
                                        MakeCallback(&BottleneckProbe::HandleLength, this));
}

BottleneckProbe::~BottleneckProbe()
{
    m_queue->TraceDisconnectWithoutContext("PacketsInQueue",
                                           MakeCallback(&BottleneckProbe::HandleLength, this));
}

void
BottleneckProbe::Begin()
{
    m_changeNs = Simulator::Now().GetNanoSeconds();
    m_counter = m_queue->GetTotalReceivedBytes();
    m_received = m_queue->GetNBytes();
    m_beginDrops = m_queue->GetTotalDroppedPackets();
    m_packetNs = 0;
    m_most = 0;
}

void
BottleneckProbe::Mark()
{
    Integrate();
    m_markNs = m_changeNs;
    m_marked.utilisation = static_cast<double>(GetForwardedBytes()) * 8;
    m_marked.drops = m_queue->GetTotalDroppedPackets() - m_beginDrops;
    m_marked.meanQueuePackets = m_packetNs;
    m_marked.maxQueuePackets = m_most;
}

uint64_t
BottleneckProbe::GetForwardedBytes() const
{
    const uint32_t since = m_queue->GetTotalReceivedBytes() - m_counter;
    return m_received + since - m_queue->GetNBytes();
}

LinkResult
BottleneckProbe::GetResult(const LinkSpec& link, int64_t beginNs) const
{
    LinkResult result = m_marked;
    result.name = link.name;
    const auto duration = static_cast<double>(m_markNs - beginNs);
    const double capacity = static_cast<double>(link.rateBps) * duration / 1e9;
    result.utilisation = duration > 0 ? m_marked.utilisation / capacity : 0;
    result.meanQueuePackets = duration > 0 ? m_marked.meanQueuePackets / duration : 0;
    return result;
}

void
BottleneckProbe::HandleLength(uint32_t /* before */, uint32_t now)
{
    Integrate();
    m_length = now;
    // The queue counts in 32 bits, which a few seconds of 10 Gbit/s fill: the difference is exact.
    const uint32_t counter = m_queue->GetTotalReceivedBytes();
    m_received += static_cast<uint32_t>(counter - m_counter);
    m_counter = counter;
}

void
BottleneckProbe::Integrate()
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
