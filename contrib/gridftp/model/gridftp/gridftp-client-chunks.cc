/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client.h"
#include "gridftp-tuner-window.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The files of a client, what it measures of their chunks, and what it has decided by that.
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
    return m_direction == Direction::DOWNLOAD ? data->GetReceiver()->GetMachine().GetBufferSizes()
                                              : data->GetSender()->GetMachine().GetBufferSizes();
}

Done
Client::BeginTuning()
{
    if (m_stripeTuning != StripeTuning::EACH || !GetStripes().IsStriped())
    {
        auto begun = m_tuner->Begin();
        if (begun)
        {
            m_parallelism = m_tuner->GetInitialParallelism();
        }
        return begun;
    }
    for (int64_t i = 0; i < GetPairs(GetStripes()); ++i)
    {
        auto policy = m_tuner->MakePolicy(i);
        if (!policy)
        {
            return policy.GetError();
        }
        m_pairTuning.Add(std::move(*policy));
    }
    m_parallelism = m_pairTuning.GetMost();
    return std::monostate{};
}

void
Client::EndTuning()
{
    if (m_tuner)
    {
        m_tuner->End();
    }
    m_pairTuning.End();
}

void
Client::FailTuning(const std::string& reason)
{
    if (m_interpreter)
    {
        m_interpreter->Abort();
    }
    m_reason = reason;
    SetState(ClientState::FAILED);
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
                                     plan.ListBytes(span.offset, m_asked.front().bytes),
                                     m_interpreter->GetChunkTimes().elapsedNs,
                                     m_segments.GetPairs());
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
    const FileChunk& done = m_asked.front();
    const uint64_t held = CountBytes(ClipRanges(m_restart, {done.offset, done.GetEnd()}));
    if (m_pipelining <= 1) // else some are of the next chunk already
    {
        m_segments.Update(m_senderTotals.IsNull() ? GetPairTotals() : m_senderTotals());
    }
    const ChunkSample sample{
        .bytes = done.bytes - held,
        .fullBytes = m_chunkBytes,
        .durationS = durationNs / 1e9,
        .rttS = times.rttS,
        .windowBytes = GetTunerWindow(m_tunerWindow, m_direction, GetBuffers(), GetBufferSizes()),
        .segmentBytes = static_cast<double>(m_segmentBytes),
        .parallelism = m_parallelism,
        .pairs = static_cast<uint32_t>(GetPairs(GetStripes())),
        .remainingBytes = m_files->GetBytesBehind(done),
        .segments = m_segments.GetAll()};
    const ChunkSpan span{.index = m_chunks.size(),
                         .startNs = start.GetNanoSeconds(),
                         .endNs = times.end.GetNanoSeconds(),
                         .offset = done.offset};
    ChunkRecord record = Decide(span, sample);
    record.direction = m_files->GetDirection();
    if (GetMonitor() && m_pipelining <= 1)
    {
        const auto measured = GetMonitor()->TakeChunk();
        record.loadedRttS = measured.meanRttS;
        record.jain = measured.jain;
    }
    m_files->HandleChunk(done, record.startNs, record.endNs);
    m_asked.pop_front();
    SkipHeldChunks();
    m_parallelism = record.nextParallelism;
    m_chunks.push_back(record);
    m_chunkCompleted(record);
    const std::string wrong =
        m_pairTuning.IsEmpty() ? m_tuner->GetFailure() : m_pairTuning.GetFailure();
    if (!wrong.empty())
    {
        FailTuning(wrong);
    }
}

void
Client::SetSenders(SendersCallback count)
{
    m_senderTotals = count;
}

void
Client::SetFiles(FileSequence files)
{
    m_files = std::move(files);
}

const std::vector<FileRecord>&
Client::GetFiles() const
{
    static const std::vector<FileRecord> none;
    return m_files ? m_files->GetRecords() : none;
}

FileSequence
Client::MakeFiles() const
{
    return FileSequence(
        std::make_shared<FileSupply>(std::vector<uint64_t>(m_fileCount, m_fileBytes),
                                     Simulator::Now().GetNanoSeconds(),
                                     m_repeatFor.GetNanoSeconds()));
}

uint64_t
Client::GetNextBytes() const
{
    return std::min(m_chunkBytes, m_files->GetEnd() - m_offset);
}

bool
Client::HasNext()
{
    while (m_offset == m_files->GetEnd())
    {
        if (!m_files->Begin(Simulator::Now().GetNanoSeconds()))
        {
            return false;
        }
        m_offset = m_files->GetBegin();
        m_direction = m_files->GetDirection().value_or(m_direction);
        SkipHeldChunks();
    }
    return true;
}

} // namespace ns3::gridftp
