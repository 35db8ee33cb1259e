/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-storage.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

Storage::Storage(const StorageKind& kind, const NamedValues& values, bool writes)
    : m_model(kind.make(values, writes))
{
}

uint32_t
Storage::Open()
{
    m_isPaid.push_back(false);
    return static_cast<uint32_t>(m_isPaid.size() - 1);
}

Nanoseconds
Storage::Ask(uint32_t node, Nanoseconds now, uint64_t offset, uint64_t bytes, uint32_t opening)
{
    Device& device = GetDevice(node);
    while (!device.underWay.empty() && device.underWay.front() <= now)
    {
        device.underWay.pop_front();
    }
    const int64_t startNs = std::max<int64_t>(now, device.freeNs);
    const bool seeks = offset != device.next;
    const int64_t ns = m_model->Serve({.askedNs = now,
                                       .startNs = startNs,
                                       .ownNs = startNs - CountStalled(device, startNs),
                                       .node = node,
                                       .offset = offset,
                                       .bytes = bytes,
                                       .others = device.underWay.size(),
                                       .seeks = seeks,
                                       .opens = !m_isPaid[opening]});
    m_isPaid[opening] = true;
    device.next = offset + bytes;
    const int64_t tookNs = std::min(ns, LONGEST_STORAGE_NS - startNs);
    device.freeNs = FindDone(device, startNs, tookNs);
    device.underWay.push_back(device.freeNs);
    ++m_use.requests;
    m_use.seeks += seeks ? 1 : 0;
    m_use.bytes += bytes;
    m_use.busyNs += std::min(tookNs, LONGEST_STORAGE_NS - m_use.busyNs);
    Count(device, now, bytes);
    return device.freeNs;
}

void
Storage::Count(Device& device, Nanoseconds now, uint64_t bytes)
{
    constexpr int64_t SECOND_NS = 1'000'000'000;
    if (now >= MOST_SECONDS * SECOND_NS)
    {
        return;
    }
    const auto second = static_cast<size_t>(now / SECOND_NS);
    if (second >= device.seconds.size())
    {
        device.seconds.resize(second + 1);
    }
    ++device.seconds[second].requests;
    device.seconds[second].bytes += bytes;
}

StorageSeconds
Storage::GetSeconds() const
{
    StorageSeconds all;
    for (const Device& device : m_devices)
    {
        all.push_back(device.seconds);
    }
    return all;
}

Storage::Device&
Storage::GetDevice(uint32_t node)
{
    if (node >= m_devices.size())
    {
        m_devices.resize(size_t{node} + 1);
    }
    return m_devices[node];
}

void
Storage::Stall(uint32_t node, int64_t beginNs, int64_t endNs)
{
    auto& stalls = GetDevice(node).stalls;
    stalls.push_back({beginNs, std::min(endNs, LONGEST_STORAGE_NS)});
    std::ranges::sort(stalls, {}, &Standstill::beginNs);
    std::vector<Standstill> merged;
    for (const Standstill& stall : stalls)
    {
        if (!merged.empty() && stall.beginNs <= merged.back().endNs)
        {
            merged.back().endNs = std::max(merged.back().endNs, stall.endNs);
        }
        else
        {
            merged.push_back(stall);
        }
    }
    stalls = std::move(merged);
}

int64_t
Storage::FindDone(const Device& device, int64_t startNs, int64_t ns)
{
    int64_t doneNs = startNs + ns;
    for (const Standstill& stall : device.stalls)
    {
        if (stall.beginNs >= doneNs)
        {
            break;
        }
        const int64_t lostNs = stall.endNs - std::max(stall.beginNs, startNs);
        doneNs += std::clamp<int64_t>(lostNs, 0, LONGEST_STORAGE_NS - doneNs);
    }
    return doneNs;
}

int64_t
Storage::CountStalled(const Device& device, int64_t untilNs)
{
    int64_t ns = 0;
    for (const Standstill& stall : device.stalls)
    {
        ns += std::max<int64_t>(0, std::min(stall.endNs, untilNs) - stall.beginNs);
    }
    return ns;
}

std::shared_ptr<Storage>
MakeStorage(const Scenario& scenario, size_t session, bool receives)
{
    const SessionSpec& spec = scenario.sessions[session];
    auto storage = MakeStorage(receives ? spec.buffers.sink : spec.buffers.source, receives);
    for (const FaultSpec& fault : scenario.faults)
    {
        if (storage && fault.kind == FaultKind::DISK_STALL &&
            static_cast<size_t>(fault.session) == session &&
            IsAtReceiver(spec.direction, fault.server) == receives)
        {
            storage->Stall(static_cast<uint32_t>(fault.stripe), fault.at, fault.GetEndNs());
        }
    }
    return storage;
}

std::shared_ptr<Storage>
MakeStorage(const StorageSpec& spec, bool writes)
{
    const StorageKind* kind = FindStorageKind(spec.kind);
    return kind && kind->make ? std::make_shared<Storage>(*kind, spec.values, writes) : nullptr;
}

std::shared_ptr<Storage>
MakeSharedSource(const Scenario& scenario)
{
    return MakeStorage(scenario, 0, false);
}

} // namespace ns3::gridftp
