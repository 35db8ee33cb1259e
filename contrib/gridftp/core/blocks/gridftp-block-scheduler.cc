/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-scheduler.h"

#include <algorithm>

namespace ns3::gridftp
{

BlockScheduler::BlockScheduler(Layout layout,
                               const StripeRanges& ranges,
                               uint32_t connections,
                               uint64_t blockBytes)
    : m_ranges(ranges),
      m_blockBytes(blockBytes)
{
    const uint32_t parts = layout == Layout::STATIC ? connections : 1;
    m_parts.reserve(parts);
    for (uint32_t i = 0; i < parts; ++i)
    {
        const Block part = GetEqualPart(ranges.GetBytes(), parts, i);
        m_parts.push_back({part.offset, part.offset + part.length});
    }
}

Block
BlockScheduler::Next(uint32_t connection)
{
    Part& part = m_parts.size() == 1 ? m_parts.front() : m_parts[connection];
    Block block = m_ranges.Find(part.next);
    block.length = std::min({m_blockBytes, part.end - part.next, block.length});
    part.next += block.length;
    return block;
}

} // namespace ns3::gridftp
