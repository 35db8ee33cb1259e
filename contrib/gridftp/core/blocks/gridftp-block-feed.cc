/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-feed.h"

namespace ns3::gridftp
{

void
BlockFeed::Fetch(Nanoseconds now)
{
    while (m_blocks.size() < m_stages.storage.depth && !m_ended)
    {
        const Block block = m_scheduler->Next(m_connection);
        m_ended = block.length == 0;
        const Nanoseconds ready = m_ended ? now : m_stages.Read(now, block.offset, block.length);
        m_blocks.push_back({block, ready});
    }
}

Block
BlockFeed::Take()
{
    const Block block = m_blocks.front().block;
    m_blocks.pop_front();
    return block;
}

} // namespace ns3::gridftp
