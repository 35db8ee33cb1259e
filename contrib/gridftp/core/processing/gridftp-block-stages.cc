/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-stages.h"

namespace ns3::gridftp
{

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
    return work;
}

BlockCost
MakeBlockCost(const ProcessingSpec& spec, bool receives)
{
    const int64_t moduleRate = spec.HasModule(receives) ? spec.moduleRate : 0;
    return {.dataRate = static_cast<uint64_t>(spec.cpuRate),
            .protectionRate = static_cast<uint64_t>(spec.GetProtectionRate()),
            .moduleRate = static_cast<uint64_t>(moduleRate)};
}

Nanoseconds
BlockStages::Access(Nanoseconds now, uint64_t begin, uint64_t end) const
{
    return storage.IsTimed() && end > begin
               ? storage.storage->Ask(storage.node, now, begin, end - begin)
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
