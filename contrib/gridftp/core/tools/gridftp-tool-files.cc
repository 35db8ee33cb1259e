/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tool-files.h"

namespace ns3::gridftp
{

ToolFiles::ToolFiles(const Scenario& scenario, size_t index, const SessionHosts& hosts)
{
    for (const bool receives : {false, true})
    {
        const size_t end = receives ? 1 : 0;
        m_storages[end] = MakeStorage(scenario, index, receives);
        m_cpus[end] = hosts.GetEnd(receives).GetStripe(0);
        m_costs[end] = MakeBlockCost(scenario.sessions[index].buffers, receives);
    }
}

BlockStages
ToolFiles::Open(bool receives) const
{
    const size_t end = receives ? 1 : 0;
    BlockStages stages{.storage = {.storage = m_storages[end].get()},
                       .cpu = m_cpus[end].get(),
                       .cost = m_costs[end]};
    stages.storage.opening = stages.storage.Open();
    return stages;
}

} // namespace ns3::gridftp
