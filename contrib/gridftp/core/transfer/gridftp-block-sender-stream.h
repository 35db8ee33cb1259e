/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_SENDER_STREAM_H
#define GRIDFTP_BLOCK_SENDER_STREAM_H

#include "gridftp-block-feed.h"
#include "gridftp-block-sender.h"
#include "gridftp-data-handshake.h"
#include "gridftp-data-sizer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief One data connection of a BlockSender. */
class BlockSender::Stream final : public DataStreamUser, private PieceSource, private PieceSink
{
  public:
    /** @param owner of it; outlives it @param pair which of the owner's receivers it goes to @param
     * number index among the connections to that receiver @param serial for events */
    Stream(BlockSender& owner, uint32_t pair, uint32_t number, uint32_t serial);

    /** Opens the connection. @param now current simulation time */
    void Open(Nanoseconds now);

    /** Begins a chunk. @param now current simulation time */
    void Begin(Nanoseconds now);

    /** Ends a chunk: from now on the peer may close the connection. */
    void End()
    {
        m_isActive = false;
    }

    /** Closes the connection. @param now current simulation time */
    void Close(Nanoseconds now);

    /** Resets the connection. @param now current simulation time */
    void Reset(Nanoseconds now);

    /** The host resets the connection, which fails with that. @param now current simulation time */
    void Break(Nanoseconds now);

    /** A message of the handshake is computed. @param now current simulation time */
    void HandleComputed(Nanoseconds now);

    /** @return whether there is a connection */
    bool IsConnected() const
    {
        return m_isOpen && m_isConnected;
    }

    /** @param now current simulation time @param bytes size of its send buffer from now on, unless
     * it is larger */
    void GrowSendBuffer(Nanoseconds now, uint64_t bytes);

    /** @return size of its send buffer, bytes; 0 where there is no connection */
    uint64_t GetBufferSize() const
    {
        return m_isOpen ? m_stream->GetSendBuffer() : 0;
    }

    /** @return index among the data connections of all stripes, when it was made */
    uint32_t GetIndex() const
    {
        return m_index;
    }

    /** @return its serial number */
    uint32_t GetSerial() const
    {
        return m_serial;
    }

    /** @return counts of what it has sent */
    ConnectionTotals GetTotals() const
    {
        return m_stream ? m_stream->GetTotals() : ConnectionTotals();
    }

    // DataStreamUser
    void HandleConnected(Nanoseconds now) override;
    PieceSink& GetPieceSink() override;
    void HandleDrained(Nanoseconds now) override;
    void HandlePeerClosed(Nanoseconds now) override;
    void HandleLost(Nanoseconds now, StreamLoss loss) override;

  private:
    // PieceSource
    StreamPiece WritePiece(Nanoseconds now, uint64_t room) override;
    void HandleWritten(Nanoseconds now) override;
    Nanoseconds GetNextNs() const override;
    bool IsExhausted() const override;

    // PieceSink: the handshake, then SBUFs
    bool IsReading() const override;
    Nanoseconds GetNextReadNs(Nanoseconds now) override;
    uint64_t GetRoom() const override;
    void TakePiece(Nanoseconds now, const ArrivedBytes& bytes) override;

    /** Sends blocks, if the connection is ready and a chunk is under way. @param now current
     * simulation time */
    void Send(Nanoseconds now);

    /** Takes the next block, or ends the data, when nothing is left to write. @param now current
     * simulation time @return whether there is something to write; else it is still being read */
    bool Refill(Nanoseconds now);

    /** @param block the next one; empty: none is left @return its header */
    ModeEHeader MakeHeader(const Block& block);

    /** Nothing is left to write: reads the next blocks, where that takes time. @param now current
     * simulation time */
    void Fetch(Nanoseconds now);

    /** @return whether nothing of the current block is left to write */
    bool IsBlockWritten() const
    {
        return m_headerWritten == ModeEHeader::SIZE && m_payload == 0;
    }

    /** @return stripe that it goes to */
    uint32_t GetReceiver() const
    {
        return m_owner.m_plan.GetPair(m_owner.GetFirstPair() + m_pair).receiver;
    }

    /** The transfer cannot go on. @param now current simulation time @param code of the reply
     * @param what
     * happened to this connection, such as " was refused" */
    void Fail(Nanoseconds now, int code, const std::string& what);

    BlockSender& m_owner;                        //!< of it
    uint32_t m_pair;                             //!< owner's receiver
    uint32_t m_number;                           //!< among those of the pair
    uint32_t m_index;                            //!< see GetIndex()
    uint32_t m_serial;                           //!< for events
    DataStream* m_stream{nullptr};               //!< the connection; null: not opened yet
    bool m_isOpen{false};                        //!< it is in use
    BufferSettings m_buffers{};                  //!< of it
    DataHandshake m_handshake;                   //!< before the first block
    bool m_isConnected{false};                   //!< TCP's handshake is complete
    bool m_isActive{false};                      //!< a chunk is under way
    bool m_isSending{false};                     //!< it is being sent
    ModeEHeader::Bytes m_header{};               //!< of the current block
    uint32_t m_headerWritten{ModeEHeader::SIZE}; //!< bytes of it that are written
    uint64_t m_payload{0};                       //!< bytes of the block that are not written
    uint64_t m_place{0};                         //!< of the first of those in the file
    StreamPiece m_piece{};                       //!< what is being written
    Nanoseconds m_nextNs{0};                     //!< when it writes again
    bool m_hasEnded{false};                      //!< the header of the end of data was made
    std::optional<BlockFeed> m_feed;             //!< source of its blocks, if that takes time
    SizingReader m_sizings;                      //!< reads SBUFs
    uint32_t m_sizingsOwed{0};                   //!< SBUFs that no header has acknowledged
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_SENDER_STREAM_H
