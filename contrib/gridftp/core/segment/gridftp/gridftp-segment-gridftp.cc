/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-gridftp.h"

#include "gridftp-control-script.h"
#include "gridftp-control-text.h"
#include "gridftp-dtp-text.h"
#include "gridftp-processing-kind.h"
#include "gridftp-tuning-mode.h"

/**
 * @file
 * @ingroup gridftp
 * A session of GridFTP on the segment engine: its hosts, and the settings of its applications.
 */

namespace ns3::gridftp
{

namespace
{

constexpr Nanoseconds MARKER_INTERVAL = 5'000'000'000; // between two 112 markers
constexpr uint32_t UNNAMED_ADDRESS = 0x7f000001;       // of nodes that no line names

/** @param spec of a session @return bytes of a handshake that the endpoint that connects writes
 */
uint64_t
CountPreamble(const SessionSpec& spec)
{
    uint64_t bytes = 0;
    if (spec.security.IsDataSecured())
    {
        const Handshake messages =
            MakeDataHandshake(IsFromServer(spec.direction), IsToServer(spec.direction));
        for (size_t i = 0; i < messages.size(); i += 2)
        {
            bytes += messages[i].bytes;
        }
    }
    return bytes;
}

} // namespace

SegmentGridFtpSession::SegmentGridFtpSession(const ApplicationContext& context)
    : m_context(context),
      m_spec(&context.scenario->sessions[context.index]),
      m_plan(m_spec->stripes, m_spec->stripeLayout, static_cast<uint64_t>(m_spec->stripeBlock)),
      m_source(context.source ? context.source
                              : MakeStorage(*context.scenario, context.index, false)),
      m_sink(MakeStorage(*context.scenario, context.index, true)),
      m_files(context.files),
      m_nodes({.flows = context.flows,
               .scenario = context.scenario,
               .session = context.index,
               .preamble = CountPreamble(*m_spec),
               .keepsListeners = m_spec->dataChannels == DataChannels::CACHED})
{
    if (const auto part = FindPart(*m_spec))
    {
        m_files.SetPart(*part);
    }
    AddNodes();
    AddServers();
    AddProcesses(m_senders);
    AddProcesses(m_receivers);
    m_control = &m_nodes.MakeHost(m_clientNode);
    TransferClient::Owner& owner = *this;
    m_client = std::make_unique<TransferClient>(*m_control, owner);
    m_client->SetFiles(m_files);
}

SegmentNode
SegmentGridFtpSession::MakeNode(HostCpuPtr cpu)
{
    return {.address = UNNAMED_ADDRESS + m_nodeCount++,
            .cpu = std::move(cpu),
            .sourceDepth = static_cast<uint32_t>(m_spec->buffers.source.depth),
            .sinkDepth = static_cast<uint32_t>(m_spec->buffers.sink.depth)};
}

void
SegmentGridFtpSession::AddNodes()
{
    // Heads first: a node that receives data itself has the address that lines name
    const Direction direction = m_spec->direction;
    const auto make = [this](uint32_t role) {
        const bool isClient = role == 0;
        const bool receives = isClient ? m_spec->direction == Direction::DOWNLOAD
                                       : role == 1 && IsToServer(m_spec->direction);
        const bool sends = isClient ? m_spec->direction == Direction::UPLOAD
                                    : role == 2 || !IsToServer(m_spec->direction);
        SegmentNode node = MakeNode(isClient ? m_context.hosts.client.GetHead()
                                             : m_context.hosts.GetEnd(receives).GetHead());
        if (receives && m_spec->stripes.receivers == 1)
        {
            SetEnd(node, true, 0);
        }
        if (sends && m_spec->stripes.senders == 1)
        {
            SetEnd(node, false, 0);
        }
        if (!isClient)
        {
            node.idleRules =
                ListIdleRules(*m_context.scenario,
                              {m_context.index, role == 1 && IsToServer(m_spec->direction)});
        }
        m_addresses.push_back(node.address);
        return m_nodes.AddNode(node);
    };
    m_clientNode = make(0);
    const uint32_t server = make(1);
    m_serverNodes = {server};
    m_nodes.AddPath(m_clientNode, server, m_context.path);
    uint32_t senderHead = direction == Direction::UPLOAD ? m_clientNode : server;
    const uint32_t receiverHead = direction == Direction::DOWNLOAD ? m_clientNode : server;
    if (IsThirdParty())
    {
        senderHead = make(2);
        m_serverNodes.push_back(senderHead);
        m_nodes.AddPath(m_clientNode, senderHead, m_context.senderPath);
        m_sender = {m_addresses[senderHead], CONTROL_PORT};
    }
    m_server = {m_addresses[server], CONTROL_PORT};
    AddEnd(false, senderHead);
    AddEnd(true, receiverHead);
    const auto stripe = [](const std::vector<uint32_t>& nodes, uint32_t head, uint32_t index) {
        return nodes.empty() ? head : nodes[index];
    };
    for (uint32_t pair = 0; pair < m_plan.GetPairs(); ++pair)
    {
        const StripePair stripes = m_plan.GetPair(pair);
        m_nodes.AddDataPath(stripe(m_senders, senderHead, stripes.sender),
                            stripe(m_receivers, receiverHead, stripes.receiver),
                            m_context.data[pair]);
    }
    if (HasBothDirections(*m_spec))
    {
        m_nodes.AddDataPath(receiverHead, senderHead, m_context.oppositeData);
    }
}

void
SegmentGridFtpSession::AddEnd(bool receives, uint32_t head)
{
    auto& nodes = receives ? m_receivers : m_senders;
    const auto& paths = receives ? m_context.receivers : m_context.senders;
    const EndHosts& hosts = m_context.hosts.GetEnd(receives);
    for (uint32_t i = 0; i < paths.size(); ++i)
    {
        SegmentNode node = MakeNode(hosts.GetStripe(i));
        SetEnd(node, receives, i);
        m_addresses.push_back(node.address);
        nodes.push_back(m_nodes.AddNode(node));
        m_nodes.AddPath(head, nodes.back(), paths[i]);
    }
}

void
SegmentGridFtpSession::SetEnd(SegmentNode& node, bool receives, uint32_t stripe) const
{
    node.stripe = stripe;
    if (receives)
    {
        node.address = m_context.receiverAddresses[stripe];
        node.sink = m_sink;
    }
    else
    {
        node.address = HasBothDirections(*m_spec) ? m_context.oppositeAddress : node.address;
        node.source = m_source;
    }
}

std::vector<HostPort>
SegmentGridFtpSession::ListProcesses(const std::vector<uint32_t>& nodes) const
{
    std::vector<HostPort> list;
    for (const uint32_t node : nodes)
    {
        list.push_back({m_addresses[node], DTP_PORT});
    }
    return list;
}

void
SegmentGridFtpSession::AddServers()
{
    for (size_t i = 0; i < m_serverNodes.size(); ++i)
    {
        const bool receives = i == 0 && IsToServer(m_spec->direction);
        m_servers.emplace_back(m_nodes,
                               m_serverNodes[i],
                               MakeServerSettings(receives),
                               m_files.GetMostBytes());
    }
}

void
SegmentGridFtpSession::AddProcesses(const std::vector<uint32_t>& nodes)
{
    DataTransferSettings data = MakeData();
    data.markerInterval = MARKER_INTERVAL;
    for (const uint32_t node : nodes)
    {
        m_processes.emplace_back(
            m_nodes,
            node,
            DataTransferServiceSettings{.data = data,
                                        .layout = m_spec->layout,
                                        .blockBytes = static_cast<uint64_t>(m_spec->blockSize)});
    }
}

DataTransferSettings
SegmentGridFtpSession::MakeData() const
{
    const RunSpec& measure = m_context.scenario->measure;
    const Handshake handshake =
        m_spec->security.IsDataSecured()
            ? MakeDataHandshake(IsFromServer(m_spec->direction), IsToServer(m_spec->direction))
            : Handshake();
    return {.tcp = m_spec->tcp,
            .buffers = m_spec->buffers,
            .jitter = {.seed = static_cast<uint64_t>(measure.seed),
                       .run = static_cast<uint64_t>(measure.run),
                       .session = m_context.index,
                       .jitterNs = m_spec->startJitter},
            .recordsRanges = m_spec->retries > 0,
            .stallTimeout = HasLimits(*m_context.scenario, *m_spec) ? m_spec->stallTimeout : 0,
            .security = {m_spec->security, handshake}};
}

ServerSettings
SegmentGridFtpSession::MakeServerSettings(bool receives) const
{
    DataTransferSettings data = MakeData();
    data.markerInterval = MARKER_INTERVAL;
    return {.data = data,
            .remote = {CONTROL_TCP, ListProcesses(receives ? m_receivers : m_senders)},
            .layout = m_spec->layout,
            .blockBytes = static_cast<uint64_t>(m_spec->blockSize),
            .stripeBlock = static_cast<uint64_t>(m_spec->stripeBlock),
            .security = m_spec->security,
            .requestCpu = m_spec->requestCpu};
}

ClientSettings
SegmentGridFtpSession::MakeSessionSettings() const
{
    std::vector<HostPort> processes;
    if (!IsThirdParty())
    {
        processes = ListProcesses(m_spec->direction == Direction::UPLOAD ? m_senders : m_receivers);
    }
    return {.data = MakeData(),
            .server = m_server,
            .sender = m_sender,
            .controlTcp = CONTROL_TCP,
            .direction = m_spec->direction,
            .channels = m_spec->dataChannels,
            .layout = m_spec->layout,
            .blockBytes = static_cast<uint64_t>(m_spec->blockSize),
            .remote = {CONTROL_TCP, processes},
            .isStriped = m_spec->stripes.IsStriped(),
            .stripeLayout = m_spec->stripeLayout,
            .stripeBlock = static_cast<uint64_t>(m_spec->stripeBlock),
            .rttSamples = static_cast<size_t>(m_spec->rttSamples),
            .pipelining = static_cast<size_t>(m_spec->pipelining),
            .security = m_spec->security,
            .keepalive = m_spec->keepalive,
            .minRateBps = m_spec->minRate,
            .minRatePeriod = m_spec->minRatePeriod,
            .resets = m_spec->retries > 0,
            .endsStored = MakeDataTcp().kernel.has_value()};
}

TransferClientSettings
SegmentGridFtpSession::MakeSettings()
{
    return {.session = MakeSessionSettings(),
            .stripes = m_spec->stripes,
            .stripeTuning = m_spec->stripeTuning,
            .makePolicy =
                [this](int64_t pair) {
                    TuningContext tuning = m_context.tuning;
                    tuning.terms.pair = pair;
                    return MakeTuningPolicy(m_spec->mode, m_spec->tuning, tuning);
                },
            .chunkBytes = static_cast<uint64_t>(m_spec->chunkSize),
            .segmentBytes = static_cast<uint32_t>(MakeDataTcp().segmentBytes),
            .tunerWindow = m_spec->tunerWindow,
            .retries = m_spec->retries,
            .retryWait = m_spec->retryWait,
            .retryWaitMost = m_spec->retryWaitMost,
            .restart = m_spec->restart,
            .monitor = m_context.monitor};
}

void
SegmentGridFtpSession::HandleBetweenChunks(Nanoseconds now)
{
    if (!m_maySkip)
    {
        return;
    }
    if (!m_skipping)
    {
        const bool isDownload = m_spec->direction == Direction::DOWNLOAD;
        const uint32_t receiver = isDownload ? m_clientNode : m_serverNodes.front();
        m_skipping.emplace(
            SegmentChunkSkipping::Parts{.context = &m_context,
                                        .nodes = &m_nodes,
                                        .receiver = receiver,
                                        .address = m_addresses[receiver],
                                        .client = m_client.get(),
                                        .server = m_servers.front().GetSessions().back().get()});
    }
    m_skipping->SkipChunks(now, GetTotals());
}

std::unique_ptr<SegmentApplication>
MakeGridFtpApplication(const ApplicationContext& context)
{
    return std::make_unique<SegmentGridFtpSession>(context);
}

} // namespace ns3::gridftp
