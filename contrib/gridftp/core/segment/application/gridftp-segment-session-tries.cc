/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"
#include "gridftp-stall-text.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: what goes wrong, how long its client waits, and how it begins anew.
 */

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t PERFORMANCE_MARKER = 112;
constexpr int ABORTED = 426;

} // namespace

void
SegmentSession::AddTry()
{
    const SegmentSessionData* before = m_tries.empty() ? nullptr : GetTry().data.get();
    const auto chunk = static_cast<uint32_t>(m_records.size());
    SegmentDtpGroup::User& user = *this;
    Try next;
    next.data = std::make_unique<SegmentSessionData>(m_context,
                                                     m_hosts,
                                                     m_controlTcp,
                                                     m_dataTcp,
                                                     user,
                                                     chunk,
                                                     before);
    for (const Peer peer : ListPeers(m_spec->direction))
    {
        const bool isSecond = IsThirdParty() && peer == Peer::SENDER;
        SegmentServer::User& owner = *this;
        const HostCpuPtr cpu = m_hosts.GetEnd(peer == Peer::RECEIVER).GetHead();
        next.servers[static_cast<size_t>(peer)] =
            std::make_unique<SegmentServer>(peer,
                                            m_spec->rttSamples,
                                            *m_context.flows,
                                            m_controlTcp,
                                            isSecond ? m_context.senderPath : m_context.path,
                                            owner,
                                            m_serverFaults[static_cast<size_t>(peer)],
                                            RequestCost{cpu.get(), m_spec->requestCpu});
    }
    next.floor = RateFloor(m_spec->minRate, m_spec->minRatePeriod);
    next.held = m_tries.empty() ? 0 : CountBytes(m_held) - CountBytes(m_spec->restart);
    m_tries.push_back(std::move(next));
}

SegmentSession::Try&
SegmentSession::FindTry(const SegmentServer& server)
{
    auto it = m_tries.rbegin();
    while (!it->Has(server))
    {
        ++it;
    }
    return *it;
}

SegmentSession::Try&
SegmentSession::FindTry(const SegmentDtpGroup& group)
{
    auto it = m_tries.rbegin();
    const auto has = [&group](const auto& data) {
        return data && &data->GetEnd(group.GetPeer()) == &group;
    };
    while (!has(it->data) && !has(it->idle))
    {
        ++it;
    }
    return *it;
}

void
SegmentSession::ScheduleFaults(Nanoseconds now)
{
    const auto& faults = m_context.scenario->faults;
    for (uint32_t i = 0; i < faults.size(); ++i)
    {
        const FaultSpec& fault = faults[i];
        if (IsOfBottleneck(fault.kind) || fault.session != m_index)
        {
            continue; // of the network, or of others
        }
        if (fault.at <= now)
        {
            const Peer peer = FindPeer(m_spec->direction, fault.server);
            m_serverFaults[static_cast<size_t>(peer)].resetsNext |= fault.IsOnce();
            continue; // of what is not there yet
        }
        const bool isSecond = fault.server == FaultServer::SENDER;
        const FlowPath& path = isSecond ? m_context.senderPath : m_context.path;
        const auto end = fault.server == FaultServer::CLIENT ? SegmentControlChannel::CLIENT
                                                             : SegmentControlChannel::SERVER;
        path.clocks[end]->Schedule(fault.at, *this, FAULT + TIMERS * i);
    }
}

void
SegmentSession::HandleFault(const FaultSpec& fault, Nanoseconds now)
{
    const Peer peer = FindPeer(m_spec->direction, fault.server);
    switch (fault.kind)
    {
    case FaultKind::CONTROL_RESET:
        return ResetControl(fault, peer, now);
    case FaultKind::SERVER_DIES:
        GetServer(peer).Die(now);
        GetServer(peer).SetBusy(false);
        return GetData().GetEnd(peer).Drop(now);
    case FaultKind::DTP_DIES:
        return GetData().KillDtp(peer, static_cast<uint32_t>(fault.stripe), now);
    case FaultKind::FOREIGN:
        return GetData().AcceptForeign(static_cast<uint32_t>(fault.stripe),
                                       fault.duration == 0 ? NEVER : fault.GetEndNs());
    case FaultKind::DATA_RESET:
        return GetData().ResetConnection(peer, static_cast<uint32_t>(fault.connection), now);
    default:
        return; // what it does is looked up when it matters
    }
}

void
SegmentSession::ResetControl(const FaultSpec& fault, Peer peer, Nanoseconds now)
{
    const auto isOpen = [peer](const Try& one) { return one.GetServer(peer).IsOpen(); };
    const bool isAny = std::ranges::any_of(m_tries, isOpen);
    if (GetServer(peer).ResetControl(now))
    {
        DropTransfer(GetServer(peer), now);
    }
    m_serverFaults[static_cast<size_t>(peer)].resetsNext |= fault.IsOnce() && !isAny;
}

void
SegmentSession::HandleClientLost(SegmentServer& server, Nanoseconds now)
{
    server.SetBusy(false);
    GetEnd(server).Drop(now);
    ResetIdle(FindTry(server), true, now);
}

