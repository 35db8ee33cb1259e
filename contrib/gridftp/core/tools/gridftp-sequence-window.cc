/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-sequence-window.h"

#include <algorithm>

namespace ns3::gridftp
{

uint32_t
SequenceWindow::MarkRange(uint32_t first, uint32_t last)
{
    const uint64_t end = std::min(uint64_t{last} + 1, uint64_t{m_base} + m_span);
    const uint32_t before = m_marked;
    for (uint64_t packet = std::max(first, m_base); packet < end;)
    {
        const auto begin = static_cast<uint32_t>(packet % BITS);
        const auto count = static_cast<uint32_t>(std::min<uint64_t>(BITS - begin, end - packet));
        uint64_t& word = m_words[packet / BITS & m_mask];
        const uint64_t bits = ~uint64_t{0} >> (BITS - count) << begin;
        m_marked += static_cast<uint32_t>(std::popcount(bits & ~word));
        word |= bits;
        packet += count;
    }
    return m_marked - before;
}

void
SequenceWindow::MoveTo(uint32_t base)
{
    if (base <= m_base)
    {
        return;
    }
    const uint64_t end = std::min(uint64_t{base}, uint64_t{m_base} + m_span);
    for (uint64_t packet = m_base; packet < end && m_marked > 0;)
    {
        const auto begin = static_cast<uint32_t>(packet % BITS);
        const auto count = static_cast<uint32_t>(std::min<uint64_t>(BITS - begin, end - packet));
        uint64_t& word = m_words[packet / BITS & m_mask];
        const uint64_t bits = ~uint64_t{0} >> (BITS - count) << begin;
        m_marked -= static_cast<uint32_t>(std::popcount(bits & word));
        word &= ~bits;
        packet += count;
    }
    m_base = base;
}

uint32_t
SequenceWindow::Find(uint32_t from, uint32_t end, uint64_t flip) const
{
    for (uint64_t packet = from; packet < end; packet = (packet / BITS + 1) * BITS)
    {
        const uint64_t word = (m_words[packet / BITS & m_mask] ^ flip) >> packet % BITS;
        if (word)
        {
            const uint64_t found = packet + static_cast<uint32_t>(std::countr_zero(word));
            return static_cast<uint32_t>(std::min<uint64_t>(found, end));
        }
    }
    return end;
}

} // namespace ns3::gridftp
