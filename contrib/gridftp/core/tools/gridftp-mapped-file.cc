/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-mapped-file.h"

#include <algorithm>

namespace ns3::gridftp
{

MappedFile::MappedFile(const BlockStages& stages, bool writes, uint64_t bytes)
    : m_stages(stages),
      m_writes(writes),
      m_bytes(bytes),
      m_isInside(stages.IsTimed() ? (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES : 0, false)
{
}

Nanoseconds
MappedFile::Touch(Nanoseconds now, uint64_t begin, uint64_t bytes)
{
    if (!IsTimed() || bytes == 0)
    {
        return now;
    }
    const uint64_t last = (begin + bytes - 1) / BLOCK_BYTES;
    for (uint64_t block = begin / BLOCK_BYTES; block <= last; ++block)
    {
        if (m_isInside[block])
        {
            continue;
        }
        m_isInside[block] = true;
        const uint64_t from = block * BLOCK_BYTES;
        const uint64_t length = std::min(BLOCK_BYTES, m_bytes - from);
        const Nanoseconds done =
            m_writes ? m_stages.Write(now, from, length) : m_stages.Read(now, from, length);
        if (done > now)
        {
            return done;
        }
    }
    return now;
}

} // namespace ns3::gridftp
