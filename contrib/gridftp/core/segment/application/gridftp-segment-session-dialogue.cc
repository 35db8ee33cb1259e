/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-processing-kind.h"
#include "gridftp-segment-session-skipping.h"
#include "gridftp-stall-text.h"

#include <algorithm>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: what its client says, and what it makes of replies.
 */

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t BEGINNING = 150;
constexpr uint32_t FIRST_FINAL = 200;
constexpr uint32_t FIRST_REFUSAL = 400;

/** @return whether it asks where a server listens */
bool
IsPassiveVerb(Verb verb)
{
    return verb == Verb::PASV || verb == Verb::SPAS;
}

} // namespace

void
SegmentSession::HandleReply(SegmentServer& server, Nanoseconds now, uint32_t code)
{
    m_heardNs = now;
    if (IsOver() || (m_givesUp && !server.IsTransferring()))
    {
        return;
    }
    if (code < FIRST_FINAL)
    {
        return HandlePreliminary(server, now, code);
    }
    if (m_givesUp)
    {
        if (server.HandleFinal())
        {
            server.Close();
            FinishGivingUp(now);
        }
        return;
    }
    const bool isGreeting = server.GetSaid().IsEmpty();
    const SaidCommand said = isGreeting ? SaidCommand() : server.TakeAnswered();
    if (!isGreeting && IsTransferVerb(said.command.verb))
    {
        server.HandleFinal();
    }
    if (code >= FIRST_REFUSAL)
    {
        const std::string& own = GetTry().ownFailure;
        if (!own.empty() && server.GetRefusal() == MakeResetReason())
        {
            return GiveUp(now, own); // it has heard of that from here
        }
        return GiveUp(now,
                      "the " + std::string(GetPeerName(m_spec->direction, server.GetPeer())) +
                          " answered " + std::to_string(code) + " " + server.GetRefusal());
    }
    isGreeting ? Advance(now) : HandleFinal(server, now, said);
}

void
SegmentSession::HandleFinal(SegmentServer& server, Nanoseconds now, const SaidCommand& said)
{
    const Verb verb = said.command.verb;
    if (IsTransferVerb(verb))
    {
        if (server.GetPeer() == Peer::RECEIVER && m_spec->retries > 0)
        {
            const FileChunk& part = m_pipeline.GetFirst().part;
            Hold({{part.offset, part.GetEnd()}}); // as its last restart marker reports
        }
        m_pipeline.HandleConfirmed(server.GetPeer(), now);
        if (!m_pipeline.IsFirstComplete())
        {
            return; // of the other server of a third party, or of a slow reader, not all has come
        }
        return FinishChunks(now);
    }
    if (said.isSample)
    {
        server.GetResponses().Add(now - said.saidNs);
        if (m_skipping)
        {
            m_skipping->HandleResponse(now - said.saidNs);
        }
    }
    else if (IsThirdParty() && IsPassiveVerb(verb))
    {
        m_script.SetListeners(GetData().GetEnd(Peer::RECEIVER).GetAddresses());
    }
    else if (IsPassiveVerb(verb))
    {
        CloseIdle(GetTry(), Peer::RECEIVER, now);
    }
    else if (verb == Verb::QUIT)
    {
        server.Close();
    }
    Advance(now);
}

void
SegmentSession::HandlePreliminary(const SegmentServer& server, Nanoseconds now, uint32_t code)
{
    if (server.GetCommand().verb != Verb::ESTO || code != BEGINNING || m_givesUp)
    {
        return;
    }
    const PipelinedChunk* chunk = m_pipeline.HandleOpened();
    if (chunk && IsThirdParty())
    {
        return Advance(now); // to ERET
    }
    if (chunk)
    {
        StartSending(now, {chunk->part.offset, chunk->part.bytes});
    }
}

void
SegmentSession::Advance(Nanoseconds now)
{
    do
    {
        if (m_script.IsEmpty())
        {
            HandleSaid(now);
        }
        if (IsPipelining() && m_state == SessionState::TRANSFERRING)
        {
            ScriptAhead(now);
        }
    } while (!m_script.IsEmpty() && SayNext(now) && IsPipelining());
}

void
SegmentSession::ScriptAhead(Nanoseconds now)
{
    size_t before = 0;
    do
    {
        before = m_pipeline.GetSize();
        ScriptNext(now);
    } while (m_pipeline.GetSize() > before);
}

bool
SegmentSession::SayNext(Nanoseconds now)
{
    SegmentServer& first = GetServer(m_script.GetNext().peer);
    if (!first.IsConnected())
    {
        if (GetAheadState().isQuiet) // else its turn comes with a reply
        {
            m_heardNs = now;
            first.Connect(now); // its greeting goes on
            ScheduleAlive(now + m_spec->keepalive, first.GetPeer());
        }
        return false;
    }
    auto line = ComputesNext(now) ? std::nullopt : TakeNext();
    if (!line)
    {
        return false;
    }
    Say(now, std::move(*line));
    return true;
}

