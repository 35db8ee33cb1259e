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

CpuWork
GetPacketWork(const HostSpec& spec, int64_t payload, bool isOther, bool interrupts)
{
    CpuWork work(CpuUse::DRIVER, spec.packetCpu);
    if (interrupts)
    {
        work.Add(CpuUse::DRIVER, spec.interruptCpu);
    }
    work.Add(CpuUse::TCP, payload > 0 ? spec.segmentCpu : spec.ackCpu);
    if (isOther)
    {
        work.Add(CpuUse::TCP, spec.streamCpu);
    }
    if (spec.copyRate > 0)
    {
        work.Add(CpuUse::TCP,
                 GetWorkNs(static_cast<uint64_t>(payload), static_cast<uint64_t>(spec.copyRate)));
    }
    return work;
}

} // namespace ns3::gridftp
