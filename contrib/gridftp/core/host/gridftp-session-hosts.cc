/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-session-hosts.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

EndHosts::EndHosts(int64_t stripes, HostPtr head, size_t session)
    : m_head(std::move(head)),
      m_session(session)
{
    for (int64_t i = 0; stripes > 1 && i < stripes; ++i)
    {
        m_stripes.push_back(std::make_shared<Host>(m_head->GetSpec()));
    }
}

std::vector<HostPtr>
EndHosts::GetAll() const
{
    std::vector<HostPtr> all;
    if (m_head)
    {
        all.push_back(m_head);
    }
    all.insert(all.end(), m_stripes.begin(), m_stripes.end());
    return all;
}

bool
NeedsCpu(const SessionSpec& session)
{
    const BufferSpec& buffers = session.buffers;
    return session.requestCpu > 0 || session.security.IsTimed() ||
           buffers.processing.IsTimed(false) || buffers.processing.IsTimed(true) ||
           (buffers.processing.checksum != FileChecksumKind::NONE &&
            buffers.processing.checksumRate > 0) ||
           buffers.sender.IsModelled() || buffers.receiver.IsModelled();
}

namespace
{

/** The hosts of a session. @param shared the host of its server, or null: one of its own */
SessionHosts
MakeSessionHosts(const SessionSpec& session, size_t index, const HostPtr& shared)
{
    if (!NeedsCpu(session))
    {
        return {};
    }
    const BufferSpec& buffers = session.buffers;
    const bool isDownload = session.direction == Direction::DOWNLOAD;
    auto sender = std::make_shared<Host>(buffers.sender);
    auto receiver = std::make_shared<Host>(buffers.receiver);
    if (shared)
    {
        (isDownload ? sender : receiver) = shared;
    }
    SessionHosts hosts;
    hosts.sender = EndHosts(session.stripes.senders, sender, index);
    hosts.receiver = EndHosts(session.stripes.receivers, receiver, index);
    hosts.client = session.direction == Direction::THIRD_PARTY
                       ? EndHosts(1, std::make_shared<Host>(HostSpec()), index)
                       : hosts.GetEnd(isDownload);
    return hosts;
}

/** The host of the first session's server where others have theirs there, too, and any of them
 * needs its CPU; else null. */
HostPtr
MakeSharedHost(const Scenario& scenario)
{
    const SessionSpec& first = scenario.sessions.front();
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        if (HasSharedServer(scenario, i) && NeedsCpu(scenario.sessions[i]))
        {
            const bool isDownload = first.direction == Direction::DOWNLOAD;
            return std::make_shared<Host>(first.buffers.GetHost(!isDownload));
        }
    }
    return nullptr;
}

/** Gives each host that is in a pair its random times, and one that costs nothing else where there
 * is none. */
void
SetOverheads(const Scenario& scenario, const Topology& topology, std::vector<HostPtr>& hosts)
{
    constexpr uint64_t OVERHEAD = 0x6f76657268656164; // keeps these random numbers from others
    const auto set = [&](uint32_t node) {
        HostPtr& host = hosts[node];
        host = host ? host : std::make_shared<Host>(HostSpec());
        host->SetOverhead({scenario.path.hostOverhead,
                           KeyedRandom({static_cast<uint64_t>(scenario.measure.seed),
                                        static_cast<uint64_t>(scenario.measure.run),
                                        OVERHEAD,
                                        node})});
    };
    for (const auto& pair : topology.pairs)
    {
        set(pair.client);
        set(pair.server);
        if (pair.sender != HostPair::NONE)
        {
            set(pair.sender);
        }
        std::ranges::for_each(pair.senders, set);
        std::ranges::for_each(pair.receivers, set);
    }
}

} // namespace

std::vector<SessionHosts>
MakeScenarioHosts(const Scenario& scenario)
{
    const HostPtr shared = MakeSharedHost(scenario);
    std::vector<SessionHosts> all;
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const bool isShared = HasSharedServer(scenario, i);
        all.push_back(MakeSessionHosts(scenario.sessions[i], i, isShared ? shared : nullptr));
    }
    return all;
}

std::vector<HostPtr>
FindPacketHosts(const Scenario& scenario,
                const Topology& topology,
                const std::vector<SessionHosts>& hosts)
{
    const bool hasOverhead = scenario.path.hostOverhead > 0;
    std::vector<HostPtr> found(topology.nodes.size());
    const auto put = [&found, hasOverhead](uint32_t node, const HostPtr& host) {
        if (host && (hasOverhead || host->GetSpec().HoldsPackets()))
        {
            found[node] = host;
        }
    };
    for (size_t i = 0; i < hosts.size(); ++i)
    {
        const HostPair& pair = topology.pairs[i];
        const bool isDownload = scenario.sessions[i].direction == Direction::DOWNLOAD;
        const auto& client = hosts[i].GetEnd(isDownload).GetHeadHost();
        const auto& server = hosts[i].GetEnd(!isDownload).GetHeadHost();
        if (pair.sender == HostPair::NONE)
        {
            put(pair.client, client);
        }
        put(pair.server, server);
        for (size_t k = 0; k < pair.senders.size(); ++k)
        {
            put(pair.senders[k], hosts[i].sender.GetStripeHost(k));
        }
        for (size_t k = 0; k < pair.receivers.size(); ++k)
        {
            put(pair.receivers[k], hosts[i].receiver.GetStripeHost(k));
        }
        if (pair.sender != HostPair::NONE)
        {
            put(pair.sender, hosts[i].sender.GetHeadHost());
        }
    }
    if (hasOverhead)
    {
        SetOverheads(scenario, topology, found);
    }
    return found;
}

} // namespace ns3::gridftp
