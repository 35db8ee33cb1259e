/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-storage-writes.h"

namespace ns3::gridftp
{

void
StorageWrites::Write(Nanoseconds now, uint64_t offset, uint64_t bytes)
{
    m_lastNs = m_place.storage->Ask(m_place.node, now, m_place.offset + offset, bytes);
    m_writes.push_back({m_lastNs, bytes});
}

void
StorageWrites::Settle(Nanoseconds now)
{
    while (!m_writes.empty() && m_writes.front().doneNs <= now)
    {
        m_storedBytes += m_writes.front().bytes;
        m_writes.pop_front();
    }
}

} // namespace ns3::gridftp
