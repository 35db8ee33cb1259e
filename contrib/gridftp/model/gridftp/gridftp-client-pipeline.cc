/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-protocol-interpreter.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * The chunks of a client: asked for, under way, and complete.
 */

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpClientPipeline");

void
ClientProtocolInterpreter::SetDirection(Direction direction)
{
    if (direction != m_settings.direction)
    {
        m_settings.direction = direction;
        m_pipeline.SetDirection(direction);
        m_hasAddress = false;
    }
}

void
ClientProtocolInterpreter::Transfer(uint64_t chunk,
                                    uint64_t offset,
                                    uint64_t bytes,
                                    uint32_t parallelism,
                                    const MarkerRanges& held,
                                    const std::vector<uint32_t>& pairs)
{
    NS_LOG_FUNCTION(this << chunk << offset << bytes << parallelism);
    const bool download = m_settings.direction == Direction::DOWNLOAD;
    m_chunk = {
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
        .pairs = pairs};
    m_pipeline.Add({.index = chunk,
                    .part = {.offset = offset, .bytes = bytes, .fileBytes = 0},
                    .parallelism = parallelism,
                    .pairs = pairs,
                    .held = held});
    m_held = m_pipeline.GetFirst().held;
    m_hasAddress = true;
    if (download && m_chunk.newAddress)
    {
        return m_data.Listen(Of(Peer::SENDER).control->GetLocalAddress());
    }
    m_script.AddChunk(m_chunk);
    Advance();
}

SendOrder
ClientProtocolInterpreter::MakeSendOrder(const PipelinedChunk& chunk) const
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
ClientProtocolInterpreter::HandleListening(const std::vector<HostPort>& listeners)
{
    if (listeners.empty())
    {
        return GiveUp("cannot listen for data connections");
    }
    m_chunk.listeners = listeners;
    m_script.AddChunk(m_chunk);
    Advance();
}

void
ClientProtocolInterpreter::BeginChunk()
{
    if (!m_pipeline.Begin())
    {
        return;
    }
    m_transferring = true;
    m_times.start = Simulator::Now();
    m_times.rttS =
        std::max(m_dialogues.front().responses.GetMeanS(), m_dialogues.back().responses.GetMeanS());
    ExpectNext();
    if (m_floor.IsWaiting())
    {
        m_rateLook = Simulator::Schedule(NanoSeconds(m_floor.Begin(GetMoved())),
                                         &ClientProtocolInterpreter::CheckRate,
                                         this);
    }
    m_started();
}

void
ClientProtocolInterpreter::ExpectNext()
{
    if (const PipelinedChunk* chunk = m_pipeline.Expect())
    {
        m_data.Receive(
            {.bytes = chunk->part.bytes, .offset = chunk->part.offset, .held = chunk->held});
    }
}

bool
ClientProtocolInterpreter::TakePairTimes(const Reply& reply)
{
    const size_t pairs = m_pipeline.IsEmpty() ? 0 : m_pipeline.GetFirst().pairs.size();
    if (pairs == 0)
    {
        return true;
    }
    const auto times = ParsePairTimesReply(reply);
    if (!times || times->size() != pairs)
    {
        GiveUp("the " + std::string(GetPeerName(m_settings.direction, Peer::SENDER)) +
               " does not report the times of pairs of stripes");
        return false;
    }
    m_times.elapsedNs = *times;
    return true;
}

void
ClientProtocolInterpreter::FinishChunks()
{
    while (m_pipeline.IsFirstComplete() && !m_givesUp)
    {
        FinishChunk();
    }
}

void
ClientProtocolInterpreter::FinishChunk()
{
    const PipelinedChunk done = m_pipeline.TakeFirst();
    m_times.end = NanoSeconds(done.endNs);
    m_floor.HandleComplete(done.part.bytes - CountBytes(done.held));
    m_transferring = false;
    m_held.clear();
    m_sizer.End();
    if (!IsPipelining() || m_settings.direction != Direction::DOWNLOAD)
    {
        m_data.Finish(m_settings.channels == DataChannels::CACHED);
    }
    m_ready();
    BeginChunk(); // the next one, if it was said ahead
    if (IsPipelining() && !m_pipeline.IsEmpty())
    {
        Advance();
    }
}

void
ClientProtocolInterpreter::HandleDone()
{
    if (!m_pipeline.AwaitsOwnEnd())
    {
        return; // an upload is over with reply 226
    }
    if (m_settings.direction == Direction::UPLOAD)
    {
        m_times.elapsedNs = m_data.GetElapsedNs();
    }
    m_lastWord = Simulator::Now();
    m_pipeline.HandleReceived();
    if (IsPipelining())
    {
        m_data.Finish(true);
        ExpectNext();
    }
    FinishChunks();
}

} // namespace ns3::gridftp
