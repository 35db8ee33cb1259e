/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-engine.h"

#include "gridftp-host-limits.h"
#include "gridftp-ns3-simulation.h"

#include "ns3/simulator.h"

#include <memory>

namespace ns3::gridftp
{

Expected<TransferResult>
RunOnNs3(const Scenario& scenario, const RunObservers& observers)
{
    const Scenario granted = WithHostLimits(scenario);
    ApplyNs3Defaults(granted, !observers.pcapPrefix.empty());
    auto simulation = std::make_unique<Ns3Simulation>(granted, observers);
    if (auto opened = simulation->Open(); !opened)
    {
        return opened.GetError();
    }
    auto result = simulation->Run();
    auto closed = simulation->Close();
    simulation.reset();
    Simulator::Destroy();
    if (!closed)
    {
        return closed.GetError();
    }
    return result;
}

} // namespace ns3::gridftp
