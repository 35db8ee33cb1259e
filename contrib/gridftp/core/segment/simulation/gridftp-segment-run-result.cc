/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-run.h"

/**
 * @file
 * @ingroup gridftp
 * What a SegmentRun measures: the bottleneck, the results, how it is now.
 */

namespace ns3::gridftp
{

// A receiving host may run ahead of the time; what is measured then waits for its moment

void
SegmentRun::HandleTransferring(SegmentSession& session, int64_t now)
{
    if (now > m_now)
    {
        return Schedule(now, EventKind::TRANSFERRING, session.GetIndex());
    }
    if (m_started++ > 0)
    {
        return;
    }
    auto& queue = m_network.GetForward();
    m_beginNs = m_markNs = now;
    m_beginBytes = m_markBytes = GetForwardedBytes();
    m_beginDrops = m_markDrops = queue.GetDrops();
    m_beginWaitedNs = m_markWaitedNs = queue.GetWaitedNs(now);
    queue.ResetMost();
}

void
SegmentRun::HandleChunk(SegmentSession& session, int64_t now)
{
    if (now > m_now)
    {
        return Schedule(now, EventKind::CHUNK, session.GetIndex());
    }
    const auto& queue = m_network.GetForward();
    m_markNs = now;
    m_markBytes = GetForwardedBytes();
    m_markDrops = queue.GetDrops();
    m_markWaitedNs = queue.GetWaitedNs(now);
    m_markMost = queue.GetMost();
}

void
SegmentRun::HandleEnded(SegmentSession& session, int64_t now)
{
    if (now > m_now)
    {
        return Schedule(now, EventKind::ENDED, session.GetIndex());
    }
    ++m_ended;
}

int64_t
SegmentRun::GetForwardedBytes() const
{
    const auto& queue = m_network.GetForward();
    constexpr double BYTE_NS = 8e9;
    const double waiting = static_cast<double>(queue.GetBacklogNs(m_now)) *
                           static_cast<double>(m_scenario.path.bandwidth) / BYTE_NS;
    return queue.GetBytes() - static_cast<int64_t>(waiting + 0.5);
}

ConnectionTotals
SegmentRun::GetTotals(const Owner& owner) const
{
    ConnectionTotals sum = owner.closed;
    for (const uint32_t id : owner.connections)
    {
        if (m_connections[id]->open)
        {
            const auto& totals = m_connections[id]->sender.GetTotals();
            sum.segments += totals.segments;
            sum.retransmissions += totals.retransmissions;
            sum.timeouts += totals.timeouts;
        }
    }
    return sum;
}

std::vector<ConnectionView>
SegmentRun::GetConnections() const
{
    std::vector<ConnectionView> views;
    for (const auto& connection : m_connections)
    {
        if (!connection->open)
        {
            continue;
        }
        const auto& sender = connection->sender;
        ConnectionView view;
        view.label = connection->label;
        view.connected = connection->connected;
        view.cwndBytes = sender.GetCwnd();
        if (sender.GetSsthresh() != SegmentSender::NO_SSTHRESH)
        {
            view.ssthreshBytes = sender.GetSsthresh();
        }
        view.flightBytes = sender.GetFlight();
        view.acknowledgedBytes = sender.GetAcknowledged();
        view.chunkBytes = sender.GetAcknowledged() - connection->chunkBegin;
        view.state = sender.GetState();
        view.rttNs = sender.GetSmoothedRttNs();
        views.push_back(view);
    }
    return views;
}

SessionView
SegmentRun::GetSessionView(uint32_t index) const
{
    const auto& session = *m_sessions[index];
    return {.state = session.GetState(),
            .reason = session.GetReason(),
            .transferring = session.IsTransferring(),
            .chunkStartNs = session.GetChunkStart(),
            .chunk = session.GetChunk(),
            .parallelism = session.GetParallelism(),
            .rttS = session.GetRtt(),
            .records = &session.GetRecords(),
            .totals = GetTotals(m_owners[index])};
}

BottleneckView
SegmentRun::GetBottleneck() const
{
    const auto& queue = m_network.GetForward();
    return {.queuePackets = queue.GetLength(m_now),
            .drops = queue.GetDrops(),
            .forwardedBytes = GetForwardedBytes()};
}

void
SegmentRun::HandleStay(const PacketStay& stay)
{
    const PacketKind kind = stay.packet.GetKind();
    const bool isOurs = kind <= PacketKind::SYN_ACK;
    m_packetObserver->HandlePacket(
        stay,
        isOurs ? std::optional(m_connections[stay.packet.GetOwner()]->label) : std::nullopt);
}

std::vector<BackgroundResult>
SegmentRun::GetBackground() const
{
    std::vector<BackgroundResult> parts;
    for (size_t i = m_sessions.size(); i < m_owners.size(); ++i)
    {
        const Owner& owner = m_owners[i];
        BackgroundResult& part = parts.emplace_back();
        part.startNs = owner.startNs;
        part.endNs = owner.endNs == NEVER ? m_now : owner.endNs;
        part.totals = GetTotals(owner);
        part.bytes = owner.bytes;
        if (owner.endNs == NEVER && !owner.connections.empty())
        {
            part.bytes = m_connections[owner.connections.front()]->receiver.GetNext();
        }
    }
    return parts;
}

TransferResult
SegmentRun::GetResult() const
{
    TransferResult result;
    result.done = true;
    for (const auto& session : m_sessions)
    {
        SessionResult& part = result.sessions.emplace_back();
        part.chunks = session->GetRecords();
        part.totals = GetTotals(m_owners[session->GetIndex()]);
        if (session->GetState() != SessionState::DONE && result.done)
        {
            result.done = false;
            result.reason =
                "session " + std::to_string(session->GetIndex()) + ": " +
                (session->GetState() == SessionState::FAILED ? session->GetReason() : "not ended");
        }
    }
    result.background = GetBackground();
    for (size_t i = m_sessions.size(); i < m_owners.size() && result.done; ++i)
    {
        if (const auto& reason = m_owners[i].reason; !reason.empty())
        {
            result.done = false;
            result.reason = "background " + std::to_string(i - m_sessions.size()) + ": " + reason;
        }
    }
    const auto duration = static_cast<double>(m_markNs - m_beginNs);
    if (duration > 0)
    {
        const double capacity = static_cast<double>(m_scenario.path.bandwidth) * duration / 1e9;
        result.bottleneck.utilisation =
            static_cast<double>(m_markBytes - m_beginBytes) * 8 / capacity;
        result.bottleneck.meanQueuePackets =
            static_cast<double>(m_markWaitedNs - m_beginWaitedNs) / duration;
    }
    result.bottleneck.drops = m_markDrops - m_beginDrops;
    result.bottleneck.maxQueuePackets = m_markMost;
    result.cost.events = GetEventCount();
    ValidateResult(m_scenario, result);
    return result;
}

} // namespace ns3::gridftp
