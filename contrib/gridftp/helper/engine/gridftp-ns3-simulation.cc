/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-simulation.h"

#include "gridftp-cost.h"
#include "gridftp-program-process.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-storage.h"
#include "gridftp-text.h"
#include "gridftp-topology.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

Ns3Simulation::Ns3Simulation(const Scenario& scenario, const RunObservers& observers)
    : m_scenario(scenario),
      m_observers(observers),
      m_network(MakeTopology(scenario),
                scenario.measure.links,
                static_cast<uint32_t>(scenario.path.packetSize)),
      m_hosts(MakeScenarioHosts(scenario)),
      m_hostMeter(m_hosts),
      m_monitors(MakeSessionMonitors(scenario)),
      m_bottleneck(m_network.GetQueue(m_network.GetTopology().measured),
                   m_network.GetTopology(),
                   m_network.GetTopology().measured,
                   !m_monitors.empty()),
      m_progress(scenario, [this] { return GetWork(); }, observers.progress)
{
    if (m_network.GetTopology().measuresReverse)
    {
        const uint32_t reverse = GetReverse(m_network.GetTopology().measured);
        m_reverse.emplace(m_network.GetQueue(reverse),
                          m_network.GetTopology(),
                          reverse,
                          !m_monitors.empty());
    }
    if (UsesEcn(m_scenario))
    {
        m_bottleneck.MeasureMarks();
        if (m_reverse)
        {
            m_reverse->MeasureMarks();
        }
    }
    Install();
}

void
Ns3Simulation::Install()
{
    const auto hostOf = [this](uint32_t node) {
        return Ns3Host{m_network.GetNode(node), m_network.GetNodeAddress(node)};
    };
    const auto hostsOf = [&hostOf](const std::vector<uint32_t>& nodes) {
        std::vector<Ns3Host> hosts(nodes.size());
        std::ranges::transform(nodes, hosts.begin(), hostOf);
        return hosts;
    };
    Ns3ApplicationContext context;
    context.scenario = &m_scenario;
    context.observer = this;
    context.startProgram = &StartExternalProgram;
    context.traces = m_observers.traceFolder.empty() ? nullptr : &m_traces;
    const auto files = MakeFileSupplies(m_scenario);
    const auto source = MakeSharedSource(m_scenario);
    m_network.InstallHosts(FindPacketHosts(m_scenario, m_network.GetTopology(), m_hosts));
    for (const auto& application : ListApplications(m_scenario))
    {
        const bool isSession = context.index < m_scenario.sessions.size();
        const bool isShared = isSession && HasSharedServer(m_scenario, context.index);
        context.monitor = m_monitors.empty() ? nullptr : m_monitors[context.index].get();
        context.files = isSession ? files[context.index] : nullptr;
        context.source = isShared ? source : nullptr;
        context.hosts = isSession ? m_hosts[context.index] : SessionHosts();
        const HostPair& pair = m_network.GetTopology().pairs[context.index];
        context.client = hostOf(pair.client);
        context.server = hostOf(pair.server);
        context.sender = pair.sender == HostPair::NONE ? Ns3Host() : hostOf(pair.sender);
        context.senders = hostsOf(pair.senders);
        context.receivers = hostsOf(pair.receivers);
        m_applications.push_back(MakeNs3Application(application.kind, context));
        m_awaited += m_applications.back()->IsAwaited() ? 1 : 0;
        ++context.index;
    }
}

Done
Ns3Simulation::Open()
{
    if (!m_observers.traceFolder.empty())
    {
        if (auto opened = m_traces.Open(m_observers.traceFolder); !opened)
        {
            return opened;
        }
        m_traces.ObserveQueue(m_network.GetQueue(m_network.GetTopology().measured));
    }
    if (!m_observers.pcapPrefix.empty() && !m_network.EnablePcap(m_observers.pcapPrefix))
    {
        return Error{Printable("--pcap=" + m_observers.pcapPrefix) +
                     " cannot be written; allowed: a prefix of files in a writable folder"};
    }
    return std::monostate{};
}

TransferResult
Ns3Simulation::Run()
{
    m_progress.Start();
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const auto end = std::chrono::steady_clock::now();
    TransferResult result = Collect();
    result.cost.wallS = std::chrono::duration<double>(end - begin).count();
    result.cost.events = Simulator::GetEventCount();
    result.cost.peakRssBytes = GetPeakRssBytes();
    ConcludeResult(m_scenario, result);
    if (!m_observers.traceFolder.empty())
    {
        m_traces.AddHosts(m_scenario, result);
    }
    return result;
}

Done
Ns3Simulation::Close()
{
    return m_observers.traceFolder.empty() ? Done(std::monostate{}) : m_traces.Close();
}

void
Ns3Simulation::HandleTransferring()
{
    if (!std::exchange(m_measures, true))
    {
        m_bottleneck.Begin();
        if (m_reverse)
        {
            m_reverse->Begin();
        }
    }
}

void
Ns3Simulation::HandlePart(uint64_t bytes)
{
    ++m_parts;
    m_partBytes += bytes;
    m_hostMeter.Mark(Simulator::Now().GetNanoSeconds());
    m_bottleneck.Mark();
    if (m_reverse)
    {
        m_reverse->Mark();
    }
}

void
Ns3Simulation::HandleEnded()
{
    if (--m_awaited == 0)
    {
        Simulator::Stop();
    }
}

Ns3Progress::Work
Ns3Simulation::GetWork() const
{
    return {.parts = m_parts,
            .partBytes = m_partBytes,
            .forwardedBytes = m_measures ? m_bottleneck.GetForwardedBytes() : 0,
            .parallelism = m_applications.front()->GetParallelism(),
            .isOver = m_awaited == 0};
}

TransferResult
Ns3Simulation::Collect() const
{
    TransferResult result;
    for (const auto& application : m_applications)
    {
        application->AddTo(result);
    }
    m_hostMeter.AddTo(result);
    result.links = {m_bottleneck.GetResult()};
    if (m_reverse)
    {
        result.links.push_back(m_reverse->GetResult());
    }
    const auto& links = m_network.GetTopology().links;
    for (uint32_t i = 0; i < links.size(); ++i)
    {
        if (links[i].limit.IsSet())
        {
            result.limits.push_back({links[i].name, m_network.GetLimitDrops(i)});
        }
    }
    return result;
}

} // namespace ns3::gridftp
