/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SACK_BLOCKS_H
#define GRIDFTP_SEGMENT_SACK_BLOCKS_H

#include <array>
#include <cstdint>
#include <span>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A block of a SACK option (RFC 2018): bytes of the stream behind a gap.
 */
struct SackBlock
{
    uint64_t begin; //!< first byte
    uint64_t end;   //!< first byte behind it
};

/** @ingroup gridftp @brief The blocks of a SACK option, in its order. */
class SackBlocks
{
  public:
    /** What fits into a TCP header (RFC 2018, Section 3). */
    static constexpr uint32_t MOST = 4;

    /** @return the blocks */
    std::span<const SackBlock> Get() const
    {
        return {m_blocks.data(), m_count};
    }

    /** @return how many there are */
    uint32_t GetCount() const
    {
        return m_count;
    }

    /** @param block becomes the last one; beyond MOST it is left out */
    void Append(SackBlock block)
    {
        if (m_count < MOST)
        {
            m_blocks[m_count++] = block;
        }
    }

    /** @param most blocks that remain: the first ones */
    void Truncate(uint32_t most)
    {
        m_count = m_count < most ? m_count : most;
    }

  private:
    std::array<SackBlock, MOST> m_blocks{}; //!< blocks
    uint32_t m_count{0};                    //!< how many of them
};

/**
 * @ingroup gridftp
 * What a receiver reports in SACK options: the blocks that changed last come first. As ns-3's
 * TcpRxBuffer has it, blocks that touch become one, and a block that is the fifth is forgotten.
 *
 * Contract: SegmentReceiver calls Add() for each segment that arrives behind a gap, with the part
 * of it that was not there, and Clear() whenever the first missing byte moves on.
 */
class SackHistory
{
  public:
    /** @param block that has arrived */
    void Add(SackBlock block);

    /** @param next first byte that is missing: all blocks below go */
    void Clear(uint64_t next);

    /** @return the blocks, the last one that changed first */
    const SackBlocks& GetBlocks() const
    {
        return m_blocks;
    }

  private:
    SackBlocks m_blocks; //!< see GetBlocks()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SACK_BLOCKS_H
