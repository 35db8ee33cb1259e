/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-policy.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-segment-connection.h"
#include "gridftp-segment-simulation.h"
#include "gridftp-stripe-plan.h"
#include "gridftp-tool-transfer.h"

#include <algorithm>
#include <map>

/**
 * @file
 * @ingroup gridftp
 * Which ways an application has between its hosts.
 */

namespace ns3::gridftp
{

namespace
{

/** @return IP packet of most ACKs, bytes */
int64_t
GetAckBytes(const Scenario& scenario)
{
    constexpr int64_t TIMESTAMP_BYTES = 12; // of the option, padded
    const bool hasTimestamps = scenario.tcp.stack == TcpStack::LINUX && scenario.tcp.timestamps;
    return HEADER_BYTES + (hasTimestamps ? TIMESTAMP_BYTES : 0);
}

} // namespace

void
SegmentSimulation::AddGates()
{
    for (uint32_t node = 0; node < m_packetHosts.size(); ++node)
    {
        if (m_packetHosts[node])
        {
            const SegmentHost::Surroundings around{.network = &m_network,
                                                   .events = &m_events,
                                                   .flows = &m_flows,
                                                   .headerBytes = m_topology.headerBytes};
            m_network.SetGate(node, m_gates.emplace_back(m_packetHosts[node], around));
        }
    }
}

HostClock*
SegmentSimulation::AddClock(uint32_t node, bool isAhead)
{
    return &m_clocks.emplace_back(m_events, isAhead, m_packetHosts[node] != nullptr);
}

bool
SegmentSimulation::IsStriped(size_t index) const
{
    return index < m_scenario.sessions.size() && m_scenario.sessions[index].stripes.IsStriped();
}

bool
SegmentSimulation::SharesFiles(size_t index) const
{
    const SessionSpec& session = m_scenario.sessions[index];
    return IsDataSet(session) &&
           std::ranges::count(m_scenario.sessions, session.filesOf, &SessionSpec::filesOf) > 1;
}

bool
SegmentSimulation::MayRunAhead(size_t index) const
{
    const size_t sessions = m_scenario.sessions.size();
    // A host with lookahead gets its packets in order. Nothing is ahead of its time on a direction
    // of the bottleneck that data share with ACKs, or that is measured, nor at a queue discipline
    // that decides when packets leave
    if (m_scenario.path.variation.IsSet() || m_topology.measuresReverse ||
        HasActiveQueue(m_scenario.path))
    {
        return false;
    }
    // What a limit refuses is refused in the order of time
    const HostPair& pair = m_topology.pairs[index];
    if (m_scenario.path.limit.IsSet() &&
        (IsLimited(m_topology, pair.client) || IsLimited(m_topology, pair.server)))
    {
        return false;
    }
    // Nor does anything run ahead of a CPU that it shares with others
    if (m_packetHosts[pair.client] || m_packetHosts[pair.server])
    {
        return false;
    }
    // One that is cut off while the data flows is to know nothing of what arrives later
    const auto isHere = [index](const FaultSpec& fault) {
        return IsOfBottleneck(fault.kind) || static_cast<size_t>(fault.session) == index;
    };
    if (index >= sessions)
    {
        const BackgroundSpec& background = m_scenario.background[index - sessions];
        return background.stop == 0 && background.load == 0;
    }
    // Nor may one whose ends answer each other at any time
    if (m_scenario.sessions[index].tool != GRIDFTP_APPLICATION)
    {
        return false;
    }
    // Nor may one that takes the next file before another one, which is earlier, does
    if (SharesFiles(index))
    {
        return false;
    }
    // Nor may one whose ends, or whose hosts at an end, tell each other something while data flow
    return !IsStriped(index) && !NeedsApplications(m_scenario.sessions[index].buffers.policy) &&
           !m_scenario.sessions[index].security.IsDataSecured() &&
           !HasLimits(m_scenario, m_scenario.sessions[index]) &&
           std::ranges::none_of(m_scenario.faults, isHere);
}

void
SegmentSimulation::MakePath(ApplicationContext& context)
{
    const size_t sessions = m_scenario.sessions.size();
    const HostPair& pair = m_topology.pairs[context.index];
    const bool isSession = context.index < sessions;
    const bool upload =
        IsToServer(isSession ? m_scenario.sessions[context.index].direction
                             : m_scenario.background[context.index - sessions].direction);
    if (isSession && HasBothDirections(m_scenario.sessions[context.index]))
    {
        MakeOppositePath(context,
                         upload ? pair.server : pair.client,
                         upload ? pair.client : pair.server);
    }
    const bool isAhead = MayRunAhead(context.index);
    const int64_t ackBytes = GetAckBytes(m_scenario);
    const bool clientAhead = isAhead && !upload;
    const bool serverAhead = isAhead && upload;
    const int64_t packet = GetUsualBytes(m_scenario, context.index);
    FlowPath& path = context.path;
    // The data's route first
    for (const bool toServer : {upload, !upload})
    {
        const uint32_t from = toServer ? pair.client : pair.server;
        const uint32_t to = toServer ? pair.server : pair.client;
        path.routes[toServer ? 0 : 1] =
            m_network.AddRoute(from,
                               to,
                               {.usualBytes = toServer == upload ? packet : ackBytes,
                                .fromAhead = toServer ? clientAhead : serverAhead,
                                .toAhead = toServer ? serverAhead : clientAhead,
                                .yields = isAhead && !isSession && toServer != upload,
                                .inTime = SendsDatagrams(m_scenario, context.index)});
    }
    path.clocks[0] = AddClock(pair.client, clientAhead);
    path.clocks[1] = AddClock(pair.server, serverAhead);
    context.data = {upload ? path : path.GetReverse()};
    // Files of both directions have the same hosts
    context.oppositeData.clocks[TcpConnection::ACTIVE] = path.clocks[upload ? 1 : 0];
    context.oppositeData.clocks[TcpConnection::PASSIVE] = path.clocks[upload ? 0 : 1];
}

void
SegmentSimulation::MakeOppositePath(ApplicationContext& context, uint32_t sender, uint32_t receiver)
{
    const auto add = [this](uint32_t from, uint32_t to, int64_t usualBytes) {
        return m_network.AddRoute(from,
                                  to,
                                  {.usualBytes = usualBytes, .fromAhead = false, .toAhead = false});
    };
    const int64_t ackBytes = GetAckBytes(m_scenario);
    context.oppositeAddress = GetNodeAddress(m_topology, receiver);
    context.oppositeData.routes[0] = add(sender, receiver, m_scenario.path.packetSize);
    context.oppositeData.routes[1] = add(receiver, sender, ackBytes);
}

void
SegmentSimulation::MakeThirdPartyPaths(ApplicationContext& context)
{
    const int64_t ackBytes = GetAckBytes(m_scenario);
    const HostPair& pair = m_topology.pairs[context.index];
    HostClock* const client = AddClock(pair.client, false);
    HostClock* const receiver = AddClock(pair.server, false);
    HostClock* const sender = AddClock(pair.sender, false);
    const auto add = [this](uint32_t from, uint32_t to, int64_t usualBytes) {
        return m_network.AddRoute(from,
                                  to,
                                  {.usualBytes = usualBytes, .fromAhead = false, .toAhead = false});
    };
    // A link takes the usual size of the last one added, which has to be the data's and its ACKs'
    // wherever these go
    const int64_t packet = m_scenario.path.packetSize;
    context.senderPath = {
        {add(pair.client, pair.sender, ackBytes), add(pair.sender, pair.client, ackBytes)},
        {client, sender}};
    context.path = {
        {add(pair.client, pair.server, packet), add(pair.server, pair.client, ackBytes)},
        {client, receiver}};
    context.data = {
        {{add(pair.sender, pair.server, packet), add(pair.server, pair.sender, ackBytes)},
         {sender, receiver}}};
}

void
SegmentSimulation::MakeStripedPaths(ApplicationContext& context)
{
    const int64_t ackBytes = GetAckBytes(m_scenario);
    const SessionSpec& spec = m_scenario.sessions[context.index];
    const HostPair& pair = m_topology.pairs[context.index];
    const int64_t packet = m_scenario.path.packetSize;
    std::map<uint32_t, HostClock*> clocks;
    const auto join = [&](uint32_t from, uint32_t to, int64_t there, int64_t back) {
        for (const uint32_t node : {from, to})
        {
            HostClock*& clock = clocks[node];
            clock = clock ? clock : AddClock(node, false);
        }
        const auto add = [this](uint32_t from, uint32_t to, int64_t usualBytes) {
            return m_network.AddRoute(
                from,
                to,
                {.usualBytes = usualBytes, .fromAhead = false, .toAhead = false});
        };
        return FlowPath{{add(from, to, there), add(to, from, back)}, {clocks[from], clocks[to]}};
    };
    const bool isThirdParty = pair.sender != HostPair::NONE;
    const bool upload = IsToServer(spec.direction);
    const uint32_t sender = isThirdParty ? pair.sender : upload ? pair.client : pair.server;
    const uint32_t receiver = upload ? pair.server : pair.client;
    // A link takes the usual size of the last one added, which has to be the data's and its ACKs'
    // wherever these go
    context.path =
        join(pair.client, pair.server, upload ? packet : ackBytes, upload ? ackBytes : packet);
    if (isThirdParty)
    {
        context.senderPath = join(pair.client, pair.sender, ackBytes, ackBytes);
    }
    for (size_t i = 0; pair.senders.size() > 1 && i < pair.senders.size(); ++i)
    {
        context.senders.push_back(join(sender, pair.senders[i], ackBytes, ackBytes));
    }
    for (size_t i = 0; pair.receivers.size() > 1 && i < pair.receivers.size(); ++i)
    {
        context.receivers.push_back(join(receiver, pair.receivers[i], ackBytes, ackBytes));
    }
    const StripePlan plan(spec.stripes, spec.stripeLayout, 1);
    for (uint32_t i = 0; i < plan.GetPairs(); ++i)
    {
        const StripePair stripes = plan.GetPair(i);
        context.data.push_back(
            join(pair.senders[stripes.sender], pair.receivers[stripes.receiver], packet, ackBytes));
    }
}

} // namespace ns3::gridftp
