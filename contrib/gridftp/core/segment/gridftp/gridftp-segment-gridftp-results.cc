/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-gridftp.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * A session of GridFTP on the segment engine: its results.
 */

namespace ns3::gridftp
{

SessionView
SegmentGridFtpSession::GetView() const
{
    const auto state = [this] {
        switch (m_client->GetState())
        {
        case ClientState::IDLE:
            return SessionState::WAITING;
        case ClientState::LOGGING_IN:
        case ClientState::WAITING:
            return SessionState::LOGGING_IN;
        case ClientState::TRANSFERRING:
            return SessionState::TRANSFERRING;
        case ClientState::QUITTING:
            return SessionState::QUITTING;
        case ClientState::DONE:
            return SessionState::DONE;
        default:
            return SessionState::FAILED;
        }
    };
    const ClientSession* const session = m_client->GetSession();
    return {.state = state(),
            .reason = m_client->GetReason(),
            .transferring = m_isTransferring,
            .chunkStartNs = session ? int64_t{session->GetChunkTimes().start} : 0,
            .chunk = static_cast<uint32_t>(m_client->GetChunks().size()),
            .parallelism = m_parallelism,
            .pairs = &m_client->GetPairParallelism(),
            .rttS = session ? session->GetChunkTimes().rttS : 0,
            .records = &m_client->GetChunks(),
            .totals = GetTotals()};
}

uint64_t
SegmentGridFtpSession::GetStoredBytes(Nanoseconds now) const
{
    uint64_t bytes = m_client->GetStoredBytes(now) + (m_skipping ? m_skipping->GetBytes() : 0);
    for (const auto& server : m_servers)
    {
        for (const auto& session : server.GetSessions())
        {
            bytes += session->GetDataTransfer().GetReceiver().GetAllStoredBytes(now);
        }
    }
    for (const auto& process : m_processes)
    {
        for (const auto& service : process.GetServices())
        {
            bytes += service->GetDataTransfer().GetReceiver().GetAllStoredBytes(now);
        }
    }
    return bytes;
}

uint64_t
SegmentGridFtpSession::CountReceived(Nanoseconds now) const
{
    const uint64_t skipped = m_skipping ? m_skipping->GetBytes() : 0;
    const uint64_t bytes = m_nodes.CountPayload(now) + skipped;
    return bytes - std::min(bytes, m_repeated);
}

void
SegmentGridFtpSession::CountRepeated()
{
    uint64_t held = CountBytes(m_client->FindHeld());
    if (IsDataSet(*m_spec))
    {
        for (const FileRecord& file : m_client->GetFiles())
        {
            held += file.bytes;
        }
    }
    held -= std::min(held, CountBytes(m_spec->restart));
    const uint64_t all = m_nodes.CountPayload(Nanoseconds(NEVER));
    m_repeated = all - std::min(all, held);
}

std::vector<ConnectionTotals>
SegmentGridFtpSession::GetPairTotals() const
{
    std::vector<ConnectionTotals> all;
    if (!m_senders.empty())
    {
        for (uint32_t i = 0; i < m_senders.size(); ++i)
        {
            std::vector<ConnectionTotals> totals;
            for (const auto& service : m_processes[i].GetServices())
            {
                AddPairTotals(totals, service->GetDataTransfer().GetSender().GetPairTotals());
            }
            totals.resize(m_plan.GetReceiversOfSender());
            all.insert(all.end(), totals.begin(), totals.end());
        }
    }
    AddPairTotals(all, m_client->GetPairTotals());
    for (const auto& server : m_servers)
    {
        for (const auto& session : server.GetSessions())
        {
            AddPairTotals(all, session->GetDataTransfer().GetSender().GetPairTotals());
        }
    }
    all.resize(m_plan.GetPairs());
    if (m_skipping)
    {
        all.front().Add(m_skipping->GetTotals());
    }
    return all;
}

ConnectionTotals
SegmentGridFtpSession::GetTotals() const
{
    ConnectionTotals sum;
    for (const auto& pair : GetPairTotals())
    {
        sum.Add(pair);
    }
    return sum;
}

BufferTally
SegmentGridFtpSession::GetBufferTally() const
{
    BufferTally all = m_client->GetBufferTally();
    for (const auto& server : m_servers)
    {
        for (const auto& session : server.GetSessions())
        {
            all.Add(session->GetBufferTally());
        }
    }
    for (const auto& process : m_processes)
    {
        for (const auto& service : process.GetServices())
        {
            all.Add(service->GetDataTransfer().GetReceiver().GetBufferTally());
        }
    }
    return all;
}

void
SegmentGridFtpSession::AddTo(Nanoseconds now, TransferResult& result) const
{
    SessionResult& session = result.sessions.emplace_back(m_client->GetResult());
    for (const auto& server : m_servers)
    {
        for (const auto& served : server.GetSessions())
        {
            session.served.push_back(
                {served->GetBegin(),
                 served->GetEnd(now) + Nanoseconds(m_context.fastForward->GetSkippedNs())});
        }
    }
    session.buffers = MakeBufferResult(GetBufferTally(), session.tcp->windowBytes);
    session.storage = MakeStorageResult(m_source.get(), m_sink.get());
    if (IsDataSet(*m_spec))
    {
        session.files = m_client->GetFiles();
    }
    const auto totals = GetPairTotals();
    session.tcp->totals = GetTotals();
    if (m_context.monitor)
    {
        session.tcp->detail = m_context.monitor->MakeDetail();
    }
    if (m_spec->stripes.IsStriped())
    {
        AddStripesTo(session, totals);
    }
    const MarkerRanges held = m_client->FindHeld();
    const ClientState state = m_client->GetState();
    if (m_spec->retries > 0)
    {
        const uint64_t stored = m_endedBytes.value_or(CountReceived(now) + m_repeated);
        session.retries = RetryResult{m_client->GetRestarts(),
                                      stored + CountBytes(m_spec->restart) - CountBytes(held)};
    }
    if (state != ClientState::DONE)
    {
        session.restartMarker = held;
        session.reason = state == ClientState::FAILED ? m_client->GetReason() : "not ended";
    }
}

void
SegmentGridFtpSession::AddStripesTo(SessionResult& session,
                                    const std::vector<ConnectionTotals>& totals) const
{
    for (uint32_t pair = 0; pair < m_plan.GetPairs(); ++pair)
    {
        const StripePair stripes = m_plan.GetPair(pair);
        uint64_t bytes = 0;
        for (const auto& chunk : session.gridftp->chunks)
        {
            bytes += m_plan.GetRanges(pair, chunk.offset, chunk.bytes).GetBytes();
        }
        session.stripes.push_back({stripes.sender, stripes.receiver, bytes, totals[pair]});
    }
}

} // namespace ns3::gridftp
