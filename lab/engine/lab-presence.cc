/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-presence.h"

#include <algorithm>
#include <numeric>

namespace ns3::gridftp
{

namespace
{

/** @return data connections of a chunk: N of all pairs of stripes */
uint32_t
CountConnections(const ChunkRecord& chunk, uint32_t pairs)
{
    uint32_t count = chunk.pairs.empty() ? chunk.parallelism * pairs : 0;
    for (const auto& pair : chunk.pairs)
    {
        count += pair.parallelism;
    }
    return count;
}

} // namespace

uint32_t
CountConnections(const SessionView& session, uint32_t pairs)
{
    const bool isByPair = session.pairs && !session.pairs->empty();
    return isByPair ? std::accumulate(session.pairs->begin(), session.pairs->end(), uint32_t{0})
                    : session.parallelism * pairs;
}

bool
Presence::IsThere(int64_t beginNs, int64_t endNs)
{
    const auto waits = [&](const RestartResult& restart) {
        return beginNs >= restart.timeNs && endNs <= restart.timeNs + restart.waitNs;
    };
    if (std::ranges::any_of(m_restarts, waits))
    {
        return false; // of a chunk that is complete by now, too
    }
    const auto& records = *m_session.records;
    while (m_next < records.size() && records[m_next].endNs < beginNs)
    {
        ++m_next;
    }
    for (size_t i = m_next; i < records.size() && records[i].startNs < endNs; ++i)
    {
        if (m_connection < CountConnections(records[i], m_pairs))
        {
            return true;
        }
    }
    return IsInTry(beginNs, endNs) ||
           (m_session.transferring && m_connection < CountConnections(m_session, m_pairs) &&
            m_session.chunkStartNs < endNs);
}

bool
Presence::IsInTry(int64_t beginNs, int64_t endNs) const
{
    // A try that moves on has what it had complete in the records
    const auto& records = *m_session.records;
    int64_t sinceNs = records.empty() ? 0 : records.back().endNs;
    for (const auto& restart : m_restarts)
    {
        if (restart.timeNs > sinceNs && sinceNs < endNs && beginNs < restart.timeNs)
        {
            return m_connection < CountConnections(m_session, m_pairs);
        }
        sinceNs = std::max(sinceNs, restart.timeNs + restart.waitNs);
    }
    return false;
}

} // namespace ns3::gridftp
