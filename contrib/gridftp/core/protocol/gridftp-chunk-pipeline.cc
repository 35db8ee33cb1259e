/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-chunk-pipeline.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

void
ChunkPipeline::Add(PipelinedChunk chunk)
{
    m_chunks.push_back(std::move(chunk));
}

const PipelinedChunk&
ChunkPipeline::HandleSaid(Verb verb)
{
    const uint64_t sent = m_sent;
    m_sent += verb == Verb::ERET ? 1 : 0;
    if (verb == Verb::ERET && m_direction == Direction::THIRD_PARTY)
    {
        return m_chunks[sent - m_taken]; // its ESTO was said before
    }
    const auto chunk = std::ranges::find(m_chunks, false, &PipelinedChunk::isSaid);
    chunk->isSaid = true;
    return *chunk;
}

const PipelinedChunk*
ChunkPipeline::Begin()
{
    if (m_chunks.empty() || !m_chunks.front().isSaid ||
        std::exchange(m_chunks.front().hasBegun, true))
    {
        return nullptr;
    }
    return &m_chunks.front();
}

const PipelinedChunk*
ChunkPipeline::Expect()
{
    const auto next = std::ranges::find(m_chunks, false, &PipelinedChunk::isReceived);
    if (m_direction != Direction::DOWNLOAD || next == m_chunks.end() || !next->isSaid ||
        std::exchange(next->isExpected, true))
    {
        return nullptr;
    }
    return &*next;
}

bool
ChunkPipeline::IsReceiving() const
{
    const auto next = std::ranges::find(m_chunks, false, &PipelinedChunk::isReceived);
    return next != m_chunks.end() && next->isExpected;
}

bool
ChunkPipeline::AwaitsOwnEnd() const
{
    const bool hasPairs = !m_chunks.empty() && !m_chunks.front().pairs.empty();
    return m_direction == Direction::DOWNLOAD || (m_direction == Direction::UPLOAD && hasPairs);
}

void
ChunkPipeline::HandleReceived(int64_t endNs)
{
    const auto received = std::ranges::find(m_chunks, false, &PipelinedChunk::isReceived);
    if (received != m_chunks.end())
    {
        received->isReceived = true;
        received->endNs = std::max(received->endNs, endNs);
    }
}

const PipelinedChunk*
ChunkPipeline::HandleOpened()
{
    constexpr auto RECEIVER = static_cast<size_t>(Peer::RECEIVER);
    const auto isOpen = [](const PipelinedChunk& chunk) { return !chunk.isConfirmed[RECEIVER]; };
    const auto chunk = std::ranges::find_if(m_chunks, isOpen);
    if (chunk == m_chunks.end() || !chunk->isSaid || std::exchange(chunk->isOpened, true))
    {
        return nullptr;
    }
    ++m_opened;
    return &*chunk;
}

void
ChunkPipeline::HandleConfirmed(Peer peer, int64_t nowNs)
{
    const auto at = static_cast<size_t>(peer);
    const auto isOpen = [at](const PipelinedChunk& chunk) { return !chunk.isConfirmed[at]; };
    const auto chunk = std::ranges::find_if(m_chunks, isOpen);
    if (chunk != m_chunks.end())
    {
        chunk->isConfirmed[at] = true;
        chunk->endNs = std::max(chunk->endNs, nowNs);
    }
}

bool
ChunkPipeline::IsFirstComplete() const
{
    if (m_chunks.empty())
    {
        return false;
    }
    const PipelinedChunk& first = m_chunks.front();
    const auto peers = ListPeers(m_direction);
    const bool isConfirmed = std::ranges::all_of(peers, [&first](Peer peer) {
        return first.isConfirmed[static_cast<size_t>(peer)];
    });
    return isConfirmed && (!AwaitsOwnEnd() || first.isReceived);
}

PipelinedChunk
ChunkPipeline::TakeFirst()
{
    PipelinedChunk first = std::move(m_chunks.front());
    m_chunks.pop_front();
    ++m_taken;
    return first;
}

void
ChunkPipeline::Clear()
{
    m_chunks.clear();
    m_opened = m_sent = m_taken = 0;
}

} // namespace ns3::gridftp
