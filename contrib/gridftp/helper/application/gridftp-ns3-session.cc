/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client.h"
#include "gridftp-data-transfer-process.h"
#include "gridftp-helper.h"
#include "gridftp-host-processor.h"
#include "gridftp-host-storage.h"
#include "gridftp-middlebox-model.h"
#include "gridftp-ns3-application.h"
#include "gridftp-ns3-faults.h"
#include "gridftp-processing-kind.h"
#include "gridftp-server.h"
#include "gridftp-session-hosts.h"
#include "gridftp-stripe-plan.h"
#include "gridftp-tcp-variant.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <optional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A session: a GridFTP client that moves one file, and its servers.
 */

namespace ns3::gridftp
{

namespace
{

/** @copydoc MakeNs3Session */
class Ns3Session final : public Ns3Application
{
  public:
    /** @param context what it is given */
    explicit Ns3Session(const Ns3ApplicationContext& context)
        : m_observer(context.observer),
          m_spec(&context.scenario->sessions[context.index]),
          m_files(context.files),
          m_stallTimeout(HasLimits(*context.scenario, *m_spec) ? m_spec->stallTimeout : 0)
    {
        const SessionSpec& spec = *m_spec;
        if (const auto part = FindPart(spec))
        {
            m_files.SetPart(*part);
        }
        InstallStorage(spec, context);
        InstallProcessors(spec, context);
        InstallServer(spec, context.server.node, GetPort(context));
        if (spec.direction == Direction::THIRD_PARTY)
        {
            InstallServer(spec, context.sender.node, CONTROL_PORT);
        }
        InstallClient(spec, context);
        InstallStripes(spec, context);
        SetMonitor(context.monitor);
        ScheduleFaults(context);
        for (const auto& server : m_servers)
        {
            server->AssignStreams(context.index);
        }
        m_client->AssignStreams(context.index);
        ForEachStripe([&](const auto& stripe) { stripe->AssignStreams(context.index); });
        m_client->TraceConnectWithoutContext("State", MakeCallback(&Ns3Session::HandleState, this));
        m_client->TraceConnectWithoutContext("ChunkStarted",
                                             MakeCallback(&Ns3Session::HandleStarted, this));
        m_client->TraceConnectWithoutContext("ChunkCompleted",
                                             MakeCallback(&Ns3Session::HandleChunk, this));
        if (context.traces)
        {
            Trace(*context.traces, context.index);
        }
    }

    bool IsAwaited() const override
    {
        return true;
    }

    uint32_t GetParallelism() const override
    {
        return m_parallelism;
    }

    void AddTo(TransferResult& result) const override
    {
        SessionResult& session = result.sessions.emplace_back(m_client->GetResult());
        BufferTally buffers = m_client->GetBufferTally();
        for (const auto& server : m_servers)
        {
            buffers.Add(server->GetBufferTally());
            const auto spans = server->GetSpans();
            session.served.insert(session.served.end(), spans.begin(), spans.end());
        }
        ForEachStripe([&](const auto& stripe) { buffers.Add(stripe->GetBufferTally()); });
        session.buffers = MakeBufferResult(buffers, session.tcp->windowBytes);
        session.storage = MakeStorageResult(m_source.get(), m_sink.get());
        if (IsDataSet(*m_spec))
        {
            session.files = m_client->GetFiles();
        }
        const auto totals = GetPairTotals();
        session.tcp->totals = {};
        for (const auto& pair : totals)
        {
            session.tcp->totals.Add(pair);
        }
        if (const auto* monitor = m_client->GetMonitor())
        {
            session.tcp->detail = monitor->MakeDetail();
        }
        if (m_spec->stripes.IsStriped())
        {
            AddStripesTo(session, totals);
        }
        AddRetriesTo(session);
    }

