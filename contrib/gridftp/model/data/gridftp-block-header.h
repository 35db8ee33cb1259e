/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_HEADER_H
#define GRIDFTP_BLOCK_HEADER_H

#include "ns3/header.h"

#include <array>
#include <cstdint>
#include <iosfwd>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief Header of one block on a data connection in extended block mode, MODE E.
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
 * of them in the file. In a header with END_OF_FILE the offset field carries instead how many
 * END_OF_DATA headers the receiver has to see, over all data connections of the transfer.
 *
 * With dynamic right-sizing on the data channel the receiver sends headers, too, see SetBuffer().
 */
class BlockHeader : public Header
{
  public:
    /// Size on the wire, bytes.
    static constexpr uint32_t SIZE = 17;

    /// The bits of the descriptor that this module knows (GFD.20, section 3).
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

    /// The wire image of a header.
    using Bytes = std::array<uint8_t, SIZE>;

    /**
     * Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    /// An empty data block: all fields 0.
    BlockHeader() = default;

    /**
     * Any header, well-formed or not.
     * @param descriptor the descriptor bits
     * @param count the payload length, bytes
     * @param offset the position in the file, bytes; with END_OF_FILE the number of EODs
     */
    BlockHeader(uint8_t descriptor, uint64_t count, uint64_t offset);

    /**
     * A block of file data.
     * @param offset the position of its first byte in the file, bytes
     * @param count its length, bytes
     * @return the header
     */
    static BlockHeader Data(uint64_t offset, uint64_t count);

    /**
     * The last header on a connection that does not carry the EOF.
     * @return the header
     */
    static BlockHeader EndOfData();

    /**
     * The last header on the one connection per transfer that carries the EOF.
     * @param eodCount how many EODs the receiver must see, this one included
     * @return the header
     */
    static BlockHeader EndOfDataAndFile(uint64_t eodCount);

    /**
     * An SBUF, from the receiver to the sender.
     * @param id of it
     * @param bytes the size of the receive buffer
     * @return the header
     */
    static BlockHeader SetBuffer(uint64_t id, uint64_t bytes);

    /**
     * The same header, which also acknowledges an SBUF.
     * @return the header
     */
    BlockHeader Acknowledging() const;

    /**
     * Read a wire image. Never fails: judging the content is up to the caller.
     * @param bytes the 17 bytes
     * @return the header
     */
    static BlockHeader FromBytes(const Bytes& bytes);

    /**
     * Write the wire image.
     * @return the 17 bytes
     */
    Bytes ToBytes() const;

    /**
     * Get the descriptor.
     * @return the descriptor bits
     */
    uint8_t GetDescriptor() const;

    /**
     * Get the payload length.
     * @return bytes that follow the header
     */
    uint64_t GetCount() const;

    /**
     * Get the offset field.
     * @return the position in the file, bytes; with END_OF_FILE the number of EODs
     */
    uint64_t GetOffset() const;

    /**
     * Is this the last block of the transfer on its connection?
     * @return true if END_OF_DATA is set
     */
    bool IsEndOfData() const;

    /**
     * Does the offset field carry the number of EODs?
     * @return true if END_OF_FILE is set
     */
    bool IsEndOfFile() const;

    /**
     * Does it acknowledge an SBUF?
     * @return true if ACKNOWLEDGES_BUFFER is set
     */
    bool IsAcknowledging() const;

    /**
     * Compare all three fields.
     * @param other the other header
     * @return true if equal
     */
    bool operator==(const BlockHeader& other) const;

    // Inherited from Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_descriptor{0}; //!< descriptor bits
    uint64_t m_count{0};     //!< payload length, bytes
    uint64_t m_offset{0};    //!< position in the file, bytes, or number of EODs
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_HEADER_H
