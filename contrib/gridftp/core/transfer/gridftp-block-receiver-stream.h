/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_RECEIVER_STREAM_H
#define GRIDFTP_BLOCK_RECEIVER_STREAM_H

#include "gridftp-block-reader.h"
#include "gridftp-block-receiver.h"
#include "gridftp-block-writes.h"
#include "gridftp-data-handshake.h"
#include "gridftp-data-sizer.h"

#include <cstdint>
#include <deque>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief One data connection of a BlockReceiver. */
class BlockReceiver::Stream final : public DataStreamUser,
                                    private PieceSink,
                                    private BlockReader::Sink
{
  public:
    /** @param owner of it; outlives it @param stream the connection @param serial for events */
    Stream(BlockReceiver& owner, DataStream& stream, uint32_t serial);

    /** Prepares for another chunk on the same connection; reads what arrived before. @param now
     * current simulation time */
    void NextTransfer(Nanoseconds now);

    /** Closes the connection. @param now current simulation time */
    void Close(Nanoseconds now);

    /** Resets the connection. @param now current simulation time */
    void Reset(Nanoseconds now);

    /** The host resets the connection, which fails with that. @param now current simulation time */
    void Break(Nanoseconds now);

    /** An event of it. @param now current simulation time @param kind what for */
    void HandleEvent(Nanoseconds now, TransferEvents::Kind kind);

    /** Records what is stored by now, if its owner does. @param now current simulation time */
    void RecordStored(Nanoseconds now);

    /** @return whether the connection is open */
    bool IsOpen() const
    {
        return m_isOpen;
    }

    /** @param stream any @return whether that is the connection, and open */
    bool Has(const DataStream& stream) const
    {
        return m_isOpen && &m_stream == &stream;
    }

    /** @return its serial number */
    uint32_t GetSerial() const
    {
        return m_serial;
    }

    /** @return whether it has carried something of the chunk */
    bool HasBegun() const
    {
        return m_hasBegun;
    }

    /** @param bytes size of its receive buffer from now on */
    void SetReceiveBuffer(uint64_t bytes);

    /** @return size of its receive buffer, or the last one, bytes */
    uint64_t GetBufferSize() const
    {
        return m_isOpen ? m_stream.GetReceiveBuffer() : m_lastBufferSize;
    }

    /** Reads what has arrived. @param now current simulation time */
    void ReadArrived(Nanoseconds now)
    {
        if (m_isOpen)
        {
            m_stream.Resume(now);
        }
    }

    /** @param now current simulation time @return bytes of the chunk that it has stored, where
     * storage takes time */
    uint64_t GetStoredBytes(Nanoseconds now)
    {
        return m_writes.GetStored(now);
    }

    /** Counts its receive buffer while it is open. @param tally to add it to */
    void Count(BufferTally& tally) const;

    // DataStreamUser
    PieceSink& GetPieceSink() override;
    void HandlePeerClosed(Nanoseconds now) override;
    void HandleLost(Nanoseconds now, StreamLoss loss) override;

  private:
    /** A block that is being stored. */
    struct Storing
    {
        Nanoseconds doneNs; //!< when it is stored
        uint64_t offset;    //!< in the chunk
        uint64_t length;    //!< bytes
    };

    // PieceSink
    bool IsReading() const override;
    Nanoseconds GetNextReadNs(Nanoseconds now) override;
    uint64_t GetRoom() const override;
    void TakePiece(Nanoseconds now, const ArrivedBytes& bytes) override;

    // BlockReader::Sink
    void HandleData(uint64_t offset, uint64_t length, uint64_t position) override;
    void HandleEndOfFile(uint64_t eodCount) override;
    void HandleEndOfData() override;
    void HandleBlock(uint64_t offset, uint64_t length) override;
    void HandleAcknowledgement() override;

    /** Records a range that is stored. @param offset of it in the chunk @param length bytes */
    void Record(uint64_t offset, uint64_t length);

    /** All that it carries of the chunk has arrived, and is stored. @param now current simulation
     * time */
    void HandleStored(Nanoseconds now);

    /** The connection ends, before Close() or Reset() of the stream. */
    void Detach();

    /** @return whether the end of the connection breaks the chunk off: something of it has not
     * arrived, or is not stored */
    bool IsNeeded() const
    {
        return m_owner.m_isActive && (!m_reader.IsAtEndOfData() || m_isStoring);
    }

    /** Accounts for the run of bytes that arrived without a gap. */
    void FlushRun();

    BlockReceiver& m_owner;              //!< of it
    DataStream& m_stream;                //!< the connection
    uint32_t m_serial;                   //!< for events
    bool m_isOpen{true};                 //!< the connection is in use
    uint64_t m_segmentBytes;             //!< most bytes to read at once
    DataSizer m_sizer;                   //!< sizes the receive buffer by SBUFs on the connection
    BlockReader m_reader;                //!< reads the blocks
    DataHandshake m_handshake;           //!< before the first block
    BlockWrites m_writes;                //!< blocks that are being stored
    std::deque<Storing> m_storing;       //!< the same, where ranges are recorded, in order
    uint64_t m_runOffset{0};             //!< first byte of the run
    uint64_t m_runLength{0};             //!< its length so far, bytes
    uint64_t m_lastBufferSize{0};        //!< of its receive buffer, when the connection was closed
    Nanoseconds m_now{0};                //!< current simulation time, while it reads
    const ArrivedBytes* m_read{nullptr}; //!< what it reads, meanwhile
    Nanoseconds m_nextNs{0};             //!< when it reads again
    bool m_isStoring{false};             //!< the end of data has arrived, and not all is stored
    bool m_hasBegun{false};              //!< something of this chunk has arrived
    bool m_isPeerClosed{false}; //!< the peer has closed, and there is something left to read
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_RECEIVER_STREAM_H
