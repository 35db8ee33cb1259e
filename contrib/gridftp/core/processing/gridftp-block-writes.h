/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_WRITES_H
#define GRIDFTP_BLOCK_WRITES_H

#include "gridftp-block-stages.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <deque>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Blocks of one data connection that its receiving end works on and writes: a few of them,
 * StoragePlace::depth, may be under way, and while they are it does not read from the connection.
 * Both engines have one for each connection whose blocks take time.
 *
 * A block counts as stored when its write is served. Nothing is synced: what a cache of the
 * operating system takes before the disk has it is part of the storage's rate, as it is for the
 * server of the Grid Community Toolkit, whose markers count what write() has taken
 * (globus_gridftp_server_update_bytes_written()).
 */
class BlockWrites
{
  public:
    /** @param stages what its blocks pass, which takes time or not */
    explicit BlockWrites(const BlockStages& stages)
        : m_stages(stages)
    {
    }

    /** @return whether it takes time */
    bool IsTimed() const
    {
        return m_stages.IsTimed();
    }

    /**
     * Another chunk begins. What is left of the last one was stored before its end was told, though
     * perhaps nobody has asked since, or is of a try that failed: it counts no more.
     * @param offset of it in the file, bytes
     * @param opening of the file
     */
    void Begin(uint64_t offset, uint32_t opening = Storage::OPEN)
    {
        m_stages.storage.offset = offset;
        m_stages.storage.opening = opening;
        m_writes.clear();
        m_lastNs = 0;
        m_storedBytes = 0;
    }

    /**
     * A block has been read from the connection.
     * @param now of the simulation
     * @param offset in the chunk, bytes
     * @param bytes at least 1
     */
    void Write(Nanoseconds now, uint64_t offset, uint64_t bytes);

    /** @param now of the simulation @return whether nothing more is to be read from the connection
     */
    bool IsFull(Nanoseconds now)
    {
        Settle(now);
        return m_writes.size() >= m_stages.storage.depth;
    }

    /** @return when IsFull() ends; it holds */
    Nanoseconds GetNextNs() const
    {
        return m_writes.front().doneNs;
    }

    /** @return when all that is under way is stored; in the past where nothing is */
    Nanoseconds GetLastNs() const
    {
        return m_lastNs;
    }

    /** @param now of the simulation @return bytes of the chunk that are stored */
    uint64_t GetStored(Nanoseconds now)
    {
        Settle(now);
        return m_storedBytes;
    }

  private:
    /** A block under way. */
    struct Pending
    {
        int64_t doneNs; //!< when it is stored
        uint64_t bytes; //!< of it
    };

    /** Counts what is stored by now. @param now of the simulation */
    void Settle(Nanoseconds now);

    BlockStages m_stages;         //!< what its blocks pass
    std::deque<Pending> m_writes; //!< under way, in order
    int64_t m_lastNs{0};          //!< see GetLastNs()
    uint64_t m_storedBytes{0};    //!< of the chunk
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_WRITES_H
