/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-mode-e-header.h"

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t COUNT_AT = 1;  //!< where the byte count starts on the wire
constexpr uint32_t OFFSET_AT = 9; //!< where the offset starts on the wire

/** Writes a number in network byte order. @param bytes of a header @param at where @param value
 * the number */
void
PutU64(ModeEHeader::Bytes& bytes, uint32_t at, uint64_t value)
{
    for (uint32_t i = 0; i < 8; ++i)
    {
        bytes[at + i] = static_cast<uint8_t>(value >> (56 - 8 * i));
    }
}

/** @param bytes of a header @param at where a number in network byte order begins @return it */
uint64_t
GetU64(const ModeEHeader::Bytes& bytes, uint32_t at)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < 8; ++i)
    {
        value = value << 8 | bytes[at + i];
    }
    return value;
}

} // namespace

ModeEHeader
ModeEHeader::Data(uint64_t offset, uint64_t count)
{
    return {0, count, offset};
}

ModeEHeader
ModeEHeader::EndOfData()
{
    return {END_OF_DATA, 0, 0};
}

ModeEHeader
ModeEHeader::EndOfDataAndFile(uint64_t eodCount)
{
    return {END_OF_DATA | END_OF_FILE, 0, eodCount};
}

ModeEHeader
ModeEHeader::SetBuffer(uint64_t id, uint64_t bytes)
{
    return {SET_BUFFER, bytes, id};
}

ModeEHeader
ModeEHeader::Acknowledging() const
{
    return {static_cast<uint8_t>(m_descriptor | ACKNOWLEDGES_BUFFER), m_count, m_offset};
}

ModeEHeader
ModeEHeader::FromBytes(const Bytes& bytes)
{
    return {bytes[0], GetU64(bytes, COUNT_AT), GetU64(bytes, OFFSET_AT)};
}

ModeEHeader::Bytes
ModeEHeader::ToBytes() const
{
    Bytes bytes{};
    bytes[0] = m_descriptor;
    PutU64(bytes, COUNT_AT, m_count);
    PutU64(bytes, OFFSET_AT, m_offset);
    return bytes;
}

std::string
ModeEHeader::ToText() const
{
    if (m_descriptor & SET_BUFFER)
    {
        return "SBUF id=" + std::to_string(m_offset) + " size=" + std::to_string(m_count);
    }
    std::string text = IsEndOfData() ? "EOD" : IsEndOfFile() ? "EOF" : "data";
    text += IsEndOfData() && IsEndOfFile() ? " EOF" : "";
    text += (IsEndOfFile() ? " eods=" : " offset=") + std::to_string(m_offset);
    text += " count=" + std::to_string(m_count);
    return text + (IsAcknowledging() ? " SBUF-ack" : "");
}

} // namespace ns3::gridftp
