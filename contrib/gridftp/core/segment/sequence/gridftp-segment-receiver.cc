/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-receiver.h"

#include <algorithm>
#include <iterator>

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
    Trim(range);
    if (range.start >= range.end)
    {
        return Answer::ACK; // again what is there
    }
    m_segments.insert_or_assign(m_segments.end(), range.start, range.end);
    const uint64_t wholeEnd = m_next + (end - start);
    if (range.start > m_next)
    {
        m_sack.Add({range.start, range.end});
        UpdateRange();
        return Answer::ACK;
    }
    auto first = m_segments.begin();
    while (first != m_segments.end() && first->first == m_next)
    {
        m_next = first->second;
        first = m_segments.erase(first);
    }
    m_sack.Clear(m_next);
    UpdateRange();
    return m_next > wholeEnd || HasGap() ? Answer::ACK : Count();
}

void
SegmentReceiver::Trim(Range& range)
{
    auto it = m_segments.upper_bound(range.start);
    if (it != m_segments.begin() && std::prev(it)->second > range.start)
    {
        --it;
    }
    while (it != m_segments.end() && it->first <= range.end)
    {
        const auto [begin, end] = *it;
        if (begin > range.start && end < range.end)
        {
            it = m_segments.erase(it);
            continue;
        }
        if (end > range.start)
        {
            const bool coversEnd = end >= range.end;
            range.start = begin <= range.start ? end : range.start;
            range.end = coversEnd ? begin : range.end;
        }
        ++it;
    }
}

void
SegmentReceiver::UpdateRange()
{
    m_ranges.clear();
    if (!m_segments.empty())
    {
        m_ranges.push_back({m_segments.begin()->first, m_segments.rbegin()->second});
    }
}

} // namespace ns3::gridftp