  private:
    /** Tells of new tries, and of what a failed session leaves. */
    void AddRetriesTo(SessionResult& session) const
    {
        const MarkerRanges held = m_client->FindHeld();
        if (m_spec->retries > 0)
        {
            const uint64_t stored = m_endedBytes.value_or(GetStoredBytes());
            session.retries = RetryResult{m_client->GetRestarts(),
                                          stored + CountBytes(m_spec->restart) - CountBytes(held)};
        }
        if (m_client->GetState() == ClientState::FAILED)
        {
            session.restartMarker = held;
        }
    }

    /** @return bytes that all ends have stored, of complete chunks and of others */
    uint64_t GetStoredBytes() const
    {
        uint64_t bytes = m_client->GetStoredBytes();
        for (const auto& server : m_servers)
        {
            bytes += server->GetStoredBytes();
        }
        ForEachStripe([&bytes](const auto& stripe) { bytes += stripe->GetStoredBytes(); });
        return bytes;
    }

    /** Has the data connections of all hosts measured. @param monitor null: they are not */
    void SetMonitor(SessionMonitor* monitor)
    {
        m_client->SetMonitor(monitor);
        for (const auto& server : m_servers)
        {
            server->SetMonitor(monitor);
        }
        ForEachStripe([monitor](const auto& stripe) { stripe->SetMonitor(monitor); });
    }

    /** Has things go wrong when they are to. */
    void ScheduleFaults(const Ns3ApplicationContext& context)
    {
        m_faults.emplace(Ns3FaultTargets{.direction = m_spec->direction,
                                         .client = m_client,
                                         .servers = m_servers,
                                         .senders = m_senders,
                                         .receivers = m_receivers});
        InstallMiddlebox(context, context.server, IsToServer(m_spec->direction), GetPort(context));
        if (m_spec->direction == Direction::THIRD_PARTY)
        {
            InstallMiddlebox(context, context.sender, false, CONTROL_PORT);
        }
        for (const auto& fault : context.scenario->faults)
        {
            if (fault.session == context.index)
            {
                m_faults->Schedule(fault);
            }
        }
    }

    /** Puts a middlebox between the client and a server, if one forgets idle connections. */
    static void InstallMiddlebox(const Ns3ApplicationContext& context,
                                 const Ns3Host& server,
                                 bool receives,
                                 uint16_t port)
    {
        const auto rules = ListIdleRules(*context.scenario, {context.index, receives});
        if (!rules.empty())
        {
            const auto model = CreateObject<MiddleboxModel>();
            model->Configure(InetSocketAddress(server.address, port), rules);
            model->Install(context.client.node);
            model->Install(server.node);
        }
    }

    /** @return who sends what */
    StripePlan GetPlan() const
    {
        return {m_spec->stripes, m_spec->stripeLayout, static_cast<uint64_t>(m_spec->stripeBlock)};
    }

    /** @return counts of each pair of stripes */
    std::vector<ConnectionTotals> GetPairTotals() const
    {
        const StripePlan plan = GetPlan();
        std::vector<ConnectionTotals> all;
        for (const auto& sender : m_senders)
        {
            auto totals = sender->GetPairTotals();
            totals.resize(plan.GetReceiversOfSender());
            all.insert(all.end(), totals.begin(), totals.end());
        }
        AddPairTotals(all, m_client->GetPairTotals());
        for (const auto& server : m_servers)
        {
            AddPairTotals(all, server->GetPairTotals());
        }
        all.resize(plan.GetPairs());
        return all;
    }

    /** Tells what went from stripe to stripe. */
    void AddStripesTo(SessionResult& session, const std::vector<ConnectionTotals>& totals) const
    {
        const StripePlan plan = GetPlan();
        for (uint32_t pair = 0; pair < plan.GetPairs(); ++pair)
        {
            const StripePair stripes = plan.GetPair(pair);
            uint64_t bytes = 0;
            for (const auto& chunk : session.gridftp->chunks)
            {
                bytes += plan.GetRanges(pair, chunk.offset, chunk.bytes).GetBytes();
            }
            session.stripes.push_back({stripes.sender, stripes.receiver, bytes, totals[pair]});
        }
    }

