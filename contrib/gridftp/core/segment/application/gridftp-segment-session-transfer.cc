/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: its servers, and the data connections at whichever hosts they are.
 */

namespace ns3::gridftp
{

namespace
{

constexpr int64_t DECISECOND_NS = 100'000'000; // markers tell the time in these
constexpr int NOT_OPENED = 425;
constexpr int ABORTED = 426;

/** What ends a transfer well. */
Reply
MakeCompleteReply()
{
    return {226, {"Transfer Complete."}};
}

} // namespace

void
SegmentSession::HandleCommand(SegmentServer& server, Nanoseconds now, bool isAbort)
{
    if (isAbort)
    {
        return ExecuteAbort(server, now);
    }
    Execute(server, now);
    server.Say(now, MakeAnswer(server));
    if (server.GetCommand().verb == Verb::ESTO)
    {
        ScheduleMarker(now + MARKER_INTERVAL_NS);
        BeginSizing(now);
    }
}

void
SegmentSession::Execute(SegmentServer& server, Nanoseconds now)
{
    switch (server.GetCommand().verb)
    {
    case Verb::USER:
        server.SetUserName(server.GetCommand().argument);
        break;
    case Verb::PASV:
        m_isDeaf = false;
        if (IsThirdParty())
        {
            m_data.ClosePassive(now); // in an upload the client has closed them
        }
        break;
    case Verb::PORT:
        m_data.Close(0, now);
        m_keptConnections = 0;
        break;
    case Verb::ESTO:
        m_sources.clear(); // those of the chunk before are exhausted
        server.SetBusy(true);
        break;
    case Verb::ERET:
        server.SetBusy(true);
        StartSending(now);
        break;
    case Verb::QUIT:
        server.HandleGoodbye();
        if (server.GetPeer() == Peer::RECEIVER)
        {
            m_data.ClosePassive(now);
        }
        else if (IsThirdParty())
        {
            m_data.Close(0, now);
        }
        break;
    default:
        break;
    }
}

Reply
SegmentSession::MakeAnswer(const SegmentServer& server) const
{
    switch (server.GetCommand().verb)
    {
    case Verb::PASS:
        return MakeLoginReply(server.GetUserName());
    case Verb::SIZE:
        return MakeSizeReply(static_cast<uint64_t>(m_spec->fileSize));
    case Verb::PASV:
        return MakePassiveReply(
            {m_context.serverAddress, static_cast<uint16_t>(FIRST_PORT + m_records.size())});
    default:
        return MakeReply(server.GetCommand());
    }
}

void
SegmentSession::ExecuteAbort(SegmentServer& server, Nanoseconds now)
{
    const bool wasBusy = server.IsBusy();
    DropTransfer(server, now);
    if (wasBusy)
    {
        server.Say(now, MakeAbortedReply());
    }
    server.Say(now, MakeReply({Verb::ABOR, ""}));
}

void
SegmentSession::FailTransfer(SegmentServer& server,
                             Nanoseconds now,
                             int code,
                             const std::string& reason)
{
    const bool wasBusy = server.IsBusy();
    DropTransfer(server, now);
    if (wasBusy)
    {
        server.SetRefusal(reason);
        server.Say(now, {code, {reason}});
    }
}

void
SegmentSession::DropTransfer(SegmentServer& server, Nanoseconds now)
{
    const bool receives = server.GetPeer() == Peer::RECEIVER;
    server.SetBusy(false);
    if (receives)
    {
        m_markerDueNs = NEVER;
        EndSizing();
        EndDataSizings();
        m_isDeaf = true;
    }
    m_data.Reset(receives ? TcpConnection::PASSIVE : TcpConnection::ACTIVE, now);
}

void
SegmentSession::ScheduleFaults(Nanoseconds now)
{
    for (const auto& fault : m_context.scenario->faults)
    {
        if (fault.session != m_index)
        {
            continue;
        }
        const Peer peer = FindPeer(m_spec->direction, fault.server);
        if (fault.at <= now)
        {
            HandleFault(GetServer(peer), now);
            continue;
        }
        const bool isSecond = fault.server == FaultServer::SENDER;
        const FlowPath& path = isSecond ? m_context.senderPath : m_context.path;
        const uint32_t id = FAULT + TIMERS * static_cast<uint32_t>(peer);
        path.clocks[SegmentControlChannel::SERVER]->Schedule(fault.at, *this, id);
    }
}

void
SegmentSession::HandleFault(SegmentServer& server, Nanoseconds now)
{
    if (server.ResetControl(now))
    {
        DropTransfer(server, now);
    }
}

void
SegmentSession::StartSending(Nanoseconds now)
{
    m_data.Close(m_parallelism, now);
    m_sources.clear();
    const uint32_t kept = std::min(m_keptConnections, m_parallelism);
    for (uint32_t i = 0; i < m_parallelism; ++i)
    {
        const int64_t late = i < kept ? 0 : m_jitter.Draw(m_records.size(), i);
        StartConnection(i, now, late);
    }
    m_keptConnections = m_parallelism;
}

void
SegmentSession::StartConnection(uint32_t index, Nanoseconds now, int64_t late)
{
    BlockSource& source = m_sources.emplace_back(*m_scheduler, index);
    const bool isSized = m_dataTcp.buffers.GetChannel() == SizingChannel::DATA;
    if (m_data.IsOpen(index))
    {
        if (isSized)
        {
            GetDataSizing(index).Begin(source);
        }
        UseStorage(index, source);
        return m_data.Get(index).Begin(source, now);
    }
    const ConnectionLabel label{m_index, static_cast<uint32_t>(m_records.size()), index};
    // The receiver of a third-party transfer has closed fresh ones before the sender does
    const bool isAnswered =
        IsUpload() || (IsThirdParty() && m_spec->dataChannels == DataChannels::CACHED);
    TcpConnection& connection =
        m_data.Open(index,
                    {.tcp = &m_dataTcp,
                     .path = m_context.data,
                     .ways = isSized ? TcpConnection::Ways::BACK : TcpConnection::Ways::ONE,
                     .answersFin = isAnswered,
                     .user = this,
                     .label = label,
                     .pool = m_pool ? &*m_pool : nullptr,
                     .sink = GetSink(index)});
    if (auto* sink = GetSink(index))
    {
        sink->Renew(connection);
    }
    UseStorage(index, source);
    if (isSized)
    {
        GetDataSizing(index).Renew(connection);
        GetDataSizing(index).Begin(source);
    }
    connection.Begin(source, now);
    if (m_isDeaf)
    {
        connection.Reset(TcpConnection::PASSIVE, now); // there is nobody to accept it
    }
    if (late > 0)
    {
        HostClock& clock = *connection.GetUse().path.clocks[TcpConnection::ACTIVE];
        clock.Schedule(now + late, *this, OPEN + TIMERS * index);
    }
    else
    {
        connection.Connect(now);
    }
}

void
SegmentSession::HandleDelivered(TcpConnection& connection, TcpConnection::End to, Nanoseconds now)
{
    if (to == TcpConnection::ACTIVE)
    {
        return GetDataSizing(connection.GetUse().label->connection).HandleSizings(now);
    }
    const uint32_t index = connection.GetUse().label->connection;
    if (auto* sink = GetSink(index); sink && !sink->IsStored(now))
    {
        return;
    }
    m_hasArrived[index] = true;
    if (++m_arrived < m_parallelism)
    {
        return;
    }
    if (!IsDownload() && GetServer(Peer::RECEIVER).IsBusy())
    {
        HandleStored(now);
    }
    else if (std::exchange(m_awaitsData, false) && !IsOver())
    {
        FinishChunk(now);
        Advance(now);
    }
}

void
SegmentSession::HandleRead(TcpConnection& connection, Nanoseconds now)
{
    GetDataSizing(connection.GetUse().label->connection).HandleRead(now);
}

SegmentDataSizing&
SegmentSession::GetDataSizing(uint32_t index)
{
    while (m_dataSizings.size() <= index)
    {
        m_dataSizings.emplace_back(m_dataTcp.buffers);
    }
    return m_dataSizings[index];
}

void
SegmentSession::EndDataSizings()
{
    for (auto& sizing : m_dataSizings)
    {
        sizing.End();
    }
}

void
SegmentSession::HandleStored(Nanoseconds now)
{
    m_markerDueNs = NEVER;
    EndSizing();
    const auto chunk = GetNextBytes();
    const auto marker =
        FormatReply(MakePerfMarkerReply({static_cast<uint64_t>(now / DECISECOND_NS), 0, chunk, 1}));
    const auto range = FormatReply(MakeRangeMarkerReply({{m_offset, m_offset + chunk}}));
    SegmentServer& server = GetServer(Peer::RECEIVER);
    server.SetBusy(false);
    // Written one after the other, they leave together
    const Reply complete = MakeCompleteReply();
    server.Say(now, static_cast<uint32_t>(complete.code), marker + range + FormatReply(complete));
}

void
SegmentSession::HandleDrained(TcpConnection& /* connection */, Nanoseconds now)
{
    if (!IsUpload() && ++m_drained >= m_parallelism && GetServer(Peer::SENDER).IsBusy())
    {
        GetServer(Peer::SENDER).SetBusy(false);
        GetServer(Peer::SENDER).Say(now, MakeCompleteReply());
    }
}

void
SegmentSession::ScheduleMarker(Nanoseconds at)
{
    m_markerDueNs = at;
    m_context.path.clocks[SegmentControlChannel::SERVER]->Schedule(at, *this, MARKER);
}

void
SegmentSession::HandleMarker(Nanoseconds now)
{
    if (now != m_markerDueNs)
    {
        return; // of a chunk that is complete
    }
    const auto decisecond = static_cast<uint64_t>(now / DECISECOND_NS);
    GetServer(Peer::RECEIVER).Say(now, MakePerfMarkerReply({decisecond, 0, GetStored(now), 1}));
    ScheduleMarker(now + MARKER_INTERVAL_NS);
}

uint64_t
SegmentSession::GetRead(Nanoseconds now) const
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m_sources.size(); ++i)
    {
        const TcpConnection& connection = m_data.Get(i);
        bytes +=
            m_sources[i].GetPayload(connection.GetDelivered(now) - connection.GetSourceBegin());
    }
    return bytes;
}