void
SegmentSession::HandleMarker(SegmentServer& server, Nanoseconds now, const MarkerRanges& ranges)
{
    m_heardNs = now;
    if (!IsOver() && IsOfNow(server) && m_spec->retries > 0)
    {
        Hold(ranges);
    }
}

void
SegmentSession::Hold(const MarkerRanges& ranges)
{
    m_held.insert(m_held.end(), ranges.begin(), ranges.end());
    m_held = MergeRanges(std::move(m_held));
}

void
SegmentSession::SkipHeldChunks()
{
    while (m_offset < m_files.GetEnd() && !m_hasBegun && !m_held.empty() &&
           FindGaps(m_held, GetChunk()).empty())
    {
        m_offset += GetNextBytes();
    }
}

void
SegmentSession::SayRanges(SegmentDtpGroup& group, Nanoseconds now, std::string text)
{
    Try& one = FindTry(group);
    SegmentServer& server = one.GetServer(group.GetPeer());
    const bool isRound = ++one.reports == static_cast<uint32_t>(m_spec->stripes.receivers);
    one.reports = isRound ? 0 : one.reports;
    if (!isRound || group.GetRanges().empty())
    {
        return server.Say(now, PERFORMANCE_MARKER, text);
    }
    // Written one after the other, they leave together
    text += FormatReply(MakeRangeMarkerReply(group.GetRanges()));
    server.SayMarker(now, text, group.GetRanges());
}

bool
SegmentSession::IsStoredOnce(Nanoseconds now, const MarkerRange& chunk) const
{
    MarkerRanges stored = GetData().GetRanges(now);
    const uint64_t bytes = CountBytes(stored) + CountBytes(m_left);
    stored.insert(stored.end(), m_left.begin(), m_left.end());
    return bytes == chunk.end - chunk.begin &&
           MergeRanges(std::move(stored)) == MarkerRanges{chunk};
}

void
SegmentSession::FailOwnEnd(Nanoseconds now, int code, const std::string& reason)
{
    const bool isWatched = HasLimits(*m_context.scenario, *m_spec) && m_spec->stallTimeout > 0;
    std::string& ownFailure = GetTry().ownFailure;
    if (code == ABORTED && IsUpload() && isWatched && ownFailure.empty() &&
        GetServer(Peer::RECEIVER).IsTransferring())
    {
        ownFailure = reason; // the server has reset the connection: its reply gives the reason
        GetTry().ownDueNs = now + LAST_WORD_NS;
        return ScheduleWatch(now + LAST_WORD_NS);
    }
    if (m_spec->retries > 0)
    {
        return EndTry(now, reason);
    }
    Fail(now, reason);
}

MarkerRanges
SegmentSession::FindComplete() const
{
    const uint64_t end = m_pipeline.IsEmpty() ? m_offset : m_pipeline.GetFirst().part.offset;
    return MergeRanges({{0, end}});
}

void
SegmentSession::EndTry(Nanoseconds now, const std::string& reason)
{
    if (IsOver() || m_isPaused)
    {
        return;
    }
    if (IsDownload() && m_transferring)
    {
        const SegmentDtpGroup& own = GetOwnEnd();
        Hold(own.IsApart() ? own.GetRanges() : GetData().GetRanges(now));
    }
    for (const Peer peer : ListPeers(m_spec->direction))
    {
        GetServer(peer).Drop(now);
    }
    if (!IsThirdParty())
    {
        GetOwnEnd().Drop(now);
    }
    m_script.Clear();
    m_sayDueNs = NEVER;
    m_offset = m_pipeline.IsEmpty() ? m_offset : m_pipeline.GetFirst().part.offset;
    m_pipeline.Clear();
    m_transferring = m_hasAddress = false;
    const auto waitNs = m_retries.Fail(CountBytes(m_held));
    if (!waitNs)
    {
        m_state = SessionState::FAILED;
        m_reason = reason;
        return HandleOver(now);
    }
    m_isPaused = true;
    m_state = SessionState::LOGGING_IN;
    const uint64_t held = CountBytes(ClipRanges(m_held, GetChunk()));
    m_restarts.restarts.push_back({now, reason, held, *waitNs});
    m_context.path.clocks[SegmentControlChannel::CLIENT]->Schedule(now + *waitNs, *this, RETRY);
}

void
SegmentSession::ScriptLogin()
{
    m_script.AddLogin(m_spec->direction, MakeLoginOrder(m_spec->buffers, m_spec->security));
}

void
SegmentSession::BeginTry(Nanoseconds now)
{
    if (IsOver())
    {
        return;
    }
    m_isPaused = false;
    AddTry();
    ScriptLogin();
    Advance(now);
}

void
SegmentSession::HandleProgress(uint32_t stripe, uint64_t bytes)
{
    GetTry().floor.HandleMarker(stripe, bytes);
}

void
SegmentSession::ScheduleAlive(Nanoseconds at, Peer peer)
{
    if (m_spec->keepalive > 0)
    {
        GetTry().aliveDueNs[static_cast<size_t>(peer)] = at;
        m_context.path.clocks[SegmentControlChannel::CLIENT]->Schedule(
            at,
            *this,
            ALIVE + TIMERS * static_cast<uint32_t>(peer));
    }
}

