/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-reassembly.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/// SACK blocks that the sender is expected to need (TCP_SACK_BLOCKS_EXPECTED). An ACK that waits
/// and should report more leaves.
constexpr uint32_t EXPECTED_BLOCKS = 2;

} // namespace

void
LinuxReassembly::Open(uint64_t next, bool hasSack, bool hasDsack, uint32_t mostBlocks)
{
    m_next = next;
    m_hasSack = hasSack;
    m_hasDsack = hasSack && hasDsack;
    m_mostBlocks = mostBlocks;
}

bool
LinuxReassembly::Extend(LinuxRange& range, uint64_t start, uint64_t end)
{
    if (start > range.end || range.start > end)
    {
        return false;
    }
    range.start = std::min(range.start, start);
    range.end = std::max(range.end, end);
    return true;
}

void
LinuxReassembly::SetDsack(uint64_t start, uint64_t end)
{
    if (m_hasDsack)
    {
        m_isDsack = true;
        m_dsack = {start, end};
    }
}

void
LinuxReassembly::ExtendDsack(uint64_t start, uint64_t end)
{
    if (m_isDsack)
    {
        Extend(m_dsack, start, end);
    }
    else
    {
        SetDsack(start, end);
    }
}

LinuxHeldRange
LinuxReassembly::Take(uint64_t high)
{
    LinuxHeldRange range = m_ranges.front();
    m_ranges.pop_front();
    if (range.start < high)
    {
        ExtendDsack(range.start, std::min(high, range.end));
    }
    range.start = std::min(std::max(range.start, m_next), range.end);
    m_next = std::max(m_next, range.end);
    return range;
}

void
LinuxReassembly::RemoveBlock(uint32_t index)
{
    std::copy(m_blocks.begin() + index + 1,
              m_blocks.begin() + m_blockCount,
              m_blocks.begin() + index);
    --m_blockCount;
}

void
LinuxReassembly::RemoveBlocks()
{
    if (m_ranges.empty())
    {
        m_blockCount = 0;
    }
    for (uint32_t i = 0; i < m_blockCount;)
    {
        if (m_blocks[i].start <= m_next)
        {
            RemoveBlock(i);
        }
        else
        {
            ++i;
        }
    }
}

void
LinuxReassembly::MergeBlocks()
{
    for (uint32_t i = 1; i < m_blockCount;)
    {
        if (Extend(m_blocks[0], m_blocks[i].start, m_blocks[i].end))
        {
            RemoveBlock(i);
        }
        else
        {
            ++i;
        }
    }
}

bool
LinuxReassembly::AddBlock(uint64_t start, uint64_t end, bool isCompressing)
{
    uint32_t index = 0;
    while (index < m_blockCount && !Extend(m_blocks[index], start, end))
    {
        ++index;
    }
    if (index >= EXPECTED_BLOCKS && isCompressing)
    {
        m_isDeferred = true;
        m_deferred = {start, end};
        return true;
    }
    if (index < m_blockCount)
    {
        std::rotate(m_blocks.begin(), m_blocks.begin() + index, m_blocks.begin() + index + 1);
        MergeBlocks();
        return false;
    }
    m_blockCount = std::min(m_blockCount + 1, BLOCKS);
    std::copy_backward(m_blocks.begin(),
                       m_blocks.begin() + m_blockCount - 1,
                       m_blocks.begin() + m_blockCount);
    m_blocks[0] = {start, end};
    return false;
}

void
LinuxReassembly::MergeNext(std::deque<LinuxHeldRange>::iterator range)
{
    const auto next = range + 1;
    if (next != m_ranges.end() && next->start == range->end)
    {
        range->end = next->end;
        range->memory += next->memory;
        range->segments += next->segments;
        m_ranges.erase(next);
    }
}

uint64_t
LinuxReassembly::Absorb(std::deque<LinuxHeldRange>::iterator range, const LinuxSegment& segment)
{
    // Ranges behind the start of the new data that they cover or overlap.
    const uint64_t end = segment.GetEnd();
    uint64_t freed = 0;
    auto last = range + 1;
    for (; last != m_ranges.end() && last->start < end; ++last)
    {
        ExtendDsack(last->start, std::min(last->end, end));
        if (last->end > end)
        {
            // The segment's end is there already: the range begins where the new data end.
            last->start = end;
            break;
        }
        freed += last->memory;
    }
    const auto index = range - m_ranges.begin();
    m_ranges.erase(range + 1, last);
    MergeNext(m_ranges.begin() + index);
    return freed;
}