void
SegmentSession::HandleFailed(TcpConnection& connection,
                             Nanoseconds now,
                             TcpConnection::Failure failure)
{
    const bool refused = failure == TcpConnection::Failure::REFUSED;
    const int code = refused ? NOT_OPENED : ABORTED;
    const std::string reason = "data connection " +
                               std::to_string(connection.GetUse().label->connection) +
                               (refused ? " was refused" : " was reset or gave up its retries");
    if (IsUpload())
    {
        return Fail(now, reason + " (" + std::to_string(code) + ")");
    }
    FailTransfer(GetServer(Peer::SENDER), now, code, reason);
}

void
SegmentSession::HandleReset(TcpConnection& connection, TcpConnection::End to, Nanoseconds now)
{
    const uint32_t index = connection.GetUse().label->connection;
    if (to == TcpConnection::ACTIVE)
    {
        m_data.HandleReset(index);
        return HandleFailed(connection, now, TcpConnection::Failure::GAVE_UP);
    }
    if (index < m_dataSizings.size())
    {
        m_dataSizings[index].End();
    }
    const bool isWanted = IsDownload() ? m_transferring : GetServer(Peer::RECEIVER).IsBusy();
    if (!isWanted || (index < m_hasArrived.size() && m_hasArrived[index]))
    {
        return; // it had nothing left to say
    }
    const std::string reason = "data connection was reset";
    if (IsDownload())
    {
        return Fail(now, reason + " (" + std::to_string(ABORTED) + ")");
    }
    FailTransfer(GetServer(Peer::RECEIVER), now, ABORTED, reason);
}

} // namespace ns3::gridftp
