/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BBFTP_FILE_H
#define GRIDFTP_BBFTP_FILE_H

#include "gridftp-bbftp.h"
#include "gridftp-block-stages.h"
#include "gridftp-byte-stream.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup gridftp
 * How the processes of bbFTP read and write the file, each its own part of it, through a descriptor
 * of its own. One process has one buffer: it reads a block and then sends it
 * (bbftp_retrtransferfile() in bbftp_retr.c), or receives a block and then writes it
 * (bbftpd_storetransferfile() in bbftpd_store.c).
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a process of bbFTP reads or writes at a time. */
struct BbftpBlock
{
    uint64_t offset{0};    //!< in the file, bytes
    uint64_t bytes{0};     //!< of the file
    uint64_t wireBytes{0}; //!< of these on the connection, at least 1
};

/** @ingroup gridftp @brief The blocks of a part, in order. */
class BbftpBlocks
{
  public:
    /** @param parts of the file @param stream whose part @param isWhole all of the part is one
     * block
     */
    BbftpBlocks(const BbftpParts& parts, uint32_t stream, bool isWhole);

    /** @return whether all were taken */
    bool IsEmpty() const
    {
        return m_taken == m_parts.GetBytes(m_stream);
    }

    /** @return the next one; there is one */
    BbftpBlock Take();

  private:
    /** @param bytes of the part @return bytes on the connection that its first ones make */
    uint64_t ToWire(uint64_t bytes) const;

    BbftpParts m_parts;  //!< of the file
    uint32_t m_stream;   //!< whose part
    uint64_t m_most;     //!< bytes of a block
    uint64_t m_taken{0}; //!< bytes of the part
};

/**
 * @ingroup gridftp
 * The process that sends a part. Where reading takes no time it writes as much as its socket takes;
 * else Write() returns 0 until the block is read.
 */
class BbftpReads final : public StreamSource
{
  public:
    /** @param parts of the file @param stream whose part @param stages what its blocks pass */
    BbftpReads(const BbftpParts& parts, uint32_t stream, const BlockStages& stages);

    uint64_t Write(Nanoseconds now, uint64_t room) override;

    void HandleWritten(Nanoseconds now) override
    {
        Fetch(now);
    }

    Nanoseconds GetNextNs() const override
    {
        return m_readyNs;
    }

    bool IsExhausted() const override
    {
        return m_left == 0 && m_blocks.IsEmpty();
    }

  private:
    /** Reads the next block, where nothing is left of the last one. @param now of the simulation */
    void Fetch(Nanoseconds now);

    BlockStages m_stages;     //!< what blocks pass
    BbftpBlocks m_blocks;     //!< those that are still to be read
    uint64_t m_left{0};       //!< of the last block, to be written, bytes on the connection
    Nanoseconds m_readyNs{0}; //!< when that one is there
};

/**
 * @ingroup gridftp
 * The process that receives a part, where writing takes time.
 *
 * Contract: BbftpHost has one for each stream. The process reads GetRoom() bytes at most, not
 * before GetNextNs(), and calls Take() then.
 */
class BbftpWrites
{
  public:
    /** A block that the process writes. */
    struct Written
    {
        Nanoseconds at{0};     //!< when it is stored
        uint64_t wireBytes{0}; //!< that it was on the connection
    };

    /** @param parts of the file @param stream whose part @param stages what its blocks pass */
    BbftpWrites(const BbftpParts& parts, uint32_t stream, const BlockStages& stages);

    /** @return when the process reads from its socket again, ns; perhaps in the past */
    Nanoseconds GetNextNs() const
    {
        return m_doneNs;
    }

    /** @return most bytes that it reads: what is left of the block; 1: all has come */
    uint64_t GetRoom() const
    {
        return m_left > 0 ? m_left : 1;
    }

    /** It has read. @param now of the simulation @param bytes at most GetRoom() @return the block
     * that is complete with that, and is being written */
    std::optional<Written> Take(Nanoseconds now, uint64_t bytes);

  private:
    /** Goes on with the next block, if there is one. */
    void Begin();

    BlockStages m_stages;    //!< what blocks pass
    BbftpBlocks m_blocks;    //!< those that are still to come
    BbftpBlock m_block{};    //!< that comes
    uint64_t m_left{0};      //!< of it, bytes on the connection
    Nanoseconds m_doneNs{0}; //!< when the last block is stored
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BBFTP_FILE_H
