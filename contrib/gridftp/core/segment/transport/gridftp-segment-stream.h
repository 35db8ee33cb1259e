/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_STREAM_H
#define GRIDFTP_SEGMENT_STREAM_H

#include "gridftp-block-dealer.h"

#include <cstdint>
#include <limits>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Bytes of a MODE E block header: descriptor, count, offset (GFD.20). */
inline constexpr uint32_t BLOCK_HEADER_BYTES = 17;

/**
 * @ingroup gridftp
 * What an application writes into a connection: the blocks of one chunk after another in MODE E,
 * or, as background, data without an end.
 *
 * It writes as DataSender does: whenever at least half a window is free in the send buffer, and
 * then as much as is free.
 */
class SegmentStream
{
  public:
    /** How much of the send buffer has to be free. */
    struct Buffer
    {
        uint64_t bytes{0}; //!< size of the send buffer
        uint64_t batch{1}; //!< free bytes below which writing waits
    };

    /** @param buffer the send buffer */
    explicit SegmentStream(const Buffer& buffer)
        : m_buffer(buffer)
    {
    }

    /**
     * Begins a chunk.
     * @param dealer deals its blocks; null: data without an end
     * @param index of the connection among the chunk's
     */
    void Begin(BlockDealer* dealer, uint32_t index)
    {
        m_dealer = dealer;
        m_index = index;
        m_endless = dealer == nullptr;
        m_active = true;
        m_ended = false;
        m_end = UNKNOWN;
        UpdateWake();
    }

    /** Writes once, apart from any chunk. @param bytes how many */
    void Append(uint64_t bytes)
    {
        m_written += bytes;
        UpdateWake();
    }

    /** Ends the writing. */
    void End()
    {
        m_active = false;
        UpdateWake();
    }

    /** @return bytes written so far */
    uint64_t GetWritten() const
    {
        return m_written;
    }

    /** @return first byte behind the end of data of the chunk; a huge number before it is known */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /** @return acknowledged bytes below which there is nothing to do: no room, not all drained */
    uint64_t GetWake() const
    {
        return m_wake;
    }

    /** @param acknowledged bytes @return whether all of a chunk is written and acknowledged */
    bool IsDrained(uint64_t acknowledged) const
    {
        return m_active && m_ended && m_header == 0 && acknowledged == m_written;
    }

    /** @param acknowledged bytes @return whether Fill() would write */
    bool WantsToWrite(uint64_t acknowledged) const
    {
        return m_buffer.bytes - (m_written - acknowledged) >= m_buffer.batch && m_active &&
               !(m_ended && m_header == 0);
    }

    /** Writes while there is room. @param acknowledged bytes */
    void Fill(uint64_t acknowledged)
    {
        while (WantsToWrite(acknowledged))
        {
            Write(m_buffer.bytes - (m_written - acknowledged));
        }
        UpdateWake();
    }

  private:
    static constexpr uint64_t UNKNOWN = std::numeric_limits<uint64_t>::max(); //!< see GetEnd()

    /** Finds out when there is something to do again. */
    void UpdateWake()
    {
        const uint64_t wanted = m_written + m_buffer.batch;
        const bool writes = m_active && !(m_ended && m_header == 0);
        m_wake = !writes ? m_written : wanted > m_buffer.bytes ? wanted - m_buffer.bytes : 0;
    }

    /** Writes once. @param room free bytes */
    void Write(uint64_t room)
    {
        if (m_endless)
        {
            m_written += room;
            return;
        }
        if (m_header == 0 && m_payload == 0)
        {
            m_payload = m_dealer->Next(m_index).length;
            m_ended = m_payload == 0;
            m_header = BLOCK_HEADER_BYTES;
        }
        if (m_header > room)
        {
            m_header -= static_cast<uint32_t>(room);
            m_written += room;
            return;
        }
        const uint64_t payload = room - m_header < m_payload ? room - m_header : m_payload;
        m_written += m_header + payload;
        m_header = 0;
        m_payload -= payload;
        m_end = m_ended ? m_written : UNKNOWN;
    }

    Buffer m_buffer;                //!< the send buffer
    BlockDealer* m_dealer{nullptr}; //!< of the chunk
    uint64_t m_written{0};          //!< bytes
    uint64_t m_payload{0};          //!< of the block, still to be written, bytes
    uint64_t m_end{UNKNOWN};        //!< see GetEnd()
    uint64_t m_wake{0};             //!< see GetWake()
    uint32_t m_header{0};           //!< of the header, still to be written, bytes
    uint32_t m_index{0};            //!< of the connection among the chunk's
    bool m_endless{false};          //!< background
    bool m_active{false};           //!< a chunk is under way
    bool m_ended{false};            //!< the end of data is written, or its header is under way
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_STREAM_H
