/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-faults.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

namespace ns3::gridftp
{

Ns3Faults::Ns3Faults(const Ns3FaultTargets& targets)
    : m_targets(targets)
{
}

void
Ns3Faults::Schedule(const FaultSpec& fault)
{
    if (IsOfBottleneck(fault.kind) || fault.kind == FaultKind::DISK_STALL)
    {
        return;
    }
    if (fault.kind == FaultKind::DATA_RESET)
    {
        Observe();
    }
    Simulator::Schedule(NanoSeconds(fault.at), [this, &fault] { Strike(fault); });
}

Ptr<Server>
Ns3Faults::FindServer(const FaultSpec& fault) const
{
    // The one that sends is the second one where there are two
    return m_targets.servers[fault.server == FaultServer::SENDER ? 1 : 0];
}

void
Ns3Faults::Strike(const FaultSpec& fault)
{
    const Time duration = NanoSeconds(fault.duration);
    switch (fault.kind)
    {
    case FaultKind::CONTROL_RESET:
        if (fault.IsOnce())
        {
            return FindServer(fault)->FailOnce();
        }
        FindServer(fault)->Fail();
        if (!duration.IsZero())
        {
            Simulator::Schedule(duration, &Server::Recover, FindServer(fault));
        }
        return;
    case FaultKind::SERVER_DIES:
        return FindServer(fault)->Die(duration);
    case FaultKind::SERVER_SILENT:
        return FindServer(fault)->FallSilent(duration);
    case FaultKind::AUTH_REFUSED:
        return FindServer(fault)->RefuseClients(duration);
    case FaultKind::REPLY_LOST:
        return FindServer(fault)->LoseReplies(duration);
    case FaultKind::FOREIGN:
        return ConnectForeign(fault);
    case FaultKind::DTP_DIES:
        return KillDataTransfer(fault);
    case FaultKind::DATA_RESET:
        return BreakConnection(fault);
    default:
        return;
    }
}

void
Ns3Faults::KillDataTransfer(const FaultSpec& fault)
{
    const Time duration = NanoSeconds(fault.duration);
    const bool receives = IsAtReceiver(m_targets.direction, fault.server);
    const auto& apart = receives ? m_targets.receivers : m_targets.senders;
    if (!apart.empty())
    {
        return apart[static_cast<size_t>(fault.stripe)]->Die(duration);
    }
    fault.server == FaultServer::CLIENT ? m_targets.client->KillDataTransfer(duration)
                                        : FindServer(fault)->KillDataTransfer(duration);
}

void
Ns3Faults::ConnectForeign(const FaultSpec& fault)
{
    const Time duration = NanoSeconds(fault.duration);
    if (!m_targets.receivers.empty())
    {
        return m_targets.receivers[static_cast<size_t>(fault.stripe)]->AcceptForeign(duration);
    }
    fault.server == FaultServer::CLIENT ? m_targets.client->AcceptForeign(duration)
                                        : FindServer(fault)->AcceptForeign(duration);
}

void
Ns3Faults::BreakConnection(const FaultSpec& fault)
{
    const auto forEach = [this](const auto& apart, const auto& act) {
        act(m_targets.client);
        for (const auto& server : m_targets.servers)
        {
            act(server);
        }
        for (const auto& stripe : apart)
        {
            act(stripe);
        }
    };
    const auto number = static_cast<uint32_t>(fault.connection);
    if (!IsAtReceiver(m_targets.direction, fault.server))
    {
        return forEach(m_targets.senders, [number](const auto& end) { end->BreakOpened(number); });
    }
    if (const auto it = m_acceptances.find(number); it != m_acceptances.end())
    {
        const Ptr<Socket> socket = it->second;
        forEach(m_targets.receivers, [&socket](const auto& end) { end->BreakAccepted(socket); });
    }
}

void
Ns3Faults::Observe()
{
    if (m_observes)
    {
        return;
    }
    m_observes = true;
    const auto observe = [this](const auto& end) {
        end->TraceConnectWithoutContext("DataConnection",
                                        MakeCallback(&Ns3Faults::HandleOpened, this));
        end->TraceConnectWithoutContext("DataAccepted",
                                        MakeCallback(&Ns3Faults::HandleAccepted, this));
    };
    observe(m_targets.client);
    for (const auto& server : m_targets.servers)
    {
        observe(server);
    }
    for (const auto* end : {&m_targets.senders, &m_targets.receivers})
    {
        for (const auto& stripe : *end)
        {
            observe(stripe);
        }
    }
}

void
Ns3Faults::HandleOpened(Ptr<Socket> socket, uint64_t /* chunk */, uint32_t connection)
{
    Address local;
    socket->GetSockName(local); // of the host, but for the port, which alone is bound yet
    const uint16_t port = InetSocketAddress::ConvertFrom(local).GetPort();
    const auto ipv4 = socket->GetNode()->GetObject<Ipv4>();
    for (uint32_t i = 0; i < ipv4->GetNInterfaces(); ++i)
    {
        m_numbers[InetSocketAddress(ipv4->GetAddress(i, 0).GetLocal(), port)] = connection;
    }
}

void
Ns3Faults::HandleAccepted(Ptr<Socket> socket)
{
    Address peer;
    socket->GetPeerName(peer);
    if (const auto it = m_numbers.find(peer); it != m_numbers.end())
    {
        m_acceptances[it->second] = socket;
    }
}

} // namespace ns3::gridftp
