/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SOURCES_H
#define GRIDFTP_SEGMENT_SOURCES_H

#include "gridftp-block-feed.h"
#include "gridftp-block-scheduler.h"
#include "gridftp-block-stages.h"
#include "gridftp-segment-connection.h"
#include "gridftp-segment-send-buffer.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What applications of the segment engine write into their connections.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Bytes of a MODE E block header: descriptor, count, offset (GFD.20). */
inline constexpr uint32_t BLOCK_HEADER_BYTES = 17;

/** @ingroup gridftp @brief Hears of block headers that are written. */
class HeaderObserver
{
  public:
    virtual ~HeaderObserver() = default;

    /** A header is about to be written. @param payload of the source's blocks before it, bytes */
    virtual void HandleHeader(uint64_t payload) = 0;
};

/** @ingroup gridftp @brief The blocks of a chunk that go over one connection, in MODE E. */
class BlockSource final : public ByteSource
{
  public:
    /**
     * @param scheduler of the chunk's blocks; outlives it
     * @param index of the connection among the chunk's
     */
    BlockSource(BlockScheduler& scheduler, uint32_t index)
        : m_scheduler(&scheduler),
          m_index(index)
    {
    }

    /** @param observer hears of headers from now on; outlives it */
    void Observe(HeaderObserver& observer)
    {
        m_observer = &observer;
    }

    /** Its blocks take time before they are there. @param stages what they pass @param connection
     * that it writes to; outlives it */
    void ReadFrom(const BlockStages& stages, const TcpConnection& connection)
    {
        m_connection = &connection;
        m_feed.emplace(*m_scheduler, m_index, stages);
    }

    /** @param blocks where each one is put down when its header is written; outlives it */
    void Log(std::deque<Block>& blocks)
    {
        m_log = &blocks;
    }

    /** @param blocks where each one is put down to be kept, likewise; outlives it */
    void Keep(std::vector<Block>& blocks)
    {
        m_kept = &blocks;
    }

    uint64_t Write(uint64_t room) override
    {
        if (m_header == 0 && m_payload == 0)
        {
            if (m_feed && !IsReady()) [[unlikely]]
            {
                return 0;
            }
            if (m_observer)
            {
                m_observer->HandleHeader(m_dealt);
            }
            const Block block = m_feed ? m_feed->Take() : m_scheduler->Next(m_index);
            if (m_log) [[unlikely]]
            {
                m_log->push_back(block);
            }
            if (m_kept) [[unlikely]]
            {
                m_kept->push_back(block);
            }
            m_payload = block.length;
            if (!m_scheduler->GetRanges().IsContiguous()) [[unlikely]]
            {
                m_blocks.push_back(m_payload);
            }
            m_dealt += m_payload;
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

    void HandleWritten() override
    {
        if (m_feed && m_header == 0 && m_payload == 0)
        {
            m_feed->Fetch(m_connection->GetNow(TcpConnection::ACTIVE));
        }
    }

    int64_t GetNextNs() const override
    {
        return m_feed ? m_feed->GetNextNs() : 0;
    }

    bool IsExhausted() const override
    {
        return m_ended && m_header == 0;
    }

    /**
     * @param bytes that have arrived of what it has written
     * @return how many of them are no headers; unless its blocks are of several ranges, only the
     *         last one is shorter than the others
     */
    uint64_t GetPayload(uint64_t bytes) const
    {
        if (!m_blocks.empty())
        {
            return GetPayloadOfBlocks(bytes);
        }
        const uint64_t block = BLOCK_HEADER_BYTES + m_scheduler->GetBlockBytes();
        const uint64_t rest = bytes % block;
        const uint64_t begun = rest > BLOCK_HEADER_BYTES ? rest - BLOCK_HEADER_BYTES : 0;
        return std::min(m_dealt, bytes / block * m_scheduler->GetBlockBytes() + begun);
    }

  private:
    /** @return whether the next block is there, and not still being read */
    bool IsReady()
    {
        const Nanoseconds now = m_connection->GetNow(TcpConnection::ACTIVE);
        m_feed->Fetch(now);
        return m_feed->GetNextNs() <= now;
    }

    /** GetPayload() by counting. @param bytes that have arrived @return how many are no headers */
    uint64_t GetPayloadOfBlocks(uint64_t bytes) const
    {
        uint64_t payload = 0;
        for (const uint64_t length : m_blocks)
        {
            if (bytes <= BLOCK_HEADER_BYTES + length)
            {
                return payload + (bytes > BLOCK_HEADER_BYTES ? bytes - BLOCK_HEADER_BYTES : 0);
            }
            bytes -= BLOCK_HEADER_BYTES + length;
            payload += length;
        }
        return payload;
    }

    BlockScheduler* m_scheduler;                //!< of the chunk
    uint32_t m_index;                           //!< of the connection among the chunk's
    HeaderObserver* m_observer{nullptr};        //!< hears of headers, or null
    std::optional<BlockFeed> m_feed;            //!< where its blocks come from, if that takes time
    const TcpConnection* m_connection{nullptr}; //!< that it writes to, where that is so
    std::deque<Block>* m_log{nullptr};          //!< see Log(), or null
    std::vector<Block>* m_kept{nullptr};        //!< see Keep(), or null
    uint32_t m_header{0};                       //!< of the header, still to be written, bytes
    uint64_t m_payload{0};                      //!< of the block, still to be written, bytes
    uint64_t m_dealt{0};                        //!< payload of its blocks so far, bytes
    std::vector<uint64_t> m_blocks; //!< payload of each, where they are of several ranges
    bool m_ended{false};            //!< the end of data is written, or its header is under way
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
