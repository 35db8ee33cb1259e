/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"

/**
 * @file
 * @ingroup gridftp
 * A session whose ends read from and write to a storage that takes time.
 */

namespace ns3::gridftp
{

void
SegmentSession::UseStorage(uint32_t index, BlockSource& source)
{
    if (m_source)
    {
        source.ReadFrom({.storage = m_source.get(),
                         .node = 0,
                         .offset = m_offset,
                         .depth = static_cast<uint32_t>(m_spec->buffers.source.depth)},
                        m_data.Get(index));
    }
    if (auto* sink = GetSink(index))
    {
        sink->Begin(source, m_offset);
    }
}

SegmentStorageSink*
SegmentSession::GetSink(uint32_t index)
{
    if (!m_sink)
    {
        return nullptr;
    }
    while (m_sinks.size() <= index)
    {
        m_sinks.emplace_back(
            StoragePlace{.storage = m_sink.get(),
                         .node = 0,
                         .offset = 0,
                         .depth = static_cast<uint32_t>(m_spec->buffers.sink.depth)});
    }
    return &m_sinks[index];
}

uint64_t
SegmentSession::GetStored(Nanoseconds now)
{
    if (!m_sink)
    {
        return GetRead(now);
    }
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m_sources.size(); ++i)
    {
        bytes += GetSink(i)->GetStored(now);
    }
    return bytes;
}

} // namespace ns3::gridftp
