/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"

#include "gridftp-tuning-mode.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t BEGINNING = 150;
constexpr uint32_t FIRST_FINAL = 200;
constexpr uint32_t GREETING = 220;
constexpr uint32_t FIRST_REFUSAL = 400;
constexpr uint32_t COMMAND = 0; // the command under way; a reply is its code

// The first free port of a host in engine ns3: it gives lines their lengths
constexpr uint16_t FIRST_PORT = 49153;

} // namespace

SegmentSession::SegmentSession(const ApplicationContext& context)
    : m_context(context),
      m_spec(&context.scenario->sessions[context.index]),
      m_index(context.index),
      m_controlTcp(MakeSegmentTcp(*context.scenario, "newreno", {.window = CONTROL_WINDOW})),
      m_dataTcp(MakeSegmentTcp(*context.scenario, m_spec->tcp, m_spec->buffers)),
      m_jitter{static_cast<uint64_t>(context.scenario->measure.seed),
               static_cast<uint64_t>(context.scenario->measure.run),
               m_index,
               m_spec->startJitter},
      m_responses(static_cast<size_t>(m_spec->rttSamples)),
      m_control(*context.flows, m_controlTcp, context.path, *this),
      m_data(*context.flows)
{
}

void
SegmentSession::Start(Nanoseconds now)
{
    auto policy = MakeTuningPolicy(m_spec->mode, m_spec->tuning);
    if (!policy)
    {
        return Fail(now, policy.GetError().message);
    }
    m_policy = std::move(*policy);
    m_parallelism = m_policy->GetInitialParallelism();
    m_state = SessionState::LOGGING_IN;
    for (auto& command :
         LoginCommands(m_spec->direction, static_cast<uint64_t>(m_spec->buffers.window)))
    {
        m_script.push_back(std::move(command));
    }
    m_control.Connect(now);
}

void
SegmentSession::HandleEvent(Nanoseconds now, uint32_t id)
{
    if (id % 2 == MARKER)
    {
        HandleMarker(now);
    }
    else
    {
        m_data.Get(id / 2).Connect(now);
    }
}

void
SegmentSession::HandleControlFailed(Nanoseconds now, const char* reason)
{
    Fail(now, reason);
}

void
SegmentSession::HandleControlAccepted(Nanoseconds now)
{
    Say(now, MakeGreeting("server"));
}

void
SegmentSession::HandleLine(TcpConnection::End to, Nanoseconds now, uint32_t message)
{
    if (to == SegmentControlChannel::CLIENT)
    {
        return HandleReply(now, message);
    }
    Execute(now);
    Say(now, MakeAnswer());
}

void
SegmentSession::Say(Nanoseconds now, const Reply& reply)
{
    Say(now, static_cast<uint32_t>(reply.code), FormatReply(reply));
}

void
SegmentSession::Say(Nanoseconds now, uint32_t code, const std::string& text)
{
    m_control.Write(SegmentControlChannel::SERVER, now, static_cast<uint32_t>(text.size()), code);
}

void
SegmentSession::Execute(Nanoseconds now)
{
    switch (m_command.verb)
    {
    case Verb::USER:
        m_user = m_command.argument;
        break;
    case Verb::PORT:
        CloseData(0, now);
        m_keptConnections = 0;
        break;
    case Verb::ESTO:
        m_sources.clear(); // those of the chunk before are exhausted
        ScheduleMarker(now + MARKER_INTERVAL_NS);
        break;
    case Verb::ERET:
        StartSending(now);
        break;
    case Verb::QUIT:
        if (IsUpload())
        {
            m_data.ClosePassive(now);
        }
        break;
    default:
        break;
    }
}

Reply
SegmentSession::MakeAnswer() const
{
    switch (m_command.verb)
    {
    case Verb::PASS:
        return MakeLoginReply(m_user);
    case Verb::SIZE:
        return MakeSizeReply(static_cast<uint64_t>(m_spec->fileSize));
    case Verb::PASV:
        return MakePassiveReply(
            {m_context.serverAddress, static_cast<uint16_t>(FIRST_PORT + m_records.size())});
    default:
        return MakeReply(m_command);
    }
}