    /** Does something for all stripes that are apart. */
    template <typename F>
    void ForEachStripe(const F& act) const
    {
        for (const auto* end : {&m_senders, &m_receivers})
        {
            for (const auto& stripe : *end)
            {
                act(stripe);
            }
        }
    }

    /** Sets the attributes that all have which send data. */
    void SetData(ApplicationHelper& helper, const SessionSpec& spec) const
    {
        helper.SetAttribute("DataTcp", TypeIdValue(*FindTcpVariant(spec.tcp)));
        helper.SetAttribute("BlockSize", Whole(spec.blockSize));
        helper.SetAttribute("Layout", EnumValue(spec.layout));
        helper.SetAttribute("StartJitter", TimeValue(NanoSeconds(spec.startJitter)));
        helper.SetAttribute("StallTimeout", TimeValue(NanoSeconds(m_stallTimeout)));
    }

    /** Sets the attributes that both ends have. */
    void SetCommon(ApplicationHelper& helper, const SessionSpec& spec) const
    {
        SetData(helper, spec);
        helper.SetAttribute("StripeBlock", Whole(spec.stripeBlock));
    }

    static UintegerValue Whole(int64_t value)
    {
        return UintegerValue(static_cast<uint64_t>(value));
    }

    /** Gives the hosts of the data what they read from and write to. */
    void InstallStorage(const SessionSpec& spec, const Ns3ApplicationContext& context)
    {
        m_source =
            context.source ? context.source : MakeStorage(*context.scenario, context.index, false);
        m_sink = MakeStorage(*context.scenario, context.index, true);
        for (uint32_t i = 0; m_source && i < context.senders.size(); ++i)
        {
            const auto depth = static_cast<uint32_t>(spec.buffers.source.depth);
            HostStorage::Of(context.senders[i].node)->SetSource(m_source, i, depth);
        }
        for (uint32_t i = 0; m_sink && i < context.receivers.size(); ++i)
        {
            const auto depth = static_cast<uint32_t>(spec.buffers.sink.depth);
            HostStorage::Of(context.receivers[i].node)->SetSink(m_sink, i, depth);
        }
    }

    /** Gives the hosts their CPUs, where anything costs CPU time. */
    void InstallProcessors(const SessionSpec& spec, const Ns3ApplicationContext& context)
    {
        m_hosts = context.hosts;
        HostProcessor::Set(context.client.node, m_hosts.client.GetHead());
        HostProcessor::Set(context.server.node,
                           m_hosts.GetEnd(IsToServer(spec.direction)).GetHead());
        if (spec.direction == Direction::THIRD_PARTY)
        {
            HostProcessor::Set(context.sender.node, m_hosts.sender.GetHead());
        }
        for (size_t i = 0; i < context.senders.size(); ++i)
        {
            HostProcessor::Set(context.senders[i].node, m_hosts.sender.GetStripe(i));
        }
        for (size_t i = 0; i < context.receivers.size(); ++i)
        {
            HostProcessor::Set(context.receivers[i].node, m_hosts.receiver.GetStripe(i));
        }
    }

    /** @return where the server waits: on a shared host each one on a port of its own */
    static uint16_t GetPort(const Ns3ApplicationContext& context)
    {
        const bool isShared =
            context.scenario->sessions[context.index].server == ServerHost::SHARED;
        return static_cast<uint16_t>(CONTROL_PORT + (isShared ? context.index : 0));
    }

    /** Says how an end's channels are authenticated. */
    static void SetSecurity(SecuredApplication& end, const SessionSpec& spec)
    {
        end.SetSecurity(spec.security);
        end.SetHandshake(
            MakeDataHandshake(IsFromServer(spec.direction), IsToServer(spec.direction)));
    }

