/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-simulation.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A simulation: what its observers see, and what it measures where results ask for it.
 */

namespace ns3::gridftp
{

void
SegmentSimulation::SetObserver(SegmentObserver& observer)
{
    m_observer = &observer;
    m_putsDown = observer.WantsDeliveries();
    m_network.GetQueued(m_topology.measured).SetObserver(this);
    m_flows.SetObserver(this);
}

void
SegmentSimulation::SetPacketObserver(PacketObserver* observer)
{
    m_packetObserver = observer;
    m_network.SetObserver(observer ? this : nullptr);
}

void
SegmentSimulation::HandleLength(Nanoseconds now, uint64_t packets)
{
    m_observer->HandleLength(now, packets);
}

void
SegmentSimulation::HandleMark(Nanoseconds now)
{
    m_observer->HandleMark(now);
}

void
SegmentSimulation::HandleWindow(Nanoseconds now,
                                const ConnectionLabel& label,
                                const WindowView& window)
{
    m_observer->HandleWindow(now, label, window);
}

void
SegmentSimulation::HandleDrop(Nanoseconds now,
                              const std::optional<ConnectionLabel>& label,
                              const std::optional<uint64_t>& sequence)
{
    m_observer->HandleDrop(now, label, sequence);
}

bool
SegmentSimulation::WantsDeliveries() const
{
    return m_observer->WantsDeliveries();
}

bool
SegmentSimulation::WantsBuffers() const
{
    return m_observer->WantsBuffers();
}

bool
SegmentSimulation::WantsRtt() const
{
    return m_observer->WantsRtt();
}

void
SegmentSimulation::HandleRttSample(Nanoseconds now,
                                   const ConnectionLabel& label,
                                   int64_t sampleNs,
                                   int64_t smoothedNs)
{
    m_observer->HandleRttSample(now, label, sampleNs, smoothedNs);
}

void
SegmentSimulation::HandleRto(Nanoseconds now, const ConnectionLabel& label, int64_t rtoNs)
{
    m_observer->HandleRto(now, label, rtoNs);
}

void
SegmentSimulation::HandleReceiveBuffer(Nanoseconds now,
                                       Nanoseconds at,
                                       const ConnectionLabel& label,
                                       const ReceiveBufferState& state)
{
    m_observer->HandleReceiveBuffer(now, at, label, state);
}

void
SegmentSimulation::HandleSendBuffer(Nanoseconds now,
                                    const ConnectionLabel& label,
                                    const SendBufferState& state)
{
    m_observer->HandleSendBuffer(now, label, state);
}

void
SegmentSimulation::MeasureDetail()
{
    m_monitors = MakeSessionMonitors(m_scenario);
    std::vector<SessionMonitor*> monitors;
    for (const auto& monitor : m_monitors)
    {
        monitors.push_back(monitor.get());
    }
    m_flows.SetMonitors(std::move(monitors));
    MeasureDelay(m_topology.measured, m_delays);
    if (m_topology.measuresReverse)
    {
        MeasureDelay(GetReverse(m_topology.measured), m_reverseDelays);
    }
}

void
SegmentSimulation::MeasureDelay(uint32_t link, std::optional<QueueDelayMeter>& meter)
{
    DropTailLink& queued = m_network.GetQueued(link);
    meter.emplace(queued.GetMostAhead());
    const int64_t bareBytes = BARE_PACKET_BYTES + m_topology.headerBytes;
    queued.SetDelayMeter(*meter, m_topology.measuresReverse ? 0 : bareBytes);
}

} // namespace ns3::gridftp
