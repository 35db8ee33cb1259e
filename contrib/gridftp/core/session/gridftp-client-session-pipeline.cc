/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-session.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * The chunks of a client: requested, under way, and complete.
 */

namespace ns3::gridftp
{

void
ClientSession::SetDirection(Direction direction)
{
    if (direction != m_settings.direction)
    {
        m_settings.direction = direction;
        m_pipeline.SetDirection(direction);
        m_hasAddress = false;
    }
}

ChunkOrder
ClientSession::MakeOrder(uint64_t offset,
                         uint64_t bytes,
                         uint32_t parallelism,
                         const MarkerRanges& held,
                         const std::vector<uint32_t>& pairs) const
{
    return {
        .direction = m_settings.direction,
        .offset = offset,
        .bytes = bytes,
        .parallelism = parallelism,
        .newAddress = !m_hasAddress || m_settings.channels == DataChannels::FRESH,
        .isStriped = m_settings.isStriped,
        .stripe = {m_settings.stripeLayout,
                   m_settings.stripeLayout == StripeLayout::BLOCKED ? m_settings.stripeBlock : 0},
        .listeners = {},
        .held = held,
        .retrieve = GetModuleOf(m_settings.data.buffers.processing, false),
        .store = GetModuleOf(m_settings.data.buffers.processing, true),
        .pairs = pairs,
        .path = m_settings.path,
        .senderPath = m_settings.senderPath};
}

void
ClientSession::Transfer(Nanoseconds now,
                        uint64_t chunk,
                        uint64_t offset,
                        uint64_t bytes,
                        uint32_t parallelism,
                        const MarkerRanges& held,
                        const std::vector<uint32_t>& pairs)
{
    const bool download = m_settings.direction == Direction::DOWNLOAD;
    m_dialogues.front().chunkResponses.clear();
    m_chunk = MakeOrder(offset, bytes, parallelism, held, pairs);
    m_pipeline.Add({.index = chunk,
                    .part = {.offset = offset, .bytes = bytes, .fileBytes = 0},
                    .parallelism = parallelism,
                    .pairs = pairs,
                    .held = held});
    m_held = m_pipeline.GetFirst().held;
    m_hasAddress = true;
    if (download && m_chunk.newAddress)
    {
        return m_data.Listen(now, Of(Peer::SENDER).control->GetLocalAddress());
    }
    m_script.AddChunk(m_chunk);
    Advance(now);
}

void
ClientSession::RepeatResponses()
{
    Dialogue& dialogue = m_dialogues.front();
    for (const int64_t ns : dialogue.chunkResponses)
    {
        dialogue.responses.Add(ns);
    }
    m_times.rttS = GetRttS();
}

double
ClientSession::GetRttS() const
{
    return std::max(m_dialogues.front().responses.GetMeanS(),
                    m_dialogues.back().responses.GetMeanS());
}

SendOrder
ClientSession::MakeSendOrder(const PipelinedChunk& chunk) const
{
    return {.chunk = chunk.index,
            .offset = chunk.part.offset,
            .bytes = chunk.part.bytes,
            .parallelism = chunk.parallelism,
            .layout = m_settings.layout,
            .blockBytes = m_settings.blockBytes,
            .stripeLayout = m_settings.stripeLayout,
            .stripeBlock = m_settings.stripeBlock,
            .held = chunk.held,
            .pairs = chunk.pairs};
}

void
ClientSession::HandleListening(Nanoseconds now, const std::vector<HostPort>& listeners)
{
    if (listeners.empty())
    {
        return GiveUp(now, "cannot listen for data connections");
    }
    m_chunk.listeners = listeners;
    m_script.AddChunk(m_chunk);
    Advance(now);
}

void
ClientSession::BeginChunk(Nanoseconds now)
{
    if (!m_pipeline.Begin())
    {
        return;
    }
    m_isTransferring = true;
    m_times.start = now;
    m_times.rttS = GetRttS();
    ExpectNext(now);
    if (m_floor.IsWaiting())
    {
        m_rateCheck.Set(now, now + m_floor.Begin(GetMoved(now)));
    }
    m_owner->HandleStarted(now);
}

void
ClientSession::OpenChunk(Nanoseconds now)
{
    const PipelinedChunk* chunk =
        m_settings.direction == Direction::DOWNLOAD ? nullptr : m_pipeline.HandleOpened();
    if (!chunk)
    {
        return;
    }
    if (m_settings.direction == Direction::UPLOAD)
    {
        m_data.Send(now, MakeSendOrder(*chunk));
    }
    else
    {
        Advance(now); // to ERET
    }
}

void
ClientSession::ExpectNext(Nanoseconds now)
{
    if (const PipelinedChunk* chunk = m_pipeline.Expect())
    {
        m_data.Receive(
            now,
            {.bytes = chunk->part.bytes, .offset = chunk->part.offset, .held = chunk->held});
    }
}

bool
ClientSession::TakePairTimes(Nanoseconds now, const Reply& reply)
{
    const size_t pairs = m_pipeline.IsEmpty() ? 0 : m_pipeline.GetFirst().pairs.size();
    if (pairs == 0)
    {
        return true;
    }
    const auto times = ParsePairTimesReply(reply);
    if (!times || times->size() != pairs)
    {
        GiveUp(now,
               "the " + std::string(GetPeerName(m_settings.direction, Peer::SENDER)) +
                   " does not report the times of pairs of stripes");
        return false;
    }
    m_times.elapsedNs = *times;
    return true;
}

void
ClientSession::FinishChunks(Nanoseconds now)
{
    while (m_pipeline.IsFirstComplete() && !m_hasGivenUp)
    {
        FinishChunk(now);
    }
}

void
ClientSession::FinishChunk(Nanoseconds now)
{
    const PipelinedChunk done = m_pipeline.TakeFirst();
    m_times.end = done.endNs;
    m_floor.HandleComplete(done.part.bytes - CountBytes(done.held));
    m_isTransferring = false;
    m_held.clear();
    m_sizer.End();
    if (!IsPipelining() || m_settings.direction != Direction::DOWNLOAD)
    {
        m_data.Finish(now, m_settings.channels == DataChannels::CACHED);
    }
    m_owner->HandleReady(now);
    if (m_hasGivenUp)
    {
        return; // the owner has ended the session inside
    }
    BeginChunk(now); // the next one, if its command was sent ahead
    if (m_isTransferring && IsPipelining() && m_settings.opensEarly)
    {
        OpenChunk(now);
    }
    if (IsPipelining() && !m_pipeline.IsEmpty())
    {
        Advance(now);
    }
}

void
ClientSession::HandleDone(Nanoseconds now)
{
    if (!m_pipeline.AwaitsOwnEnd())
    {
        return; // reply 226 ends an upload
    }
    if (m_settings.direction == Direction::UPLOAD)
    {
        m_times.elapsedNs = m_data.GetElapsedNs();
    }
    m_lastLine = now;
    const bool ends = m_settings.endsStored && m_settings.direction == Direction::DOWNLOAD;
    m_pipeline.HandleReceived(ends ? int64_t{now} : -1);
    if (IsPipelining())
    {
        m_data.Finish(now, true);
        ExpectNext(now);
    }
    FinishChunks(now);
}

} // namespace ns3::gridftp
