/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SOURCES_H
#define GRIDFTP_SEGMENT_SOURCES_H

#include "gridftp-block-dealer.h"
#include "gridftp-segment-send-buffer.h"

#include <algorithm>
#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * What applications of the segment engine write into their connections.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Bytes of a MODE E block header: descriptor, count, offset (GFD.20). */
inline constexpr uint32_t BLOCK_HEADER_BYTES = 17;

/** @ingroup gridftp @brief The blocks of a chunk that go over one connection, in MODE E. */
class BlockSource final : public ByteSource
{
  public:
    /**
     * @param dealer deals the chunk's blocks; outlives it
     * @param index of the connection among the chunk's
     */
    BlockSource(BlockDealer& dealer, uint32_t index)
        : m_dealer(&dealer),
          m_index(index)
    {
    }

    uint64_t Write(uint64_t room) override
    {
        if (m_header == 0 && m_payload == 0)
        {
            m_payload = m_dealer->Next(m_index).length;
            m_ended = m_payload == 0;
            m_header = BLOCK_HEADER_BYTES;
        }
        if (m_header > room)
        {
            m_header -= static_cast<uint32_t>(room);
            return room;
        }
        const uint64_t payload = std::min(room - m_header, m_payload);
        const uint64_t written = m_header + payload;
        m_header = 0;
        m_payload -= payload;
        return written;
    }

    bool IsExhausted() const override
    {
        return m_ended && m_header == 0;
    }

  private:
    BlockDealer* m_dealer; //!< of the chunk
    uint32_t m_index;      //!< of the connection among the chunk's
    uint32_t m_header{0};  //!< of the header, still to be written, bytes
    uint64_t m_payload{0}; //!< of the block, still to be written, bytes
    bool m_ended{false};   //!< the end of data is written, or its header is under way
};

/** @ingroup gridftp @brief Data without an end. */
class EndlessSource final : public ByteSource
{
  public:
    uint64_t Write(uint64_t room) override
    {
        return room;
    }

    bool IsExhausted() const override
    {
        return false;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SOURCES_H
