/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-datagram-application.h"

#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-tool-transfer.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDatagramApplication");

NS_OBJECT_ENSURE_REGISTERED(DatagramApplication);

TypeId
DatagramApplication::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::DatagramApplication")
                            .SetParent<Application>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<DatagramApplication>()
                            .AddAttribute("Remote",
                                          "Address of the peer's host.",
                                          Ipv4AddressValue(),
                                          MakeIpv4AddressAccessor(&DatagramApplication::m_remote),
                                          MakeIpv4AddressChecker())
                            .AddAttribute("Port",
                                          "UDP and TCP port of both peers.",
                                          UintegerValue(TOOL_PORT),
                                          MakeUintegerAccessor(&DatagramApplication::m_port),
                                          MakeUintegerChecker<uint16_t>(1));
    return tid;
}

DatagramApplication::DatagramApplication() = default;

DatagramApplication::~DatagramApplication() = default;

void
DatagramApplication::SetTransfer(const ToolKind& kind, const ToolTransfer& transfer, Side side)
{
    m_kind = &kind;
    m_transfer = transfer;
    m_side = side;
}

void
DatagramApplication::SetEnded(Told ended)
{
    m_ended = ended;
}

void
DatagramApplication::SetStored(Told stored)
{
    m_stored = stored;
}

const ToolCounts&
DatagramApplication::GetCounts() const
{
    static const ToolCounts none;
    return m_end ? m_end->GetCounts() : none;
}

const std::string&
DatagramApplication::GetReason() const
{
    return m_reason;
}

void
DatagramApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Release(false);
    for (auto& timer : m_timers)
    {
        timer.Cancel();
    }
    // One that was accepted has a copy of the listener's callback, which holds this
    if (const auto control = std::exchange(m_control, nullptr))
    {
        Detach(control);
    }
    if (const auto udp = std::exchange(m_udp, nullptr))
    {
        udp->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        udp->Close();
    }
    m_ended = Told();
    m_stored = Told();
    Application::DoDispose();
}

void
DatagramApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_kind, "a DatagramApplication needs SetTransfer()");
    Listen();
    const auto make = m_side == Side::SENDER ? m_kind->makeSender : m_kind->makeReceiver;
    m_end = make(m_transfer, *this);
    m_isOn = true;
    m_end->Start(Simulator::Now().GetNanoSeconds());
}

void
DatagramApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_isOn)
    {
        m_end->HandleLost(Simulator::Now().GetNanoSeconds());
    }
}

// Sockets

void
DatagramApplication::Listen()
{
    const InetSocketAddress any(Ipv4Address::GetAny(), m_port);
    m_udp = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    const bool isOpen =
        m_udp->Bind(any) == 0 && m_udp->Connect(InetSocketAddress(m_remote, m_port)) == 0;
    NS_ABORT_MSG_UNLESS(isOpen, "no datagrams on port " << m_port);
    m_udp->SetRecvCallback(MakeCallback(&DatagramApplication::HandleDatagrams, this));
    m_listener = MakeControlSocket();
    const bool isThere = m_listener->Bind(any) == 0 && m_listener->Listen() == 0;
    NS_ABORT_MSG_UNLESS(isThere, "cannot listen on port " << m_port);
    // A connection under way has a copy of this, and may outlive the listener
    m_listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        MakeCallback(&DatagramApplication::HandleAccepted, Ptr<DatagramApplication>(this)));
}

Ptr<Socket>
DatagramApplication::MakeControlSocket() const
{
    auto socket = CreateTcpSocket(GetNode(), *FindTcpVariant("newreno"));
    SetTcpWindow(socket, TOOL_CONTROL_WINDOW);
    HoldSmallSegments(socket);
    return socket;
}

void
DatagramApplication::Attach(Ptr<Socket> socket)
{
    m_control = socket;
    socket->SetConnectCallback(MakeCallback(&DatagramApplication::HandleConnected, this),
                               MakeCallback(&DatagramApplication::HandleLost, this));
    socket->SetRecvCallback(MakeCallback(&DatagramApplication::HandleRead, this));
    socket->SetCloseCallbacks(MakeCallback(&DatagramApplication::HandleLost, this),
                              MakeCallback(&DatagramApplication::HandleLost, this));
}

void
DatagramApplication::Detach(Ptr<Socket> socket)
{
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               MakeNullCallback<void, Ptr<Socket>>());
    socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                              MakeNullCallback<void, Ptr<Socket>>());
}

void
DatagramApplication::Release(bool hasFailed)
{
    m_isOn = false;
    m_unsaid.clear();
    if (const auto listener = std::exchange(m_listener, nullptr))
    {
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeNullCallback<void, Ptr<Socket>, const Address&>());
        listener->Close();
    }
    // The socket may be at work on what has led to this
    if (const auto control = hasFailed ? std::exchange(m_control, nullptr) : nullptr)
    {
        Detach(control);
        ResetAcceptedConnection(control);
    }
}

void
DatagramApplication::BreakConnection()
{
    if (m_isOn && m_isThere)
    {
        m_end->HandleLost(Simulator::Now().GetNanoSeconds());
    }
}

