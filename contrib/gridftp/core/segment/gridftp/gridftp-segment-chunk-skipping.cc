/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-chunk-skipping.h"

#include "gridftp-control-script.h"
#include "gridftp-control-text.h"

#include <algorithm>
#include <utility>

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

/** @param ns a time @return bytes of a marker that contains it */
size_t
GetMarkerLength(int64_t ns)
{
    return FormatReply(MakePerfMarkerReply({static_cast<uint64_t>(ns / DECISECOND_NS), 0, 0}))
        .size();
}

} // namespace

bool
SegmentChunkSkipping::MayHelp(const Scenario& scenario, const SegmentTcp& dataTcp)
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
    // What windows that move have been is stored connection by connection
    return !dataTcp.kernel && isPlain && isAtOnce && session.startJitter == 0 &&
           !dataTcp.buffers.AreMoving() && !session.security.IsControlSecured() &&
           !session.security.IsDataSecured() && buffers.processing.moduleAt == ModuleEnd::NONE;
}

SegmentChunkSkipping::SegmentChunkSkipping(const Parts& parts)
    : m_parts(parts)
{
    for (const auto end : BOTH_ENDS)
    {
        GetControl().GetSenderToRepeat(end).KeepHeard();
    }
}

ClassicConnection&
SegmentChunkSkipping::GetControl() const
{
    return static_cast<ClassicConnection&>(m_parts.nodes->GetControl(0));
}

FileChunk
SegmentChunkSkipping::GetLast() const
{
    const ChunkRecord& last = m_parts.client->GetChunks().back();
    return {last.offset, last.bytes, 0};
}

SegmentChunkSkipping::Mark
SegmentChunkSkipping::MakeMark(Nanoseconds now, const ConnectionTotals& totals) const
{
    const FastForward& simulation = *m_parts.context->fastForward;
    const SessionMonitor* const monitor = m_parts.context->monitor;
    const int64_t skippedNs = simulation.GetSkippedNs();
    const int64_t sinceNs = m_mark ? m_mark->shownNs - skippedNs : int64_t{now} - 1;
    Mark mark{.shownNs = now + skippedNs,
              .state = simulation.GetState(now, Nanoseconds(sinceNs)),
              .counts = simulation.GetCounts(now),
              .totals = totals,
              .monitor = monitor ? *monitor : SessionMonitor(),
              .ports = m_parts.nodes->GetPorts(),
              .acknowledged = {},
              .spare = {}};
    m_parts.nodes->AddState(mark.state);
    const auto& data = m_parts.client->GetSession()->GetDataTransfer();
    if (!m_parts.server->IsIdle() || !data.IsIdle())
    {
        mark.state.Bar();
    }
    for (const auto end : BOTH_ENDS)
    {
        const SegmentSender& sender = GetControl().GetSender(end);
        mark.acknowledged[end] = sender.GetAcknowledged();
        mark.spare[end] = sender.GetCwnd() - std::min(sender.GetCwnd(), sender.GetFlight());
    }
    return mark;
}

bool
SegmentChunkSkipping::Recurs(const Mark& now) const
{
    if (!m_mark || !m_mark->state.Equals(now.state))
    {
        return false;
    }
    return std::ranges::all_of(BOTH_ENDS, [&](auto end) {
        return now.acknowledged[end] - m_mark->acknowledged[end] <= m_mark->spare[end];
    });
}

SegmentChunkSkipping::Lengths
SegmentChunkSkipping::Measure(const FileChunk& part,
                              const HostPort& listener,
                              int64_t beginNs,
                              int64_t endNs) const
{
    const size_t marker = GetMarkerLength(beginNs);
    if (GetMarkerLength(endNs) != marker)
    {
        return {}; // which of its markers are longer is not known
    }
    Lengths lengths{marker,
                    FormatReply(MakePassiveReply(listener)).size(),
                    FormatReply(MakeRangeMarkerReply({{part.offset, part.GetEnd()}})).size()};
    const TransferClient& client = *m_parts.client;
    ChunkOrder order =
        client.GetSession()->MakeOrder(part.offset, part.bytes, client.GetParallelism());
    order.listeners = {listener};
    ControlScript script;
    script.AddChunk(order);
    script.SetListeners({listener});
    while (!script.IsEmpty())
    {
        lengths.push_back(FormatCommand(script.Take().command).size());
    }
    return lengths;
}

void
SegmentChunkSkipping::SkipChunks(Nanoseconds now, const ConnectionTotals& totals)
{
    if (!m_parts.context->fastForward->IsOn())
    {
        return m_mark.reset(); // somebody observes, and may stop to do so later
    }
    Mark mark = MakeMark(now, totals);
    if (Recurs(mark))
    {
        SkipLike(mark, now);
    }
    m_mark = std::move(mark);
    for (const auto end : BOTH_ENDS)
    {
        GetControl().GetSenderToRepeat(end).KeepHeard();
    }
}

void
SegmentChunkSkipping::SkipLike(Mark& mark, Nanoseconds now)
{
    TransferClient& client = *m_parts.client;
    FastForward& simulation = *m_parts.context->fastForward;
    const SimulationCounts counts = mark.counts - m_mark->counts;
    const ConnectionTotals totals = Subtract(mark.totals, m_mark->totals);
    const SessionMonitor connections = mark.monitor - m_mark->monitor;
    const int64_t periodNs = counts.link.timeNs;
    const uint32_t parallelism = client.GetChunks().back().parallelism;
    const FileChunk last = GetLast();
    const auto findListener = [this](const std::vector<uint16_t>& ports) {
        return HostPort{m_parts.address, ports[m_parts.receiver]};
    };
    const Lengths lengths = Measure(last, findListener(mark.ports), m_mark->shownNs, mark.shownNs);
    const std::vector<uint16_t> end = mark.ports;
    auto next = client.FindNextChunk();
    while (!lengths.empty() && next)
    {
        const auto ports = m_parts.nodes->ForecastPorts(m_mark->ports, end);
        const bool isAlike =
            next->bytes == last.bytes && client.GetParallelism() == parallelism &&
            Measure(*next, findListener(ports), mark.shownNs, mark.shownNs + periodNs) == lengths;
        if (!isAlike || simulation.GetRoomNs(now) < periodNs || !RepeatHeard(now))
        {
            return;
        }
        m_parts.nodes->SetPorts(ports);
        mark.ports = ports;
        SkipOne(mark, now, counts, totals, connections);
        next = client.FindNextChunk();
    }
}

void
SegmentChunkSkipping::SkipOne(Mark& mark,
                              Nanoseconds now,
                              const SimulationCounts& counts,
                              const ConnectionTotals& totals,
                              const SessionMonitor& connections)
{
    const int64_t periodNs = counts.link.timeNs;
    FastForward& simulation = *m_parts.context->fastForward;
    simulation.Skip(counts);
    m_totals.Add(totals);
    mark.totals.Add(totals);
    m_bytes += m_parts.client->GetChunks().back().bytes;
    if (m_parts.context->monitor)
    {
        m_parts.context->monitor->Add(connections);
        mark.monitor.Add(connections);
    }
    mark.shownNs += periodNs;
    m_parts.server->SetEpoch(Nanoseconds(simulation.GetSkippedNs()));
    m_parts.client->RepeatChunk(now, Nanoseconds(periodNs));
}

bool
SegmentChunkSkipping::RepeatHeard(Nanoseconds now)
{
    ClassicConnection& connection = GetControl();
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