void
SegmentSession::HandleReply(Nanoseconds now, uint32_t code)
{
    if (m_state == SessionState::DONE || m_state == SessionState::FAILED)
    {
        return;
    }
    if (code < FIRST_FINAL)
    {
        if (m_command.verb == Verb::ESTO && code == BEGINNING)
        {
            StartSending(now);
        }
        return;
    }
    if (code >= FIRST_REFUSAL)
    {
        return Fail(now, "the server answered " + std::to_string(code) + " " + m_reason);
    }
    if (m_transferring)
    {
        m_transferring = false;
        RecordChunk(now);
        m_data.EndSources();
        if (IsUpload() && m_spec->dataChannels == DataChannels::FRESH)
        {
            CloseData(0, now);
            m_keptConnections = 0;
        }
    }
    else if (code != GREETING && IsTimedVerb(m_command.verb))
    {
        m_responses.Add(now - m_saidNs);
    }
    Advance(now);
}

void
SegmentSession::Advance(Nanoseconds now)
{
    if (m_script.empty())
    {
        HandleReady(now);
    }
    if (m_script.empty())
    {
        return;
    }
    m_command = std::move(m_script.front());
    m_script.pop_front();
    m_saidNs = now;
    if (m_command.verb == Verb::ESTO || m_command.verb == Verb::ERET)
    {
        m_transferring = true;
        m_complete = false;
        m_ends = 0;
        m_startNs = now;
        m_rttS = m_responses.GetMeanS();
        m_scheduler.emplace(m_spec->layout,
                            0,
                            GetNextBytes(),
                            m_parallelism,
                            static_cast<uint64_t>(m_spec->blockSize));
        if (m_records.empty())
        {
            m_context.observer->HandleTransferring(now);
        }
    }
    const auto bytes = static_cast<uint32_t>(FormatCommand(m_command).size());
    m_control.Write(SegmentControlChannel::CLIENT, now, bytes, COMMAND);
}

void
SegmentSession::HandleReady(Nanoseconds now)
{
    if (m_state == SessionState::LOGGING_IN)
    {
        m_state = SessionState::TRANSFERRING;
    }
    if (m_state == SessionState::TRANSFERRING)
    {
        return ScriptNext(now);
    }
    m_state = SessionState::DONE;
    m_control.Close();
    m_context.observer->HandleEnded(now);
}

uint64_t
SegmentSession::GetNextBytes() const
{
    return std::min(static_cast<uint64_t>(m_spec->chunkSize),
                    static_cast<uint64_t>(m_spec->fileSize) - m_offset);
}

void
SegmentSession::ScriptNext(Nanoseconds now)
{
    if (m_offset == static_cast<uint64_t>(m_spec->fileSize))
    {
        m_state = SessionState::QUITTING;
        if (!IsUpload())
        {
            m_data.ClosePassive(now);
        }
        m_script.push_back({Verb::QUIT, ""});
        return;
    }
    ChunkOrder order{.direction = m_spec->direction,
                     .offset = m_offset,
                     .bytes = GetNextBytes(),
                     .parallelism = m_parallelism,
                     .newAddress = !m_hasAddress || m_spec->dataChannels == DataChannels::FRESH,
                     .listener = {}};
    order.listener = {m_context.clientAddress,
                      static_cast<uint16_t>(FIRST_PORT + m_records.size())};
    if (!IsUpload() && m_hasAddress && order.newAddress)
    {
        m_data.ClosePassive(now);
    }
    m_hasAddress = true;
    for (auto& command : ChunkCommands(order))
    {
        m_script.push_back(std::move(command));
    }
}

void
SegmentSession::StartSending(Nanoseconds now)
{
    CloseData(m_parallelism, now);
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
    if (m_data.IsOpen(index))
    {
        return m_data.Get(index).Begin(source, now);
    }
    const FlowPath& path = m_context.path;
    const ConnectionLabel label{m_index, static_cast<uint32_t>(m_records.size()), index};
    TcpConnection& connection = m_data.Open(index,
                                            {.tcp = &m_dataTcp,
                                             .path = IsUpload() ? path : path.GetReverse(),
                                             .answersFin = IsUpload(),
                                             .user = this,
                                             .label = label});
    connection.Begin(source, now);
    if (late > 0)
    {
        HostClock& clock = *connection.GetUse().path.clocks[TcpConnection::ACTIVE];
        clock.Schedule(now + late, *this, OPEN + 2 * index);
    }
    else
    {
        connection.Connect(now);
    }
}

void
SegmentSession::CloseData(uint32_t from, Nanoseconds now)
{
    m_data.Close(from, now);
}