void
DatagramApplication::Stop(bool hasFailed)
{
    Release(hasFailed);
}

// What it is told to do

void
DatagramApplication::SendData(Nanoseconds /* now */, const DataDatagram& datagram)
{
    m_front.assign(m_kind->dataHeaderBytes, 0);
    m_kind->writeData(datagram, m_front);
    auto packet = Create<Packet>(m_front.data(), static_cast<uint32_t>(m_front.size()));
    packet->AddAtEnd(Create<Packet>(datagram.payload));
    m_udp->Send(packet);
}

void
DatagramApplication::SendReport(Nanoseconds /* now */, ReportDatagram report)
{
    m_front.assign(m_kind->reportBytes(report), 0);
    m_kind->writeReport(report, m_front);
    m_udp->Send(Create<Packet>(m_front.data(), static_cast<uint32_t>(m_front.size())));
}

void
DatagramApplication::SetTimer(uint32_t timer, Nanoseconds at)
{
    m_timers[timer].Cancel();
    if (at != NOT_AT_ALL)
    {
        m_timers[timer] = Simulator::Schedule(NanoSeconds(at) - Simulator::Now(),
                                              &DatagramApplication::Expire,
                                              this, // which cancels it in DoDispose()
                                              timer,
                                              at);
    }
}

void
DatagramApplication::Expire(uint32_t timer, Nanoseconds at)
{
    if (m_isOn)
    {
        m_end->HandleTimer(at, timer);
    }
}

void
DatagramApplication::Connect(Nanoseconds now)
{
    const auto socket = MakeControlSocket();
    const bool isBound = socket->Bind() == 0;
    Attach(socket);
    if (!isBound || socket->Connect(InetSocketAddress(m_remote, m_port)) != 0)
    {
        m_end->HandleLost(now);
    }
}

void
DatagramApplication::Say(Nanoseconds now, std::span<const uint8_t> bytes)
{
    // A socket sends a nanosecond after it was written to, with all that was
    const Nanoseconds at = std::max(now, m_freeNs);
    m_freeNs = at + 1;
    m_unsaid.emplace_back(bytes.begin(), bytes.end());
    if (at == now)
    {
        return WriteNext();
    }
    Simulator::Schedule(NanoSeconds(at - now),
                        &DatagramApplication::WriteNext,
                        Ptr<DatagramApplication>(this));
}

void
DatagramApplication::WriteNext()
{
    if (m_control && !m_unsaid.empty())
    {
        const auto bytes = std::move(m_unsaid.front());
        m_unsaid.pop_front();
        m_control->Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
    }
}

void
DatagramApplication::Finish(Nanoseconds /* now */, const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    if (m_isOn)
    {
        m_reason = reason;
        Release(!reason.empty());
        if (!m_ended.IsNull())
        {
            m_ended();
        }
    }
}

void
DatagramApplication::HandleStored(Nanoseconds /* now */)
{
    NS_LOG_FUNCTION(this);
    if (m_isOn && !m_stored.IsNull())
    {
        m_stored();
    }
}

// What happens

void
DatagramApplication::HandleDatagrams(Ptr<Socket> socket)
{
    while (const auto packet = socket->Recv())
    {
        if (!m_isOn)
        {
            continue;
        }
        m_front.resize(packet->GetSize());
        packet->CopyData(m_front.data(), packet->GetSize());
        const auto read = m_kind->read(m_front, packet->GetSize());
        const Nanoseconds now = Simulator::Now().GetNanoSeconds();
        if (const auto* data = read ? std::get_if<DataDatagram>(&*read) : nullptr)
        {
            m_end->HandleData(now, *data);
        }
        else if (const auto* report = read ? std::get_if<ReportDatagram>(&*read) : nullptr)
        {
            m_end->HandleReport(now, *report);
        }
    }
}

void
DatagramApplication::HandleAccepted(Ptr<Socket> socket, const Address& /* from */)
{
    if (!m_isOn || m_control)
    {
        ResetAcceptedConnection(socket); // it has one peer
        return;
    }
    Attach(socket);
    m_isThere = true;
    m_end->HandleConnected(Simulator::Now().GetNanoSeconds());
    HandleRead(socket);
}

void
DatagramApplication::HandleConnected(Ptr<Socket> /* socket */)
{
    if (m_isOn)
    {
        m_isThere = true;
        m_end->HandleConnected(Simulator::Now().GetNanoSeconds());
    }
}

void
DatagramApplication::HandleRead(Ptr<Socket> socket)
{
    const Ptr<DatagramApplication> keep(this);
    while (const auto packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            break;
        }
        if (m_isOn)
        {
            std::vector<uint8_t> bytes(packet->GetSize());
            packet->CopyData(bytes.data(), packet->GetSize());
            m_end->HandleBytes(Simulator::Now().GetNanoSeconds(), bytes);
        }
    }
}

void
DatagramApplication::HandleLost(Ptr<Socket> /* socket */)
{
    if (m_isOn)
    {
        m_end->HandleLost(Simulator::Now().GetNanoSeconds());
    }
}

} // namespace ns3::gridftp
