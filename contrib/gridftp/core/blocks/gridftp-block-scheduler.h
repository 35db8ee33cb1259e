/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_SCHEDULER_H
#define GRIDFTP_BLOCK_SCHEDULER_H

#include "gridftp-scenario.h"
#include "gridftp-stripe-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Says which connection carries which block of a chunk, or of what of it goes from one stripe to
 * another; both engines ask it. No block crosses the end of a range.
 *
 * Dynamic: blocks are given in order to whoever asks, as the Grid Community Toolkit does: each
 * connection asks when it has room. Static: connection i carries the i-th of N contiguous parts
 * of equal size (the first ones a byte longer where the bytes do not divide).
 */
class BlockScheduler
{
  public:
    /**
     * @param layout who carries which block
     * @param offset of the chunk in the file, bytes
     * @param length of the chunk, bytes, at least 1
     * @param connections N, at least 1
     * @param blockBytes largest payload of a block, at least 1
     */
    BlockScheduler(Layout layout,
                   uint64_t offset,
                   uint64_t length,
                   uint32_t connections,
                   uint64_t blockBytes)
        : BlockScheduler(layout, {offset, length}, connections, blockBytes)
    {
    }

    /**
     * @param layout who carries which block
     * @param ranges what there is to carry
     * @param connections N, at least 1
     * @param blockBytes largest payload of a block, at least 1
     */
    BlockScheduler(Layout layout,
                   const StripeRanges& ranges,
                   uint32_t connections,
                   uint64_t blockBytes);

    /**
     * @param connection who asks, below N
     * @return its next block; length 0 when there is none left for it
     */
    Block Next(uint32_t connection);

    /** @return what there is to carry */
    const StripeRanges& GetRanges() const
    {
        return m_ranges;
    }

    /** @return largest payload of a block, bytes */
    uint64_t GetBlockBytes() const
    {
        return m_blockBytes;
    }

  private:
    /** A part of the ranges still to be given out, counted as if they were one. */
    struct Part
    {
        uint64_t next; //!< first byte not given out yet
        uint64_t end;  //!< first byte beyond
    };

    StripeRanges m_ranges;     //!< what there is to carry
    std::vector<Part> m_parts; //!< one per connection (static) or one for all (dynamic)
    uint64_t m_blockBytes;     //!< largest payload of a block
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_SCHEDULER_H
