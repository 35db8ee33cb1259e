/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-reader.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpBlockReader");

void
BlockReader::Sink::OnBlock(uint64_t /* offset */, uint64_t /* length */)
{
}

void
BlockReader::Sink::OnAcknowledgement()
{
}

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
    return m_remaining > 0 ? m_remaining : BlockHeader::SIZE - m_headerFill;
}

const std::string&
BlockReader::GetError() const
{
    return m_error;
}

bool
BlockReader::FeedAcrossBlocks(const Ptr<const Packet>& packet, uint32_t size)
{
    uint32_t position = 0;
    while (position < size && m_error.empty())
    {
        position += m_remaining > 0 ? TakePayload(size - position)
                                    : TakeHeaderBytes(packet, position, size);
    }
    return m_error.empty();
}

uint32_t
BlockReader::TakePayload(uint32_t available)
{
    // The state is complete before the Sink is called, which may ask for it.
    const uint64_t offset = m_offset;
    const auto taken = static_cast<uint32_t>(std::min<uint64_t>(available, m_remaining));
    m_offset += taken;
    m_remaining -= taken;
    m_sink.OnData(offset, taken);
    if (m_remaining == 0)
    {
        FinishBlock();
    }
    return taken;
}

uint32_t
BlockReader::TakeHeaderBytes(const Ptr<const Packet>& packet, uint32_t position, uint32_t size)
{
    const uint32_t taken = std::min(size - position, BlockHeader::SIZE - m_headerFill);
    uint8_t* const to = m_header.data() + m_headerFill;
    if (position == 0)
    {
        packet->CopyData(to, taken);
    }
    else
    {
        // A fragment shares the bytes of its packet, so virtual payload stays virtual.
        packet->CreateFragment(position, taken)->CopyData(to, taken);
    }
    m_headerFill += taken;
    if (m_atEndOfData)
    {
        Fail("data after the end of data");
    }
    else if (m_headerFill == BlockHeader::SIZE)
    {
        m_headerFill = 0;
        StartBlock();
    }
    return taken;
}

void
BlockReader::StartBlock()
{
    const BlockHeader header = BlockHeader::FromBytes(m_header);
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
        m_sink.OnAcknowledgement();
    }
    if (header.IsEndOfFile())
    {
        m_endOfFileSeen = true;
        m_sink.OnEndOfFile(header.GetOffset());
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
        m_sink.OnBlock(m_offset - m_length, m_length);
    }
    if (m_endsData)
    {
        m_atEndOfData = true;
        m_sink.OnEndOfData();
    }
}

std::string
BlockReader::Judge(const BlockHeader& header) const
{
    const uint8_t known = BlockHeader::END_OF_DATA | BlockHeader::END_OF_FILE |
                          BlockHeader::WILL_CLOSE |
                          (m_takesAcknowledgements ? BlockHeader::ACKNOWLEDGES_BUFFER : 0);
    const uint8_t descriptor = header.GetDescriptor();
    if (descriptor & ~known)
    {
        return "block descriptor " + std::to_string(descriptor) +
               " has bits other than EOF (64), EOD (8) and close (4)";
    }
    if ((descriptor & BlockHeader::WILL_CLOSE) && !header.IsEndOfData())
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
    NS_LOG_WARN(reason);
    // Only headers are judged, so no payload is due; Feed() relies on that from now on.
    NS_ASSERT(m_remaining == 0);
    m_error = std::move(reason);
}

} // namespace ns3::gridftp