    /** The server waits from the beginning on. */
    void InstallServer(const SessionSpec& spec, Ptr<Node> node, uint16_t port)
    {
        ServerHelper helper;
        if (port != CONTROL_PORT)
        {
            helper.SetAttribute("Port", UintegerValue(port));
        }
        SetCommon(helper, spec);
        helper.SetAttribute("FileSize", UintegerValue(m_files.GetMostBytes()));
        helper.SetAttribute("RangeMarkers", BooleanValue(spec.retries > 0));
        helper.SetAttribute("RequestCpu", TimeValue(NanoSeconds(spec.requestCpu)));
        m_servers.push_back(DynamicCast<Server>(helper.Install(node).Get(0)));
        m_servers.back()->SetBuffers(spec.buffers);
        SetSecurity(*m_servers.back(), spec);
    }

    void InstallClient(const SessionSpec& spec, const Ns3ApplicationContext& context)
    {
        ClientHelper helper(context.server.address, spec.mode);
        const InetSocketAddress server(context.server.address, GetPort(context));
        helper.SetAttribute("Remote", AddressValue(server));
        SetCommon(helper, spec);
        helper.SetAttribute("Direction", EnumValue(spec.direction));
        if (spec.direction == Direction::THIRD_PARTY)
        {
            helper.SetSender(context.sender.address);
        }
        helper.SetAttribute("SendingStripes", Whole(spec.stripes.senders));
        helper.SetAttribute("ReceivingStripes", Whole(spec.stripes.receivers));
        helper.SetAttribute("StripeTuning", EnumValue(spec.stripeTuning));
        helper.SetAttribute("StripeLayout", EnumValue(spec.stripeLayout));
        helper.SetAttribute("DataChannels", EnumValue(spec.dataChannels));
        helper.SetAttribute("Pipelining", Whole(spec.pipelining));
        helper.SetAttribute("ChunkSize", Whole(spec.chunkSize));
        helper.SetAttribute("RttSamples", Whole(spec.rttSamples));
        helper.SetAttribute("TunerWindow", EnumValue(spec.tunerWindow));
        helper.SetAttribute("Retries", Whole(spec.retries));
        helper.SetAttribute("RetryWait", TimeValue(NanoSeconds(spec.retryWait)));
        helper.SetAttribute("RetryWaitMost", TimeValue(NanoSeconds(spec.retryWaitMost)));
        helper.SetAttribute("Keepalive", TimeValue(NanoSeconds(spec.keepalive)));
        helper.SetAttribute("MinRate", Whole(spec.minRate));
        helper.SetAttribute("MinRatePeriod", TimeValue(NanoSeconds(spec.minRatePeriod)));
        helper.SetTunerValues(spec.tuning);
        helper.SetTunerContext(
            MakeTuningContext(*context.scenario, context.index, context.startProgram));
        m_client = DynamicCast<Client>(helper.Install(context.client.node).Get(0));
        m_client->SetBuffers(spec.buffers);
        m_client->SetFiles(m_files);
        SetSecurity(*m_client, spec);
        m_client->SetRestart(spec.restart);
        m_client->SetSenders(MakeCallback(&Ns3Session::GetPairTotals, this));
        m_client->SetStartTime(NanoSeconds(spec.start));
    }

    /** Data transfer processes on hosts of their own, and who tells them what to do. */
    void InstallStripes(const SessionSpec& spec, const Ns3ApplicationContext& context)
    {
        const bool up = IsToServer(spec.direction);
        m_receivers = InstallEnd(spec, context.receivers);
        m_senders = InstallEnd(spec, context.senders);
        if (!m_receivers.empty())
        {
            const auto addresses = ListAddresses(context.receivers);
            up ? m_servers.front()->SetDataTransferProcesses(addresses)
               : m_client->SetDataTransferProcesses(addresses);
        }
        if (!m_senders.empty())
        {
            const auto addresses = ListAddresses(context.senders);
            IsFromServer(spec.direction) ? m_servers.back()->SetDataTransferProcesses(addresses)
                                         : m_client->SetDataTransferProcesses(addresses);
        }
    }

