/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_READER_H
#define GRIDFTP_BLOCK_READER_H

#include "gridftp-arrived-bytes.h"
#include "gridftp-mode-e-header.h"

#include <cstdint>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads the blocks of one MODE E data connection.
 *
 * Feed() gets what the connection delivers, in any segmentation. The reader calls its Sink, in
 * stream order and from inside Feed():
 *
 * - HandleData() for every piece of payload, at most once for each block and call of Feed();
 * - HandleBlock() when all payload of a block has arrived;
 * - HandleEndOfFile() for a header with EOF;
 * - HandleEndOfData() for a header with EOD, after its payload and after HandleEndOfFile(), exactly
 *   once in each transfer. So a receiver can check there whether the transfer is complete;
 * - HandleAcknowledgement() for a header that acknowledges an SBUF, before all others.
 *
 * After the EOD no byte is allowed until NextTransfer(), which a cached data connection uses.
 * NextTransfer() may be called from HandleEndOfData(). Feed() and the destructor must not be called
 * from the Sink.
 *
 * Payload is neither looked at nor copied. Bytes that lie within one block cost an addition and one
 * call of the Sink.
 *
 * A stream that is not MODE E puts the reader into its error state for good: Feed() returns false
 * from then on, the Sink is not called any more, and GetError() has the reason.
 */
class BlockReader
{
  public:
    /** Gets the content of the stream. Offsets are positions in the file, bytes; lengths are at
     * least 1 byte. */
    class Sink
    {
      public:
        virtual ~Sink() = default;

        /** Part of the file has arrived. @param offset of its first byte @param length bytes @param
         * position of its first byte in what was passed to Feed() */
        virtual void HandleData(uint64_t offset, uint64_t length, uint64_t position) = 0;

        /** The number of EODs to expect is known. @param eodCount of all connections of the
         * transfer, at least 1 */
        virtual void HandleEndOfFile(uint64_t eodCount) = 0;

        /** This connection carries no more data of this transfer. */
        virtual void HandleEndOfData() = 0;

        /** All payload of a block has arrived; called after HandleData() for its last bytes.
         * @param offset of its first byte @param length bytes */
        virtual void HandleBlock(uint64_t /* offset */, uint64_t /* length */)
        {
        }

        /** A header acknowledges an SBUF. */
        virtual void HandleAcknowledgement()
        {
        }
    };

    /** @param sink gets the content; outlives the reader @param takesAcknowledgements whether
     * headers may acknowledge SBUFs, because this endpoint sends some */
    explicit BlockReader(Sink& sink, bool takesAcknowledgements = false);

    BlockReader(const BlockReader&) = delete;
    BlockReader& operator=(const BlockReader&) = delete;

    /** Reads the next bytes of the stream. @param bytes any number @return false in the error
     * state */
    bool Feed(const ArrivedBytes& bytes)
    {
        const uint64_t size = bytes.GetSize();
        if (size < m_remaining)
        {
            const uint64_t offset = m_offset;
            m_offset += size;
            m_remaining -= size;
            if (size > 0)
            {
                m_sink.HandleData(offset, size, 0);
            }
            return true;
        }
        return FeedAcrossBlocks(bytes);
    }

    /** Expects the blocks of another transfer on the same connection. Has no effect unless the EOD
     * of the previous one has been seen. */
    void NextTransfer();

    /** @return whether the EOD of the current transfer has been seen: true from the EOD to
     * NextTransfer() */
    bool IsAtEndOfData() const;

    /** @return whether the stream would be cut off if the connection closed now: true within a
     * header or the payload of a block */
    bool IsInsideBlock() const;

    /** @return bytes that are missing of the current header or payload, at least 1 */
    uint64_t GetMissing() const;

    /** @return reason of the error state, one line; empty when there is no error */
    const std::string& GetError() const;

  private:
    /** Feed() for bytes that end a block, hold part of a header, or come after an error. @param
     * bytes the bytes @return false in the error state */
    bool FeedAcrossBlocks(const ArrivedBytes& bytes);

    /** Collects header bytes. @param bytes that were fed @param position of the first header byte
     * in them @return number of bytes taken, at least 1 */
    uint64_t TakeHeaderBytes(const ArrivedBytes& bytes, uint64_t position);

    /** Takes payload of the current block. @param bytes that were fed @param position of the first
     * payload byte in them @return number of bytes taken */
    uint64_t TakePayload(const ArrivedBytes& bytes, uint64_t position);

    /** Acts on a complete header. */
    void StartBlock();

    /** Acts on the end of a block's payload. */
    void FinishBlock();

    /** @param header of a block at this point of the stream @return what is wrong with it, one
     * line; empty if nothing is */
    std::string Judge(const ModeEHeader& header) const;

    /** Enters the error state. @param reason one line */
    void Fail(std::string reason);

    Sink& m_sink;                  //!< gets the content
    bool m_takesAcknowledgements;  //!< headers may acknowledge SBUFs
    uint64_t m_remaining{0};       //!< payload bytes still to come in the current block
    uint64_t m_offset{0};          //!< position of the next payload byte in the file
    uint64_t m_length{0};          //!< payload bytes of the current block
    uint32_t m_headerFill{0};      //!< bytes of m_header filled
    bool m_endsData{false};        //!< the current block carries the EOD
    bool m_atEndOfData{false};     //!< EOD seen
    bool m_endOfFileSeen{false};   //!< EOF seen on this connection
    ModeEHeader::Bytes m_header{}; //!< the header being collected
    std::string m_error;           //!< reason of the error state, or empty
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_READER_H
