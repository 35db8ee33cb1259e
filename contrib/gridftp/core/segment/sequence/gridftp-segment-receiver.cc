/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-receiver.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * A SegmentReceiver that reports blocks: which part of a segment is new, as ns-3's TcpRxBuffer
 * finds it. Blocks begin and end with such parts, so that segments are stored one by one.
 */

namespace ns3::gridftp
{

SegmentReceiver::Answer
SegmentReceiver::ReceiveWithSack(uint64_t start, uint64_t end)
{
    Range range{std::max(start, m_next), end};
    const size_t index = Trim(range);
    if (range.start >= range.end)
    {
        return Answer::ACK; // again what is there
    }
    m_ranges.insert(m_ranges.begin() + static_cast<ptrdiff_t>(index), range);
    if (range.start > m_next)
    {
        m_sack.Add({range.start, range.end});
        return Answer::ACK;
    }
    const uint64_t wholeEnd = m_next + (end - start);
    size_t filled = 0;
    for (; filled < m_ranges.size() && m_ranges[filled].start == m_next; ++filled)
    {
        m_next = m_ranges[filled].end;
    }
    m_sack.Clear(m_next);
    m_ranges.erase(m_ranges.begin(), m_ranges.begin() + static_cast<ptrdiff_t>(filled));
    return m_next > wholeEnd || !m_ranges.empty() ? Answer::ACK : Count();
}

size_t
SegmentReceiver::Trim(Range& range)
{
    const auto isBefore = [](const Range& each, uint64_t byte) { return each.end <= byte; };
    const auto found = std::lower_bound(m_ranges.begin(), m_ranges.end(), range.start, isBefore);
    auto index = static_cast<size_t>(found - m_ranges.begin());
    for (size_t i = index; i < m_ranges.size() && m_ranges[i].start <= range.end;)
    {
        const Range each = m_ranges[i];
        if (each.start > range.start && each.end < range.end)
        {
            m_ranges.erase(m_ranges.begin() + static_cast<ptrdiff_t>(i));
            continue;
        }
        if (each.end > range.start)
        {
            const bool coversBegin = each.start <= range.start;
            const bool coversEnd = each.end >= range.end;
            range.end = coversEnd ? each.start : range.end;
            range.start = coversBegin ? each.end : range.start;
            index = coversBegin ? i + 1 : index;
        }
        ++i;
    }
    return index;
}

} // namespace ns3::gridftp
