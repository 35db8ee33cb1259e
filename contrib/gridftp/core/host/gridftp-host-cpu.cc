/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-cpu.h"

#include <algorithm>
#include <iterator>

namespace ns3::gridftp
{

namespace
{

/** @return the sum, at most LONGEST_CPU_NS */
int64_t
Plus(int64_t a, int64_t b)
{
    return a + std::min(b, LONGEST_CPU_NS - a);
}

using enum CpuUseName::Presence;

/** In the order of CpuUse. */
constexpr std::array<CpuUseName, CPU_USES> USES{
    CpuUseName{CpuUse::DATA, "cpu_data_s", ALWAYS},
    CpuUseName{CpuUse::PROTECTION, "cpu_protection_s", ALWAYS},
    CpuUseName{CpuUse::MODULES, "cpu_modules_s", ALWAYS},
    CpuUseName{CpuUse::REQUESTS, "cpu_requests_s", ALWAYS},
    CpuUseName{CpuUse::AUTHENTICATION, "cpu_authentication_s", ALWAYS},
    CpuUseName{CpuUse::CALLS, "cpu_calls_s", MODELLED},
    CpuUseName{CpuUse::TCP, "cpu_tcp_s", MODELLED},
    CpuUseName{CpuUse::DRIVER, "cpu_driver_s", MODELLED},
    CpuUseName{CpuUse::FILES, "cpu_file_system_s", MODELLED},
    CpuUseName{CpuUse::RPC, "cpu_rpc_s", MODELLED},
    CpuUseName{CpuUse::CHECKSUMS, "cpu_checksums_s", USED}};

} // namespace

std::span<const CpuUseName, CPU_USES>
GetCpuUses()
{
    return USES;
}

void
CpuWork::Add(CpuUse use, int64_t ns)
{
    int64_t& sum = m_ns[static_cast<size_t>(use)];
    sum = Plus(sum, ns);
}

void
CpuWork::Add(const CpuWork& work)
{
    for (size_t i = 0; i < CPU_USES; ++i)
    {
        m_ns[i] = Plus(m_ns[i], work.m_ns[i]);
    }
}

int64_t
CpuWork::GetSum() const
{
    int64_t sum = 0;
    for (const int64_t ns : m_ns)
    {
        sum = Plus(sum, ns);
    }
    return sum;
}

Nanoseconds
HostCpu::Ask(Nanoseconds now, Nanoseconds from, const CpuWork& work)
{
    m_use.Add(work);
    const auto isOver = [now](const Busy& busy) { return busy.endNs <= now; };
    m_busy.erase(m_busy.begin(), std::ranges::find_if_not(m_busy, isOver));
    const int64_t ns = work.GetSum();
    int64_t beginNs = std::min<int64_t>(from, LONGEST_CPU_NS);
    auto next = m_busy.begin();
    // Behind all that is done or begun by then, and that leaves no room for it
    while (next != m_busy.end() && next->beginNs < Plus(beginNs, std::max<int64_t>(ns, 1)))
    {
        beginNs = std::max(beginNs, next->endNs);
        ++next;
    }
    const int64_t endNs = Plus(beginNs, ns);
    if (m_keepsSeconds)
    {
        KeepBusy(beginNs, endNs);
    }
    if (next != m_busy.begin() && std::prev(next)->endNs == beginNs)
    {
        std::prev(next)->endNs = endNs;
    }
    else if (ns > 0)
    {
        m_busy.insert(next, {beginNs, endNs});
    }
    return endNs;
}

void
HostCpu::KeepBusy(int64_t beginNs, int64_t endNs)
{
    const int64_t end = std::min(endNs, MOST_SECONDS * SECOND_NS);
    for (int64_t at = beginNs; at < end;)
    {
        const auto second = static_cast<size_t>(at / SECOND_NS);
        if (second >= m_seconds.size())
        {
            m_seconds.resize(second + 1);
        }
        const int64_t until = std::min(end, (at / SECOND_NS + 1) * SECOND_NS);
        m_seconds[second] += until - at;
        at = until;
    }
}

Nanoseconds
AskFor(HostCpu* cpu, Nanoseconds now, const CpuWork& work)
{
    return work.GetSum() > 0 ? cpu->Ask(now, work) : now;
}

} // namespace ns3::gridftp
