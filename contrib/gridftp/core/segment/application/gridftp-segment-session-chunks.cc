/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session-skipping.h"
#include "gridftp-tuner-window.h"
#include "gridftp-tuning-mode.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: what is measured of its chunks, and what is decided by that.
 */

namespace ns3::gridftp
{

double
SegmentSession::GetWindow() const
{
    std::vector<uint64_t> sizes;
    const bool isKnown = !IsThirdParty() && !m_spec->stripes.IsStriped();
    for (uint32_t i = 0; i < m_parallelism && isKnown; ++i)
    {
        const TcpConnection& connection = GetData().GetFirstPair().GetData().Get(i);
        const auto window = connection.GetLargestWindow();
        sizes.push_back(IsUpload() || !window ? connection.GetSendBufferSize() : *window);
    }
    return GetTunerWindow(m_spec->tunerWindow, m_direction, m_spec->buffers, sizes);
}

std::string
SegmentSession::MakeTuners()
{
    const int64_t pairs = IsTunedByPair(*m_spec) ? GetPairs(m_spec->stripes) : 0;
    TuningContext tuning = m_context.tuning;
    for (int64_t i = 0; i < std::max<int64_t>(pairs, 1); ++i)
    {
        tuning.terms.pair = i;
        auto policy = MakeTuningPolicy(m_spec->mode, m_spec->tuning, tuning);
        if (!policy)
        {
            return policy.GetError().message;
        }
        if (pairs == 0)
        {
            m_policy = std::move(*policy);
        }
        else
        {
            m_pairTuning.Add(std::move(*policy));
        }
    }
    m_parallelism = m_policy ? m_policy->GetInitialParallelism() : m_pairTuning.GetMost();
    return "";
}

void
SegmentSession::HandleOver(Nanoseconds now)
{
    if (m_policy)
    {
        m_policy->End();
    }
    m_pairTuning.End();
    m_context.observer->HandleEnded(now);
}

std::string
SegmentSession::GetTunersFailure() const
{
    return m_policy ? m_policy->GetFailure() : m_pairTuning.GetFailure();
}

ChunkRecord
SegmentSession::Decide(const ChunkSpan& span, const ChunkSample& sample, uint64_t bytes)
{
    if (m_pairTuning.IsEmpty())
    {
        return MakeChunkRecord(span, sample, m_policy->Decide(sample));
    }
    const SegmentSessionData& data = GetData();
    auto pairs = m_pairTuning.Decide(sample,
                                     data.GetPlan().ListBytes(span.offset, bytes),
                                     data.GetEnd(Peer::SENDER).GetElapsedNs(),
                                     m_segments.GetPairs());
    ChunkRecord record = MakeChunkRecord(span, sample, m_pairTuning.GetMost());
    record.pairs = std::move(pairs);
    return record;
}

void
SegmentSession::RecordChunk(Nanoseconds now)
{
    const PipelinedChunk done = m_pipeline.TakeFirst();
    const MarkerRange chunk{done.part.offset, done.part.GetEnd()};
    if (m_spec->retries > 0 && !IsStoredOnce(now, chunk))
    {
        return Fail(now,
                    "chunk " + std::to_string(m_records.size()) + " is not stored, each byte once");
    }
    const double windowBytes = IsPipelining() && IsDownload() ? m_windowBytes : GetWindow();
    if (!IsPipelining()) // else some are of the next chunk already
    {
        m_segments.Update(GetPairTotals());
    }
    Record(done, windowBytes);
    m_hasBegun = false;
    m_context.observer->HandlePart(now);
    if (const std::string wrong = GetTunersFailure(); !wrong.empty())
    {
        return Fail(now, wrong);
    }
    if (m_skipping)
    {
        m_skipping->HandleRecorded(done, windowBytes);
    }
}

void
SegmentSession::Record(const PipelinedChunk& done, double windowBytes)
{
    const MarkerRange chunk{done.part.offset, done.part.GetEnd()};
    const uint64_t held = CountBytes(ClipRanges(m_spec->restart, chunk));
    const ChunkSample sample{.bytes = done.part.bytes - held,
                             .fullBytes = static_cast<uint64_t>(m_spec->chunkSize),
                             .durationS = static_cast<double>(done.endNs - m_startNs) / 1e9,
                             .rttS = m_rttS,
                             .windowBytes = windowBytes,
                             .segmentBytes = static_cast<double>(m_dataTcp.segmentBytes),
                             .parallelism = m_parallelism,
                             .pairs = static_cast<uint32_t>(GetPairs(m_spec->stripes)),
                             .remainingBytes = m_files.GetBytesBehind(done.part),
                             .segments = m_segments.GetAll()};
    const ChunkSpan span{.index = m_records.size(),
                         .startNs = GetShownNs(m_startNs),
                         .endNs = GetShownNs(done.endNs),
                         .offset = done.part.offset};
    ChunkRecord record = Decide(span, sample, done.part.bytes);
    record.direction = m_files.GetDirection();
    if (m_context.monitor && !IsPipelining())
    {
        const auto measured = m_context.monitor->TakeChunk();
        record.loadedRttS = measured.meanRttS;
        record.jain = measured.jain;
    }
    m_files.HandleChunk(done.part, record.startNs, record.endNs);
    if (!IsPipelining()) // else the next chunk may be of another file
    {
        Hold({chunk});
    }
    m_parallelism = record.nextParallelism;
    m_records.push_back(record);
}

} // namespace ns3::gridftp
