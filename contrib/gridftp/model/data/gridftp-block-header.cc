/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-header.h"

#include <ostream>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(BlockHeader);

namespace
{

constexpr uint32_t COUNT_AT = 1;  //!< where the byte count starts in the wire image
constexpr uint32_t OFFSET_AT = 9; //!< where the offset starts in the wire image

/**
 * Write a number in network byte order.
 * @param bytes the wire image
 * @param at where its first byte goes
 * @param value the number
 */
void
PutU64(BlockHeader::Bytes& bytes, uint32_t at, uint64_t value)
{
    for (uint32_t i = 0; i < 8; ++i)
    {
        bytes[at + i] = static_cast<uint8_t>(value >> (56 - 8 * i));
    }
}

/**
 * Read a number in network byte order.
 * @param bytes the wire image
 * @param at where its first byte is
 * @return the number
 */
uint64_t
GetU64(const BlockHeader::Bytes& bytes, uint32_t at)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < 8; ++i)
    {
        value = value << 8 | bytes[at + i];
    }
    return value;
}

} // namespace

TypeId
BlockHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::BlockHeader")
                            .SetParent<Header>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<BlockHeader>();
    return tid;
}

BlockHeader::BlockHeader(uint8_t descriptor, uint64_t count, uint64_t offset)
    : m_descriptor(descriptor),
      m_count(count),
      m_offset(offset)
{
}

BlockHeader
BlockHeader::Data(uint64_t offset, uint64_t count)
{
    return BlockHeader(0, count, offset);
}

BlockHeader
BlockHeader::EndOfData()
{
    return BlockHeader(END_OF_DATA, 0, 0);
}

BlockHeader
BlockHeader::EndOfDataAndFile(uint64_t eodCount)
{
    return BlockHeader(END_OF_DATA | END_OF_FILE, 0, eodCount);
}

BlockHeader
BlockHeader::SetBuffer(uint64_t id, uint64_t bytes)
{
    return BlockHeader(SET_BUFFER, bytes, id);
}

BlockHeader
BlockHeader::Acknowledging() const
{
    return BlockHeader(m_descriptor | ACKNOWLEDGES_BUFFER, m_count, m_offset);
}

BlockHeader
BlockHeader::FromBytes(const Bytes& bytes)
{
    return BlockHeader(bytes[0], GetU64(bytes, COUNT_AT), GetU64(bytes, OFFSET_AT));
}

BlockHeader::Bytes
BlockHeader::ToBytes() const
{
    Bytes bytes{};
    bytes[0] = m_descriptor;
    PutU64(bytes, COUNT_AT, m_count);
    PutU64(bytes, OFFSET_AT, m_offset);
    return bytes;
}

uint8_t
BlockHeader::GetDescriptor() const
{
    return m_descriptor;
}

uint64_t
BlockHeader::GetCount() const
{
    return m_count;
}

uint64_t
BlockHeader::GetOffset() const
{
    return m_offset;
}

bool
BlockHeader::IsEndOfData() const
{
    return m_descriptor & END_OF_DATA;
}

bool
BlockHeader::IsEndOfFile() const
{
    return m_descriptor & END_OF_FILE;
}

bool
BlockHeader::IsAcknowledging() const
{
    return m_descriptor & ACKNOWLEDGES_BUFFER;
}

bool
BlockHeader::operator==(const BlockHeader& other) const
{
    return m_descriptor == other.m_descriptor && m_count == other.m_count &&
           m_offset == other.m_offset;
}

TypeId
BlockHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
BlockHeader::GetSerializedSize() const
{
    return SIZE;
}

void
BlockHeader::Serialize(Buffer::Iterator start) const
{
    const Bytes bytes = ToBytes();
    start.Write(bytes.data(), SIZE);
}

uint32_t
BlockHeader::Deserialize(Buffer::Iterator start)
{
    Bytes bytes;
    start.Read(bytes.data(), SIZE);
    *this = FromBytes(bytes);
    return SIZE;
}

void
BlockHeader::Print(std::ostream& os) const
{
    if (m_descriptor & SET_BUFFER)
    {
        os << "SBUF id=" << m_offset << " size=" << m_count;
        return;
    }
    if (IsEndOfFile())
    {
        os << (IsEndOfData() ? "EOD EOF" : "EOF") << " eods=" << m_offset;
    }
    else
    {
        os << (IsEndOfData() ? "EOD" : "data") << " offset=" << m_offset;
    }
    os << " count=" << m_count << (IsAcknowledging() ? " SBUF-ack" : "");
}

} // namespace ns3::gridftp
