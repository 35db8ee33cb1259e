/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MODE_E_HEADER_H
#define GRIDFTP_MODE_E_HEADER_H

#include <array>
#include <cstdint>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Header of one block on a data connection in extended block mode, MODE E.
 *
 * 17 bytes in network byte order (GFD.20, section 3):
 *
 * @code
 *   +------------+------------------------+------------------------+
 *   | descriptor |       byte count       |         offset         |
 *   |   8 bits   |        64 bits         |        64 bits         |
 *   +------------+------------------------+------------------------+
 * @endcode
 *
 * The count is the number of payload bytes that follow; the offset is the position of the first
 * of them in the file. In a header with END_OF_FILE the offset field has instead the number of
 * END_OF_DATA headers that the receiver has to see, over all data connections of the transfer.
 *
 * With dynamic right-sizing on the data channel the receiver sends headers, too, see SetBuffer().
 */
class ModeEHeader
{
  public:
    static constexpr uint32_t SIZE = 17; //!< on the wire, bytes

    /** The bits of the descriptor that this module knows (GFD.20, section 3). */
    enum Descriptor : uint8_t
    {
        /// Dynamic right-sizing (Gardner, Thulasidasan and Feng, Section 5.1, Figure 6, in two bits
        /// that GFD.20 leaves free): a block of the sender acknowledges an SBUF.
        ACKNOWLEDGES_BUFFER = 0x01,
        /// The same: an SBUF of the receiver. No payload follows: the count is the size of its
        /// receive buffer, bytes, the offset the SBUF's ID.
        SET_BUFFER = 0x02,
        WILL_CLOSE = 0x04,  //!< with END_OF_DATA: the sender closes this connection afterwards
        END_OF_DATA = 0x08, //!< EOD: last block of this transfer on this connection
        END_OF_FILE = 0x40, //!< EOF: the offset field is the number of EODs of the transfer
    };

    /** The bytes of a header on the wire. */
    using Bytes = std::array<uint8_t, SIZE>;

    /** An empty data block: all fields 0. */
    ModeEHeader() = default;

    /** Any header, well-formed or not. @param descriptor bits @param count payload bytes @param
     * offset in the file, bytes; with END_OF_FILE the number of EODs */
    ModeEHeader(uint8_t descriptor, uint64_t count, uint64_t offset)
        : m_descriptor(descriptor),
          m_count(count),
          m_offset(offset)
    {
    }

    /** @param offset of a block in the file, bytes @param count its payload, bytes @return its
     * header */
    static ModeEHeader Data(uint64_t offset, uint64_t count);

    /** @return the last header on a connection that does not carry the EOF */
    static ModeEHeader EndOfData();

    /** @param eodCount number of EODs that the receiver must see, this one included @return the
     * last header on the one connection of a transfer that carries the EOF */
    static ModeEHeader EndOfDataAndFile(uint64_t eodCount);

    /** @param id of an SBUF, which the receiver sends @param bytes size of the receive buffer
     * @return its header */
    static ModeEHeader SetBuffer(uint64_t id, uint64_t bytes);

    /** @return the same header, which also acknowledges an SBUF */
    ModeEHeader Acknowledging() const;

    /** Reads a header; any 17 bytes are one. @param bytes of it @return the header */
    static ModeEHeader FromBytes(const Bytes& bytes);

    /** @return the bytes on the wire */
    Bytes ToBytes() const;

    /** @return the fields in words, such as "EOD EOF eods=4 count=0" */
    std::string ToText() const;

    /** @return the descriptor bits */
    uint8_t GetDescriptor() const
    {
        return m_descriptor;
    }

    /** @return payload bytes that follow */
    uint64_t GetCount() const
    {
        return m_count;
    }

    /** @return position in the file, bytes; with END_OF_FILE the number of EODs */
    uint64_t GetOffset() const
    {
        return m_offset;
    }

    /** @return whether this is the last block of the transfer on its connection */
    bool IsEndOfData() const
    {
        return m_descriptor & END_OF_DATA;
    }

    /** @return whether the offset field is the number of EODs */
    bool IsEndOfFile() const
    {
        return m_descriptor & END_OF_FILE;
    }

    /** @return whether it acknowledges an SBUF */
    bool IsAcknowledging() const
    {
        return m_descriptor & ACKNOWLEDGES_BUFFER;
    }

    bool operator==(const ModeEHeader& other) const = default;

  private:
    uint8_t m_descriptor{0}; //!< descriptor bits
    uint64_t m_count{0};     //!< payload that follows, bytes
    uint64_t m_offset{0};    //!< position in the file, bytes, or number of EODs
};

} // namespace ns3::gridftp

#endif // GRIDFTP_MODE_E_HEADER_H
