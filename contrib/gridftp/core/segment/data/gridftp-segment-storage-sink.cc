/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-storage-sink.h"

namespace ns3::gridftp
{

void
SegmentStorageSink::Renew(TcpConnection& connection)
{
    m_connection = &connection;
    m_blocks.clear();
    m_header = BLOCK_HEADER_BYTES;
    m_payload = 0;
    m_dueNs = NEVER;
}

void
SegmentStorageSink::Begin(BlockSource& source, uint64_t offset, uint32_t opening)
{
    m_writes.Begin(offset, opening);
    source.Log(m_blocks);
}

bool
SegmentStorageSink::IsStored(Nanoseconds now)
{
    if (m_writes.GetLastNs() <= now)
    {
        return true;
    }
    m_dueNs = m_writes.GetLastNs();
    HostClock& clock = *m_connection->GetUse().path.clocks[TcpConnection::PASSIVE];
    clock.ScheduleWork(m_dueNs, *this, 0);
    return false;
}

void
SegmentStorageSink::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    if (m_dueNs == now)
    {
        m_dueNs = NEVER;
        m_connection->GetUse().user->HandleDelivered(*m_connection, TcpConnection::PASSIVE, now);
    }
}

Nanoseconds
SegmentStorageSink::GetNextNs(Nanoseconds now)
{
    return m_writes.IsFull(now) ? m_writes.GetNextNs() : now;
}

uint64_t
SegmentStorageSink::GetRoom() const
{
    return m_payload > 0 ? m_payload : m_header;
}

void
SegmentStorageSink::Take(Nanoseconds now, uint64_t bytes)
{
    if (m_payload > 0)
    {
        m_payload -= bytes;
        if (m_payload == 0)
        {
            m_writes.Write(now, m_block.offset, m_block.length);
        }
        return;
    }
    m_header -= bytes;
    if (m_header == 0)
    {
        m_header = BLOCK_HEADER_BYTES;
        m_block = m_blocks.front();
        m_blocks.pop_front();
        m_payload = m_block.length; // none: the end of data
    }
}

} // namespace ns3::gridftp
