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
DataSender::SetPeer(const Address& peer)
{
    if (peer != m_peer)
    {
        CloseFrom(0);
        m_peer = peer;
    }
}

void
DataSender::Start(const SendOrder& order)
{
    NS_LOG_FUNCTION(this << order.chunk << order.bytes << order.parallelism);
    m_order = order;
    m_scheduler.emplace(order.layout, 0, order.bytes, order.parallelism, order.blockBytes);
    m_drainedStreams = 0;
    CloseFrom(order.parallelism);
    const auto kept = static_cast<uint32_t>(m_streams.size());
    for (uint32_t i = kept; i < order.parallelism; ++i)
    {
        m_streams.push_back(std::make_unique<Stream>(*this, i));
    }
    for (uint32_t i = 0; i < m_streams.size(); ++i)
    {
        m_streams[i]->Begin();
        if (i >= kept)
        {
            m_streams[i]->OpenAfter(NanoSeconds(m_jitter.Draw(order.chunk, i)));
        }
    }
}

void
DataSender::Finish(bool keep)
{
    NS_LOG_FUNCTION(this << keep);
    m_scheduler.reset();
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
DataSender::Abort()
{
    m_notifyEvent.Cancel();
    m_scheduler.reset();
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
        const auto& totals = m_streams.back()->GetTotals();
        m_closedTotals.segments += totals.segments;
        m_closedTotals.retransmissions += totals.retransmissions;
        m_closedTotals.timeouts += totals.timeouts;
        m_streams.pop_back();
    }
}

ConnectionTotals
DataSender::GetTotals() const
{
    ConnectionTotals sum = m_closedTotals;
    for (const auto& stream : m_streams)
    {
        sum.segments += stream->GetTotals().segments;
        sum.retransmissions += stream->GetTotals().retransmissions;
        sum.timeouts += stream->GetTotals().timeouts;
    }
    return sum;
}

// The owner closes connections when it is told something, so it is told from the event loop, never
// from within a connection's own callback.

void
DataSender::HandleDrained()
{
    if (++m_drainedStreams == m_order.parallelism && !m_notifyEvent.IsPending())
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
