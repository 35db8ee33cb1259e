/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-storage.h"

#include <utility>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(HostStorage);

TypeId
HostStorage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::HostStorage")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<HostStorage>();
    return tid;
}

Ptr<HostStorage>
HostStorage::Of(Ptr<Node> node)
{
    auto storage = node->GetObject<HostStorage>();
    if (!storage)
    {
        storage = CreateObject<HostStorage>();
        node->AggregateObject(storage);
    }
    return storage;
}

void
HostStorage::SetSource(std::shared_ptr<Storage> storage, uint32_t node, uint32_t depth)
{
    m_source = std::move(storage);
    m_from = {.storage = m_source.get(), .node = node, .offset = 0, .depth = depth};
}

void
HostStorage::SetSink(std::shared_ptr<Storage> storage, uint32_t node, uint32_t depth)
{
    m_sink = std::move(storage);
    m_to = {.storage = m_sink.get(), .node = node, .offset = 0, .depth = depth};
}

StoragePlace
HostStorage::FindSource(Ptr<Node> node, uint64_t offset)
{
    const auto host = node->GetObject<HostStorage>();
    StoragePlace place = host ? host->m_from : StoragePlace();
    place.offset = offset;
    return place;
}

StoragePlace
HostStorage::FindSink(Ptr<Node> node)
{
    const auto host = node->GetObject<HostStorage>();
    return host ? host->m_to : StoragePlace();
}

} // namespace ns3::gridftp
