/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-receiver.h"

#include "gridftp-data-receiver-stream.h"
#include "gridftp-host-processor.h"
#include "gridftp-host-storage.h"
#include "gridftp-stall-text.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataReceiver");

NS_OBJECT_ENSURE_REGISTERED(DataReceiver);

TypeId
DataReceiver::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::DataReceiver")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<DataReceiver>()
                            .AddTraceSource("Accepted",
                                            "A data connection has been accepted.",
                                            MakeTraceSourceAccessor(&DataReceiver::m_accepted),
                                            "ns3::gridftp::DataReceiver::AcceptedTracedCallback");
    return tid;
}

DataReceiver::DataReceiver() = default;

DataReceiver::~DataReceiver() = default;

void
DataReceiver::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Abort();
    m_completed = CompletedCallback();
    m_failed = FailedCallback();
    m_node = nullptr;
    Object::DoDispose();
}

void
DataReceiver::Configure(Ptr<Node> node, TypeId tcp)
{
    m_node = node;
    m_tcp = tcp;
}

void
DataReceiver::SetCallbacks(CompletedCallback completed, FailedCallback failed)
{
    m_completed = completed;
    m_failed = failed;
}

void
DataReceiver::SetSecurity(const DataSecuritySettings& security)
{
    m_security = security;
}

void
DataReceiver::SetWindow(uint32_t windowBytes)
{
    m_buffers.window = windowBytes;
}

void
DataReceiver::SetBuffers(const BufferSpec& buffers)
{
    m_buffers = buffers;
}

void
DataReceiver::SetProcessing(const ProcessingSpec& processing)
{
    m_buffers.processing = processing;
}

const BufferSpec&
DataReceiver::GetBuffers() const
{
    return m_buffers;
}

uint64_t
DataReceiver::GetReceiveBuffer() const
{
    const auto open = std::ranges::find_if(m_streams, &Stream::IsOpen);
    const auto window = static_cast<uint64_t>(m_buffers.window);
    return open == m_streams.end() ? window : (*open)->GetBufferSize();
}

void
DataReceiver::SetReceiveBuffer(uint64_t bytes)
{
    for (const auto& stream : m_streams)
    {
        stream->SetReceiveBuffer(bytes);
    }
}

const std::vector<uint64_t>&
DataReceiver::GetBufferSizes() const
{
    return m_bufferSizes;
}

BufferTally
DataReceiver::GetBufferTally() const
{
    BufferTally all = m_closedBuffers;
    for (const auto& stream : m_streams)
    {
        stream->Count(all);
    }
    return all;
}

std::optional<uint16_t>
DataReceiver::Listen()
{
    CloseStreams();
    CloseListener();
    m_listener = CreateTcpSocket(m_node, m_tcp);
    SetTcpBuffers(m_listener, m_buffers);
    if (m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 0)) != 0 ||
        m_listener->Listen() != 0)
    {
        CloseListener();
        return std::nullopt;
    }
    // A connection under way has a copy of this, and may outlive the listener and its owner.
    m_listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        MakeCallback(&DataReceiver::HandleAccept, Ptr<DataReceiver>(this)));
    Address address;
    m_listener->GetSockName(address);
    m_port = InetSocketAddress::ConvertFrom(address).GetPort();
    return m_port;
}

void
DataReceiver::Expect(const ReceiveOrder& order)
{
    NS_LOG_FUNCTION(this);
    m_active = true;
    m_isComplete = false;
    m_earlierBytes += GetStoredBytes();
    m_closedBytes = 0;
    m_order = order;
    m_opening = HostStorage::FindSink(m_node).Open();
    m_ranges.Clear();
    for (const auto& range : order.held)
    {
        m_ranges.Add(range.begin - order.offset, range.end - range.begin);
    }
    m_stored.clear();
    m_bytes = 0;
    m_endsOfData = 0;
    m_endsNeeded.reset();
    std::erase_if(m_streams, [](const Ptr<Stream>& stream) { return !stream->IsOpen(); });
    for (const auto& stream : m_streams)
    {
        stream->NextTransfer();
    }
}

void
DataReceiver::Finish(bool keep)
{
    NS_LOG_FUNCTION(this << keep);
    m_active = false;
    m_bufferSizes.clear();
    for (const auto& stream : m_streams)
    {
        if (stream->HasBegun())
        {
            m_bufferSizes.push_back(stream->GetBufferSize());
        }
    }
    if (!keep)
    {
        // The sender closes first; what it does not close goes with the next Listen().
        CloseListener();
    }
}

void
DataReceiver::Abort()
{
    m_notifyEvent.Cancel();
    m_active = false;
    CloseStreams();
    CloseListener();
}

void
DataReceiver::Reset()
{
    for (const auto& stream : m_streams)
    {
        stream->Reset();
    }
    Abort();
}

uint64_t
DataReceiver::GetBytes() const
{
    return m_bytes;
}

