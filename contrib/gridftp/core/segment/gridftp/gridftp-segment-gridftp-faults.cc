/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-gridftp.h"

/**
 * @file
 * @ingroup gridftp
 * A session of GridFTP on the segment engine: its faults.
 */

namespace ns3::gridftp
{

void
SegmentGridFtpSession::ScheduleFaults(Nanoseconds now)
{
    const auto& faults = m_context.scenario->faults;
    for (uint32_t i = 0; i < faults.size(); ++i)
    {
        const FaultSpec& fault = faults[i];
        if (IsOfBottleneck(fault.kind) || fault.kind == FaultKind::DISK_STALL ||
            fault.session != m_context.index)
        {
            continue; // of the network, of a storage, or of another session
        }
        if (fault.at > now)
        {
            const bool isOfSender = fault.server == FaultServer::SENDER;
            const FlowPath& path = isOfSender ? m_context.senderPath : m_context.path;
            path.clocks[fault.server == FaultServer::CLIENT ? 0 : 1]->Schedule(fault.at, *this, i);
        }
        else if (fault.GetEndNs() > now || fault.IsOnce())
        {
            Strike(now, fault);
        }
    }
}

void
SegmentGridFtpSession::Strike(Nanoseconds now, const FaultSpec& fault)
{
    switch (fault.kind)
    {
    case FaultKind::DTP_DIES:
        return KillDataTransfer(now, fault);
    case FaultKind::FOREIGN:
        return AcceptForeign(now, fault);
    case FaultKind::DATA_RESET:
        return BreakConnection(now, fault);
    default:
        return m_servers[fault.server == FaultServer::SENDER ? 1 : 0].Strike(now, fault);
    }
}

void
SegmentGridFtpSession::KillDataTransfer(Nanoseconds now, const FaultSpec& fault)
{
    const bool receives = IsAtReceiver(m_spec->direction, fault.server);
    const auto& apart = receives ? m_receivers : m_senders;
    if (!apart.empty())
    {
        const size_t first = receives ? m_senders.size() : 0;
        m_processes[first + static_cast<size_t>(fault.stripe)].Die(now, fault.GetEndNs());
    }
    else if (fault.server == FaultServer::CLIENT)
    {
        m_client->KillDataTransfer(now, fault.GetEndNs());
    }
    else
    {
        m_servers[fault.server == FaultServer::SENDER ? 1 : 0].Strike(now, fault);
    }
}

void
SegmentGridFtpSession::AcceptForeign(Nanoseconds now, const FaultSpec& fault)
{
    if (!m_receivers.empty())
    {
        const auto& services =
            m_processes[m_senders.size() + static_cast<size_t>(fault.stripe)].GetServices();
        if (!services.empty())
        {
            services.back()->GetDataTransfer().GetReceiver().AcceptForeign(now, fault.GetEndNs());
        }
    }
    else if (fault.server != FaultServer::CLIENT)
    {
        m_servers[fault.server == FaultServer::SENDER ? 1 : 0].Strike(now, fault);
    }
    else if (ClientSession* const session = m_client->GetSession())
    {
        session->GetDataTransfer().GetReceiver().AcceptForeign(now, fault.GetEndNs());
    }
}

std::vector<LocalDataTransfer*>
SegmentGridFtpSession::ListDataTransfers()
{
    std::vector<LocalDataTransfer*> all;
    if (ClientSession* const session = m_client->GetSession())
    {
        all.push_back(&session->GetDataTransfer());
    }
    for (const auto& server : m_servers)
    {
        for (const auto& session : server.GetSessions())
        {
            all.push_back(&session->GetDataTransfer());
        }
    }
    for (const auto& process : m_processes)
    {
        for (const auto& service : process.GetServices())
        {
            all.push_back(&service->GetDataTransfer());
        }
    }
    return all;
}

void
SegmentGridFtpSession::BreakConnection(Nanoseconds now, const FaultSpec& fault)
{
    const auto number = static_cast<uint32_t>(fault.connection);
    const bool receives = IsAtReceiver(m_spec->direction, fault.server);
    const DataStream* const accepted = receives ? m_nodes.FindAccepted(number) : nullptr;
    for (LocalDataTransfer* const data : ListDataTransfers())
    {
        if (!receives)
        {
            data->GetSender().BreakConnection(now, number);
        }
        else if (accepted)
        {
            data->GetReceiver().BreakConnection(now, *accepted);
        }
    }
}

} // namespace ns3::gridftp
