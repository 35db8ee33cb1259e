/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-sender.h"

#include "gridftp-block-sender-stream.h"

#include <algorithm>

namespace ns3::gridftp
{

void
AddPairTotals(std::vector<ConnectionTotals>& sums, const std::vector<ConnectionTotals>& more)
{
    sums.resize(std::max(sums.size(), more.size()));
    for (size_t i = 0; i < more.size(); ++i)
    {
        sums[i].Add(more[i]);
    }
}

BlockSender::BlockSender(DataHost& host, Owner& owner)
    : TransferMachine(host),
      m_owner(&owner)
{
}

BlockSender::~BlockSender() = default;

void
BlockSender::GrowSendBuffers(Nanoseconds now, uint64_t bytes)
{
    for (const auto& pair : m_streams)
    {
        for (const auto& stream : pair)
        {
            stream->GrowSendBuffer(now, bytes);
        }
    }
}

void
BlockSender::SetPeers(Nanoseconds now, const std::vector<HostPort>& peers)
{
    if (peers != m_peers)
    {
        CloseAll(now);
        m_peers = peers;
    }
}

uint64_t
BlockSender::GetBytes() const
{
    uint64_t bytes = 0;
    for (const auto& scheduler : m_schedulers)
    {
        bytes += scheduler.GetRanges().GetBytes();
    }
    return bytes;
}

void
BlockSender::Start(Nanoseconds now, const SendOrder& order)
{
    m_order = order;
    m_plan = StripePlan(order.stripes, order.stripeLayout, order.stripeBlock);
    m_startNs = now;
    m_opening = m_host->FindSourceStages(m_buffers, order.offset).storage.Open();
    const uint32_t receivers = m_plan.GetReceiversOfSender();
    m_closedTotals.resize(std::max<size_t>(m_closedTotals.size(), receivers));
    m_streams.resize(receivers);
    m_undrained.assign(receivers, 0);
    m_elapsedNs.assign(receivers, 0);
    m_schedulers.clear();
    for (uint32_t pair = 0; pair < receivers; ++pair)
    {
        const uint32_t index = GetFirstPair() + pair;
        m_undrained[pair] = GetConnections().Of(index);
        m_schedulers.emplace_back(
            order.layout,
            m_plan.GetRanges(index, order.offset, order.bytes).Without(order.held, order.offset),
            GetConnections().Of(index),
            order.blockBytes);
    }
    for (uint32_t pair = 0; pair < receivers; ++pair)
    {
        StartPair(now, pair);
    }
}

void
BlockSender::StartPair(Nanoseconds now, uint32_t pair)
{
    auto& streams = m_streams[pair];
    const uint32_t count = GetConnections().Of(GetFirstPair() + pair);
    CloseFrom(now, pair, count);
    const size_t kept = streams.size();
    for (uint32_t i = 0; i < count; ++i)
    {
        if (i < kept)
        {
            streams[i]->Begin(now);
            continue;
        }
        streams.push_back(std::make_unique<Stream>(*this, pair, i, m_nextSerial++));
        streams[i]->Begin(now);
        const Nanoseconds delay = m_jitter.Draw(m_order.chunk, streams[i]->GetIndex());
        if (delay == 0)
        {
            streams[i]->Open(now);
        }
        else
        {
            m_events.Schedule(now, now + delay, TransferEvents::OPENING, streams[i]->GetSerial());
        }
    }
}

void
BlockSender::Finish(Nanoseconds now, bool keep)
{
    m_schedulers.clear();
    m_bufferSizes.clear();
    for (const auto& pair : m_streams)
    {
        for (const auto& stream : pair)
        {
            m_bufferSizes.push_back(stream->GetBufferSize());
            stream->End();
        }
    }
    if (!keep)
    {
        CloseAll(now);
    }
}

void
BlockSender::BreakConnection(Nanoseconds now, uint32_t connection)
{
    for (uint32_t pair = 0; pair < m_streams.size(); ++pair)
    {
        // Where N has changed, a cached connection has another number than it was opened with
        const uint32_t first = GetConnections().GetFirst(GetFirstPair() + pair);
        const auto& streams = m_streams[pair];
        if (connection >= first && connection - first < streams.size() &&
            streams[connection - first]->IsConnected())
        {
            return streams[connection - first]->Break(now);
        }
    }
}

void
BlockSender::Abort(Nanoseconds now)
{
    CancelOutcome();
    m_schedulers.clear();
    CloseAll(now);
}

void
BlockSender::Reset(Nanoseconds now)
{
    for (const auto& pair : m_streams)
    {
        for (const auto& stream : pair)
        {
            stream->Reset(now);
        }
    }
    Abort(now);
}

void
BlockSender::CloseAll(Nanoseconds now)
{
    while (!m_streams.empty())
    {
        CloseFrom(now, static_cast<uint32_t>(m_streams.size() - 1), 0);
        m_streams.pop_back();
    }
}

void
BlockSender::CloseFrom(Nanoseconds now, uint32_t pair, size_t count)
{
    auto& streams = m_streams[pair];
    while (streams.size() > count)
    {
        m_closedTotals[pair].Add(streams.back()->GetTotals());
        streams.back()->Close(now);
        streams.pop_back();
    }
}

std::vector<ConnectionTotals>
BlockSender::GetPairTotals() const
{
    std::vector<ConnectionTotals> all = m_closedTotals;
    for (size_t pair = 0; pair < m_streams.size(); ++pair)
    {
        for (const auto& stream : m_streams[pair])
        {
            all[pair].Add(stream->GetTotals());
        }
    }
    return all;
}

// Events, and what the owner learns

BlockSender::Stream*
BlockSender::Find(uint32_t serial) const
{
    for (const auto& pair : m_streams)
    {
        for (const auto& stream : pair)
        {
            if (stream->GetSerial() == serial)
            {
                return stream.get();
            }
        }
    }
    return nullptr;
}

void
BlockSender::HandleOwnEvent(Nanoseconds now, TransferEvents::Kind kind, uint32_t serial)
{
    if (Stream* const stream = Find(serial))
    {
        kind == TransferEvents::OPENING ? stream->Open(now) : stream->HandleComputed(now);
    }
}

void
BlockSender::ReportOutcome(Nanoseconds now, const std::optional<TransferFailure>& failure)
{
    failure ? m_owner->HandleSendFailed(now, *failure) : m_owner->HandleSent(now);
}

void
BlockSender::HandleDrained(Nanoseconds now, uint32_t pair)
{
    if (--m_undrained[pair] > 0)
    {
        return;
    }
    m_elapsedNs[pair] = now - m_startNs;
    if (std::ranges::all_of(m_undrained, [](size_t count) { return count == 0; }))
    {
        ScheduleOutcome(now, std::nullopt);
    }
}

} // namespace ns3::gridftp
