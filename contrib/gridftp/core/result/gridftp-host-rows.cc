/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

namespace
{

/** What is known of an end of a session, by host and second. */
struct EndSamples
{
    uint32_t session;              //!< index
    bool receives;                 //!< else it sends
    size_t firstNode;              //!< host that has the first node of the storage
    const EndHostResult* hosts;    //!< null: they cost nothing
    const StorageSeconds& storage; //!< by node; empty: it costs nothing
};

/** How many seconds are known of anything. */
size_t
CountSeconds(const EndSamples& end)
{
    size_t most = 0;
    if (end.hosts)
    {
        for (const auto& host : end.hosts->seconds)
        {
            most = std::max(most, host.size());
        }
    }
    for (const auto& node : end.storage)
    {
        most = std::max(most, node.size());
    }
    return most;
}

/** What a storage was asked for at a host; none where that has none. */
std::optional<StorageSecond>
FindStorage(const EndSamples& end, size_t host, size_t second)
{
    if (host < end.firstNode || host - end.firstNode >= end.storage.size())
    {
        return std::nullopt;
    }
    const auto& seconds = end.storage[host - end.firstNode];
    return second < seconds.size() ? seconds[second] : StorageSecond();
}

/** The rows of an end. */
void
AddEnd(const EndSamples& end, TraceRows& rows)
{
    const size_t modelled = end.hosts ? end.hosts->seconds.size() : 0;
    const size_t hosts = std::max(modelled, end.firstNode + end.storage.size());
    const size_t count = CountSeconds(end);
    for (size_t second = 0; second < count; ++second)
    {
        const auto at = static_cast<Nanoseconds>(second) * HostCpu::SECOND_NS;
        for (size_t host = 0; host < hosts; ++host)
        {
            const HostPlace place{end.session, end.receives, host};
            const auto storage = FindStorage(end, host, second);
            if (host >= modelled)
            {
                rows.AddHost(at, place, std::nullopt, storage);
                continue;
            }
            const auto& seconds = end.hosts->seconds[host];
            const HostSecond sample = second < seconds.size() ? seconds[second] : HostSecond();
            const bool counts = end.hosts->countsPackets;
            rows.AddHost(at, place, counts ? std::optional(sample.counts) : std::nullopt, storage);
            for (size_t core = 0; core < sample.coreBusyNs.size(); ++core)
            {
                rows.AddCore(at, place, core, sample.coreBusyNs[core]);
            }
        }
    }
}

} // namespace

void
AddHostRows(const Scenario& scenario, const TransferResult& result, TraceRows& rows)
{
    static const StorageSeconds nothing;
    for (size_t i = 0; i < result.sessions.size(); ++i)
    {
        const SessionResult& session = result.sessions[i];
        const StripeCounts& stripes = scenario.sessions[i].stripes;
        for (const bool receives : {false, true})
        {
            const EndHostResult* hosts = nullptr;
            if (session.host)
            {
                const auto& end = receives ? session.host->receiver : session.host->sender;
                hosts = end.isModelled ? &end : nullptr;
            }
            const StorageSeconds& storage = !session.storage ? nothing
                                            : receives       ? session.storage->writeSeconds
                                                             : session.storage->readSeconds;
            const bool isStriped = (receives ? stripes.receivers : stripes.senders) > 1;
            AddEnd({static_cast<uint32_t>(i), receives, isStriped ? 1U : 0U, hosts, storage}, rows);
        }
    }
}

} // namespace ns3::gridftp
