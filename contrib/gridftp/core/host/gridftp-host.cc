/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host.h"

#include "gridftp-buffer-settings.h"

#include <algorithm>

namespace ns3::gridftp
{

Host::Host(const HostSpec& spec)
    : m_spec(spec)
{
    for (int64_t i = 0; i < std::max<int64_t>(1, spec.cores); ++i)
    {
        m_cores.push_back(std::make_shared<HostCpu>());
        if (spec.IsModelled())
        {
            m_cores.back()->KeepSeconds();
        }
    }
}

size_t
Host::GetQueues() const
{
    return std::min(m_cores.size(), static_cast<size_t>(std::max<int64_t>(1, m_spec.queues)));
}

CpuWork
Host::GetUse() const
{
    CpuWork use;
    for (const auto& core : m_cores)
    {
        use.Add(core->GetUse());
    }
    return use;
}

void
HostCounts::Add(const HostCounts& counts)
{
    packetsIn += counts.packetsIn;
    packetsOut += counts.packetsOut;
    interrupts += counts.interrupts;
    backlogDrops += counts.backlogDrops;
}

void
Host::Count(Nanoseconds now, uint64_t HostCounts::* what)
{
    ++(m_counts.*what);
    const int64_t second = now / HostCpu::SECOND_NS;
    if (second >= HostCpu::MOST_SECONDS)
    {
        return;
    }
    if (static_cast<size_t>(second) >= m_seconds.size())
    {
        m_seconds.resize(static_cast<size_t>(second) + 1);
    }
    ++(m_seconds[static_cast<size_t>(second)].*what);
}

HostSecond
Host::GetSecond(size_t second) const
{
    HostSecond sample;
    if (second < m_seconds.size())
    {
        sample.counts = m_seconds[second];
    }
    for (const auto& core : m_cores)
    {
        const auto& busy = core->GetSeconds();
        sample.coreBusyNs.push_back(second < busy.size() ? busy[second] : 0);
    }
    return sample;
}

size_t
Host::GetSecondCount() const
{
    size_t count = m_seconds.size();
    for (const auto& core : m_cores)
    {
        count = std::max(count, core->GetSeconds().size());
    }
    return count;
}

CpuWork
GetPacketWork(const HostSpec& spec, const HandledPacket& packet)
{
    CpuWork work(CpuUse::DRIVER, spec.packetCpu);
    if (packet.interrupts)
    {
        work.Add(CpuUse::DRIVER, spec.interruptCpu);
    }
    work.Add(CpuUse::TCP, packet.payload > 0 ? spec.segmentCpu : spec.ackCpu);
    if (packet.isOther)
    {
        work.Add(CpuUse::TCP, spec.streamCpu);
    }
    if (packet.setsConnection)
    {
        work.Add(CpuUse::TCP, spec.connectionCpu);
    }
    if (spec.copyRate > 0)
    {
        work.Add(
            CpuUse::TCP,
            GetWorkNs(static_cast<uint64_t>(packet.payload), static_cast<uint64_t>(spec.copyRate)));
    }
    return work;
}

} // namespace ns3::gridftp
