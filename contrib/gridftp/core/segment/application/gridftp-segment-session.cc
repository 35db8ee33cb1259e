/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"

#include "gridftp-processing-kind.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: its client, and what comes of it.
 */

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t BEGINNING = 150;
constexpr uint32_t FIRST_FINAL = 200;
constexpr uint32_t GREETING = 220;
constexpr uint32_t FIRST_REFUSAL = 400;

/** @return whether it asks where a server listens */
bool
IsPassiveVerb(Verb verb)
{
    return verb == Verb::PASV || verb == Verb::SPAS;
}

} // namespace

SegmentSession::SegmentSession(const ApplicationContext& context)
    : m_context(context),
      m_spec(&context.scenario->sessions[context.index]),
      m_index(context.index),
      m_hosts(MakeSessionHosts(*m_spec, context.host)),
      m_controlTcp(MakeSegmentTcp(*context.scenario, "newreno", {.window = CONTROL_WINDOW})),
      m_dataTcp(MakeSegmentTcp(*context.scenario, m_spec->tcp, m_spec->buffers)),
      m_retries(*m_spec, CountBytes(m_spec->restart)),
      m_held(m_spec->restart),
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
            .refusals = ListOutages(scenario, FaultKind::AUTH_REFUSED, place)};
    }
    if (const auto part = FindPart(*m_spec))
    {
        m_files.SetPart(*part);
    }
    AddTry();
}

void
SegmentSession::Start(Nanoseconds now)
{
    if (const std::string wrong = MakeTuners(); !wrong.empty())
    {
        return Fail(now, wrong);
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
        return now == m_sayDueNs ? Say(now) : void();
    default:
        return HandleFault(m_context.scenario->faults[id / TIMERS], now);
    }
}

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
    if (code >= FIRST_REFUSAL)
    {
        if (server.IsTransferring())
        {
            server.HandleFinal();
        }
        return GiveUp(now,
                      "the " + std::string(GetPeerName(m_spec->direction, server.GetPeer())) +
                          " answered " + std::to_string(code) + " " + server.GetRefusal());
    }
    if (server.IsTransferring())
    {
        server.HandleFinal();
        if (IsThirdParty() && (GetServer(Peer::RECEIVER).IsTransferring() ||
                               GetServer(Peer::SENDER).IsTransferring()))
        {
            return;
        }
        m_finalNs = now;
        m_awaitsData = AwaitsOwnEnd() && !GetOwnEnd().IsDone();
        if (m_awaitsData)
        {
            return; // a slow reader has not taken all of it yet; or a stripe has not told its times
        }
        FinishChunk(now);
    }
    else if (code != GREETING && IsTimedVerb(server.GetCommand().verb))
    {
        server.GetResponses().Add(now - m_saidNs);
    }
    else if (IsThirdParty() && IsPassiveVerb(server.GetCommand().verb))
    {
        m_script.SetListeners(GetData().GetEnd(Peer::RECEIVER).GetAddresses());
    }
    else if (server.GetCommand().verb == Verb::QUIT)
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
    if (IsThirdParty())
    {
        return Advance(now); // to ERET
    }
    StartSending(now);
}

void
SegmentSession::FinishChunk(Nanoseconds now)
{
    m_transferring = false;
    if (IsDownload())
    {
        EndSizing();
    }
    RecordChunk(now);
    if (!IsThirdParty())
    {
        GetOwnEnd().Finish(now, m_spec->dataChannels == DataChannels::FRESH);
    }
}

void
SegmentSession::Advance(Nanoseconds now)
{
    if (m_script.IsEmpty())
    {
        HandleSaid(now);
    }
    if (m_script.IsEmpty())
    {
        return;
    }
    SegmentServer& server = GetServer(m_script.GetNext().peer);
    m_heardNs = now;
    if (!server.IsConnected())
    {
        return server.Connect(now); // its greeting goes on
    }
    SayWhenComputed(now);
}

void
SegmentSession::BeginChunk(Nanoseconds now)
{
    m_transferring = true;
    const bool isFirst = !std::exchange(m_hasBegun, true);
    if (isFirst)
    {
        m_startNs = now;
        m_rttS = GetRoundTripS();
    }
    if (IsDownload())
    {
        GetOwnEnd().Receive(now, {m_offset, GetNextBytes()}, m_left);
    }
    if (isFirst && m_records.empty())
    {
        m_context.observer->HandleTransferring(now);
    }
}

void
SegmentSession::HandleSaid(Nanoseconds now)
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
    if (!IsThirdParty() && GetOwnEnd().IsApart())
    {
        GetOwnEnd().End(now);
    }
    m_context.observer->HandleEnded(now);
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
SegmentSession::ScriptNext(Nanoseconds now)
{
    SkipHeldChunks();
    while (m_offset == m_files.GetEnd())
    {
        const bool isFirst = m_files.GetEnd() == 0;
        if (!m_files.Begin(now))
        {
            return ScriptQuit(now);
        }
        m_offset = m_files.GetBegin();
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
    if (IsDownload() && !GetOwnEnd().IsApart())
    {
        GetOwnEnd().End(now);
    }
    m_script.AddQuit(m_spec->direction);
}

void
SegmentSession::ScriptChunk(bool newAddress)
{
    m_left = ClipRanges(m_held, GetChunk());
    m_script.AddChunk({.direction = m_spec->direction,
                       .offset = m_offset,
                       .bytes = GetNextBytes(),
                       .parallelism = m_parallelism,
                       .newAddress = newAddress,
                       .isStriped = m_spec->stripes.IsStriped(),
                       .stripe = GetStripeOption(*m_spec),
                       .listeners = GetData().GetEnd(Peer::RECEIVER).GetAddresses(),
                       .held = m_left,
                       .retrieve = GetModuleOf(m_spec->buffers.processing, false),
                       .store = GetModuleOf(m_spec->buffers.processing, true),
                       .pairs = m_pairTuning.GetParallelism()});
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
    m_context.observer->HandleEnded(now);
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
    BufferTally buffers;
    for (const Try& one : m_tries)
    {
        buffers.Add(one.data->GetBuffers());
        for (const auto& server : one.servers)
        {
            if (const auto span = server ? server->GetSpan(now) : std::nullopt)
            {
                part.served.push_back(*span);
            }
        }
    }
    if (m_sizing)
    {
        buffers.Add(m_sizing->GetMeasured());
    }
    part.buffers = MakeBufferResult(buffers, window);
    part.storage = GetData().GetStorage();
    part.host = MakeHostResult(m_hosts);
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