void
SegmentSession::HandleDelivered(TcpConnection& /* connection */,
                                TcpConnection::End /* to */,
                                Nanoseconds now)
{
    if (!IsUpload() || ++m_ends < m_parallelism || m_complete)
    {
        return;
    }
    m_complete = true;
    m_markerDueNs = NEVER;
    constexpr int64_t DECISECOND_NS = 100'000'000;
    const auto chunk = GetNextBytes();
    const auto marker =
        FormatReply(MakePerfMarkerReply({static_cast<uint64_t>(now / DECISECOND_NS), 0, chunk, 1}));
    const auto range = FormatReply(MakeRangeMarkerReply({{m_offset, m_offset + chunk}}));
    // Written one after the other, they leave together
    Say(now, 226, marker + range + FormatReply({226, {"Transfer Complete."}}));
}

void
SegmentSession::HandleDrained(TcpConnection& /* connection */, Nanoseconds now)
{
    if (IsUpload() || ++m_ends < m_parallelism || m_complete)
    {
        return;
    }
    m_complete = true;
    Say(now, {226, {"Transfer Complete."}});
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
    constexpr int64_t DECISECOND_NS = 100'000'000;
    const auto decisecond = static_cast<uint64_t>(now / DECISECOND_NS);
    uint64_t arrived = 0;
    for (uint32_t i = 0; i < m_sources.size(); ++i)
    {
        const TcpConnection& connection = m_data.Get(i);
        arrived +=
            m_sources[i].GetPayload(connection.GetDelivered(now) - connection.GetSourceBegin());
    }
    Say(now, MakePerfMarkerReply({decisecond, 0, arrived, 1}));
    ScheduleMarker(now + MARKER_INTERVAL_NS);
}

void
SegmentSession::HandleFailed(TcpConnection& connection,
                             Nanoseconds now,
                             TcpConnection::Failure failure)
{
    const bool refused = failure == TcpConnection::Failure::REFUSED;
    const int code = refused ? 425 : 426;
    const std::string reason = "data connection " +
                               std::to_string(connection.GetUse().label->connection) +
                               (refused ? " was refused" : " was reset or gave up its retries");
    if (IsUpload())
    {
        return Fail(now, reason + " (" + std::to_string(code) + ")");
    }
    if (!m_complete)
    {
        m_complete = true;
        m_reason = reason;
        m_data.EndSources();
        CloseData(0, now);
        Say(now, {code, {reason}});
    }
}

void
SegmentSession::Fail(Nanoseconds now, const std::string& reason)
{
    if (m_state == SessionState::DONE || m_state == SessionState::FAILED)
    {
        return;
    }
    m_state = SessionState::FAILED;
    m_reason = reason;
    m_transferring = false;
    m_markerDueNs = NEVER;
    m_control.Stop();
    m_data.EndSources();
    CloseData(0, now);
    m_context.observer->HandleEnded(now);
}

void
SegmentSession::RecordChunk(Nanoseconds now)
{
    const ChunkSample sample{.bytes = GetNextBytes(),
                             .fullBytes = static_cast<uint64_t>(m_spec->chunkSize),
                             .durationS = static_cast<double>(now - m_startNs) / 1e9,
                             .rttS = m_rttS,
                             .windowBytes = static_cast<double>(m_spec->buffers.window),
                             .segmentBytes = static_cast<double>(m_dataTcp.segmentBytes),
                             .parallelism = m_parallelism};
    const ChunkSpan span{.index = m_records.size(),
                         .startNs = m_startNs,
                         .endNs = now,
                         .offset = m_offset};
    const ChunkRecord record = MakeChunkRecord(span, sample, m_policy->Decide(sample));
    m_offset += record.bytes;
    m_parallelism = record.nextParallelism;
    m_records.push_back(record);
    m_context.observer->HandlePart(now);
}

SessionView
SegmentSession::GetView() const
{
    return {.state = m_state,
            .reason = m_reason,
            .transferring = m_transferring,
            .chunkStartNs = m_startNs,
            .chunk = static_cast<uint32_t>(m_records.size()),
            .parallelism = m_parallelism,
            .rttS = m_rttS,
            .records = &m_records,
            .totals = m_data.GetTotals()};
}

void
SegmentSession::AddTo(Nanoseconds /* now */, TransferResult& result) const
{
    SessionResult& part = result.sessions.emplace_back(MakeGridftpSession(m_records));
    const auto window = static_cast<uint64_t>(m_spec->buffers.window);
    part.tcp = {m_data.GetTotals(), window};
    part.buffers = MakeBufferResult(m_data.GetBuffers(), window);
    if (m_state != SessionState::DONE)
    {
        part.reason = m_state == SessionState::FAILED ? m_reason : "not ended";
    }
}

std::unique_ptr<SegmentApplication>
MakeGridFtpApplication(const ApplicationContext& context)
{
    return std::make_unique<SegmentSession>(context);
}

} // namespace ns3::gridftp
