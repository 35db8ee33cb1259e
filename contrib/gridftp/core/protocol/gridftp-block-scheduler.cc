/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-scheduler.h"

#include <algorithm>

namespace ns3::gridftp
{

BlockScheduler::BlockScheduler(Layout layout,
                               uint64_t offset,
                               uint64_t length,
                               uint32_t connections,
                               uint64_t blockBytes)
    : m_blockBytes(blockBytes)
{
    const uint32_t parts = layout == Layout::STATIC ? connections : 1;
    uint64_t at = offset;
    m_parts.reserve(parts);
    for (uint32_t i = 0; i < parts; ++i)
    {
        const uint64_t size = length / parts + (i < length % parts ? 1 : 0);
        m_parts.push_back({at, at + size});
        at += size;
    }
}

Block
BlockScheduler::Next(uint32_t connection)
{
    Part& part = m_parts.size() == 1 ? m_parts.front() : m_parts[connection];
    const Block block{part.next, std::min(m_blockBytes, part.end - part.next)};
    part.next += block.length;
    return block;
}

} // namespace ns3::gridftp
