/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-file-request.h"

namespace ns3::gridftp
{

std::vector<uint8_t>
FileRequest::MakeSize(uint64_t bytes)
{
    std::vector<uint8_t> said;
    for (uint32_t i = SIZE_BYTES; i-- > 0;)
    {
        said.push_back(static_cast<uint8_t>(bytes >> 8 * i));
    }
    return said;
}

uint64_t
FileRequest::ReadSize(std::span<const uint8_t> said)
{
    uint64_t size = 0;
    for (const uint8_t byte : said)
    {
        size = size << 8 | byte;
    }
    return size;
}

std::optional<std::vector<uint8_t>>
MessageBuffer::Take(size_t size)
{
    if (m_bytes.size() < size)
    {
        return std::nullopt;
    }
    const auto end = m_bytes.begin() + static_cast<std::ptrdiff_t>(size);
    std::vector<uint8_t> message(m_bytes.begin(), end);
    m_bytes.erase(m_bytes.begin(), end);
    return message;
}

} // namespace ns3::gridftp
