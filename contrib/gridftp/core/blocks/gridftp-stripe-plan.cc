/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stripe-plan.h"

#include <iterator>
#include <numeric>
#include <utility>

namespace ns3::gridftp
{

StripeRanges
StripeRanges::Without(const MarkerRanges& held, uint64_t offset) const
{
    if (held.empty())
    {
        return *this;
    }
    auto pieces = std::make_shared<std::vector<Piece>>();
    uint64_t bytes = 0;
    for (uint64_t position = 0; position < m_bytes;)
    {
        const Block block = Find(position);
        position += block.length;
        const uint64_t begin = offset + block.offset;
        for (const MarkerRange& gap : FindGaps(held, {begin, begin + block.length}))
        {
            pieces->push_back({bytes, {gap.begin - offset, gap.end - gap.begin}});
            bytes += gap.end - gap.begin;
        }
    }
    if (pieces->size() <= 1)
    {
        return pieces->empty() ? StripeRanges() : StripeRanges(pieces->front().block.offset, bytes);
    }
    StripeRanges left(pieces->front().block.offset, bytes);
    left.m_first = pieces->front().block.length;
    left.m_pieces = std::move(pieces);
    return left;
}

Block
StripeRanges::FindPiece(uint64_t position) const
{
    const auto behind = std::ranges::upper_bound(*m_pieces, position, {}, &Piece::position);
    const Piece& piece = *std::prev(behind);
    const uint64_t within = position - piece.position;
    return {piece.block.offset + within, piece.block.length - std::min(within, piece.block.length)};
}

StripePlan::StripePlan(const StripeCounts& stripes, StripeLayout layout, uint64_t blockBytes)
    : m_senders(static_cast<uint32_t>(stripes.senders)),
      m_receivers(static_cast<uint32_t>(stripes.receivers)),
      m_layout(layout),
      m_blockBytes(blockBytes)
{
}

StripeRanges
StripePlan::GetRanges(uint32_t pair, uint64_t offset, uint64_t length) const
{
    if (m_senders == 1 && m_receivers == 1)
    {
        return {0, length};
    }
    const StripePair stripes = GetPair(pair);
    if (m_layout == StripeLayout::BLOCKED)
    {
        return GetBlocks(stripes, offset, length);
    }
    const Block sent = GetEqualPart(length, m_senders, stripes.sender);
    const Block received = GetEqualPart(length, m_receivers, stripes.receiver);
    const uint64_t begin = std::max(sent.offset, received.offset);
    const uint64_t end = std::min(sent.offset + sent.length, received.offset + received.length);
    return {begin, begin < end ? end - begin : 0};
}

std::vector<uint64_t>
StripePlan::ListBytes(uint64_t offset, uint64_t length) const
{
    std::vector<uint64_t> bytes;
    for (uint32_t pair = 0; pair < GetPairs(); ++pair)
    {
        bytes.push_back(GetRanges(pair, offset, length).GetBytes());
    }
    return bytes;
}

StripeRanges
StripePlan::GetBlocks(const StripePair& pair, uint64_t offset, uint64_t length) const
{
    // Each to each: blocks that are b = sender mod M and b = receiver mod N come once in so many,
    // if at all
    const uint64_t period = std::lcm<uint64_t>(m_senders, m_receivers);
    uint64_t phase = pair.sender;
    while (!IsOneToOne() && phase < period && phase % m_receivers != pair.receiver)
    {
        phase += m_senders;
    }
    const uint64_t begin = offset / m_blockBytes;
    const uint64_t block = begin + (phase + period - begin % period) % period;
    const uint64_t last = (offset + length - 1) / m_blockBytes;
    if (phase >= period || block > last)
    {
        return {};
    }
    const uint64_t first = std::max(block * m_blockBytes, offset);
    const uint64_t count = (last - block) / period;
    const uint64_t end = std::min((block + count * period + 1) * m_blockBytes, offset + length);
    const uint64_t firstBytes = (block + 1) * m_blockBytes - first;
    const uint64_t lastBytes = end - (block + count * period) * m_blockBytes;
    const uint64_t bytes =
        count == 0 ? end - first : firstBytes + (count - 1) * m_blockBytes + lastBytes;
    return {{first - offset, firstBytes},
            (block + period) * m_blockBytes - offset,
            m_blockBytes,
            period * m_blockBytes,
            bytes};
}

Block
GetEqualPart(uint64_t bytes, uint64_t parts, uint64_t index)
{
    const uint64_t longer = bytes % parts;
    return {bytes / parts * index + std::min(index, longer),
            bytes / parts + (index < longer ? 1 : 0)};
}

} // namespace ns3::gridftp
