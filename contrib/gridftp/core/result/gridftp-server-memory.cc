/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-memory.h"

#include "gridftp-storage.h"

#include <algorithm>
#include <tuple>

namespace ns3::gridftp
{

namespace
{

/** Memory is taken or given back. */
struct Change
{
    int64_t atNs;   //!< when
    bool begins;    //!< it is taken
    uint64_t bytes; //!< how much
};

/** @param holds in any order @return their beginnings and ends, in order of time */
std::vector<Change>
ListChanges(const std::vector<MemoryHold>& holds)
{
    std::vector<Change> changes;
    for (const auto& [span, bytes] : holds)
    {
        if (span.endNs > span.beginNs) // else it is never there
        {
            changes.push_back({span.beginNs, true, bytes});
            changes.push_back({span.endNs, false, bytes});
        }
    }
    std::ranges::sort(changes, {}, [](const Change& each) {
        return std::tuple(each.atNs, each.begins, each.bytes);
    });
    return changes;
}

} // namespace

ServerMemory
MeasureMemory(const std::vector<MemoryHold>& holds, uint64_t hostBytes)
{
    const auto changes = ListChanges(holds);
    ServerMemory memory;
    double byteNs = 0;
    int64_t beyondNs = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < changes.size(); ++i)
    {
        const Change& change = changes[i];
        const int64_t forNs = i == 0 ? 0 : change.atNs - changes[i - 1].atNs;
        byteNs += static_cast<double>(bytes) * static_cast<double>(forNs);
        beyondNs += bytes > hostBytes ? forNs : 0;
        bytes = change.begins ? bytes + change.bytes : bytes - change.bytes;
        memory.mostBytes = std::max(memory.mostBytes, bytes);
    }
    if (!changes.empty())
    {
        memory.meanBytes = byteNs / static_cast<double>(changes.back().atNs - changes.front().atNs);
    }
    if (hostBytes > 0)
    {
        memory.beyondNs = beyondNs;
    }
    return memory;
}

std::optional<ServerMemory>
MeasureServers(const Scenario& scenario, const std::vector<std::vector<ServerSpan>>& spans)
{
    std::vector<MemoryHold> holds;
    bool allocates = false;
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const auto bytes = static_cast<uint64_t>(scenario.sessions[i].serverMemory);
        if (!HasSharedServer(scenario, i) || bytes == 0)
        {
            continue;
        }
        allocates = true;
        for (const ServerSpan& span : spans[i])
        {
            holds.push_back({span, bytes});
        }
    }
    if (!allocates)
    {
        return std::nullopt;
    }
    return MeasureMemory(holds, static_cast<uint64_t>(scenario.path.hostMemory));
}

} // namespace ns3::gridftp
