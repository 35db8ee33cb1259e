/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * What do ns-3's own applications make of the same path, and at what cost? N BulkSendApplications
 * to N PacketSinks over the dumbbell of gridftp-transfer, with the same TCP settings and the same
 * observers, so that the two can be compared segment for segment.
 *
 * Takes the options of gridftp-transfer; --parallelism=N connections carry --file-size in equal
 * parts. TCP is ns-3's NewReno. Exit status: 0 done, 1 not everything arrived, 2 bad command line.
 */

#include "gridftp-bottleneck-observer.h"
#include "gridftp-connection-observer.h"
#include "gridftp-cost.h"
#include "gridftp-network-helper.h"
#include "gridftp-ns3-engine.h"
#include "gridftp-option-table.h"
#include "gridftp-program.h"
#include "gridftp-provenance.h"
#include "gridftp-text-file.h"
#include "gridftp-tuning-parameter.h"

#include "ns3/bulk-send-application.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <chrono>
#include <iostream>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint16_t PORT = 5000;

/** The senders, the sinks and what is counted. */
class Baseline
{
  public:
    explicit Baseline(const Scenario& scenario)
        : m_scenario(scenario),
          m_network(MakeTopology(scenario),
                    scenario.measure.links,
                    static_cast<uint32_t>(scenario.path.packetSize)),
          m_observer(m_network.GetQueue(m_network.GetTopology().measured),
                     m_network.GetTopology(),
                     m_network.GetTopology().measured)
    {
        const HostPair& pair = m_network.GetTopology().pairs.front();
        const bool up = IsToServer(scenario.sessions.front().direction);
        const uint32_t from = up ? pair.client : pair.server;
        const uint32_t to = up ? pair.server : pair.client;
        const auto connections = uint64_t{PARALLELISM.CountOf(scenario.sessions.front().tuning)};
        m_bytes = static_cast<uint64_t>(scenario.sessions.front().fileSize);
        PacketSinkHelper sink("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_sink = DynamicCast<PacketSink>(sink.Install(m_network.GetNode(to)).Get(0));
        BulkSendHelper source("ns3::TcpSocketFactory",
                              InetSocketAddress(m_network.GetNodeAddress(to), PORT));
        source.SetAttribute("SendSize",
                            UintegerValue(static_cast<uint64_t>(GetSegmentBytes(scenario))));
        for (uint64_t i = 0; i < connections; ++i)
        {
            const uint64_t share = m_bytes / connections + (i < m_bytes % connections ? 1 : 0);
            if (share > 0) // 0 would mean no limit
            {
                source.SetAttribute("MaxBytes", UintegerValue(share));
                m_sources.Add(source.Install(m_network.GetNode(from)));
            }
        }
    }

    TransferResult Run()
    {
        // The sources open their sockets at time 0; the observers go in before any data is sent.
        Simulator::Schedule(NanoSeconds(1), &Baseline::Observe, this);
        m_observer.Begin();
        const auto begin = std::chrono::steady_clock::now();
        Simulator::Run();
        m_result.cost.wallS =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        m_result.cost.events = Simulator::GetEventCount();
        m_result.cost.peakRssBytes = GetPeakRssBytes();
        m_result.links = {m_observer.GetResult()};
        m_result.sessions = {Collect()};
        ConcludeResult(m_scenario, m_result);
        return m_result;
    }

  private:
    void Observe()
    {
        for (uint32_t i = 0; i < m_sources.GetN(); ++i)
        {
            m_observers.push_back(Create<ConnectionObserver>());
            m_observers.back()->Observe(
                DynamicCast<BulkSendApplication>(m_sources.Get(i))->GetSocket());
        }
        Simulator::ScheduleNow(&Baseline::Watch, this);
    }

    /** Looks every millisecond whether all has arrived. */
    void Watch()
    {
        if (m_sink->GetTotalRx() >= m_bytes)
        {
            m_observer.Mark();
            Simulator::Stop();
            return;
        }
        Simulator::Schedule(MilliSeconds(1), &Baseline::Watch, this);
    }

    SessionResult Collect() const
    {
        SessionResult session;
        session.tool = "bulk-send";
        session.bytes = m_sink->GetTotalRx();
        session.startNs = 0;
        session.durationNs = Simulator::Now().GetNanoSeconds();
        session.tcp.emplace().windowBytes =
            static_cast<uint64_t>(m_scenario.sessions.front().buffers.window);
        auto& totals = session.tcp->totals;
        for (const auto& observer : m_observers)
        {
            totals.segments += observer->GetTotals().segments;
            totals.retransmissions += observer->GetTotals().retransmissions;
            totals.timeouts += observer->GetTotals().timeouts;
        }
        return session;
    }

    const Scenario& m_scenario;                       //!< what to run
    NetworkHelper m_network;                          //!< the scenario's
    BottleneckObserver m_observer;                    //!< watches its queue
    ApplicationContainer m_sources;                   //!< the senders
    Ptr<PacketSink> m_sink;                           //!< the receiver of all
    std::vector<Ptr<ConnectionObserver>> m_observers; //!< one per sender
    uint64_t m_bytes{0};                              //!< to carry
    TransferResult m_result;                          //!< what came of it
};

constexpr std::string_view PROGRAM = "gridftp-bulk-baseline";

} // namespace

int
main(int argc, char* argv[])
{
    std::vector<std::string_view> arguments{"--mode=fixed"};
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    const auto request = ParseTransfer(arguments, &ReadTextFile);
    if (!request)
    {
        return Refuse(PROGRAM, request.GetError());
    }
    PrintNotes(PROGRAM, request->notes);
    if (request->output.help)
    {
        std::cout << "usage: gridftp-bulk-baseline [--name=VALUE ...]\n\n"
                     "ns-3's BulkSend to PacketSink over the same dumbbell.\n\n"
                  << OptionsHelp(GetOptionTable());
        return 0;
    }
    if (const auto checked = CheckNs3Scenario(request->scenario); !checked)
    {
        return Refuse(PROGRAM, checked.GetError());
    }
    ApplyNs3Defaults(request->scenario, false);
    TransferResult result;
    {
        Baseline baseline(request->scenario);
        result = baseline.Run();
    }
    Simulator::Destroy();
    if (request->output.json)
    {
        std::cout << ResultToJson(request->scenario, result, MakeProvenance(argc, argv))
                  << std::endl;
    }
    else
    {
        std::cout << ResultToText(request->scenario, result);
    }
    return result.done ? 0 : 1;
}
