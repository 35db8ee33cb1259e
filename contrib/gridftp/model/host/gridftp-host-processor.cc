/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-processor.h"

#include "gridftp-host-storage.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <memory>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(HostProcessor);

namespace
{

/** @return what blocks pass: the storage, and the CPU where it has something to do */
BlockStages
MakeStages(const Ptr<Node>& node,
           const StoragePlace& storage,
           const BufferSpec& buffers,
           bool receives)
{
    BlockStages stages{.storage = storage,
                       .cost = MakeBlockCost(buffers, receives),
                       .map = MakeFileMap(buffers.processing, receives)};
    if (stages.cost.IsTimed())
    {
        stages.cpu = &HostProcessor::Of(node);
    }
    if (!storage.IsTimed())
    {
        const int64_t depth = (receives ? buffers.sink : buffers.source).depth;
        stages.storage.depth = static_cast<uint32_t>(std::max<int64_t>(1, depth));
    }
    return stages;
}

} // namespace

TypeId
HostProcessor::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::HostProcessor")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<HostProcessor>();
    return tid;
}

Ptr<HostProcessor>
HostProcessor::Find(Ptr<Node> node)
{
    auto own = node->GetObject<HostProcessor>();
    if (!own)
    {
        own = CreateObject<HostProcessor>();
        node->AggregateObject(own);
    }
    return own;
}

HostCpu&
HostProcessor::Of(Ptr<Node> node)
{
    const auto own = Find(node);
    if (!own->m_cpu)
    {
        own->m_cpu = std::make_shared<HostCpu>();
    }
    return *own->m_cpu;
}

void
HostProcessor::Set(Ptr<Node> node, const HostCpuPtr& cpu)
{
    if (cpu)
    {
        Find(node)->m_cpu = cpu;
    }
}

Time
HostProcessor::Ask(Ptr<Node> node, const CpuWork& work)
{
    if (work.GetSum() == 0)
    {
        return Time();
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    return NanoSeconds(Of(node).Ask(now, work) - now);
}

BlockStages
FindSourceStages(Ptr<Node> node, const BufferSpec& buffers, uint64_t offset)
{
    return MakeStages(node, HostStorage::FindSource(node, offset), buffers, false);
}

BlockStages
FindSinkStages(Ptr<Node> node, const BufferSpec& buffers)
{
    return MakeStages(node, HostStorage::FindSink(node), buffers, true);
}

} // namespace ns3::gridftp
