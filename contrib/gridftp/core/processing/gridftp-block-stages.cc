/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-stages.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** @return pieces that bytes make */
uint64_t
CountPieces(uint64_t bytes, uint64_t piece)
{
    return bytes / piece + (bytes % piece > 0 ? 1 : 0);
}

/** @return how long something takes so many times, at most LONGEST_CPU_NS, ns */
int64_t
Repeat(int64_t ns, uint64_t count)
{
    const auto most = static_cast<uint64_t>(LONGEST_CPU_NS / std::max<int64_t>(1, ns));
    return count > most ? LONGEST_CPU_NS : ns * static_cast<int64_t>(count);
}

/** @return bytes that a remote procedure call moves; 0 where the storage has none */
uint64_t
GetRpcBytes(const StorageSpec& storage)
{
    const StorageKind* kind = FindStorageKind(storage.kind);
    const bool isRemote = kind && kind->Takes(STORAGE_RPC);
    return isRemote ? static_cast<uint64_t>(STORAGE_RPC.Of(storage.values)) : 0;
}

} // namespace

CpuWork
BlockCost::Of(uint64_t bytes, uint64_t input) const
{
    CpuWork work;
    const auto add = [&work](CpuUse use, uint64_t count, uint64_t rate) {
        if (rate > 0)
        {
            work.Add(use, GetStorageNs(count, rate));
        }
    };
    add(CpuUse::DATA, bytes, dataRate);
    add(CpuUse::PROTECTION, bytes, protectionRate);
    add(CpuUse::MODULES, input, moduleRate);
    add(CpuUse::FILES, bytes, fileRate);
    work.Add(CpuUse::FILES, fileNs);
    work.Add(CpuUse::CALLS, Repeat(callNs, callBytes > 0 ? CountPieces(bytes, callBytes) : 1));
    work.Add(CpuUse::RPC, Repeat(rpcNs, rpcBytes > 0 ? CountPieces(bytes, rpcBytes) : 0));
    return work;
}

BlockCost
MakeBlockCost(const BufferSpec& spec, bool receives)
{
    const ProcessingSpec& processing = spec.processing;
    const HostSpec& host = spec.GetHost(receives);
    const StorageSpec& storage = receives ? spec.sink : spec.source;
    const int64_t moduleRate = processing.HasModule(receives) ? processing.moduleRate : 0;
    BlockCost cost{.dataRate = static_cast<uint64_t>(processing.cpuRate),
                   .protectionRate = static_cast<uint64_t>(processing.GetProtectionRate()),
                   .moduleRate = static_cast<uint64_t>(moduleRate),
                   .callNs = host.callCpu,
                   .callBytes = static_cast<uint64_t>(host.callSize)};
    if (storage.IsTimed())
    {
        cost.fileRate = static_cast<uint64_t>(host.fileRate);
        cost.fileNs = host.fileCpu;
        cost.rpcNs = host.rpcCpu;
        cost.rpcBytes = GetRpcBytes(storage);
    }
    return cost;
}

Nanoseconds
BlockStages::Access(Nanoseconds now, uint64_t begin, uint64_t end) const
{
    return storage.IsTimed() && end > begin
               ? storage.storage->Ask(storage.node, now, begin, end - begin, storage.opening)
               : now;
}

Nanoseconds
BlockStages::Process(Nanoseconds now, Nanoseconds from, uint64_t bytes, uint64_t input) const
{
    return cpu && cost.IsTimed() ? cpu->Ask(now, from, cost.Of(bytes, input)) : from;
}

Nanoseconds
BlockStages::Read(Nanoseconds now, uint64_t offset, uint64_t bytes) const
{
    const uint64_t output = storage.offset + offset;
    const uint64_t begin = map.ToInput(output);
    const uint64_t end = map.ToInput(output + bytes);
    return Process(now, Access(now, begin, end), bytes, end - begin);
}

Nanoseconds
BlockStages::Write(Nanoseconds now, uint64_t offset, uint64_t bytes) const
{
    const uint64_t input = storage.offset + offset;
    // The storage is asked now for when the CPU will be done
    const Nanoseconds processed = Process(now, now, bytes, bytes);
    return Access(processed, map.ToOutput(input), map.ToOutput(input + bytes));
}

} // namespace ns3::gridftp
