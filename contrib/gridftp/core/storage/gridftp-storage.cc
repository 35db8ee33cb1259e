/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-storage.h"

#include <algorithm>

namespace ns3::gridftp
{

Storage::Storage(const StorageKind& kind, const NamedValues& values)
    : m_model(kind.make(values))
{
}

Nanoseconds
Storage::Ask(uint32_t node, Nanoseconds now, uint64_t offset, uint64_t bytes)
{
    if (node >= m_devices.size())
    {
        m_devices.resize(size_t{node} + 1);
    }
    Device& device = m_devices[node];
    const int64_t startNs = std::max<int64_t>(now, device.freeNs);
    const bool seeks = offset != device.next;
    const int64_t ns = m_model->Serve(
        {.askedNs = now, .startNs = startNs, .node = node, .bytes = bytes, .seeks = seeks});
    device.next = offset + bytes;
    device.freeNs = startNs + std::min(ns, LONGEST_STORAGE_NS - startNs);
    ++m_use.requests;
    m_use.seeks += seeks ? 1 : 0;
    m_use.bytes += bytes;
    m_use.busyNs += std::min(device.freeNs - startNs, LONGEST_STORAGE_NS - m_use.busyNs);
    return device.freeNs;
}

std::shared_ptr<Storage>
MakeStorage(const StorageSpec& spec)
{
    const StorageKind* kind = FindStorageKind(spec.kind);
    return kind && kind->make ? std::make_shared<Storage>(*kind, spec.values) : nullptr;
}

bool
HasSharedServer(const Scenario& scenario, size_t index)
{
    return index == 0 || scenario.sessions[index].server == ServerHost::SHARED;
}

std::shared_ptr<Storage>
MakeSharedSource(const Scenario& scenario)
{
    return MakeStorage(scenario.sessions.front().buffers.source);
}

} // namespace ns3::gridftp
