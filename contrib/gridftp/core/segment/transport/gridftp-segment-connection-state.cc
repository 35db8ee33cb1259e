/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"
#include "gridftp-segment-state.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * The state of connections, for what comes again.
 */

namespace ns3::gridftp
{

bool
SegmentSender::MayRepeatHeard() const
{
    RttEstimator rtt = m_rtt;
    return std::ranges::all_of(*m_heard, [&rtt](const Heard& heard) {
        rtt.Add(heard.sampleNs);
        return heard.isUsual && (heard.sampleNs == 0 || rtt.GetRtoNs() == heard.rtoNs);
    });
}

void
SegmentSender::RepeatHeard(Nanoseconds now)
{
    for (const Heard& heard : *m_heard)
    {
        m_rtt.Add(heard.sampleNs);
        Grow(now, CountSegments(heard.bytes));
    }
    UpdateFastPath();
}

void
SegmentSender::AddState(SegmentState& state) const
{
    if (m_board.IsActive())
    {
        state.Bar();
    }
    if (!m_heard) // else these are what RepeatHeard() changes
    {
        state.Add(GetCwnd());
        state.Add(m_leftBytes);
        m_rtt.AddState(state);
    }
    state.Add(GetSsthresh());
    state.Add(m_sent - m_una);
    state.Add(m_rwnd);
    state.Add(m_offered);
    state.AddPosition(m_againNext, m_una);
    state.Add(m_againAt == m_sent);
    state.Add(m_inflated);
    state.Add(static_cast<uint64_t>(m_state));
    state.Add(m_duplicates);
    state.AddPosition(m_recover, m_una);
    state.Add(m_firstPartial);
    state.Add(m_cwndLimited);
    state.AddPosition(m_smallEnd, m_una);
    state.Add(static_cast<uint64_t>(m_rtoNs));
    state.AddTime(m_deadlineNs);
    state.AddTime(m_queuedNs);
    state.AddTime(m_lastSentNs);
    state.Add(m_retries);
    state.Add(m_drained);
    state.Add(m_samples.GetSize());
    for (size_t i = 0; i < m_samples.GetSize(); ++i)
    {
        const Sample& sample = m_samples.At(i);
        state.AddTime(sample.sentNs);
        state.AddPosition(sample.GetEnd(), m_una);
        state.Add(sample.IsAgain());
    }
    state.AddPosition(m_sampledFrom, m_una);
    m_buffer.AddState(state, m_una);
}

void
TcpConnection::AddState(SegmentState& state) const
{
    if (m_isApart || (m_open && (m_window || m_pooled)) || m_gone != 0)
    {
        state.Bar();
    }
    for (const bool flag : {m_flowing, m_open, m_fin.isUnderWay, m_lingers, m_ended, m_closing})
    {
        state.Add(flag);
    }
    state.AddTime(m_fin.restartNs);
    state.Add(static_cast<uint64_t>(m_fin.rtoNs));
    for (const End end : {ACTIVE, PASSIVE})
    {
        const Half& half = m_ends[end];
        half.sender.AddState(state);
        half.receiver.AddState(state, m_ends[Other(end)].sender.GetAcknowledged());
        for (const bool flag : {half.connected, half.reading, half.resuming})
        {
            state.Add(flag);
        }
        for (const int64_t ns : {half.nowNs,
                                 half.synSentNs,
                                 half.synDueNs,
                                 half.sendDueNs,
                                 half.ackDueNs,
                                 half.ackQueuedNs,
                                 half.retryDueNs,
                                 half.workDueNs,
                                 half.workNs,
                                 half.probeDueNs})
        {
            state.AddTime(ns);
        }
        state.Add(half.synSent);
        state.Add(static_cast<uint64_t>(half.probeNs));
        state.Add(half.probesLeft);
    }
}

void
FlowTable::AddState(SegmentPacket packet, SegmentState& state) const
{
    state.Add(static_cast<uint64_t>(packet.GetLabel()));
    if (packet.GetKind() != PacketKind::TALK && packet.GetKind() != PacketKind::TALK_FIN)
    {
        return state.Add(packet.GetValue());
    }
    // The low halves of two positions, see TcpConnection: those of a connection that stays open
    const TcpConnection& connection = Get(packet.GetFlow());
    const auto to = static_cast<TcpConnection::End>(packet.GetEnd());
    const auto from = to == TcpConnection::ACTIVE ? TcpConnection::PASSIVE : TcpConnection::ACTIVE;
    constexpr unsigned BITS = 32;
    const auto low = [](uint64_t position) { return static_cast<uint32_t>(position); };
    state.Add(low(low(packet.GetValue()) - low(connection.GetSender(from).GetAcknowledged())));
    state.Add(
        low(low(packet.GetValue() >> BITS) - low(connection.GetSender(to).GetAcknowledged())));
}

void
FlowTable::AddState(SegmentState& state) const
{
    if (!m_datagrams.empty())
    {
        state.Bar();
    }
    state.Add(m_connections.size());
    for (uint32_t i = 0; i < GetCount(); ++i)
    {
        const TcpConnection& connection = Get(i);
        if (connection.IsOpenAtPassive() || connection.m_lingers ||
            state.IsRecent(connection.GetNow(TcpConnection::ACTIVE)) ||
            state.IsRecent(connection.GetNow(TcpConnection::PASSIVE)))
        {
            state.Add(i);
            connection.AddState(state);
        }
    }
}

} // namespace ns3::gridftp
