/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-transfer-client.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

TransferClient::TransferClient(DataHost& host, Owner& owner)
    : m_owner(owner)
{
    m_nextAttempt.Bind(host, [this](Nanoseconds now) { StartAttempt(now); });
}

TransferClient::~TransferClient() = default;

void
TransferClient::Start(Nanoseconds now, const TransferClientSettings& settings)
{
    m_settings = settings;
    m_direction = settings.session.direction;
    if (const auto begun = BeginTuning(); !begun)
    {
        return Fail(now, begun.GetError().message);
    }
    m_schedule = RetrySchedule(settings.retries,
                               settings.retryWait,
                               settings.retryWaitMost,
                               CountBytes(settings.restart));
    SkipHeldChunks();
    StartAttempt(now);
}

void
TransferClient::StartAttempt(Nanoseconds now)
{
    SetState(now, ClientState::LOGGING_IN);
    if (m_state != ClientState::LOGGING_IN)
    {
        return; // the owner has stopped it inside
    }
    m_comparesChecksums = false;
    ClientSession::Owner& owner = *this;
    m_sessions.push_back(std::make_unique<ClientSession>(m_owner.MakeChannels(now), owner));
    ClientSession& session = *m_sessions.back();
    m_owner.HandleSession(session);
    session.GetDataTransfer().StayDead(m_deadUntil);
    ClientSettings settings = m_settings.session;
    settings.direction = m_direction;
    session.Start(now, settings);
}

void
TransferClient::Stop(Nanoseconds now, const std::string& reason)
{
    if (m_state != ClientState::IDLE && m_state != ClientState::DONE &&
        m_state != ClientState::FAILED)
    {
        Fail(now, reason);
    }
}

void
TransferClient::Dispose(Nanoseconds now)
{
    m_nextAttempt.Cancel();
    for (const auto& session : m_sessions)
    {
        session->Dispose(now);
    }
}

void
TransferClient::Fail(Nanoseconds now, const std::string& reason)
{
    m_nextAttempt.Cancel();
    if (ClientSession* const session = GetSession())
    {
        session->Abort(now);
    }
    m_reason = reason;
    SetState(now, ClientState::FAILED);
}

void
TransferClient::KillDataTransfer(Nanoseconds now, Nanoseconds until)
{
    m_deadUntil = until;
    if (ClientSession* const session = GetSession())
    {
        session->GetDataTransfer().Die(now, until);
    }
}

void
TransferClient::SetState(Nanoseconds now, ClientState state)
{
    if (state == ClientState::DONE || state == ClientState::FAILED)
    {
        EndTuning();
    }
    m_state = state;
    m_owner.HandleState(now, state);
}

void
TransferClient::HandleReady(Nanoseconds now)
{
    switch (m_state)
    {
    case ClientState::LOGGING_IN:
        if (FindFiles(now))
        {
            SetState(now, ClientState::TRANSFERRING);
            TransferNext(now);
        }
        break;
    case ClientState::TRANSFERRING:
        if (m_comparesChecksums)
        {
            Quit(now);
            break;
        }
        RecordChunk(now);
        TransferNext(now);
        break;
    default:
        SetState(now, ClientState::DONE);
    }
}

bool
TransferClient::FindFiles(Nanoseconds now)
{
    if (!m_files)
    {
        auto files = m_owner.FindFiles(now, GetSession()->GetFileBytes());
        if (!files)
        {
            Fail(now, files.GetError().message);
            return false;
        }
        m_files = std::move(*files);
    }
    return true;
}

void
TransferClient::HandleStarted(Nanoseconds now)
{
    m_chunkStart = m_chunkStart.value_or(now);
    m_owner.HandleChunkStarted(m_chunks.size());
}

