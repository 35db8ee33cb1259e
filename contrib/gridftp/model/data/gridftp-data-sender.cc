/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-sender.h"

#include "gridftp-data-sender-stream.h"
#include "gridftp-host-storage.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataSender");

NS_OBJECT_ENSURE_REGISTERED(DataSender);

TypeId
DataSender::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::DataSender")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<DataSender>()
                            .AddTraceSource("Connection",
                                            "A data connection is about to connect.",
                                            MakeTraceSourceAccessor(&DataSender::m_opened),
                                            "ns3::gridftp::DataSender::ConnectionTracedCallback");
    return tid;
}

void
AddPairTotals(std::vector<ConnectionTotals>& sums, const std::vector<ConnectionTotals>& more)
{
    sums.resize(std::max(sums.size(), more.size()));
    for (size_t i = 0; i < more.size(); ++i)
    {
        sums[i].Add(more[i]);
    }
}

DataSender::DataSender() = default;

DataSender::~DataSender() = default;

void
DataSender::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Abort();
    m_drained = DrainedCallback();
    m_failed = FailedCallback();
    m_node = nullptr;
    Object::DoDispose();
}

void
DataSender::Configure(Ptr<Node> node, TypeId tcp, const StartJitter& jitter)
{
    m_node = node;
    m_tcp = tcp;
    m_jitter = jitter;
}

void
DataSender::SetCallbacks(DrainedCallback drained, FailedCallback failed)
{
    m_drained = drained;
    m_failed = failed;
}

const std::vector<uint64_t>&
DataSender::GetBufferSizes() const
{
    return m_bufferSizes;
}

void
DataSender::SetSecurity(const DataSecuritySettings& security)
{
    m_security = security;
}

void
DataSender::SetMonitor(SessionMonitor* monitor)
{
    m_monitor = monitor;
}

void
DataSender::SetWindow(uint32_t windowBytes)
{
    m_buffers.window = windowBytes;
}

void
DataSender::SetBuffers(const BufferSpec& buffers)
{
    m_buffers = buffers;
}

void
DataSender::SetProcessing(const ProcessingSpec& processing)
{
    m_buffers.processing = processing;
}

void
DataSender::GrowSendBuffers(uint64_t bytes)
{
    for (const auto& pair : m_streams)
    {
        for (const auto& stream : pair)
        {
            stream->GrowSendBuffer(bytes);
        }
    }
}

void
DataSender::SetPeers(const std::vector<Address>& peers)
{
    if (peers != m_peers)
    {
        CloseAll();
        m_peers = peers;
    }
}

uint32_t
DataSender::GetFirstPair() const
{
    return m_order.stripe * m_plan.GetReceiversOfSender();
}

uint64_t
DataSender::GetBytes() const
{
    uint64_t bytes = 0;
    for (const auto& scheduler : m_schedulers)
    {
        bytes += scheduler.GetRanges().GetBytes();
    }
    return bytes;
}

void
DataSender::Start(const SendOrder& order)
{
    NS_LOG_FUNCTION(this << order.chunk << order.bytes << order.parallelism);
    m_order = order;
    m_plan = StripePlan(order.stripes, order.stripeLayout, order.stripeBlock);
    m_startNs = Simulator::Now().GetNanoSeconds();
    m_opening = HostStorage::FindSource(m_node, order.offset).Open();
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
        StartPair(pair);
    }
}

void
DataSender::StartPair(uint32_t pair)
{
    auto& streams = m_streams[pair];
    const uint32_t count = GetConnections().Of(GetFirstPair() + pair);
    CloseFrom(pair, count);
    const size_t kept = streams.size();
    for (uint32_t i = 0; i < count; ++i)
    {
        if (i >= kept)
        {
            streams.push_back(std::make_unique<Stream>(*this, pair, i));
        }
        streams[i]->Begin();
        if (i >= kept)
        {
            streams[i]->OpenAfter(
                NanoSeconds(m_jitter.Draw(m_order.chunk, streams[i]->GetIndex())));
        }
    }
}

std::vector<int64_t>
DataSender::GetElapsedNs() const
{
    return m_order.pairs.empty() ? std::vector<int64_t>() : m_elapsedNs;
}

void
DataSender::Finish(bool keep)
{
    NS_LOG_FUNCTION(this << keep);
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
        CloseAll();
    }
}

void
DataSender::BreakConnection(uint32_t connection)
{
    for (uint32_t pair = 0; pair < m_streams.size(); ++pair)
    {
        // Where N has moved, a connection that is kept has another number than it was opened with
        const uint32_t first = GetConnections().GetFirst(GetFirstPair() + pair);
        const auto& streams = m_streams[pair];
        if (connection >= first && connection - first < streams.size() &&
            streams[connection - first]->IsConnected())
        {
            return streams[connection - first]->Break();
        }
    }
}

void
DataSender::Abort()
{
    m_notifyEvent.Cancel();
    m_schedulers.clear();
    CloseAll();
}

void
DataSender::Reset()
{
    for (const auto& pair : m_streams)
    {
        for (const auto& stream : pair)
        {
            stream->Reset();
        }
    }
    Abort();
}

void
DataSender::CloseAll()
{
    while (!m_streams.empty())
    {
        CloseFrom(static_cast<uint32_t>(m_streams.size() - 1), 0);
        m_streams.pop_back();
    }
}

void
DataSender::CloseFrom(uint32_t pair, size_t count)
{
    auto& streams = m_streams[pair];
    while (streams.size() > count)
    {
        m_closedTotals[pair].Add(streams.back()->GetTotals());
        streams.pop_back();
    }
}

ConnectionTotals
DataSender::GetTotals() const
{
    ConnectionTotals sum;
    for (const auto& totals : GetPairTotals())
    {
        sum.Add(totals);
    }
    return sum;
}

std::vector<ConnectionTotals>
DataSender::GetPairTotals() const
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

// The owner closes connections when it is told something, so it is told from the event loop, never
// from within a connection's own callback.

void
DataSender::HandleDrained(uint32_t pair)
{
    if (--m_undrained[pair] > 0)
    {
        return;
    }
    m_elapsedNs[pair] = Simulator::Now().GetNanoSeconds() - m_startNs;
    if (std::ranges::all_of(m_undrained, [](size_t count) { return count == 0; }) &&
        !m_notifyEvent.IsPending())
    {
        m_notifyEvent = Simulator::ScheduleNow(&DataSender::NotifyDrained, this);
    }
}

void
DataSender::NotifyDrained()
{
    if (!m_drained.IsNull())
    {
        m_drained();
    }
}

void
DataSender::Fail(int code, const std::string& reason)
{
    NS_LOG_FUNCTION(this << code << reason);
    if (!m_notifyEvent.IsPending())
    {
        m_notifyEvent = Simulator::ScheduleNow(&DataSender::NotifyFailed, this, code, reason);
    }
}

void
DataSender::NotifyFailed(int code, const std::string& reason)
{
    if (!m_failed.IsNull())
    {
        m_failed(code, reason);
    }
}

} // namespace ns3::gridftp