std::optional<ScriptLine>
SegmentSession::TakeNext()
{
    return IsPipelining() ? m_script.TakeAhead(GetAheadState()) : m_script.Take();
}

AheadState
SegmentSession::GetAheadState() const
{
    AheadState state{.maySend = m_pipeline.MaySend()};
    for (const Peer peer : ListPeers(m_spec->direction))
    {
        const CommandQueue& said = GetTry().GetServer(peer).GetSaid();
        state.isQuiet = state.isQuiet && said.IsEmpty();
        state.isBarred = state.isBarred || said.IsBarred();
    }
    return state;
}

void
SegmentSession::Say(Nanoseconds now, ScriptLine line)
{
    SegmentServer& server = GetServer(line.peer);
    m_heardNs = now;
    const Verb verb = line.command.verb;
    Block block;
    const bool wasTransferring = m_transferring;
    if (IsTransferVerb(verb))
    {
        const PipelinedChunk& chunk = m_pipeline.HandleSaid(verb);
        block = {chunk.part.offset, chunk.part.bytes};
        BeginChunk(now);
        ExpectNext(now);
    }
    server.Order(now, std::move(line.command), block);
    if (m_transferring && !wasTransferring && IsDownload())
    {
        BeginSizing(now);
    }
}

void
SegmentSession::HandleSaid(Nanoseconds now)
{
    if (IsPipelining() && GetAheadState().isBarred)
    {
        return; // the last of them is not answered yet
    }
    if (m_state == SessionState::LOGGING_IN)
    {
        m_state = SessionState::TRANSFERRING;
    }
    if (m_state == SessionState::TRANSFERRING)
    {
        return ScriptNext(now);
    }
    m_state = SessionState::DONE;
    if (!IsThirdParty() && GetOwnEnd().IsApart())
    {
        GetOwnEnd().End(now);
    }
    HandleOver(now);
}

void
SegmentSession::ScriptNext(Nanoseconds now)
{
    if (m_pipeline.GetSize() >= static_cast<size_t>(m_spec->pipelining))
    {
        return;
    }
    if (m_skipping)
    {
        m_skipping->SkipChunks(now);
        if (IsOver())
        {
            return;
        }
    }
    SkipHeldChunks();
    while (m_offset == m_files.GetEnd())
    {
        const bool isFirst = m_files.GetEnd() == 0;
        if (!m_files.Begin(now))
        {
            return m_pipeline.IsEmpty() ? ScriptQuit(now) : void();
        }
        m_offset = m_files.GetBegin();
        if (m_files.GetDirection().value_or(m_direction) != m_direction)
        {
            ChangeDirection(now);
        }
        if (!isFirst)
        {
            m_held.clear(); // is of the file before
        }
        SkipHeldChunks();
    }
    const bool newAddress = !m_hasAddress || m_spec->dataChannels == DataChannels::FRESH;
    m_hasAddress = true;
    if (!IsDownload() || !newAddress)
    {
        return ScriptChunk(newAddress);
    }
    m_isScripting = true;
    GetOwnEnd().Listen(now, static_cast<uint32_t>(m_spec->buffers.window));
    m_isScripting = false;
}

void
SegmentSession::ScriptQuit(Nanoseconds now)
{
    m_state = SessionState::QUITTING;
    if (IsDownload() && !GetOwnEnd().IsApart() && !m_closesExactly)
    {
        GetOwnEnd().End(now);
    }
    m_script.AddQuit(m_spec->direction);
}

void
SegmentSession::ScriptChunk(bool newAddress)
{
    m_left = ClipRanges(m_held, GetChunk());
    const FileChunk part{m_offset, GetNextBytes(), m_files.GetBytes()};
    m_pipeline.Add({.index = m_records.size() + m_pipeline.GetSize(),
                    .part = part,
                    .parallelism = m_parallelism,
                    .pairs = m_pairTuning.GetParallelism(),
                    .held = m_left});
    m_offset = part.GetEnd();
    m_script.AddChunk(MakeOrder(part, newAddress));
}

ChunkOrder
SegmentSession::MakeOrder(const FileChunk& part, bool newAddress) const
{
    return {.direction = m_direction,
            .offset = part.offset,
            .bytes = part.bytes,
            .parallelism = m_parallelism,
            .newAddress = newAddress,
            .isStriped = m_spec->stripes.IsStriped(),
            .stripe = GetStripeOption(*m_spec),
            .listeners = GetData().GetEnd(Peer::RECEIVER).GetAddresses(),
            .held = m_left,
            .retrieve = GetModuleOf(m_spec->buffers.processing, false),
            .store = GetModuleOf(m_spec->buffers.processing, true),
            .pairs = m_pairTuning.GetParallelism()};
}

} // namespace ns3::gridftp
