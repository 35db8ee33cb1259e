/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ARRIVED_BYTES_H
#define GRIDFTP_ARRIVED_BYTES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Bytes that an endpoint reads from a connection. Only some of them need content, such as the
 * headers of blocks: simulations carry file data as a count of bytes.
 *
 * Contract: the driver of an engine passes it to PieceSink::TakePiece(); it is valid until that
 * returns.
 */
class ArrivedBytes
{
  public:
    /** @param size bytes */
    explicit ArrivedBytes(uint64_t size)
        : m_size(size)
    {
    }

    virtual ~ArrivedBytes() = default;

    /** @return how many bytes */
    uint64_t GetSize() const
    {
        return m_size;
    }

    /** Copies bytes that have content. @param position of the first one @param to where; position
     * and length lie within GetSize() */
    virtual void Copy(uint64_t position, std::span<uint8_t> to) const = 0;

  private:
    uint64_t m_size; //!< see GetSize()
};

/** @ingroup gridftp @brief Bytes in memory. */
class ArrivedContent final : public ArrivedBytes
{
  public:
    /** @param bytes outlive it */
    explicit ArrivedContent(std::span<const uint8_t> bytes)
        : ArrivedBytes(bytes.size()),
          m_bytes(bytes)
    {
    }

    void Copy(uint64_t position, std::span<uint8_t> to) const override
    {
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(position), to.size(), to.begin());
    }

  private:
    std::span<const uint8_t> m_bytes; //!< all of them
};

} // namespace ns3::gridftp

#endif // GRIDFTP_ARRIVED_BYTES_H
