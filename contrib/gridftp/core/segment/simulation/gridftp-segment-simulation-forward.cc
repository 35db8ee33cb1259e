/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-simulation.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * A simulation: what an application may skip of it.
 */

namespace ns3::gridftp
{

bool
SegmentSimulation::IsOn() const
{
    return m_mayFastForward && m_observer == nullptr && m_packetObserver == nullptr;
}

SegmentState
SegmentSimulation::GetState(Nanoseconds now, Nanoseconds since) const
{
    SegmentState state(now, since, [this](const EventTarget& target) {
        return m_flows.FindName(target);
    });
    m_events.AddState(state);
    for (const HostClock& clock : m_clocks)
    {
        clock.AddState(state);
    }
    m_network.AddState(state);
    m_flows.AddState(state);
    return state;
}

SimulationCounts
SegmentSimulation::GetCounts(Nanoseconds now) const
{
    return {.link = m_meter.Count(now),
            .events = CountEvents(),
            .delays = m_delays ? m_delays->GetUntil(now) : DelayHistogram()};
}

int64_t
SegmentSimulation::GetRoomNs(Nanoseconds now) const
{
    return std::min(m_untilNs, LONGEST_NS) - m_skipped.link.timeNs - now;
}

void
SegmentSimulation::Skip(const SimulationCounts& counts)
{
    m_skipped.link = m_skipped.link + counts.link;
    m_skipped.events += counts.events;
    ++m_skippedChunks;
    m_meter.Skip(counts.link);
    m_skipped.delays.Add(counts.delays);
}

} // namespace ns3::gridftp
