/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATAGRAM_WORDS_H
#define GRIDFTP_DATAGRAM_WORDS_H

#include <cstdint>
#include <span>

/**
 * @file
 * @ingroup gridftp
 * Words of 32 bits in network byte order, of which the headers of datagrams are made.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Bytes of a word. */
inline constexpr uint32_t WORD_BYTES = 4;

/** @ingroup gridftp @param bytes of a datagram @param word its index @param value of it */
inline void
PutWord(std::span<uint8_t> bytes, uint32_t word, uint32_t value)
{
    for (uint32_t i = 0; i < WORD_BYTES; ++i)
    {
        bytes[word * WORD_BYTES + i] = static_cast<uint8_t>(value >> 8 * (WORD_BYTES - 1 - i));
    }
}

/** @ingroup gridftp @param bytes of a datagram @param word its index @return its value */
inline uint32_t
GetWord(std::span<const uint8_t> bytes, uint32_t word)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < WORD_BYTES; ++i)
    {
        value = value << 8 | bytes[word * WORD_BYTES + i];
    }
    return value;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_DATAGRAM_WORDS_H