uint64_t
DataReceiver::GetStoredBytes() const
{
    if (!FindSinkStages(m_node, m_buffers).IsTimed())
    {
        return m_bytes;
    }
    uint64_t bytes = m_closedBytes;
    for (const auto& stream : m_streams)
    {
        bytes += stream->GetStoredBytes();
    }
    return bytes;
}

void
DataReceiver::NoteRanges()
{
    m_notesRanges = true;
}

MarkerRanges
DataReceiver::GetRanges()
{
    for (const auto& stream : m_streams)
    {
        stream->NoteStored();
    }
    m_stored = MergeRanges(std::move(m_stored));
    return m_stored;
}

void
DataReceiver::BreakConnection(Ptr<Socket> socket)
{
    const auto it = std::ranges::find_if(m_streams, [&socket](const auto& stream) {
        return stream->Has(socket);
    });
    if (it != m_streams.end())
    {
        const Ptr<Stream> stream = *it;
        stream->Break();
    }
}

bool
DataReceiver::IsStoring() const
{
    const StoragePlace place = HostStorage::FindSink(m_node);
    return place.storage && place.storage->IsServing(place.node, Simulator::Now().GetNanoSeconds());
}

void
DataReceiver::AcceptForeign(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    if (m_listener && !duration.IsZero())
    {
        m_foreign.push_back(Simulator::Schedule(duration, [this] {
            m_isComplete ? void() : Fail(426, MakeForeignReason());
        }));
    }
}

void
DataReceiver::HandleAccept(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    Address local;
    socket->GetSockName(local);
    if (!m_listener || InetSocketAddress::ConvertFrom(local).GetPort() != m_port)
    {
        ResetAcceptedConnection(socket); // in its handshake when its listener was closed
        return;
    }
    m_streams.push_back(Create<Stream>(*this, socket));
    m_accepted(socket);
}

void
DataReceiver::AddRange(uint64_t offset, uint64_t length)
{
    if (!m_ranges.Add(offset, length))
    {
        Fail(426,
             "bytes within " + std::to_string(offset) + " and " + std::to_string(offset + length) +
                 " arrived twice");
    }
    else if (m_order.receivers > 1 && offset + length > m_order.bytes.value_or(UINT64_MAX))
    {
        Fail(426,
             "bytes up to " + std::to_string(offset + length) + " arrived of a chunk of " +
                 std::to_string(*m_order.bytes));
    }
}

void
DataReceiver::CheckComplete()
{
    if (!m_active || !m_endsNeeded || m_endsOfData < *m_endsNeeded || m_notifyEvent.IsPending())
    {
        return;
    }
    if (m_endsOfData > *m_endsNeeded)
    {
        Fail(426, "more ends of data than announced");
        return;
    }
    const uint64_t wanted = m_order.bytes.value_or(m_ranges.GetBytes());
    if (m_order.receivers == 1 && !m_ranges.IsExactly(0, wanted))
    {
        Fail(426,
             std::to_string(m_ranges.GetBytes()) + " of " + std::to_string(wanted) +
                 " bytes arrived in " + std::to_string(m_ranges.GetRangeCount()) + " ranges");
        return;
    }
    m_notifyEvent = Simulator::ScheduleNow(&DataReceiver::NotifyCompleted, this);
}

void
DataReceiver::CheckStarved()
{
    const auto isOpen = [](const Ptr<Stream>& stream) { return stream->IsOpen(); };
    if (m_endsOfData > 0 && std::none_of(m_streams.begin(), m_streams.end(), isOpen))
    {
        Fail(426,
             "all data connections closed after " + std::to_string(m_endsOfData) + " of " +
                 (m_endsNeeded ? std::to_string(*m_endsNeeded) : "an unknown number of") +
                 " ends of data");
    }
}

void
DataReceiver::NotifyCompleted()
{
    m_isComplete = true;
    if (!m_completed.IsNull())
    {
        m_completed();
    }
}

void
DataReceiver::Fail(int code, const std::string& reason)
{
    NS_LOG_FUNCTION(this << code << reason);
    if (m_active && !m_notifyEvent.IsPending())
    {
        m_active = false;
        m_notifyEvent = Simulator::ScheduleNow(&DataReceiver::NotifyFailed, this, code, reason);
    }
}

void
DataReceiver::NotifyFailed(int code, const std::string& reason)
{
    if (!m_failed.IsNull())
    {
        m_failed(code, reason);
    }
}

void
DataReceiver::CloseStreams()
{
    for (auto& event : m_foreign)
    {
        event.Cancel();
    }
    m_foreign.clear();
    for (const auto& stream : m_streams)
    {
        m_closedBytes += stream->GetStoredBytes();
        stream->NoteStored();
        stream->Close();
    }
    m_streams.clear();
}

void
DataReceiver::CloseListener()
{
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener->Close();
        m_listener = nullptr;
    }
}

} // namespace ns3::gridftp
