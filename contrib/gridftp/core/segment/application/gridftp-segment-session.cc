/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"

#include "gridftp-processing-kind.h"
#include "gridftp-segment-session-skipping.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: its client, and what comes of it.
 */

namespace ns3::gridftp
{

SegmentSession::SegmentSession(const ApplicationContext& context)
    : m_context(context),
      m_spec(&context.scenario->sessions[context.index]),
      m_index(context.index),
      m_direction(m_spec->direction),
      m_hosts(context.hosts),
      m_controlTcp(MakeSegmentTcp(*context.scenario,
                                  m_spec->hostTcp,
                                  "newreno",
                                  {.window = CONTROL_WINDOW})),
      m_dataTcp(MakeSegmentTcp(*context.scenario, m_spec->hostTcp, m_spec->tcp, m_spec->buffers)),
      m_retries(*m_spec, CountBytes(m_spec->restart)),
      m_held(m_spec->restart),
      m_pipeline(m_spec->direction),
      m_files(context.files)
{
    for (const Peer peer : ListPeers(m_spec->direction))
    {
        const Scenario& scenario = *context.scenario;
        const FaultPlace place{m_index, peer == Peer::RECEIVER};
        m_serverFaults[static_cast<size_t>(peer)] = {
            .isWatched = HasLimits(scenario, *m_spec),
            .deaths = ListOutages(scenario, FaultKind::SERVER_DIES, place),
            .resets = ListOutages(scenario, FaultKind::CONTROL_RESET, place),
            .silences = ListOutages(scenario, FaultKind::SERVER_SILENT, place),
            .refusals = ListOutages(scenario, FaultKind::AUTH_REFUSED, place),
            .losses = ListOutages(scenario, FaultKind::REPLY_LOST, place),
            .idleRules = ListIdleRules(scenario, place),
            .closesApart = HasTwoDirections(scenario) || scenario.path.variation.IsSet() ||
                           HasActiveQueue(scenario.path)};
    }
    if (const auto part = FindPart(*m_spec))
    {
        m_files.SetPart(*part);
    }
    m_closesExactly = HasTwoDirections(*context.scenario);
    m_opposite = MakeOpposite();
    AddTry();
}

SegmentSession::~SegmentSession() = default;

void
SegmentSession::Start(Nanoseconds now)
{
    if (const std::string wrong = MakeTuners(); !wrong.empty())
    {
        return Fail(now, wrong);
    }
    if (m_context.fastForward->IsOn() && Skipping::MayHelp(*m_context.scenario, m_dataTcp))
    {
        m_skipping = std::make_unique<Skipping>(*this);
    }
    m_state = SessionState::LOGGING_IN;
    ScheduleFaults(now);
    if (HasLimits(*m_context.scenario, *m_spec) && m_spec->stallTimeout > 0)
    {
        ScheduleWatch(now + m_spec->stallTimeout);
    }
    ScriptLogin();
    Advance(now);
}

void
SegmentSession::HandleEvent(Nanoseconds now, uint32_t id)
{
    switch (static_cast<Timer>(id % TIMERS))
    {
    case SIZING:
        return HandleAlarm(now);
    case WATCH:
        return HandleWatch(now);
    case RETRY:
        return BeginTry(now);
    case SAY:
        return now == m_sayDueNs ? SayComputed(now) : void();
    case ALIVE:
        return KeepAlive(now, static_cast<Peer>(id / TIMERS));
    case RATE:
        return now == GetTry().rateDueNs ? CheckRate(now) : void();
    case HELD:
        return IsOver() ? void() : GetServer(static_cast<Peer>(id / TIMERS)).ExecuteWaiting(now);
    default:
        return HandleFault(m_context.scenario->faults[id / TIMERS], now);
    }
}

void
SegmentSession::FinishChunks(Nanoseconds now)
{
    while (m_pipeline.IsFirstComplete() && !IsOver())
    {
        FinishChunk(now);
        BeginChunk(now); // the next one, if it was said ahead
    }
    if (!IsOver())
    {
        Advance(now);
    }
}

void
SegmentSession::FinishChunk(Nanoseconds now)
{
    m_transferring = false;
    if (IsDownload())
    {
        EndSizing();
    }
    GetTry().floor.HandleComplete(m_pipeline.GetFirst().part.bytes - CountBytes(m_left));
    RecordChunk(now);
    if (!IsThirdParty())
    {
        GetOwnEnd().Finish(now, m_spec->dataChannels == DataChannels::FRESH);
        m_context.observer->HandleBehindPart(now);
    }
}

void
SegmentSession::BeginChunk(Nanoseconds now)
{
    if (!m_pipeline.Begin())
    {
        return;
    }
    m_transferring = true;
    ExpectNext(now);
    if (GetTry().floor.IsWaiting())
    {
        ScheduleRate(now + GetTry().floor.Begin(GetMoved(now)));
    }
    m_rttS = GetRoundTripS(); // of this attempt
    if (std::exchange(m_hasBegun, true))
    {
        return; // in an earlier attempt
    }
    m_startNs = now;
    if (m_records.empty())
    {
        m_context.observer->HandleTransferring(now);
    }
}

void
SegmentSession::ExpectNext(Nanoseconds now)
{
    if (const PipelinedChunk* chunk = m_pipeline.Expect())
    {
        GetOwnEnd().Receive(now, {chunk->part.offset, chunk->part.bytes}, chunk->held);
    }
}

uint64_t
SegmentSession::GetNextBytes() const
{
    return std::min(static_cast<uint64_t>(m_spec->chunkSize), m_files.GetEnd() - m_offset);
}

double
SegmentSession::GetRoundTripS() const
{
    double longest = 0;
    for (const auto& server : GetTry().servers)
    {
        longest = server ? std::max(longest, server->GetResponses().GetMeanS()) : longest;
    }
    return longest;
}

void
SegmentSession::HandleLost(SegmentServer& server, Nanoseconds now, const char* reason)
{
    if (IsOver() || !IsOfNow(server))
    {
        return;
    }
    if (m_givesUp)
    {
        return FinishGivingUp(now);
    }
    GiveUp(now, NameControlFailure(m_spec->direction, server.GetPeer(), reason));
}

void
SegmentSession::GiveUp(Nanoseconds now, const std::string& reason)
{
    if (m_spec->retries > 0)
    {
        return EndTry(now, reason);
    }
    if (!IsThirdParty())
    {
        return Fail(now, reason);
    }
    m_givesUp = true;
    m_reason = reason;
    m_script.Clear();
    for (const auto& server : GetTry().servers)
    {
        if (server->IsTransferring())
        {
            server->OrderAbort(now);
        }
        else if (server->IsConnected())
        {
            server->Leave(now);
        }
    }
    FinishGivingUp(now);
}

void
SegmentSession::FinishGivingUp(Nanoseconds now)
{
    const auto isWaiting = [](const auto& server) { return server->IsTransferring(); };
    if (std::ranges::none_of(GetTry().servers, isWaiting))
    {
        Fail(now, m_reason);
    }
}

void
SegmentSession::Fail(Nanoseconds now, const std::string& reason)
{
    if (IsOver())
    {
        return;
    }
    m_state = SessionState::FAILED;
    m_reason = reason;
    m_transferring = false;
    EndSizing();
    for (const auto& server : GetTry().servers)
    {
        if (server)
        {
            server->Stop(now);
        }
    }
    if (!IsThirdParty() || !GetOwnEnd().IsApart())
    {
        GetOwnEnd().Abort(now);
    }
    ResetIdle(GetTry(), false, now);
    HandleOver(now);
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
            .pairs = &m_pairTuning.GetParallelism(),
            .rttS = m_rttS,
            .records = &m_records,
            .totals = GetTotals()};
}

void
SegmentSession::AddTo(Nanoseconds now, TransferResult& result) const
{
    SessionResult& part = result.sessions.emplace_back(MakeGridftpSession(m_records));
    const auto window = static_cast<uint64_t>(m_spec->buffers.window);
    part.tcp = {GetTotals(), window};
    if (m_context.monitor)
    {
        part.tcp->detail = m_context.monitor->MakeDetail();
    }
    BufferTally buffers;
    for (const Try& one : m_tries)
    {
        buffers.Add(one.data->GetBuffers());
        if (one.idle)
        {
            buffers.Add(one.idle->GetBuffers());
        }
        for (const auto& server : one.servers)
        {
            if (const auto span = server ? server->GetSpan(now) : std::nullopt)
            {
                part.served.push_back({span->beginNs, GetShownNs(span->endNs)});
            }
        }
    }
    if (m_sizing)
    {
        buffers.Add(m_sizing->GetMeasured());
    }
    part.buffers = MakeBufferResult(buffers, window);
    part.storage = GetData().GetStorage();
    AddTriesTo(now, part);
    if (IsDataSet(*m_spec))
    {
        part.files = m_files.GetRecords();
    }
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
