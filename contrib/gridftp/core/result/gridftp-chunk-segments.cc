/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-chunk-segments.h"

#include <cstddef>

namespace ns3::gridftp
{

void
ChunkSegments::Update(const std::vector<ConnectionTotals>& totals)
{
    m_before.resize(totals.size());
    m_pairs.clear();
    for (size_t i = 0; i < totals.size(); ++i)
    {
        const ConnectionTotals& of = totals[i];
        const SentSegments now{of.segments + of.retransmissions, of.retransmissions};
        SentSegments& before = m_before[i];
        m_pairs.push_back({now.sent - before.sent, now.retransmitted - before.retransmitted});
        before = now;
    }
}

SentSegments
ChunkSegments::GetAll() const
{
    SentSegments all;
    for (const auto& pair : m_pairs)
    {
        all.Add(pair);
    }
    return all;
}

} // namespace ns3::gridftp