    /** @return the data transfer processes of an end, none where it has one stripe */
    std::vector<Ptr<DataTransferProcess>> InstallEnd(const SessionSpec& spec,
                                                     const std::vector<Ns3Host>& hosts) const
    {
        DataTransferProcessHelper helper;
        SetData(helper, spec);
        helper.SetAttribute("RangeMarkers", BooleanValue(spec.retries > 0));
        std::vector<Ptr<DataTransferProcess>> made;
        for (size_t i = 0; hosts.size() > 1 && i < hosts.size(); ++i)
        {
            const auto application = helper.Install(hosts[i].node).Get(0);
            made.push_back(DynamicCast<DataTransferProcess>(application));
            made.back()->SetBuffers(spec.buffers);
            SetSecurity(*made.back(), spec);
        }
        return made;
    }

    /** @return where the data transfer processes of hosts wait */
    static std::vector<Address> ListAddresses(const std::vector<Ns3Host>& hosts)
    {
        std::vector<Address> addresses;
        for (const auto& host : hosts)
        {
            addresses.push_back(InetSocketAddress(host.address, DTP_PORT));
        }
        return addresses;
    }

    /** Traces the data connections, whichever end sends. */
    void Trace(CsvTraces& traces, uint32_t index)
    {
        const Callback<void, Ptr<Socket>, uint64_t, uint32_t> observe(
            [&traces, index](Ptr<Socket> socket, uint64_t chunk, uint32_t connection) {
                traces.ObserveConnection(index, socket, chunk, connection);
            });
        const Callback<void, Ptr<Socket>> accept =
            MakeCallback(&CsvTraces::ObserveReceiver, &traces);
        m_client->TraceConnectWithoutContext("DataConnection", observe);
        m_client->TraceConnectWithoutContext("DataAccepted", accept);
        for (const auto& server : m_servers)
        {
            server->TraceConnectWithoutContext("DataConnection", observe);
            server->TraceConnectWithoutContext("DataAccepted", accept);
        }
        ForEachStripe([&](const auto& stripe) {
            stripe->TraceConnectWithoutContext("DataConnection", observe);
            stripe->TraceConnectWithoutContext("DataAccepted", accept);
        });
    }

    void HandleState(ClientState /* before */, ClientState now)
    {
        if (now == ClientState::DONE || now == ClientState::FAILED)
        {
            m_endedBytes = GetStoredBytes();
            m_observer->HandleEnded();
        }
    }

    void HandleStarted(uint64_t index)
    {
        if (index == 0)
        {
            m_observer->HandleTransferring();
        }
    }

    void HandleChunk(const ChunkRecord& record)
    {
        m_parallelism = record.nextParallelism;
        m_observer->HandlePart(record.bytes);
    }

    Ns3ApplicationObserver* m_observer; //!< hears of its course
    const SessionSpec* m_spec;          //!< its part of the scenario
    FileSequence m_files;               //!< what it moves, from the beginning
    int64_t m_stallTimeout;             //!< limit of waits, ns; 0: each has its own end
    Ptr<Client> m_client;               //!< one end
    std::vector<Ptr<Server>> m_servers; //!< the other; third party: where the data goes to, and
                                        //!< where it comes from
    std::vector<Ptr<DataTransferProcess>> m_senders;   //!< stripes that send, on hosts of their own
    std::vector<Ptr<DataTransferProcess>> m_receivers; //!< stripes that receive, likewise
    std::shared_ptr<Storage> m_source;    //!< of the hosts that send; null: it costs nothing
    std::shared_ptr<Storage> m_sink;      //!< of the hosts that receive; null: it costs nothing
    SessionHosts m_hosts;                 //!< where all is done
    std::optional<Ns3Faults> m_faults;    //!< what goes wrong
    std::optional<uint64_t> m_endedBytes; //!< that were stored when it ended
    uint32_t m_parallelism{0};            //!< of the next chunk
};

} // namespace

/** @ingroup gridftp @param context of a session @return a GridFTP client and its servers */
std::unique_ptr<Ns3Application>
MakeNs3Session(const Ns3ApplicationContext& context)
{
    return std::make_unique<Ns3Session>(context);
}

} // namespace ns3::gridftp
