/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-application.h"

#include "gridftp-control-script.h"
#include "gridftp-option-attribute.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpBbftpApplication");

NS_OBJECT_ENSURE_REGISTERED(BbftpApplication);

TypeId
BbftpApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::BbftpApplication")
            .SetParent<BufferedApplication>()
            .SetGroupName("GridFtp")
            .AddAttribute("DataTcp",
                          "TCP of data connections: a TypeId that is a TcpSocketBase or a "
                          "TcpCongestionOps.",
                          TypeIdValue(*FindTcpVariant(GetDefaultText("tcp"))),
                          MakeTypeIdAccessor(&BbftpApplication::m_dataTcp),
                          MakeTypeIdChecker())
            .AddTraceSource("Data",
                            "A data connection is about to connect, or has been accepted.",
                            MakeTraceSourceAccessor(&BbftpApplication::m_dataTrace),
                            "ns3::gridftp::BbftpApplication::DataTracedCallback");
    return tid;
}

BbftpApplication::BbftpApplication() = default;

BbftpApplication::~BbftpApplication() = default;

void
BbftpApplication::SetTransfer(const BbftpTransfer& transfer)
{
    m_transfer = transfer;
}

void
BbftpApplication::SetFiles(const ToolFiles& files)
{
    m_files = files;
}

void
BbftpApplication::SetEnded(Told ended)
{
    m_ended = ended;
}

const std::string&
BbftpApplication::GetReason() const
{
    return m_reason;
}

uint64_t
BbftpApplication::GetBytes() const
{
    return m_end ? m_end->GetBytes() : 0;
}

ConnectionTotals
BbftpApplication::GetTotals() const
{
    ConnectionTotals sum;
    for (const auto& stream : m_streams)
    {
        if (stream.observer)
        {
            sum.Add(stream.observer->GetTotals());
        }
    }
    return sum;
}

void
BbftpApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_unsaid.clear();
    StopListening();
    CloseAll();
    m_ended = Told();
    BufferedApplication::DoDispose();
}

void
BbftpApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_end = MakeEnd(m_transfer, *this);
    Begin();
}

void
BbftpApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (IsActive())
    {
        m_end->HandleLost(Simulator::Now().GetNanoSeconds(), BbftpLoss::FAILED);
    }
}

void
BbftpApplication::StopListening()
{
}

// Connections

Ptr<Socket>
BbftpApplication::MakeControlSocket() const
{
    auto socket = CreateTcpSocket(GetNode(), *FindTcpVariant("newreno"));
    SetTcpWindow(socket, CONTROL_WINDOW);
    HoldSmallSegments(socket);
    return socket;
}

Ptr<Socket>
BbftpApplication::MakeDataSocket() const
{
    auto socket = CreateTcpSocket(GetNode(), m_dataTcp);
    SetTcpBuffers(socket, GetBuffers());
    return socket;
}

void
BbftpApplication::AttachControl(Ptr<Socket> socket)
{
    m_control = socket;
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               MakeCallback(&BbftpApplication::HandleRefused, this));
    socket->SetRecvCallback(MakeCallback(&BbftpApplication::HandleRead, this));
    socket->SetCloseCallbacks(MakeCallback(&BbftpApplication::HandlePeerClose, this),
                              MakeCallback(&BbftpApplication::HandleError, this));
}

void
BbftpApplication::AttachData(Ptr<Socket> socket, uint32_t stream)
{
    m_streams.resize(std::max<size_t>(m_streams.size(), stream + 1));
    m_streams[stream].socket = socket;
    if (m_end->Receives())
    {
        if (const BlockStages sink = m_files.Open(true); sink.IsTimed())
        {
            m_streams[stream].writes.emplace(m_end->GetParts(), stream, sink);
        }
    }
    socket->SetConnectCallback(MakeCallback(&BbftpApplication::HandleConnected, this),
                               MakeCallback(&BbftpApplication::HandleRefused, this));
    socket->SetRecvCallback(MakeCallback(&BbftpApplication::HandleRead, this));
    socket->SetSendCallback(MakeCallback(&BbftpApplication::HandleRoom, this));
    socket->SetCloseCallbacks(MakeCallback(&BbftpApplication::HandlePeerClose, this),
                              MakeCallback(&BbftpApplication::HandleError, this));
    m_dataTrace(socket, stream);
}

