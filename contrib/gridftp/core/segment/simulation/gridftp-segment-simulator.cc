/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-simulator.h"

#include "gridftp-segment-simulation.h"

namespace ns3::gridftp
{

SegmentSimulator::SegmentSimulator(const Scenario& scenario, ExternalProgramStarter start)
    : m_run(std::make_unique<SegmentSimulation>(scenario, start))
{
}

SegmentSimulator::~SegmentSimulator() = default;

void
SegmentSimulator::SetObserver(SegmentObserver& observer)
{
    m_run->SetObserver(observer);
}

void
SegmentSimulator::SetPacketObserver(PacketObserver* observer)
{
    m_run->SetPacketObserver(observer);
}

void
SegmentSimulator::AllowFastForward()
{
    m_run->AllowFastForward();
}

bool
SegmentSimulator::Advance(int64_t untilNs)
{
    return m_run->Advance(untilNs);
}

int64_t
SegmentSimulator::GetNow() const
{
    return m_run->GetNow();
}

std::vector<ConnectionView>
SegmentSimulator::GetConnections() const
{
    return m_run->GetConnections();
}

SessionView
SegmentSimulator::GetSession(uint32_t index) const
{
    return m_run->GetSessionView(index);
}

BottleneckView
SegmentSimulator::GetBottleneck() const
{
    return m_run->GetBottleneck();
}

std::vector<BackgroundResult>
SegmentSimulator::GetBackground() const
{
    return m_run->GetBackground();
}

std::vector<FlowView>
SegmentSimulator::GetFlows() const
{
    return m_run->GetFlows();
}

uint64_t
SegmentSimulator::GetEventCount() const
{
    return m_run->GetEventCount();
}

TransferResult
SegmentSimulator::GetResult() const
{
    return m_run->GetResult();
}

} // namespace ns3::gridftp
