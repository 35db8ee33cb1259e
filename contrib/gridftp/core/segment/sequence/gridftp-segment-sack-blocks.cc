/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-sack-blocks.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ns3::gridftp
{

void
SackHistory::Add(SackBlock block)
{
    // One block more than are stored. A block that grows may touch one that it did not touch
    // before, so that all are compared again
    std::array<SackBlock, SackBlocks::MOST + 1> list{block};
    size_t count = 1;
    for (const SackBlock& old : m_blocks.Get())
    {
        list[count++] = old;
    }
    for (size_t i = 1; i < count; ++i)
    {
        const SackBlock other = list[i];
        SackBlock& first = list.front();
        if (first.begin != other.end && first.end != other.begin)
        {
            continue;
        }
        first = {std::min(first.begin, other.begin), std::max(first.end, other.end)};
        std::copy(list.begin() + i + 1, list.begin() + count, list.begin() + i);
        --count;
        i = 0;
    }
    m_blocks = {};
    for (size_t i = 0; i < count; ++i)
    {
        m_blocks.Append(list[i]);
    }
}

void
SackHistory::Clear(uint64_t next)
{
    const SackBlocks old = m_blocks;
    m_blocks = {};
    for (const SackBlock& block : old.Get())
    {
        if (block.end > next)
        {
            m_blocks.Append(block);
        }
    }
}

} // namespace ns3::gridftp