void
SegmentSession::KeepAlive(Nanoseconds now, Peer peer)
{
    const bool isDue = now == GetTry().aliveDueNs[static_cast<size_t>(peer)];
    SegmentServer& server = GetServer(peer);
    if (isDue && !IsOver() && !m_isPaused && !m_givesUp && server.IsConnected())
    {
        ScheduleAlive(server.KeepAlive(now, m_spec->keepalive), peer);
    }
}

uint64_t
SegmentSession::GetMoved(Nanoseconds now) const
{
    return IsDownload() ? GetData().GetTaken(now) : GetTry().floor.GetMarked();
}

void
SegmentSession::ScheduleRate(Nanoseconds at)
{
    GetTry().rateDueNs = at;
    m_context.path.clocks[SegmentControlChannel::CLIENT]->Schedule(at, *this, RATE);
}

void
SegmentSession::CheckRate(Nanoseconds now)
{
    if (IsOver() || m_isPaused || m_givesUp || m_state != SessionState::TRANSFERRING)
    {
        return;
    }
    if (GetTry().floor.IsTooSlow(GetMoved(now)))
    {
        return GiveUp(now, MakeSlowReason(m_spec->minRate, m_spec->minRatePeriod));
    }
    ScheduleRate(now + m_spec->minRatePeriod);
}

void
SegmentSession::ScheduleWatch(Nanoseconds at)
{
    m_watchDueNs = at; // an event of an earlier call does nothing
    m_context.path.clocks[SegmentControlChannel::CLIENT]->Schedule(at, *this, WATCH);
}

std::string
SegmentSession::NameStall(const SegmentServer& server) const
{
    const std::string text = server.IsGreeted()
                                 ? MakeNoReplyReason(server.GetCommand().verb, m_spec->stallTimeout)
                                 : MakeNoGreetingReason(m_spec->stallTimeout);
    return NameControlFailure(m_spec->direction, server.GetPeer(), text);
}

void
SegmentSession::HandleWatch(Nanoseconds now)
{
    if (IsOver() || now != m_watchDueNs)
    {
        return;
    }
    const auto peers = ListPeers(m_spec->direction);
    const auto late =
        std::ranges::find_if(peers, [this](Peer peer) { return GetServer(peer).IsAwaited(); });
    const bool isReceiving = IsDownload() && m_transferring && !GetOwnEnd().IsDone();
    const bool waits = late != peers.end() && !isReceiving && !m_isPaused;
    const int64_t dueNs = waits ? m_heardNs + m_spec->stallTimeout : now + m_spec->stallTimeout;
    const std::string& own = GetTry().ownFailure;
    if (!own.empty() && !m_isPaused)
    {
        const bool isDue = now >= GetTry().ownDueNs;
        ScheduleWatch(isDue ? now + m_spec->stallTimeout : GetTry().ownDueNs);
        return isDue ? GiveUp(now, own) : void();
    }
    if (dueNs > now)
    {
        return ScheduleWatch(dueNs);
    }
    ScheduleWatch(now + m_spec->stallTimeout);
    if (m_givesUp)
    {
        return Fail(now, m_reason);
    }
    GiveUp(now, NameStall(GetServer(*late)));
}

FlowView
SegmentSession::GetFlow(Nanoseconds now) const
{
    const bool hasBegun = m_hasBegun || !m_records.empty();
    const auto& idle = GetTry().idle;
    const uint64_t before = GetTry().held + (idle ? idle->GetReceived(now) : 0);
    return {.receivedBytes = before + GetData().GetReceived(now),
            .active = m_state == SessionState::TRANSFERRING && hasBegun};
}

ConnectionTotals
SegmentSession::GetTotals() const
{
    ConnectionTotals totals;
    for (const Try& one : m_tries)
    {
        totals.Add(one.data->GetTotals());
        totals.Add(one.idle ? one.idle->GetTotals() : ConnectionTotals());
    }
    return totals;
}

std::vector<ConnectionTotals>
SegmentSession::GetPairTotals() const
{
    std::vector<ConnectionTotals> totals;
    for (const Try& one : m_tries)
    {
        one.data->AddPairTotals(totals);
        if (one.idle)
        {
            one.idle->AddPairTotals(totals);
        }
    }
    return totals;
}

void
SegmentSession::AddTriesTo(Nanoseconds now, SessionResult& result) const
{
    result.stripes = GetTry().data->GetStripes(m_records);
    uint64_t taken = GetData().GetTaken(now);
    for (size_t i = 0; i + 1 < m_tries.size(); ++i)
    {
        m_tries[i].data->AddTotals(result.stripes);
        taken += m_tries[i].data->GetTaken(now);
    }
    if (m_spec->retries > 0)
    {
        result.retries = m_restarts;
        const uint64_t held = CountBytes(m_held) - CountBytes(m_spec->restart);
        result.retries->bytesResent = taken - std::min(taken, held);
    }
    if (m_state != SessionState::DONE)
    {
        result.restartMarker = IsPipelining() ? FindComplete() : m_held;
    }
}

} // namespace ns3::gridftp
