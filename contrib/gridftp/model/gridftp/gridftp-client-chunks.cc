/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client.h"
#include "gridftp-tuner-window.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * What a client measures of its chunks, and what it has decided by that.
 */

namespace ns3::gridftp
{

std::vector<uint64_t>
Client::GetBufferSizes() const
{
    if (GetStripes().IsStriped())
    {
        return {}; // not all of them are its own, and those apart do not tell
    }
    const auto data = m_interpreter->GetDataTransfer();
    return m_direction == Direction::DOWNLOAD ? data->GetReceiver()->GetBufferSizes()
                                              : data->GetSender()->GetBufferSizes();
}

ChunkRecord
Client::Decide(const ChunkSpan& span, const ChunkSample& sample)
{
    if (m_pairTuning.IsEmpty())
    {
        return MakeChunkRecord(span, sample, m_tuner->Decide(sample));
    }
    const StripePlan plan(GetStripes(), m_stripeLayout, m_stripeBlock);
    auto pairs = m_pairTuning.Decide(sample,
                                     plan.ListBytes(m_offset, GetNextBytes()),
                                     m_interpreter->GetChunkTimes().elapsedNs);
    ChunkRecord record = MakeChunkRecord(span, sample, m_pairTuning.GetMost());
    record.pairs = std::move(pairs);
    return record;
}

void
Client::RecordChunk()
{
    const ChunkTimes& times = m_interpreter->GetChunkTimes();
    const Time start = *std::exchange(m_chunkStart, std::nullopt);
    const auto durationNs = static_cast<double>((times.end - start).GetNanoSeconds());
    const uint64_t length = GetNextBytes();
    const uint64_t held = CountBytes(ClipRanges(m_restart, {m_offset, m_offset + length}));
    const ChunkSample sample{
        .bytes = length - held,
        .fullBytes = m_chunkBytes,
        .durationS = durationNs / 1e9,
        .rttS = times.rttS,
        .windowBytes = GetTunerWindow(m_tunerWindow, m_direction, GetBuffers(), GetBufferSizes()),
        .segmentBytes = static_cast<double>(m_segmentBytes),
        .parallelism = m_parallelism,
        .pairs = static_cast<uint32_t>(GetPairs(GetStripes()))};
    const ChunkSpan span{.index = m_chunks.size(),
                         .startNs = start.GetNanoSeconds(),
                         .endNs = times.end.GetNanoSeconds(),
                         .offset = m_offset};
    const ChunkRecord record = Decide(span, sample);
    m_offset += length;
    m_files->HandleChunk(m_offset, record.startNs, record.endNs);
    SkipHeldChunks();
    m_parallelism = record.nextParallelism;
    m_chunks.push_back(record);
    m_chunkCompleted(record);
}

} // namespace ns3::gridftp
