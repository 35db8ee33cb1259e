/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ADLER32_H
#define GRIDFTP_ADLER32_H

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The checksum Adler-32 of bytes that come in pieces (RFC 1950, Sections 2.2 and 9).
 */
class Adler32
{
  public:
    /** @param bytes that follow @param size how many */
    void Add(const uint8_t* bytes, size_t size)
    {
        while (size > 0)
        {
            const size_t piece = std::min(size, MOST_AT_ONCE);
            for (size_t i = 0; i < piece; ++i)
            {
                m_a += bytes[i];
                m_b += m_a;
            }
            m_a %= BASE;
            m_b %= BASE;
            bytes += piece;
            size -= piece;
        }
    }

    /** @param size how many bytes of value 0 follow */
    void AddZeros(uint64_t size)
    {
        m_b = static_cast<uint32_t>((m_b + size % BASE * m_a) % BASE);
    }

    /** @return checksum of all bytes so far */
    uint32_t GetValue() const
    {
        return (m_b << 16) | m_a;
    }

  private:
    static constexpr uint32_t BASE = 65521; //!< largest prime number below 2^16

    /** Most bytes after which m_b still fits 32 bits: 255 n (n + 1) / 2 + (n + 1) (BASE - 1). */
    static constexpr size_t MOST_AT_ONCE = 5552;

    uint32_t m_a{1}; //!< 1 and the sum of all bytes, modulo BASE
    uint32_t m_b{0}; //!< sum of all values of m_a, modulo BASE
};

} // namespace ns3::gridftp

#endif // GRIDFTP_ADLER32_H