void
BbftpApplication::ReadFirst(Ptr<Socket> socket)
{
    HandleRead(socket);
}

void
BbftpApplication::Detach(Ptr<Socket> socket)
{
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               MakeNullCallback<void, Ptr<Socket>>());
    socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                              MakeNullCallback<void, Ptr<Socket>>());
}

void
BbftpApplication::CloseStreams()
{
    for (auto& stream : m_streams)
    {
        stream.rest.Cancel();
        if (const auto socket = std::exchange(stream.socket, nullptr))
        {
            Detach(socket);
            socket->Close();
        }
    }
}

void
BbftpApplication::CloseAll()
{
    CloseStreams();
    if (const auto control = std::exchange(m_control, nullptr))
    {
        Detach(control);
        control->Close();
    }
}

void
BbftpApplication::ResetAll()
{
    m_unsaid.clear();
    StopListening();
    // A socket may be at work on what has led to this
    if (const auto control = std::exchange(m_control, nullptr))
    {
        Detach(control);
        ResetAcceptedConnection(control);
    }
    for (auto& stream : m_streams)
    {
        stream.rest.Cancel();
        if (const auto socket = std::exchange(stream.socket, nullptr))
        {
            Detach(socket);
            ResetAcceptedConnection(socket);
        }
    }
}

void
BbftpApplication::Abandon()
{
    m_isAbandoned = true;
    ResetAll();
}

void
BbftpApplication::BreakConnection(uint32_t stream)
{
    if (IsActive() && stream < m_streams.size() && m_streams[stream].isThere)
    {
        m_end->HandleDataLost(Simulator::Now().GetNanoSeconds(), stream, BbftpLoss::FAILED);
    }
}

uint32_t
BbftpApplication::IndexOf(Ptr<Socket> socket) const
{
    const auto it = std::ranges::find(m_streams, socket, &Stream::socket);
    return static_cast<uint32_t>(it - m_streams.begin());
}

// What it is told to do

void
BbftpApplication::Say(Nanoseconds now, std::vector<uint8_t> bytes)
{
    // A socket sends a nanosecond after it was written to, with all that was
    const Nanoseconds at = std::max(now, m_freeNs);
    m_freeNs = at + 1;
    m_unsaid.push_back(std::move(bytes));
    if (at == now)
    {
        return WriteNext();
    }
    Simulator::Schedule(NanoSeconds(at - now),
                        &BbftpApplication::WriteNext,
                        Ptr<BbftpApplication>(this));
}

void
BbftpApplication::WriteNext()
{
    if (!m_control || m_unsaid.empty())
    {
        return;
    }
    const auto bytes = std::move(m_unsaid.front());
    m_unsaid.pop_front();
    m_control->Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
}

void
BbftpApplication::Send(Nanoseconds /* now */, uint32_t stream, uint64_t /* bytes */)
{
    m_streams[stream].reads.emplace(m_end->GetParts(), stream, m_files.Open(false));
    Fill(stream);
}

void
BbftpApplication::Answer(Nanoseconds /* now */, uint32_t stream, std::vector<uint8_t> bytes)
{
    if (const auto socket = m_streams[stream].socket)
    {
        socket->Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
    }
}

void
BbftpApplication::Fill(uint32_t stream)
{
    Stream& one = m_streams[stream];
    const Nanoseconds now = Simulator::Now().GetNanoSeconds();
    while (one.socket && one.reads && !one.reads->IsExhausted() && !one.rest.IsPending())
    {
        const uint32_t room = one.socket->GetTxAvailable();
        if (room < GetWriteBatch(GetTcpSendBuffer(one.socket)))
        {
            return;
        }
        const auto bytes = static_cast<uint32_t>(one.reads->Write(now, room));
        if (bytes == 0)
        {
            one.rest = Simulator::Schedule(NanoSeconds(one.reads->GetNextNs() - now),
                                           &BbftpApplication::Fill,
                                           this, // which cancels it in DoDispose()
                                           stream);
            return;
        }
        if (one.socket->Send(Create<Packet>(bytes)) < 0)
        {
            return;
        }
        one.reads->HandleWritten(now);
    }
}

void
BbftpApplication::Finish(Nanoseconds /* now */, const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    m_reason = reason;
    if (reason.empty())
    {
        // The control connection stays, as in engine segment: the transfer is over
        StopListening();
        CloseStreams();
    }
    else
    {
        ResetAll();
    }
    if (!m_ended.IsNull())
    {
        m_ended();
    }
}

