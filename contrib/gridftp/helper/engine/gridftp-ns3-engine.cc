/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-engine.h"

#include "gridftp-background-sink.h"
#include "gridftp-background-source.h"
#include "gridftp-bottleneck-probe.h"
#include "gridftp-client.h"
#include "gridftp-cost.h"
#include "gridftp-csv-traces.h"
#include "gridftp-helper.h"
#include "gridftp-option.h"
#include "gridftp-server.h"
#include "gridftp-tcp-variant.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

namespace ns3::gridftp
{

namespace
{

/** Pairs of hosts: those of the sessions, and those of the background connections behind them. */
uint32_t
CountPairs(const Scenario& scenario)
{
    return static_cast<uint32_t>(scenario.sessions.size() + scenario.background.size());
}

/** @return the first ESTO or ERET of all sessions, ns */
int64_t
FindFirstStartNs(const std::vector<SessionResult>& sessions)
{
    int64_t first = std::numeric_limits<int64_t>::max();
    for (const auto& session : sessions)
    {
        first = std::min(first, session.startNs.value_or(first));
    }
    return first;
}

/** One run: the network, the applications and what is kept of them. */
class Ns3Run
{
  public:
    /** @param scenario what to run @param observers what else to write */
    Ns3Run(const Scenario& scenario, const RunObservers& observers)
        : m_scenario(scenario),
          m_observers(observers),
          m_network(MakeLinks(scenario), CountPairs(scenario)),
          m_probe(GetDataQueue())
    {
    }

    /** Opens what is to be written. @return nothing, or why that fails */
    Done Prepare();

    /** Simulates. @return the result */
    TransferResult Run();

    /** Closes what was written. @return nothing, or why that fails */
    Done Finish();

  private:
    /** @return where the data enters the bottleneck */
    Ptr<Queue<Packet>> GetDataQueue() const
    {
        const bool up = m_scenario.sessions.front().direction == Direction::UPLOAD;
        return up ? m_network.GetForwardQueue() : m_network.GetReverseQueue();
    }

    /** Installs server and client of a session. @param index of the session */
    void Install(uint32_t index);

    /** Traces the data connections of a session. @param index of the session */
    void Trace(uint32_t index);

    /** Installs source and sink of a background connection. @param index among them */
    void InstallBackground(uint32_t index);

    /** @param index of a background connection @return what came of it until now */
    BackgroundResult CollectBackground(uint32_t index) const;

    /** A client changes its state. @param before the old one @param now the new one */
    void HandleState(ClientState before, ClientState now);

    /** A chunk is complete. @param record of it */
    void HandleChunk(const ChunkRecord& record);

    /** Reports how far the run has got, and will again. */
    void Report();

    /** Puts the result together. @return the result */
    TransferResult Collect() const;

