/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_FEED_H
#define GRIDFTP_BLOCK_FEED_H

#include "gridftp-block-scheduler.h"
#include "gridftp-block-stages.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <deque>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The blocks of a chunk that go over one connection, as its sending end reads and works on them
 * where that takes time: StoragePlace::depth of them are being read or worked on, are there, or are
 * being written to the connection. Both engines have one for each connection and chunk.
 *
 * Fetch() is to be called when the connection is there and whenever a block is written to it as a
 * whole. What is behind the last block, the end of data, is read from nowhere.
 */
class BlockFeed
{
  public:
    /**
     * @param scheduler of the chunk's blocks; outlives it
     * @param connection index among the chunk's
     * @param stages what its blocks pass
     */
    BlockFeed(BlockScheduler& scheduler, uint32_t connection, const BlockStages& stages)
        : m_scheduler(&scheduler),
          m_connection(connection),
          m_stages(stages)
    {
    }

    /** Nothing is being written: asks for as many blocks as may be under way. @param now of the
     * simulation */
    void Fetch(Nanoseconds now);

    /** @return when the next block is there; Fetch() has been called */
    Nanoseconds GetNextNs() const
    {
        return m_blocks.front().readyNs;
    }

    /** @return the next block, which is there; length 0: it was the last one before */
    Block Take();

  private:
    /** A block that is under way, or is there. */
    struct Fetched
    {
        Block block;     //!< which
        int64_t readyNs; //!< when it is there
    };

    BlockScheduler* m_scheduler;  //!< of the chunk
    uint32_t m_connection;        //!< which
    BlockStages m_stages;         //!< what its blocks pass
    std::deque<Fetched> m_blocks; //!< in order
    bool m_ended{false};          //!< the last one is among them, or was
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_FEED_H
