/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-meter.h"

#include <algorithm>
#include <functional>

namespace ns3::gridftp
{

namespace
{

/** What the hosts of an end did, all of them together. */
EndHostResult
MakeEndHostResult(const EndHosts& end)
{
    EndHostResult result;
    std::vector<int64_t> seconds;
    for (const auto& host : end.GetAll())
    {
        result.isModelled = host->GetSpec().IsModelled();
        result.countsPackets = host->GetSpec().HoldsPackets();
        result.counts.Add(host->GetCounts());
        for (const auto& core : host->GetCores())
        {
            result.cpu.Add(core->GetUse());
            result.coreBusyNs.push_back(core->GetUse().GetSum());
            const auto& busy = core->GetSeconds();
            seconds.resize(std::max(seconds.size(), busy.size()));
            std::ranges::transform(busy, seconds, seconds.begin(), std::plus());
        }
    }
    const int64_t most = seconds.empty() ? 0 : std::ranges::max(seconds);
    result.peakLoad =
        static_cast<double>(most) / 1e9 / static_cast<double>(result.coreBusyNs.size());
    return result;
}

/** Whether a host of a session does not cost nothing. */
bool
IsModelled(const SessionHosts& hosts)
{
    const auto isModelled = [](const EndHosts& end) {
        return end.GetHeadHost() && end.GetHeadHost()->GetSpec().IsModelled();
    };
    return isModelled(hosts.sender) || isModelled(hosts.receiver);
}

/** What the hosts of a session have done so far. */
HostResult
MakeHostResult(const SessionHosts& hosts)
{
    return {MakeEndHostResult(hosts.sender), MakeEndHostResult(hosts.receiver)};
}

} // namespace

HostMeter::HostMeter(const std::vector<SessionHosts>& hosts)
    : m_hosts(&hosts),
      m_marks(hosts.size())
{
}

void
HostMeter::Mark(Nanoseconds now)
{
    const auto second = static_cast<size_t>(now / HostCpu::SECOND_NS);
    for (size_t i = 0; i < m_marks.size(); ++i)
    {
        const SessionHosts& hosts = (*m_hosts)[i];
        if (IsModelled(hosts))
        {
            m_marks[i] = {second,
                          MakeHostResult(hosts),
                          GetSeconds(hosts.sender, second),
                          GetSeconds(hosts.receiver, second)};
        }
    }
}

std::vector<HostSecond>
HostMeter::GetSeconds(const EndHosts& end, size_t second)
{
    std::vector<HostSecond> samples;
    for (const auto& host : end.GetAll())
    {
        samples.push_back(host->GetSecond(second));
    }
    return samples;
}

void
HostMeter::AddSeconds(const EndHosts& end,
                      size_t second,
                      const std::vector<HostSecond>& last,
                      EndHostResult& result)
{
    const auto hosts = end.GetAll();
    for (size_t i = 0; i < hosts.size(); ++i)
    {
        auto& seconds = result.seconds.emplace_back();
        for (size_t earlier = 0; earlier < second; ++earlier)
        {
            seconds.push_back(hosts[i]->GetSecond(earlier));
        }
        seconds.push_back(last[i]);
    }
}

void
HostMeter::AddTo(TransferResult& result) const
{
    for (size_t i = 0; i < m_marks.size(); ++i)
    {
        const SessionHosts& hosts = (*m_hosts)[i];
        SessionResult& session = result.sessions[i];
        if (const auto& mark = m_marks[i])
        {
            session.host = mark->result;
            AddSeconds(hosts.sender, mark->second, mark->sender, session.host->sender);
            AddSeconds(hosts.receiver, mark->second, mark->receiver, session.host->receiver);
        }
        else if (hosts.sender.GetHeadHost() && (session.gridftp || IsModelled(hosts)))
        {
            session.host = MakeHostResult(hosts);
        }
    }
}

} // namespace ns3::gridftp
