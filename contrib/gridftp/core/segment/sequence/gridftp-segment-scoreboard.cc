/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-scoreboard.h"

#include <algorithm>

namespace ns3::gridftp
{

void
SegmentScoreboard::Activate()
{
    Deactivate();
    m_active = true;
}

void
SegmentScoreboard::ActivateWithSack()
{
    Activate();
    m_hasSack = true;
}

void
SegmentScoreboard::Deactivate()
{
    m_active = false;
    m_hasSack = false;
    m_items.clear();
    m_sentNs.clear();
    m_head = 0;
    m_search = 0;
    m_lostBytes = 0;
    m_againBytes = 0;
    m_sackedBytes = 0;
    m_highestSack.reset();
    m_lostBelow = 0;
    m_again.clear();
    m_known = {};
}

void
SegmentScoreboard::Append(uint64_t start, uint32_t size)
{
    m_items.push_back({start, size});
}

void
SegmentScoreboard::Uncount(const Item& item, uint32_t bytes)
{
    m_lostBytes -= item.lost ? bytes : 0;
    m_againBytes -= item.again ? bytes : 0;
    m_sackedBytes -= item.sacked ? bytes : 0;
}

uint64_t
SegmentScoreboard::Discard(uint64_t ack)
{
    uint64_t whole = 0;
    while (GetSize() > 0 && At(0).start < ack)
    {
        Item& item = At(0);
        if (item.start + item.size > ack)
        {
            const auto part = static_cast<uint32_t>(ack - item.start);
            Uncount(item, part);
            item.start = ack;
            item.size -= part;
            break;
        }
        Uncount(item, item.size);
        whole += item.isUncounted ? 0 : item.size;
        ++m_head;
    }
    m_search = std::max(m_search, m_head);
    if (m_head > m_items.size() / 2)
    {
        const auto gone = static_cast<ptrdiff_t>(m_head);
        m_items.erase(m_items.begin(), m_items.begin() + gone);
        if (m_hasSack)
        {
            m_sentNs.erase(m_sentNs.begin(), m_sentNs.begin() + gone);
        }
        m_search -= m_head;
        m_head = 0;
    }
    if (GetSize() > 0 && At(0).sacked)
    {
        // The first one cannot have arrived, so the guess was wrong: it goes to another segment
        At(0).sacked = false;
        m_sackedBytes -= At(0).size;
        m_known = {};
        AddGuess();
        MarkHeadLost();
    }
    if (m_highestSack && *m_highestSack <= ack)
    {
        m_highestSack.reset();
    }
    return whole;
}

void
SegmentScoreboard::MarkHeadLost()
{
    if (GetSize() == 0)
    {
        return;
    }
    Item& head = At(0);
    Uncount(head, head.size);
    head.sacked = false;
    head.again = false;
    head.lost = true;
    m_lostBytes += head.size;
    m_search = m_head;
}

void
SegmentScoreboard::MarkAllLost()
{
    m_lostBytes = 0;
    m_againBytes = 0;
    if (!m_hasSack)
    {
        m_sackedBytes = 0;
        m_highestSack.reset();
    }
    for (size_t i = 0; i < GetSize(); ++i)
    {
        Item& item = At(i);
        item.sacked = item.sacked && m_hasSack;
        item.lost = !item.sacked;
        item.again = false;
        m_lostBytes += item.lost ? item.size : 0;
    }
    m_again.clear();
    m_search = m_head;
}

void
SegmentScoreboard::AddGuess()
{
    size_t i = 1; // never the first one
    while (i < GetSize() && At(i).sacked)
    {
        ++i;
    }
    if (i < GetSize())
    {
        At(i).sacked = true;
        m_sackedBytes += At(i).size;
        m_highestSack = At(i).start;
    }
}

std::optional<uint64_t>
SegmentScoreboard::FindLost()
{
    if (m_hasSack) [[unlikely]]
    {
        return FindLostWithSack();
    }
    for (; m_search < m_items.size(); ++m_search)
    {
        const Item& item = m_items[m_search];
        if (item.lost && !item.again && !item.sacked)
        {
            const bool below = !m_highestSack || item.start < *m_highestSack;
            return below ? std::optional(item.start) : std::nullopt;
        }
    }
    return std::nullopt;
}

bool
SegmentScoreboard::IsHeadLost() const
{
    return GetSize() > 0 && m_highestSack && m_items[m_head].lost; // a guess is never the first one
}

size_t
SegmentScoreboard::FindOrCut(uint64_t start)
{
    const auto beyond =
        std::upper_bound(m_items.begin() + static_cast<ptrdiff_t>(m_head),
                         m_items.end(),
                         start,
                         [](uint64_t byte, const Item& item) { return byte < item.start; });
    auto index = static_cast<size_t>(beyond - m_items.begin()) - m_head - 1;
    if (At(index).start < start)
    {
        Cut(index, static_cast<uint32_t>(start - At(index).start));
        ++index;
    }
    return index;
}

void
SegmentScoreboard::Cut(size_t index, uint32_t size)
{
    Item rest = At(index);
    rest.start += size;
    rest.size -= size;
    At(index).size = size;
    m_items.insert(m_items.begin() + static_cast<ptrdiff_t>(m_head + index + 1), rest);
    if (m_hasSack)
    {
        HandleCut(index);
    }
}

void
SegmentScoreboard::Join(size_t index)
{
    Item& item = At(index);
    Item& next = At(index + 1);
    if (item.again != next.again)
    {
        m_againBytes -= item.again ? item.size : next.size;
        item.again = false;
    }
    item.size += next.size;
    m_items.erase(m_items.begin() + static_cast<ptrdiff_t>(m_head + index + 1));
    if (m_hasSack)
    {
        HandleJoin(index);
    }
}

uint32_t
SegmentScoreboard::SendAgain(uint64_t start, uint32_t bytes, Nanoseconds now)
{
    const size_t index = FindOrCut(start);
    const bool hasNext = index + 1 < GetSize();
    const bool joins = hasNext && !At(index + 1).sacked && At(index + 1).lost == At(index).lost;
    // At most two segments are joined
    const uint32_t most = At(index).size + (joins ? At(index + 1).size : 0);
    bytes = std::min(bytes, most);
    if (At(index).size < bytes)
    {
        Join(index);
    }
    if (At(index).size > bytes)
    {
        Cut(index, bytes);
    }
    Item& item = At(index);
    if (!item.again)
    {
        m_againBytes += item.size;
        item.again = true;
    }
    if (m_hasSack)
    {
        item.isUncounted = false;
        SentNs(index) = now;
        m_again.push_back({item.start, now});
    }
    return item.size;
}

} // namespace ns3::gridftp
