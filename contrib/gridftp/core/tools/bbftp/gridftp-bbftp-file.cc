/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-file.h"

#include <algorithm>
#include <cmath>

namespace ns3::gridftp
{

BbftpBlocks::BbftpBlocks(const BbftpParts& parts, uint32_t stream, bool isWhole)
    : m_parts(parts),
      m_stream(stream),
      m_most(isWhole ? parts.GetBytes(stream) : BbftpParts::BLOCK_BYTES)
{
}

uint64_t
BbftpBlocks::ToWire(uint64_t bytes) const
{
    return bytes == m_parts.GetBytes(m_stream)
               ? m_parts.GetWireBytes(m_stream)
               : static_cast<uint64_t>(
                     std::ceil(static_cast<double>(bytes) / m_parts.GetCompression()));
}

BbftpBlock
BbftpBlocks::Take()
{
    const uint64_t part = m_parts.GetBytes(m_stream);
    uint64_t end = std::min(m_taken + m_most, part);
    // A rest that compression leaves nothing of goes with the block before it
    end = ToWire(end) == m_parts.GetWireBytes(m_stream) ? part : end;
    const BbftpBlock block{.offset = m_parts.GetOffset(m_stream) + m_taken,
                           .bytes = end - m_taken,
                           .wireBytes = ToWire(end) - ToWire(m_taken)};
    m_taken = end;
    return block;
}

BbftpReads::BbftpReads(const BbftpParts& parts, uint32_t stream, const BlockStages& stages)
    : m_stages(stages),
      m_blocks(parts, stream, !stages.IsTimed())
{
}

void
BbftpReads::Fetch(Nanoseconds now)
{
    if (m_left == 0 && !m_blocks.IsEmpty())
    {
        const BbftpBlock block = m_blocks.Take();
        m_left = block.wireBytes;
        m_readyNs = m_stages.Read(now, block.offset, block.bytes);
    }
}

uint64_t
BbftpReads::Write(Nanoseconds now, uint64_t room)
{
    Fetch(now);
    if (m_readyNs > now)
    {
        return 0;
    }
    const uint64_t bytes = std::min(room, m_left);
    m_left -= bytes;
    return bytes;
}

BbftpWrites::BbftpWrites(const BbftpParts& parts, uint32_t stream, const BlockStages& stages)
    : m_stages(stages),
      m_blocks(parts, stream, false)
{
    Begin();
}

void
BbftpWrites::Begin()
{
    if (!m_blocks.IsEmpty())
    {
        m_block = m_blocks.Take();
        m_left = m_block.wireBytes;
    }
}

std::optional<BbftpWrites::Written>
BbftpWrites::Take(Nanoseconds now, uint64_t bytes)
{
    m_left -= std::min(bytes, m_left);
    if (m_left > 0 || m_block.bytes == 0)
    {
        return std::nullopt;
    }
    m_doneNs = m_stages.Write(now, m_block.offset, m_block.bytes);
    const Written written{m_doneNs, m_block.wireBytes};
    m_block = {};
    Begin();
    return written;
}

} // namespace ns3::gridftp