void
TransferClient::HandleFailed(Nanoseconds now, const std::string& reason)
{
    if (m_state == ClientState::TRANSFERRING)
    {
        m_held = GetSession()->GetHeld();
    }
    const auto waitNs = m_schedule.Fail(CountBytes(FindHeld()));
    if (!waitNs)
    {
        m_reason = reason;
        return SetState(now, ClientState::FAILED);
    }
    m_offset = m_asked.empty() ? m_offset : m_asked.front().offset;
    m_asked.clear();
    m_restarts.push_back(
        {.timeNs = now, .reason = reason, .heldBytes = CountBytes(m_held), .waitNs = *waitNs});
    m_nextAttempt.Set(now, now + *waitNs);
    SetState(now, ClientState::WAITING); // in which the owner may stop it
}

void
TransferClient::TransferNext(Nanoseconds now)
{
    ClientSession& session = *GetSession();
    if (m_state == ClientState::TRANSFERRING && m_asked.empty() && !m_chunks.empty())
    {
        m_owner.HandleBetweenChunks(now);
    }
    while (m_asked.size() < m_settings.session.pipelining && m_state == ClientState::TRANSFERRING &&
           HasNext(now))
    {
        const FileChunk chunk{m_offset, GetNextBytes(), m_files->GetBytes()};
        const uint64_t index = m_chunks.size() + m_asked.size();
        m_asked.push_back(chunk);
        m_offset = chunk.GetEnd();
        session.SetDirection(m_direction);
        session.Transfer(now,
                         index,
                         chunk.offset,
                         chunk.bytes,
                         m_parallelism,
                         m_held,
                         m_pairTuning.GetParallelism());
    }
    if (m_asked.empty() && m_state == ClientState::TRANSFERRING)
    {
        m_comparesChecksums =
            m_settings.session.data.buffers.processing.checksum != FileChecksumKind::NONE;
        const uint64_t begin = m_files->GetBegin();
        m_comparesChecksums
            ? session.CompareChecksums(now, {begin, m_files->GetEnd() - begin, m_files->GetBytes()})
            : Quit(now);
    }
}

void
TransferClient::Quit(Nanoseconds now)
{
    SetState(now, ClientState::QUITTING);
    GetSession()->Quit(now);
}

std::optional<FileChunk>
TransferClient::FindNextChunk() const
{
    if (m_state != ClientState::TRANSFERRING || m_offset == m_files->GetEnd())
    {
        return std::nullopt;
    }
    return FileChunk{m_offset, GetNextBytes(), m_files->GetBytes()};
}

uint64_t
TransferClient::GetNextBytes() const
{
    return std::min(m_settings.chunkBytes, m_files->GetEnd() - m_offset);
}

bool
TransferClient::HasNext(Nanoseconds now)
{
    while (m_offset == m_files->GetEnd())
    {
        if (!m_files->Begin(now))
        {
            return false;
        }
        m_offset = m_files->GetBegin();
        m_direction = m_files->GetDirection().value_or(m_direction);
        SkipHeldChunks();
        if (m_files->GetBytes() == 0 && m_direction == Direction::UPLOAD)
        {
            return true; // the server creates the empty file
        }
    }
    return true;
}

void
TransferClient::SkipHeldChunks()
{
    if (!m_files)
    {
        return;
    }
    const auto findHeld = [this] {
        return ClipRanges(m_settings.restart, {m_offset, m_offset + GetNextBytes()});
    };
    m_held = findHeld();
    while (m_offset < m_files->GetEnd() && CountBytes(m_held) == GetNextBytes())
    {
        m_offset += GetNextBytes();
        m_held = findHeld();
    }
}

MarkerRanges
TransferClient::FindHeld() const
{
    MarkerRanges all = m_settings.restart;
    const uint64_t begin = m_files ? m_files->GetBegin() : 0;
    all.push_back({begin, m_asked.empty() ? m_offset : m_asked.front().offset});
    all.insert(all.end(), m_held.begin(), m_held.end());
    return MergeRanges(std::move(all));
}

} // namespace ns3::gridftp
