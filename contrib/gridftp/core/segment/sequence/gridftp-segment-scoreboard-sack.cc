/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-scoreboard.h"

#include <algorithm>
#include <limits>

/**
 * @file
 * @ingroup gridftp
 * SegmentScoreboard with SACK: what ns-3's TcpTxBuffer finds by a walk over all segments in flight,
 * with work for what has changed only.
 */

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t REPORTED_FOR_LOSS = 3; // segments behind a lost one (RFC 6675, DupThresh)
} // namespace

size_t
SegmentScoreboard::FindBehind(uint64_t byte) const
{
    const auto begin = m_items.begin() + static_cast<ptrdiff_t>(m_head);
    const auto isBefore = [](const Item& item, uint64_t at) { return item.GetEnd() <= at; };
    return static_cast<size_t>(std::lower_bound(begin, m_items.end(), byte, isBefore) - begin);
}

SegmentScoreboard::Reported
SegmentScoreboard::Update(const SackBlocks& blocks)
{
    Reported reported;
    SackBlocks known;
    Nanoseconds newestNs = std::numeric_limits<Nanoseconds>::min();
    for (const SackBlock& block : blocks.Get())
    {
        if (GetSize() == 0 || m_items.back().GetEnd() < block.begin)
        {
            m_known = known;
            return reported; // ns-3 then looks at nothing more
        }
        UpdateBlock(block, reported, newestNs);
        known.Append({block.begin, std::min(block.end, m_items.back().GetEnd())});
    }
    m_known = known;
    if (reported.bytes > 0)
    {
        MarkAgainLost(newestNs);
        MarkLostBelow();
    }
    return reported;
}

void
SegmentScoreboard::UpdateBlock(const SackBlock& block, Reported& reported, Nanoseconds& newestNs)
{
    size_t index = FindBehind(block.begin);
    if (index < GetSize() && At(index).start < block.begin)
    {
        ++index;
    }
    while (index < GetSize() && At(index).GetEnd() <= block.end)
    {
        if (SkipKnown(index))
        {
            continue;
        }
        Item& item = At(index);
        if (!item.sacked)
        {
            reported.bytes += item.size;
            reported.delivered += item.isUncounted ? 0 : item.size;
            newestNs = std::max(newestNs, SentNs(index));
            Report(item);
        }
        ++index;
    }
}

bool
SegmentScoreboard::SkipKnown(size_t& index) const
{
    const Item& item = m_items[m_head + index];
    for (const SackBlock& block : m_known.Get())
    {
        if (block.begin <= item.start && item.GetEnd() <= block.end)
        {
            index = FindBehind(block.end);
            return true;
        }
    }
    return false;
}

void
SegmentScoreboard::Report(Item& item)
{
    Uncount(item, item.size);
    item.lost = false;
    item.again = false;
    item.sacked = true;
    item.isUncounted = true;
    m_sackedBytes += item.size;
    // A segment that ends where the highest one begins becomes the highest one, as in ns-3
    if (!m_highestSack || *m_highestSack <= item.GetEnd())
    {
        m_highestSack = item.start;
    }
}

void
SegmentScoreboard::MarkLostBelow()
{
    uint32_t count = 0;
    size_t index = FindBehind(*m_highestSack);
    for (; index > 0; --index)
    {
        count += At(index).sacked ? 1 : 0;
        if (count == REPORTED_FOR_LOSS)
        {
            break;
        }
    }
    const size_t known = FindBehind(m_lostBelow);
    for (size_t i = known; i < index; ++i)
    {
        if (!At(i).sacked)
        {
            MarkLost(i);
        }
    }
    if (index > 0)
    {
        m_lostBelow = std::max(m_lostBelow, At(index).start);
    }
}

void
SegmentScoreboard::MarkAgainLost(Nanoseconds newestNs)
{
    size_t kept = 0;
    size_t seen = 0;
    for (; seen < m_again.size() && m_again[seen].sentNs < newestNs; ++seen)
    {
        const auto index = FindAgain(m_again[seen]);
        if (index && At(*index).start >= *m_highestSack)
        {
            m_again[kept++] = m_again[seen];
        }
        else if (index)
        {
            At(*index).again = false;
            m_againBytes -= At(*index).size;
            MarkLost(*index);
        }
    }
    m_again.erase(m_again.begin() + static_cast<ptrdiff_t>(kept),
                  m_again.begin() + static_cast<ptrdiff_t>(seen));
}

std::optional<size_t>
SegmentScoreboard::FindAgain(const Again& again)
{
    if (GetSize() == 0)
    {
        return std::nullopt;
    }
    const uint64_t start = std::max(again.start, At(0).start); // a part of it may be acknowledged
    const size_t index = FindBehind(start);
    const bool isSame = index < GetSize() && At(index).start == start && At(index).again &&
                        SentNs(index) == again.sentNs;
    return isSame ? std::optional(index) : std::nullopt;
}

void
SegmentScoreboard::MarkLost(size_t index)
{
    Item& item = At(index);
    m_lostBytes += item.lost ? 0 : item.size;
    item.lost = true;
    m_search = std::min(m_search, m_head + index);
}

std::optional<uint64_t>
SegmentScoreboard::FindLostWithSack()
{
    for (; m_search < m_items.size(); ++m_search)
    {
        const Item& item = m_items[m_search];
        if (m_highestSack && item.start >= *m_highestSack)
        {
            return std::nullopt;
        }
        if (item.lost && !item.again && !item.sacked)
        {
            return item.start;
        }
    }
    return std::nullopt;
}

void
SegmentScoreboard::HandleCut(size_t index)
{
    const Nanoseconds sentNs = SentNs(index);
    m_sentNs.insert(m_sentNs.begin() + static_cast<ptrdiff_t>(m_head + index), sentNs);
    At(index).isUncounted = true;
    m_known = {};
    m_search = std::min(m_search, m_head + index);
    const Item& rest = At(index + 1);
    if (rest.again)
    {
        const auto isEarlier = [](Nanoseconds ns, const Again& again) { return ns < again.sentNs; };
        m_again.insert(std::upper_bound(m_again.begin(), m_again.end(), sentNs, isEarlier),
                       {rest.start, sentNs});
    }
}

void
SegmentScoreboard::HandleJoin(size_t index)
{
    SentNs(index) = std::max(SentNs(index), SentNs(index + 1));
    m_sentNs.erase(m_sentNs.begin() + static_cast<ptrdiff_t>(m_head + index + 1));
    m_known = {};
    m_search = std::min(m_search, m_head + index);
}

std::optional<uint64_t>
SegmentScoreboard::FindUnreported() const
{
    for (size_t i = m_head; i < m_items.size(); ++i)
    {
        const Item& item = m_items[i];
        if (m_highestSack && item.start >= *m_highestSack)
        {
            return std::nullopt;
        }
        if (!item.again && !item.sacked)
        {
            return item.start;
        }
    }
    return std::nullopt;
}

bool
SegmentScoreboard::IsSentAgain(uint64_t end) const
{
    const size_t index = m_head + FindBehind(end - 1);
    return index < m_items.size() && m_items[index].GetEnd() == end && m_items[index].again;
}

} // namespace ns3::gridftp
