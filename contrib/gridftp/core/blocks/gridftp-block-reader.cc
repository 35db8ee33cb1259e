/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-reader.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace ns3::gridftp
{

BlockReader::BlockReader(Sink& sink, bool takesAcknowledgements)
    : m_sink(sink),
      m_takesAcknowledgements(takesAcknowledgements)
{
}

void
BlockReader::NextTransfer()
{
    if (m_atEndOfData)
    {
        m_atEndOfData = false;
        m_endOfFileSeen = false;
    }
}

bool
BlockReader::IsAtEndOfData() const
{
    return m_atEndOfData;
}

bool
BlockReader::IsInsideBlock() const
{
    return m_remaining > 0 || m_headerFill > 0;
}

uint64_t
BlockReader::GetMissing() const
{
    return m_remaining > 0 ? m_remaining : ModeEHeader::SIZE - m_headerFill;
}

const std::string&
BlockReader::GetError() const
{
    return m_error;
}

bool
BlockReader::FeedAcrossBlocks(const ArrivedBytes& bytes)
{
    uint64_t position = 0;
    while (position < bytes.GetSize() && m_error.empty())
    {
        position +=
            m_remaining > 0 ? TakePayload(bytes, position) : TakeHeaderBytes(bytes, position);
    }
    return m_error.empty();
}

uint64_t
BlockReader::TakePayload(const ArrivedBytes& bytes, uint64_t position)
{
    // The state is complete before the Sink is called, which may ask for it.
    const uint64_t offset = m_offset;
    const uint64_t taken = std::min(bytes.GetSize() - position, m_remaining);
    m_offset += taken;
    m_remaining -= taken;
    m_sink.HandleData(offset, taken, position);
    if (m_remaining == 0)
    {
        FinishBlock();
    }
    return taken;
}

uint64_t
BlockReader::TakeHeaderBytes(const ArrivedBytes& bytes, uint64_t position)
{
    const auto taken = static_cast<uint32_t>(
        std::min<uint64_t>(bytes.GetSize() - position, ModeEHeader::SIZE - m_headerFill));
    bytes.Copy(position, std::span(m_header).subspan(m_headerFill, taken));
    m_headerFill += taken;
    if (m_atEndOfData)
    {
        Fail("data after the end of data");
    }
    else if (m_headerFill == ModeEHeader::SIZE)
    {
        m_headerFill = 0;
        StartBlock();
    }
    return taken;
}

void
BlockReader::StartBlock()
{
    const ModeEHeader header = ModeEHeader::FromBytes(m_header);
    std::string reason = Judge(header);
    if (!reason.empty())
    {
        Fail(std::move(reason));
        return;
    }
    m_remaining = header.GetCount();
    m_length = m_remaining;
    m_offset = header.GetOffset();
    m_endsData = header.IsEndOfData();
    if (header.IsAcknowledging())
    {
        m_sink.HandleAcknowledgement();
    }
    if (header.IsEndOfFile())
    {
        m_endOfFileSeen = true;
        m_sink.HandleEndOfFile(header.GetOffset());
    }
    if (m_remaining == 0)
    {
        FinishBlock();
    }
}

void
BlockReader::FinishBlock()
{
    if (m_length > 0)
    {
        m_sink.HandleBlock(m_offset - m_length, m_length);
    }
    if (m_endsData)
    {
        m_atEndOfData = true;
        m_sink.HandleEndOfData();
    }
}

std::string
BlockReader::Judge(const ModeEHeader& header) const
{
    const uint8_t known = ModeEHeader::END_OF_DATA | ModeEHeader::END_OF_FILE |
                          ModeEHeader::WILL_CLOSE |
                          (m_takesAcknowledgements ? ModeEHeader::ACKNOWLEDGES_BUFFER : 0);
    const uint8_t descriptor = header.GetDescriptor();
    if (descriptor & ~known)
    {
        return "block descriptor " + std::to_string(descriptor) +
               " has bits other than EOF (64), EOD (8) and close (4)";
    }
    if ((descriptor & ModeEHeader::WILL_CLOSE) && !header.IsEndOfData())
    {
        return "block descriptor " + std::to_string(descriptor) + " closes (4) without EOD (8)";
    }
    if (!header.IsEndOfFile())
    {
        const uint64_t room = std::numeric_limits<uint64_t>::max() - header.GetOffset();
        return header.GetCount() <= room
                   ? ""
                   : "block of " + std::to_string(header.GetCount()) + " bytes at offset " +
                         std::to_string(header.GetOffset()) + " ends beyond 64 bits";
    }
    if (header.GetCount() > 0)
    {
        return "block with EOF carries " + std::to_string(header.GetCount()) +
               " bytes, but its offset is the number of EODs";
    }
    if (header.GetOffset() == 0)
    {
        return "block with EOF announces 0 EODs, at least 1 is needed";
    }
    return m_endOfFileSeen ? "second EOF on one connection" : "";
}

void
BlockReader::Fail(std::string reason)
{
    // Only headers are judged, so m_remaining is 0, on which Feed() relies from now on
    m_error = std::move(reason);
}

} // namespace ns3::gridftp
