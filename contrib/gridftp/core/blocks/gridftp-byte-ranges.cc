/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-byte-ranges.h"

#include <iterator>
#include <limits>

namespace ns3::gridftp
{

namespace
{
constexpr uint64_t NO_LIMIT = std::numeric_limits<uint64_t>::max();
} // namespace

bool
ByteRanges::Add(uint64_t offset, uint64_t length)
{
    if (length == 0)
    {
        return true;
    }
    if (length > NO_LIMIT - offset)
    {
        return false;
    }
    const uint64_t end = offset + length;
    if (m_hasLast && offset == m_last->second && end < m_lastLimit)
    {
        m_last->second = end;
        m_bytes += length;
        return true;
    }
    auto next = m_ranges.lower_bound(offset);
    if (next != m_ranges.end() && next->first < end)
    {
        return false;
    }
    Map::iterator here;
    if (next != m_ranges.begin() && std::prev(next)->second >= offset)
    {
        here = std::prev(next);
        if (here->second > offset)
        {
            return false;
        }
        here->second = end;
    }
    else
    {
        here = m_ranges.emplace_hint(next, offset, end);
    }
    m_bytes += length;
    MergeWithNext(here);
    m_last = here;
    m_hasLast = true;
    const auto after = std::next(here);
    m_lastLimit = after == m_ranges.end() ? NO_LIMIT : after->first;
    return true;
}

void
ByteRanges::MergeWithNext(Map::iterator it)
{
    const auto next = std::next(it);
    if (next != m_ranges.end() && next->first == it->second)
    {
        it->second = next->second;
        m_ranges.erase(next);
    }
}

uint64_t
ByteRanges::GetBytes() const
{
    return m_bytes;
}

uint64_t
ByteRanges::GetRangeCount() const
{
    return m_ranges.size();
}

bool
ByteRanges::IsExactly(uint64_t offset, uint64_t length) const
{
    if (length == 0)
    {
        return m_ranges.empty();
    }
    return m_ranges.size() == 1 && m_ranges.begin()->first == offset && m_bytes == length;
}

void
ByteRanges::Clear()
{
    m_ranges.clear();
    m_hasLast = false;
    m_bytes = 0;
}

} // namespace ns3::gridftp