LinuxReassembly::Insertion
LinuxReassembly::Insert(const LinuxSegment& segment, uint64_t memory, bool isCompressing)
{
    const uint64_t start = segment.seq;
    const uint64_t end = segment.GetEnd();
    Insertion result{.isQueued = true};
    // The usual cases first: behind all, or adjacent to the last.
    auto next = m_ranges.end();
    if (!m_ranges.empty() && start < m_ranges.back().start)
    {
        next = std::upper_bound(
            m_ranges.begin(),
            m_ranges.end(),
            start,
            [](uint64_t position, const LinuxHeldRange& range) { return position < range.start; });
    }
    auto place = next;
    if (next != m_ranges.begin() && start <= (next - 1)->end)
    {
        place = next - 1;
        if (end <= place->end)
        {
            SetDsack(start, end);
            result.isQueued = false;
        }
        else
        {
            if (start == place->start)
            {
                ExtendDsack(place->start, place->end);
                if (place->segments == 1)
                {
                    result.freedMemory = place->memory;
                    place->memory = 0;
                    place->segments = 0;
                }
            }
            else if (start < place->end)
            {
                SetDsack(start, place->end);
            }
            place->end = end;
            place->memory += memory;
            ++place->segments;
        }
    }
    else
    {
        place = m_ranges.insert(next, {start, end, memory, 1});
    }
    if (result.isQueued && place + 1 != m_ranges.end() && (place + 1)->start <= end)
    {
        result.freedMemory += Absorb(place, segment);
    }
    result.mustFlush = m_hasSack && AddBlock(start, end, isCompressing);
    return result;
}

uint64_t
LinuxReassembly::Prune(uint64_t from, uint64_t memory)
{
    uint64_t dropped = 0;
    while (dropped < memory && !m_ranges.empty())
    {
        LinuxHeldRange& last = m_ranges.back();
        // Segments of a range count as equal in size, except for a shorter last one.
        const uint64_t size = (last.end - last.start + last.segments - 1) / last.segments;
        const uint64_t start = last.start + size * (last.segments - 1);
        if (from > start)
        {
            break;
        }
        const uint64_t part = last.memory / last.segments;
        dropped += part;
        last.memory -= part;
        last.end = start;
        if (--last.segments == 0 || last.end <= last.start)
        {
            dropped += last.memory;
            m_ranges.pop_back();
        }
    }
    if (dropped > 0)
    {
        m_blockCount = 0;
        m_isDsack = false;
    }
    return dropped;
}

uint64_t
LinuxReassembly::Collapse(uint64_t bytes, uint64_t memory)
{
    uint64_t freed = 0;
    for (LinuxHeldRange& range : m_ranges)
    {
        const uint64_t units = (range.end - range.start + bytes - 1) / bytes;
        if (units * memory < range.memory)
        {
            freed += range.memory - units * memory;
            range.memory = units * memory;
            range.segments = units;
        }
    }
    return freed;
}

uint64_t
LinuxReassembly::Clear()
{
    uint64_t memory = 0;
    for (const LinuxHeldRange& range : m_ranges)
    {
        memory += range.memory;
    }
    m_ranges.clear();
    m_blockCount = 0;
    m_isDsack = false;
    return memory;
}

void
LinuxReassembly::FillBlocks(LinuxSegment& segment)
{
    uint32_t count = 0;
    if (m_isDsack)
    {
        segment.sack[count++] = m_dsack;
        m_isDsack = false;
    }
    for (uint32_t i = 0; i < m_blockCount && count < m_mostBlocks; ++i)
    {
        segment.sack[count++] = m_blocks[i];
    }
    segment.blocks = static_cast<uint8_t>(count);
    if (m_isDeferred)
    {
        m_isDeferred = false;
        AddBlock(m_deferred.start, m_deferred.end, false);
    }
}

} // namespace ns3::gridftp
