/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-loss-bitmap.h"

#include <bit>

namespace ns3::gridftp
{

LossBitmap::LossBitmap(uint32_t packets)
    : m_packets(packets),
      m_missing(packets),
      m_words(packets / BITS + 1, 0)
{
    m_words.back() = ~uint64_t{0} << packets % BITS;
}

uint32_t
LossBitmap::FindMissingBehind(uint32_t from) const
{
    uint64_t missing = ~m_words[from / BITS] & ~uint64_t{0} << from % BITS;
    for (uint32_t word = from / BITS;;)
    {
        if (missing)
        {
            return word * BITS + static_cast<uint32_t>(std::countr_zero(missing));
        }
        if (++word == m_words.size())
        {
            return m_packets;
        }
        missing = ~m_words[word];
    }
}

uint8_t
LossBitmap::GetByte(uint32_t index) const
{
    const uint32_t word = index / 8;
    return word < m_words.size() ? static_cast<uint8_t>(m_words[word] >> index % 8 * 8) : 0xff;
}

} // namespace ns3::gridftp