// What happens

void
BbftpApplication::HandleConnected(Ptr<Socket> socket)
{
    const uint32_t stream = IndexOf(socket);
    if (IsActive() && stream < m_streams.size())
    {
        m_streams[stream].isThere = true;
        if (!m_streams[stream].observer)
        {
            m_streams[stream].observer = Create<ConnectionObserver>();
            m_streams[stream].observer->Observe(socket, GetMonitor(), stream);
        }
        m_end->HandleDataConnected(Simulator::Now().GetNanoSeconds(), stream);
    }
}

void
BbftpApplication::HandleRefused(Ptr<Socket> socket)
{
    Lose(socket, BbftpLoss::REFUSED);
}

void
BbftpApplication::HandleRead(Ptr<Socket> socket)
{
    const Ptr<BbftpApplication> keep(this);
    if (const uint32_t index = IndexOf(socket); index < m_streams.size() && m_streams[index].writes)
    {
        return ReadPart(index);
    }
    const uint32_t segment = GetTcpSegmentBytes(socket);
    uint64_t count = 0;
    while (const auto packet = socket->Recv(segment, 0))
    {
        if (packet->GetSize() == 0)
        {
            break;
        }
        if (socket == m_control && IsActive())
        {
            std::vector<uint8_t> bytes(packet->GetSize());
            packet->CopyData(bytes.data(), packet->GetSize());
            m_end->HandleBytes(Simulator::Now().GetNanoSeconds(), bytes);
        }
        count += packet->GetSize();
    }
    const uint32_t stream = IndexOf(socket);
    if (count > 0 && stream < m_streams.size() && IsActive())
    {
        m_end->HandleData(Simulator::Now().GetNanoSeconds(), stream, count);
    }
}

void
BbftpApplication::ReadPart(uint32_t stream)
{
    const Nanoseconds now = Simulator::Now().GetNanoSeconds();
    while (m_streams[stream].socket && !m_streams[stream].rest.IsPending())
    {
        Stream& one = m_streams[stream];
        const uint64_t most =
            std::min<uint64_t>(GetTcpSegmentBytes(one.socket), one.writes->GetRoom());
        const auto packet = one.socket->Recv(static_cast<uint32_t>(most), 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        if (const auto written = one.writes->Take(now, packet->GetSize()))
        {
            one.rest = Simulator::Schedule(NanoSeconds(written->at - now),
                                           &BbftpApplication::HandleStored,
                                           this, // which cancels it in DoDispose()
                                           stream,
                                           written->wireBytes);
        }
    }
}

void
BbftpApplication::HandleStored(uint32_t stream, uint64_t bytes)
{
    const Ptr<BbftpApplication> keep(this);
    if (IsActive())
    {
        m_end->HandleData(Simulator::Now().GetNanoSeconds(), stream, bytes);
    }
    if (IsActive())
    {
        ReadPart(stream);
    }
}

void
BbftpApplication::HandleRoom(Ptr<Socket> socket, uint32_t /* room */)
{
    const uint32_t stream = IndexOf(socket);
    if (stream < m_streams.size())
    {
        Fill(stream);
    }
}

void
BbftpApplication::HandlePeerClose(Ptr<Socket> socket)
{
    Lose(socket, BbftpLoss::CLOSED);
    // One that is through closes, too
    const uint32_t stream = IndexOf(socket);
    if (stream < m_streams.size() && m_streams[stream].socket)
    {
        Detach(socket);
        m_streams[stream].socket = nullptr;
        socket->Close();
    }
}

void
BbftpApplication::HandleError(Ptr<Socket> socket)
{
    const uint32_t stream = IndexOf(socket);
    const bool wasThere = stream == m_streams.size() || m_streams[stream].isThere;
    Lose(socket, wasThere ? BbftpLoss::FAILED : BbftpLoss::REFUSED);
}

void
BbftpApplication::Lose(Ptr<Socket> socket, BbftpLoss loss)
{
    if (!IsActive())
    {
        return;
    }
    const Nanoseconds now = Simulator::Now().GetNanoSeconds();
    const uint32_t stream = IndexOf(socket);
    if (socket == m_control)
    {
        m_end->HandleLost(now, loss);
    }
    else if (stream < m_streams.size())
    {
        m_end->HandleDataLost(now, stream, loss);
    }
}

} // namespace ns3::gridftp