    const Scenario& m_scenario;                   //!< what to run
    const RunObservers& m_observers;              //!< what else to write
    DumbbellHelper m_network;                     //!< the dumbbell
    BottleneckProbe m_probe;                      //!< watches its queue
    CsvTraces m_traces;                           //!< writes CSV files
    std::vector<Ptr<Client>> m_clients;           //!< one per session
    std::vector<Ptr<Server>> m_servers;           //!< one per session
    std::vector<Ptr<BackgroundSource>> m_sources; //!< one per background connection
    std::vector<Ptr<BackgroundSink>> m_sinks;     //!< one per background connection
    uint32_t m_started{0};                        //!< sessions that transfer
    uint32_t m_ended{0};                          //!< sessions that are done or failed
    uint64_t m_chunks{0};                         //!< chunks completed
    uint64_t m_chunkBytes{0};                     //!< bytes in them
    double m_wallS{0};                            //!< time that the simulation took
};

Done
Ns3Run::Prepare()
{
    for (uint32_t i = 0; i < m_scenario.sessions.size(); ++i)
    {
        Install(i);
    }
    for (uint32_t i = 0; i < m_scenario.background.size(); ++i)
    {
        InstallBackground(i);
    }
    m_network.AssignStreams(0);
    if (!m_observers.traceFolder.empty())
    {
        if (auto opened = m_traces.GetFiles().Open(m_observers.traceFolder); !opened)
        {
            return opened;
        }
        m_traces.ObserveQueue(GetDataQueue());
    }
    if (!m_observers.pcapPrefix.empty() && !m_network.EnablePcap(m_observers.pcapPrefix))
    {
        return Error{Printable("--pcap=" + m_observers.pcapPrefix) +
                     " cannot be written; allowed: a prefix of files in a writable folder"};
    }
    return std::monostate{};
}

void
Ns3Run::Install(uint32_t index)
{
    const SessionSpec& spec = m_scenario.sessions[index];
    const TypeIdValue tcp(*FindTcpVariant(spec.tcp));
    const auto whole = [](int64_t value) { return UintegerValue(static_cast<uint64_t>(value)); };
    ServerHelper server;
    ClientHelper client(m_network.GetServerAddress(index), spec.mode);
    for (ApplicationHelper* helper :
         {static_cast<ApplicationHelper*>(&server), static_cast<ApplicationHelper*>(&client)})
    {
        helper->SetAttribute("DataTcp", tcp);
        helper->SetAttribute("FileSize", whole(spec.fileSize));
        helper->SetAttribute("BlockSize", whole(spec.blockSize));
        helper->SetAttribute("Layout", EnumValue(spec.layout));
        helper->SetAttribute("StartJitter", TimeValue(NanoSeconds(spec.startJitter)));
    }
    client.SetAttribute("Direction", EnumValue(spec.direction));
    client.SetAttribute("DataChannels", EnumValue(spec.dataChannels));
    client.SetAttribute("ChunkSize", whole(spec.chunkSize));
    client.SetAttribute("Window", whole(spec.window));
    client.SetAttribute("RttSamples", whole(spec.rttSamples));
    client.SetTunerValues(spec.tuning);
    // The server waits from the beginning on.
    m_servers.push_back(
        DynamicCast<Server>(server.Install(m_network.GetServers().Get(index)).Get(0)));
    m_clients.push_back(
        DynamicCast<Client>(client.Install(m_network.GetClients().Get(index)).Get(0)));
    m_clients.back()->SetStartTime(NanoSeconds(spec.start));
    m_servers.back()->AssignStreams(index);
    m_clients.back()->AssignStreams(index);
    m_clients.back()->TraceConnectWithoutContext("State", MakeCallback(&Ns3Run::HandleState, this));
    m_clients.back()->TraceConnectWithoutContext("ChunkCompleted",
                                                 MakeCallback(&Ns3Run::HandleChunk, this));
    if (!m_observers.traceFolder.empty())
    {
        Trace(index);
    }
}

void
Ns3Run::Trace(uint32_t index)
{
    const auto observe = [this, index](Ptr<Socket> socket, uint64_t chunk, uint32_t connection) {
        m_traces.ObserveConnection(index, socket, chunk, connection);
    };
    const Callback<void, Ptr<Socket>, uint64_t, uint32_t> callback(observe);
    m_clients[index]->TraceConnectWithoutContext("DataConnection", callback);
    m_servers[index]->TraceConnectWithoutContext("DataConnection", callback);
}

void
Ns3Run::InstallBackground(uint32_t index)
{
    const BackgroundSpec& spec = m_scenario.background[index];
    const uint32_t pair = static_cast<uint32_t>(m_scenario.sessions.size()) + index;
    const bool up = m_scenario.sessions.front().direction == Direction::UPLOAD;
    const auto client = m_network.GetClients().Get(pair);
    const auto server = m_network.GetServers().Get(pair);
    const auto from = up ? client : server;
    const auto to = up ? server : client;
    const auto address = to->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    const auto source = CreateObject<BackgroundSource>();
    const auto sink = CreateObject<BackgroundSink>();
    for (const Ptr<Application>& end : {Ptr<Application>(source), Ptr<Application>(sink)})
    {
        end->SetAttribute("DataTcp", TypeIdValue(*FindTcpVariant(spec.tcp)));
        end->SetAttribute("Window", UintegerValue(static_cast<uint64_t>(spec.window)));
        end->SetStopTime(NanoSeconds(spec.stop)); // 0: never
    }
    source->SetAttribute("Remote", AddressValue(InetSocketAddress(address, BACKGROUND_PORT)));
    source->SetStartTime(NanoSeconds(spec.start));
    from->AddApplication(source);
    to->AddApplication(sink);
    m_sources.push_back(source);
    m_sinks.push_back(sink);
    if (!m_observers.traceFolder.empty())
    {
        const auto observe = [this, pair](Ptr<Socket> socket) {
            m_traces.ObserveConnection(pair, socket, 0, 0);
        };
        source->TraceConnectWithoutContext("Connection", Callback<void, Ptr<Socket>>(observe));
    }
}

TransferResult
Ns3Run::Run()
{
    if (m_observers.progress)
    {
        Simulator::ScheduleNow(&Ns3Run::Report, this);
    }
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    m_wallS = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return Collect();
}

Done
Ns3Run::Finish()
{
    return m_observers.traceFolder.empty() ? Done(std::monostate{}) : m_traces.GetFiles().Close();
}

void
Ns3Run::HandleState(ClientState /* before */, ClientState now)
{
    if (now == ClientState::TRANSFERRING && ++m_started == 1)
    {
        m_probe.Begin();
    }
    if ((now == ClientState::DONE || now == ClientState::FAILED) &&
        ++m_ended == m_scenario.sessions.size())
    {
        Simulator::Stop();
    }
}

void
Ns3Run::HandleChunk(const ChunkRecord& record)
{
    ++m_chunks;
    m_chunkBytes += record.bytes;
    m_probe.Mark();
}

void
Ns3Run::Report()
{
    ProgressReport report;
    double bytes = 0;
    for (const auto& session : m_scenario.sessions)
    {
        report.chunks += static_cast<uint64_t>((session.fileSize - 1) / session.chunkSize + 1);
        bytes += static_cast<double>(session.fileSize);
    }
    const double payload = static_cast<double>(GetSegmentBytes(m_scenario)) /
                           static_cast<double>(m_scenario.path.packetSize);
    // What the background sends cannot be told from what the sessions do.
    const bool alone = m_scenario.background.empty();
    const double moved =
        m_started == 0 || !alone ? 0 : payload * static_cast<double>(m_probe.GetForwardedBytes());
    report.simS = Simulator::Now().GetSeconds();
    report.chunk = m_chunks;
    const auto chunks = m_clients.front()->GetResult().gridftp->chunks;
    report.parallelism = chunks.empty() ? 0 : chunks.back().nextParallelism;
    report.fraction = std::min(1.0, std::max(moved, static_cast<double>(m_chunkBytes)) / bytes);
    m_observers.progress(report);
    // A report about every four thousand segments: a tenth of a second or less of wall time.
    constexpr int64_t SEGMENTS = 4000;
    const double packetS = static_cast<double>(m_scenario.path.packetSize) * 8 /
                           static_cast<double>(m_scenario.path.bandwidth);
    if (m_ended < m_scenario.sessions.size())
    {
        Simulator::Schedule(Seconds(SEGMENTS * packetS), &Ns3Run::Report, this);
    }
}

TransferResult
Ns3Run::Collect() const
{
    TransferResult result;
    for (uint32_t i = 0; i < m_clients.size(); ++i)
    {
        SessionResult session = m_clients[i]->GetResult();
        ConnectionTotals& totals = session.tcp->totals;
        const ConnectionTotals sent = m_servers[i]->GetTotals();
        totals.segments += sent.segments;
        totals.retransmissions += sent.retransmissions;
        totals.timeouts += sent.timeouts;
        result.sessions.push_back(std::move(session));
    }
    for (uint32_t i = 0; i < m_sources.size(); ++i)
    {
        result.background.push_back(CollectBackground(i));
    }
    result.links = {m_probe.GetResult(static_cast<double>(m_scenario.path.bandwidth),
                                      FindFirstStartNs(result.sessions))};
    result.cost.wallS = m_wallS;
    result.cost.events = Simulator::GetEventCount();
    result.cost.peakRssBytes = GetPeakRssBytes();
    ConcludeResult(m_scenario, result);
    return result;
}

BackgroundResult
Ns3Run::CollectBackground(uint32_t index) const
{
    const BackgroundSpec& spec = m_scenario.background[index];
    const int64_t now = Simulator::Now().GetNanoSeconds();
    BackgroundResult result;
    result.startNs = spec.start;
    result.endNs = std::max(spec.start, spec.stop == 0 ? now : std::min(spec.stop, now));
    result.bytes = m_sinks[index]->GetBytes();
    result.reason = m_sources[index]->GetReason();
    result.tcp = {m_sources[index]->GetTotals(), static_cast<uint64_t>(spec.window)};
    return result;
}

} // namespace

DumbbellHelper::Links
MakeLinks(const Scenario& scenario)
{
    const auto& path = scenario.path;
    const bool up = scenario.sessions.front().direction == Direction::UPLOAD;
    DumbbellHelper::Links links;
    links.bandwidth = DataRate(static_cast<uint64_t>(path.bandwidth));
    links.delay = NanoSeconds(path.delay);
    links.queuePackets = static_cast<uint32_t>(path.queue);
    links.accessBandwidth = DataRate(static_cast<uint64_t>(path.accessBandwidth));
    links.accessDelay = NanoSeconds(path.accessDelay);
    links.packetBytes = static_cast<uint32_t>(path.packetSize);
    links.randomLoss = up ? path.randomLoss : 0;
    links.reverseRandomLoss = up ? 0 : path.randomLoss;
    links.kind = scenario.measure.links;
    const auto addDelay = [&links, &path](int64_t delay) {
        links.clientDelays.push_back(NanoSeconds(std::max<int64_t>(0, delay - path.delay)));
    };
    for (const auto& session : scenario.sessions)
    {
        addDelay(session.delay);
    }
    for (const auto& background : scenario.background)
    {
        addDelay(background.delay);
    }
    return links;
}

Expected<TransferResult>
RunOnNs3(const Scenario& scenario, const RunObservers& observers)
{
    ApplyNs3Defaults(scenario, !observers.pcapPrefix.empty());
    auto run = std::make_unique<Ns3Run>(scenario, observers);
    if (auto prepared = run->Prepare(); !prepared)
    {
        return prepared.GetError();
    }
    auto result = run->Run();
    auto finished = run->Finish();
    run.reset();
    Simulator::Destroy();
    if (!finished)
    {
        return finished.GetError();
    }
    return result;
}

} // namespace ns3::gridftp
