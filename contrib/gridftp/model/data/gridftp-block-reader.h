/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_READER_H
#define GRIDFTP_BLOCK_READER_H

#include "gridftp-block-header.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief Takes the byte stream of one MODE E data connection apart, packet by packet.
 *
 * Feed() is given what the socket delivers, in any segmentation. The reader reports to its Sink,
 * in stream order and from inside Feed():
 *
 * - OnData for every piece of payload, at most one call per block and packet;
 * - OnEndOfFile for a header with EOF;
 * - OnEndOfData for a header with EOD, after its payload and after OnEndOfFile, and exactly once
 *   per transfer. A receiver that checks for completion in OnEndOfData knows by then all that
 *   this header says;
 * - OnAcknowledgement for a header that acknowledges an SBUF, before all others.
 *
 * After the EOD no byte is allowed until NextTransfer(), which a cached data connection uses.
 * NextTransfer() may be called from OnEndOfData; destroying the reader from inside a Sink call is
 * not allowed, nor is calling Feed().
 *
 * Payload is never looked at or copied. A packet that lies within one block costs an addition
 * and one Sink call.
 *
 * A stream that is not MODE E puts the reader into its error state for good: Feed() returns
 * false, now and ever after, the Sink hears nothing more, and GetError() says why.
 */
class BlockReader
{
  public:
    /// What receives the content of the stream.
    class Sink
    {
      public:
        virtual ~Sink() = default;

        /**
         * Part of the file has arrived.
         * @param offset the position of its first byte in the file, bytes
         * @param length the number of bytes, at least 1
         */
        virtual void OnData(uint64_t offset, uint64_t length) = 0;

        /**
         * The number of EODs to expect is known.
         * @param eodCount EODs over all connections of the transfer, at least 1
         */
        virtual void OnEndOfFile(uint64_t eodCount) = 0;

        /// This connection carries no more data of this transfer.
        virtual void OnEndOfData() = 0;

        /**
         * All of a block's payload has arrived; after the OnData of its last bytes.
         * @param offset the position of its first byte in the file, bytes
         * @param length the number of bytes, at least 1
         */
        virtual void OnBlock(uint64_t offset, uint64_t length);

        /// A header acknowledges an SBUF; before whatever else it says.
        virtual void OnAcknowledgement();
    };

    /**
     * Start at the beginning of a stream.
     * @param sink what receives the content; outlives the reader
     * @param takesAcknowledgements whether SBUFs are sent to the other end, and headers may
     * acknowledge them
     */
    explicit BlockReader(Sink& sink, bool takesAcknowledgements = false);

    BlockReader(const BlockReader&) = delete;
    BlockReader& operator=(const BlockReader&) = delete;

    /**
     * Read the next bytes of the stream.
     * @param packet the bytes, any number of them
     * @return false in the error state
     */
    bool Feed(const Ptr<const Packet>& packet)
    {
        const uint32_t size = packet->GetSize();
        if (size < m_remaining)
        {
            const uint64_t offset = m_offset;
            m_offset += size;
            m_remaining -= size;
            if (size > 0)
            {
                m_sink.OnData(offset, size);
            }
            return true;
        }
        return FeedAcrossBlocks(packet, size);
    }

    /**
     * Expect the blocks of another transfer on the same connection. Without effect unless the
     * EOD of the previous one has been seen.
     */
    void NextTransfer();

    /**
     * Has the EOD of the current transfer been seen?
     * @return true from the EOD to NextTransfer()
     */
    bool IsAtEndOfData() const;

    /**
     * Would the stream be cut off if the connection closed now?
     * @return true within a header or the payload of a block
     */
    bool IsInsideBlock() const;

    /**
     * How much is left of the header or of the payload that is under way?
     * @return the number of bytes, at least 1
     */
    uint64_t GetMissing() const;

    /**
     * Get the reason of the error state.
     * @return one line of text, empty when there is no error
     */
    const std::string& GetError() const;

  private:
    /**
     * Feed() for a packet that ends a block, holds part of a header, or comes after an error.
     * @param packet the bytes
     * @param size their number
     * @return false in the error state
     */
    bool FeedAcrossBlocks(const Ptr<const Packet>& packet, uint32_t size);

    /**
     * Collect header bytes.
     * @param packet the packet
     * @param position the first header byte in it
     * @param size the size of the packet, bytes
     * @return the number of bytes taken, at least 1
     */
    uint32_t TakeHeaderBytes(const Ptr<const Packet>& packet, uint32_t position, uint32_t size);

    /**
     * Take payload of the current block.
     * @param available bytes at hand, at least 1
     * @return the number of bytes taken
     */
    uint32_t TakePayload(uint32_t available);

    /// Act on a complete header.
    void StartBlock();

    /// Act on the end of a block's payload.
    void FinishBlock();

    /**
     * Find out what is wrong with a header at this point of the stream.
     * @param header the header
     * @return one line of text, empty if nothing is wrong
     */
    std::string Judge(const BlockHeader& header) const;

    /**
     * Enter the error state.
     * @param reason one line of text
     */
    void Fail(std::string reason);

    Sink& m_sink;                  //!< what receives the content
    bool m_takesAcknowledgements;  //!< headers may acknowledge SBUFs
    uint64_t m_remaining{0};       //!< payload bytes still to come in the current block
    uint64_t m_offset{0};          //!< position of the next payload byte in the file
    uint64_t m_length{0};          //!< payload bytes of the current block
    uint32_t m_headerFill{0};      //!< bytes of m_header filled
    bool m_endsData{false};        //!< the current block carries the EOD
    bool m_atEndOfData{false};     //!< EOD seen
    bool m_endOfFileSeen{false};   //!< EOF seen on this connection
    BlockHeader::Bytes m_header{}; //!< the header being collected
    std::string m_error;           //!< reason of the error state, or empty
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_READER_H
