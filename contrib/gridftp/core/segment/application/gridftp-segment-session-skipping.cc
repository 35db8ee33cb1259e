/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session-skipping.h"

#include <algorithm>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: chunks that need not be simulated.
 */

namespace ns3::gridftp
{

namespace
{

constexpr std::array BOTH_ENDS{TcpConnection::ACTIVE, TcpConnection::PASSIVE};

/** @return what was counted between two moments */
ConnectionTotals
Subtract(const ConnectionTotals& after, const ConnectionTotals& before)
{
    return {after.segments - before.segments,
            after.retransmissions - before.retransmissions,
            after.timeouts - before.timeouts};
}

/** @return bytes of a marker that tells a time, ns */
size_t
GetMarkerLength(int64_t ns)
{
    return FormatReply(MakePerfMarkerReply({static_cast<uint64_t>(ns / DECISECOND_NS), 0, 0}))
        .size();
}

} // namespace

bool
SegmentSession::Skipping::MayHelp(const Scenario& scenario, const SegmentTcp& dataTcp)
{
    if (scenario.sessions.size() != 1 || !scenario.background.empty() || !scenario.faults.empty() ||
        HasTwoDirections(scenario))
    {
        return false;
    }
    const SessionSpec& session = scenario.sessions.front();
    const BufferSpec& buffers = session.buffers;
    const bool isPlain = session.direction != Direction::THIRD_PARTY &&
                         session.dataChannels == DataChannels::FRESH &&
                         !session.stripes.IsStriped() && session.pipelining <= 1 &&
                         session.retries == 0 && session.keepalive == 0 && session.minRate == 0 &&
                         session.restart.empty() && !IsDataSet(session);
    const bool isAtOnce = !NeedsCpu(session) && !buffers.IsTimed(false) && !buffers.IsTimed(true) &&
                          buffers.readRate == 0 && buffers.writeRate == 0 && buffers.sendPool == 0;
    // What windows that move have been is kept connection by connection
    return !dataTcp.kernel && isPlain && isAtOnce && session.startJitter == 0 &&
           !dataTcp.buffers.AreMoving() && !session.security.IsControlSecured() &&
           !session.security.IsDataSecured() && buffers.processing.moduleAt == ModuleEnd::NONE;
}

SegmentSession::Skipping::Skipping(SegmentSession& session)
    : m_session(&session)
{
    for (const auto end : BOTH_ENDS)
    {
        GetConnection().GetSenderToRepeat(end).KeepHeard();
    }
}

SegmentServer&
SegmentSession::Skipping::FindServer() const
{
    return m_session->GetServer(m_session->IsUpload() ? Peer::RECEIVER : Peer::SENDER);
}

ClassicConnection&
SegmentSession::Skipping::GetConnection() const
{
    return static_cast<ClassicConnection&>(FindServer().GetConnection());
}

SegmentSession::Skipping::Mark
SegmentSession::Skipping::MakeMark(Nanoseconds now) const
{
    const FastForward& simulation = *m_session->m_context.fastForward;
    const SessionMonitor* monitor = m_session->m_context.monitor;
    const int64_t sinceNs = m_mark ? m_mark->shownNs - simulation.GetSkippedNs() : int64_t{now} - 1;
    Mark mark{.shownNs = m_session->GetShownNs(now),
              .state = simulation.GetState(now, Nanoseconds(sinceNs)),
              .counts = simulation.GetCounts(now),
              .totals = m_session->GetTotals(),
              .monitor = monitor ? *monitor : SessionMonitor(),
              .acknowledged = {},
              .spare = {}};
    const SegmentServer& server = FindServer();
    server.AddState(mark.state);
    for (const auto end : BOTH_ENDS)
    {
        const SegmentSender& sender = GetConnection().GetSender(end);
        mark.acknowledged[end] = sender.GetAcknowledged();
        mark.spare[end] = sender.GetCwnd() - std::min(sender.GetCwnd(), sender.GetFlight());
    }
    m_session->GetData().AddState(mark.state);
    return mark;
}

bool
SegmentSession::Skipping::Recurs(const Mark& now) const
{
    if (!m_mark || !m_mark->state.Equals(now.state))
    {
        return false;
    }
    for (const auto end : BOTH_ENDS)
    {
        if (now.acknowledged[end] - m_mark->acknowledged[end] > m_mark->spare[end])
        {
            return false;
        }
    }
    return true;
}

FileChunk
SegmentSession::Skipping::GetNext() const
{
    const SegmentSession& session = *m_session;
    return {session.m_offset, session.GetNextBytes(), session.m_files.GetBytes()};
}

SegmentSession::Skipping::Lengths
SegmentSession::Skipping::Measure(const FileChunk& part,
                                  const std::vector<HostPort>& listeners,
                                  int64_t beginNs,
                                  int64_t endNs) const
{
    const size_t marker = GetMarkerLength(beginNs);
    if (GetMarkerLength(endNs) != marker)
    {
        return {}; // which of its markers are longer is not known
    }
    Lengths lengths{marker,
                    FormatReply(MakePassiveReply(listeners.front())).size(),
                    FormatReply(MakeRangeMarkerReply({{part.offset, part.GetEnd()}})).size()};
    ChunkOrder order = m_session->MakeOrder(part, true);
    order.listeners = listeners;
    ControlScript script;
    script.AddChunk(order);
    script.SetListeners(listeners);
    while (!script.IsEmpty())
    {
        lengths.push_back(FormatCommand(script.Take().command).size());
    }
    return lengths;
}

void
SegmentSession::Skipping::SkipChunks(Nanoseconds now)
{
    if (m_session->m_records.empty())
    {
        return;
    }
    if (!m_session->m_context.fastForward->IsOn())
    {
        return m_mark.reset(); // somebody looks on, and may not for ever
    }
    Mark mark = MakeMark(now);
    if (Recurs(mark))
    {
        SkipLike(mark, now);
    }
    m_mark = std::move(mark);
    m_responses.clear();
    for (const auto end : BOTH_ENDS)
    {
        GetConnection().GetSenderToRepeat(end).KeepHeard();
    }
}

void
SegmentSession::Skipping::SkipLike(Mark& mark, Nanoseconds now)
{
    SegmentSession& session = *m_session;
    const SimulationCounts counts = mark.counts - m_mark->counts;
    const ConnectionTotals totals = Subtract(mark.totals, m_mark->totals);
    const SessionMonitor connections = mark.monitor - m_mark->monitor;
    const int64_t periodNs = counts.link.timeNs;
    std::vector<HostPort> listeners = session.GetData().GetEnd(Peer::RECEIVER).GetAddresses();
    const Lengths lengths = Measure(m_chunk.part, listeners, m_mark->shownNs, mark.shownNs);
    while (!lengths.empty() && session.m_offset < session.m_files.GetEnd() && !session.IsOver())
    {
        const FileChunk next = GetNext();
        ++listeners.front().port;
        const bool isAlike =
            next.bytes == m_chunk.part.bytes && session.m_parallelism == m_chunk.parallelism &&
            Measure(next, listeners, mark.shownNs, mark.shownNs + periodNs) == lengths;
        if (!isAlike || session.m_context.fastForward->GetRoomNs(now) < periodNs ||
            !RepeatHeard(now))
        {
            return;
        }
        session.m_context.fastForward->Skip(counts);
        session.GetData().SkipChunk(totals, next.bytes);
        session.m_segments.Update(session.GetPairTotals());
        mark.totals.Add(totals);
        if (session.m_context.monitor)
        {
            session.m_context.monitor->Add(connections);
            mark.monitor.Add(connections);
        }
        mark.shownNs += periodNs;
        for (const int64_t ns : m_responses)
        {
            FindServer().GetResponses().Add(ns);
        }
        session.m_rttS = session.GetRoundTripS(); // when the chunk begins, behind these
        m_chunk.part = next;
        session.m_offset = next.GetEnd();
        session.Record(m_chunk, m_windowBytes);
        if (const std::string wrong = session.GetTunersFailure(); !wrong.empty())
        {
            session.Fail(now, wrong);
        }
    }
}

bool
SegmentSession::Skipping::RepeatHeard(Nanoseconds now)
{
    ClassicConnection& connection = GetConnection();
    const auto mayRepeat = [&](TcpConnection::End end) {
        return connection.GetSender(end).MayRepeatHeard();
    };
    if (!std::ranges::all_of(BOTH_ENDS, mayRepeat))
    {
        return false;
    }
    for (const auto end : BOTH_ENDS)
    {
        connection.GetSenderToRepeat(end).RepeatHeard(now);
    }
    return true;
}

} // namespace ns3::gridftp
