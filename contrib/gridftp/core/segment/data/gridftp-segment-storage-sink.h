/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_STORAGE_SINK_H
#define GRIDFTP_SEGMENT_STORAGE_SINK_H

#include "gridftp-block-scheduler.h"
#include "gridftp-block-stages.h"
#include "gridftp-block-writes.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-connection.h"
#include "gridftp-segment-sources.h"

#include <cstdint>
#include <deque>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The receiving end of a data connection of the segment engine whose blocks take time: reads a
 * header or what is left of a block at most, and writes the block when it has all of it, as
 * DataReceiver does in engine ns3. What headers say is kept here.
 */
class SegmentStorageSink final : public ByteSink, private EventTarget
{
  public:
    /** @param stages what its blocks pass */
    explicit SegmentStorageSink(const BlockStages& stages)
        : m_writes(stages)
    {
    }

    SegmentStorageSink(const SegmentStorageSink&) = delete;
    SegmentStorageSink& operator=(const SegmentStorageSink&) = delete;

    /** It is of a connection from now on. @param connection which; outlives it */
    void Renew(TcpConnection& connection);

    /** The connection is about to carry blocks of a chunk. @param source of them, which has written
     * nothing @param offset of the chunk in the file, bytes @param opening of the file */
    void Begin(BlockSource& source, uint64_t offset, uint32_t opening);

    /**
     * All of the chunk has been read from the connection.
     * @param now of the simulation
     * @return whether all of it is stored; otherwise the connection's user is told by
     *         HandleDelivered() when it is
     */
    bool IsStored(Nanoseconds now);

    /** @param now of the simulation @return bytes of the chunk that are stored */
    uint64_t GetStored(Nanoseconds now)
    {
        return m_writes.GetStored(now);
    }

    // ByteSink
    Nanoseconds GetNextNs(Nanoseconds now) override;
    uint64_t GetRoom() const override;
    void Take(Nanoseconds now, uint64_t bytes) override;

  private:
    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    BlockWrites m_writes;                  //!< blocks under way
    TcpConnection* m_connection{nullptr};  //!< which
    std::deque<Block> m_blocks;            //!< whose headers have been written but not read
    uint64_t m_header{BLOCK_HEADER_BYTES}; //!< of a header, still to be read, bytes
    Block m_block;                         //!< whose payload is read
    uint64_t m_payload{0};                 //!< of it, still to be read, bytes
    int64_t m_dueNs{NEVER};                //!< when all is stored that is waited for
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_STORAGE_SINK_H
