/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-writes.h"

namespace ns3::gridftp
{

void
BlockWrites::Write(Nanoseconds now, uint64_t offset, uint64_t bytes)
{
    m_lastNs = m_stages.Write(now, offset, bytes);
    m_writes.push_back({m_lastNs, bytes});
}

void
BlockWrites::Settle(Nanoseconds now)
{
    while (!m_writes.empty() && m_writes.front().doneNs <= now)
    {
        m_storedBytes += m_writes.front().bytes;
        m_writes.pop_front();
    }
}

} // namespace ns3::gridftp
