/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-memory.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(HostMemory);

TypeId
HostMemory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::HostMemory")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<HostMemory>();
    return tid;
}

Ptr<HostMemory>
HostMemory::Of(Ptr<Node> node, const BufferSettings& settings)
{
    auto memory = node->GetObject<HostMemory>();
    if (!memory)
    {
        memory = CreateObject<HostMemory>();
        memory->m_pool.emplace(settings.sendPool, settings.segmentBytes);
        node->AggregateObject(memory);
    }
    return memory;
}

SendPool&
HostMemory::GetPool()
{
    return *m_pool;
}

} // namespace ns3::gridftp
