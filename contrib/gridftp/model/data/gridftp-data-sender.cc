/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-sender.h"

#include "gridftp-data-sender-stream.h"

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
DataSender::GrowSendBuffers(uint64_t bytes)
{
    for (const auto& stream : m_streams)
    {
        stream->GrowSendBuffer(bytes);
    }
}

void
DataSender::SetPeers(const std::vector<Address>& peers)
{
    if (peers != m_peers)
    {
        CloseFrom(0);
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
    const bool moves = order.parallelism != m_order.parallelism; // those to several receivers
    m_order = order;
    m_plan = StripePlan(order.stripes, order.stripeLayout, order.stripeBlock);
    m_drainedStreams = 0;
    const uint32_t receivers = m_plan.GetReceiversOfSender();
    m_closedTotals.resize(std::max<size_t>(m_closedTotals.size(), receivers));
    m_schedulers.clear();
    for (uint32_t pair = 0; pair < receivers; ++pair)
    {
        m_schedulers.emplace_back(order.layout,
                                  m_plan.GetRanges(GetFirstPair() + pair, order.offset, order.bytes)
                                      .Without(order.held, order.offset),
                                  order.parallelism,
                                  order.blockBytes);
    }
    CloseFrom(moves && receivers > 1 ? 0 : receivers * order.parallelism);
    const auto kept = static_cast<uint32_t>(m_streams.size());
    for (uint32_t i = kept; i < receivers * order.parallelism; ++i)
    {
        m_streams.push_back(
            std::make_unique<Stream>(*this, i / order.parallelism, i % order.parallelism));
    }
    for (uint32_t i = 0; i < m_streams.size(); ++i)
    {
        m_streams[i]->Begin();
        if (i >= kept)
        {
            const int64_t late = m_jitter.Draw(order.chunk, m_streams[i]->GetIndex());
            m_streams[i]->OpenAfter(NanoSeconds(late));
        }
    }
}

void
DataSender::Finish(bool keep)
{
    NS_LOG_FUNCTION(this << keep);
    m_schedulers.clear();
    m_bufferSizes.clear();
    for (const auto& stream : m_streams)
    {
        m_bufferSizes.push_back(stream->GetBufferSize());
        stream->End();
    }
    if (!keep)
    {
        CloseFrom(0);
    }
}

void
DataSender::BreakConnection(uint32_t connection)
{
    for (const auto& stream : m_streams)
    {
        if (stream->GetIndex() == connection && stream->IsConnected())
        {
            return stream->Break();
        }
    }
}

void
DataSender::Abort()
{
    m_notifyEvent.Cancel();
    m_schedulers.clear();
    CloseFrom(0);
}

void
DataSender::Reset()
{
    for (const auto& stream : m_streams)
    {
        stream->Reset();
    }
    Abort();
}

void
DataSender::CloseFrom(size_t count)
{
    while (m_streams.size() > count)
    {
        m_closedTotals[m_streams.back()->GetPair()].Add(m_streams.back()->GetTotals());
        m_streams.pop_back();
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
    for (const auto& stream : m_streams)
    {
        all[stream->GetPair()].Add(stream->GetTotals());
    }
    return all;
}

// The owner closes connections when it is told something, so it is told from the event loop, never
// from within a connection's own callback.

void
DataSender::HandleDrained()
{
    if (++m_drainedStreams == m_streams.size() && !m_notifyEvent.IsPending())
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
