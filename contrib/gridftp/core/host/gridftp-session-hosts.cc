/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-session-hosts.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

EndHosts::EndHosts(int64_t stripes, HostCpuPtr head)
    : m_head(std::move(head))
{
    for (int64_t i = 0; stripes > 1 && i < stripes; ++i)
    {
        m_stripes.push_back(std::make_shared<HostCpu>());
    }
}

std::optional<CpuWork>
EndHosts::GetUse() const
{
    if (!m_head)
    {
        return std::nullopt;
    }
    CpuWork use = m_head->GetUse();
    for (const auto& stripe : m_stripes)
    {
        use.Add(stripe->GetUse());
    }
    return use;
}

bool
NeedsCpu(const SessionSpec& session)
{
    const ProcessingSpec& processing = session.buffers.processing;
    return session.requestCpu > 0 || session.security.IsTimed() || processing.IsTimed(false) ||
           processing.IsTimed(true);
}

HostCpuPtr
MakeSharedHost(const Scenario& scenario)
{
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        if (HasSharedServer(scenario, i) && NeedsCpu(scenario.sessions[i]))
        {
            return std::make_shared<HostCpu>();
        }
    }
    return nullptr;
}

SessionHosts
MakeSessionHosts(const SessionSpec& session, HostCpuPtr server)
{
    if (!NeedsCpu(session))
    {
        return {};
    }
    const auto make = [] { return std::make_shared<HostCpu>(); };
    server = server ? std::move(server) : make();
    SessionHosts hosts;
    hosts.client = make();
    const bool isUpload = session.direction == Direction::UPLOAD;
    const bool isDownload = session.direction == Direction::DOWNLOAD;
    const auto sender = isUpload ? hosts.client : isDownload ? server : make();
    hosts.sender = EndHosts(session.stripes.senders, sender);
    hosts.receiver = EndHosts(session.stripes.receivers, isDownload ? hosts.client : server);
    return hosts;
}

} // namespace ns3::gridftp
