/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-connection-monitor.h"
#include "gridftp-transfer-client.h"
#include "gridftp-tuner-window.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * What a client measures of its chunks, decides from that, and records.
 */

namespace ns3::gridftp
{

Done
TransferClient::BeginTuning()
{
    const bool isEach =
        m_settings.stripeTuning == StripeTuning::EACH && m_settings.stripes.IsStriped();
    const int64_t count = isEach ? GetPairs(m_settings.stripes) : 1;
    for (int64_t i = 0; i < count; ++i)
    {
        auto policy = m_settings.makePolicy(i);
        if (!policy)
        {
            return policy.GetError();
        }
        if (isEach)
        {
            m_pairTuning.Add(std::move(*policy));
        }
        else
        {
            m_policy = std::move(*policy);
        }
    }
    SetParallelism(isEach ? m_pairTuning.GetMost() : m_policy->GetInitialParallelism());
    return std::monostate{};
}

void
TransferClient::EndTuning()
{
    if (m_policy)
    {
        m_policy->End();
    }
    m_pairTuning.End();
}

void
TransferClient::SetParallelism(uint32_t parallelism)
{
    m_parallelism = parallelism;
    m_owner.HandleParallelism(parallelism);
}

std::vector<uint64_t>
TransferClient::GetBufferSizes() const
{
    if (m_settings.stripes.IsStriped())
    {
        return {}; // not all of them are its own, and those on other hosts are not reported
    }
    LocalDataTransfer& data = GetSession()->GetDataTransfer();
    return m_direction == Direction::DOWNLOAD ? data.GetReceiver().GetBufferSizes()
                                              : data.GetSender().GetBufferSizes();
}

ChunkSample
TransferClient::MakeSample(int64_t durationNs)
{
    const FileChunk& done = m_asked.front();
    const uint64_t held = CountBytes(ClipRanges(m_settings.restart, {done.offset, done.GetEnd()}));
    if (m_settings.session.pipelining <= 1) // else some segments belong to the next chunk
    {
        const auto senders = m_owner.CountSenders();
        m_segments.Update(senders ? *senders : GetPairTotals());
    }
    return {.bytes = done.bytes - held,
            .fullBytes = m_settings.chunkBytes,
            .durationS = static_cast<double>(durationNs) / 1e9,
            .rttS = GetSession()->GetChunkTimes().rttS,
            .windowBytes = GetTunerWindow(m_settings.tunerWindow,
                                          m_direction,
                                          m_settings.session.data.buffers,
                                          GetBufferSizes()),
            .segmentBytes = static_cast<double>(m_settings.segmentBytes),
            .parallelism = m_parallelism,
            .pairs = static_cast<uint32_t>(GetPairs(m_settings.stripes)),
            .remainingBytes = m_files->GetBytesBehind(done),
            .segments = m_segments.GetAll()};
}

ChunkRecord
TransferClient::Decide(const ChunkSpan& span, const ChunkSample& sample)
{
    if (m_policy)
    {
        return MakeChunkRecord(span, sample, m_policy->Decide(sample));
    }
    const StripePlan plan(m_settings.stripes,
                          m_settings.session.stripeLayout,
                          m_settings.session.stripeBlock);
    auto pairs = m_pairTuning.Decide(sample,
                                     plan.ListBytes(span.offset, m_asked.front().bytes),
                                     GetSession()->GetChunkTimes().elapsedNs,
                                     m_segments.GetPairs());
    ChunkRecord record = MakeChunkRecord(span, sample, m_pairTuning.GetMost());
    record.pairs = std::move(pairs);
    return record;
}

ChunkRecord
TransferClient::TakeRecord(Nanoseconds start, Nanoseconds end)
{
    const FileChunk done = m_asked.front();
    const ChunkSample sample = MakeSample(end - start);
    ChunkRecord record = Decide({.index = m_chunks.size(),
                                 .startNs = start + m_repeated,
                                 .endNs = end + m_repeated,
                                 .offset = done.offset},
                                sample);
    record.direction = m_files->GetDirection();
    if (m_settings.monitor && m_settings.session.pipelining <= 1)
    {
        const auto measured = m_settings.monitor->TakeChunk();
        record.loadedRttS = measured.meanRttS;
        record.jain = measured.jain;
    }
    m_files->HandleChunk(done, record.startNs, record.endNs);
    m_asked.pop_front();
    SkipHeldChunks();
    SetParallelism(record.nextParallelism);
    m_chunks.push_back(record);
    return record;
}

void
TransferClient::RecordChunk(Nanoseconds now)
{
    m_lastStart = *std::exchange(m_chunkStart, std::nullopt);
    const ChunkRecord record = TakeRecord(m_lastStart, GetSession()->GetChunkTimes().end);
    m_owner.HandleChunkCompleted(now, record);
    CheckTuning(now);
}

void
TransferClient::RepeatChunk(Nanoseconds now, Nanoseconds period)
{
    m_asked.push_back({m_offset, GetNextBytes(), m_files->GetBytes()});
    m_offset = m_asked.back().GetEnd();
    m_repeated = m_repeated + period;
    GetSession()->RepeatResponses();
    TakeRecord(m_lastStart, GetSession()->GetChunkTimes().end);
    CheckTuning(now);
}

void
TransferClient::CheckTuning(Nanoseconds now)
{
    const std::string failure = m_policy ? m_policy->GetFailure() : m_pairTuning.GetFailure();
    if (!failure.empty())
    {
        Fail(now, failure);
    }
}

const std::vector<FileRecord>&
TransferClient::GetFiles() const
{
    static const std::vector<FileRecord> none;
    return m_files ? m_files->GetRecords() : none;
}

SessionResult
TransferClient::GetResult() const
{
    SessionResult result = MakeGridftpSession(m_chunks);
    ConnectionTotals totals;
    for (const auto& pair : GetPairTotals())
    {
        totals.Add(pair);
    }
    result.tcp = {totals, static_cast<uint64_t>(m_settings.session.data.buffers.window)};
    result.buffers = MakeBufferResult(GetBufferTally(), result.tcp->windowBytes);
    result.checksum = m_sessions.empty() ? std::nullopt : m_sessions.back()->GetChecksum();
    if (m_state != ClientState::DONE)
    {
        result.reason = m_state == ClientState::FAILED ? m_reason : "nothing more happened";
    }
    return result;
}

std::vector<ConnectionTotals>
TransferClient::GetPairTotals() const
{
    std::vector<ConnectionTotals> sums;
    for (const auto& session : m_sessions)
    {
        AddPairTotals(sums, session->GetDataTransfer().GetSender().GetPairTotals());
    }
    return sums;
}

BufferTally
TransferClient::GetBufferTally() const
{
    BufferTally all;
    for (const auto& session : m_sessions)
    {
        all.Add(session->GetBufferTally());
    }
    return all;
}

uint64_t
TransferClient::GetStoredBytes(Nanoseconds now) const
{
    uint64_t bytes = 0;
    for (const auto& session : m_sessions)
    {
        bytes += session->GetDataTransfer().GetReceiver().GetAllStoredBytes(now);
    }
    return bytes;
}

} // namespace ns3::gridftp
