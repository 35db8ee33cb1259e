/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-datagram-application.h"

#include "gridftp-tool-transfer.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

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
DatagramApplication::SetResets(const Scenario& scenario, uint32_t session)
{
    m_scenario = &scenario;
    m_session = session;
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
    m_isOn = false;
    for (auto& timer : m_timers)
    {
        timer.Cancel();
    }
    if (m_sockets)
    {
        m_sockets->Dispose();
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
    OpenDatagrams();
    m_sockets = Create<SocketHost>(GetNode(), m_remote);
    m_control = std::make_unique<ToolControl>(*m_sockets);
    const auto make = m_side == Side::SENDER ? m_kind->makeSender : m_kind->makeReceiver;
    m_end = make(m_transfer, *this);
    m_isOn = true;
    const Nanoseconds now = Simulator::Now().GetNanoSeconds();
    m_control->Start(now, m_port, *m_end);
    if (m_scenario)
    {
        m_control->ScheduleResets(now, *m_scenario, m_session);
    }
    m_end->Start(now);
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
DatagramApplication::OpenDatagrams()
{
    const InetSocketAddress any(Ipv4Address::GetAny(), m_port);
    m_udp = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    const bool isOpen =
        m_udp->Bind(any) == 0 && m_udp->Connect(InetSocketAddress(m_remote, m_port)) == 0;
    NS_ABORT_MSG_UNLESS(isOpen, "no datagrams on port " << m_port);
    m_udp->SetRecvCallback(MakeCallback(&DatagramApplication::HandleDatagrams, this));
}

void
DatagramApplication::Stop(bool hasFailed)
{
    m_isOn = false;
    if (m_control)
    {
        m_control->Stop(Simulator::Now().GetNanoSeconds(), hasFailed);
    }
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
    m_control->Connect(now);
}

void
DatagramApplication::Say(Nanoseconds now, std::span<const uint8_t> bytes)
{
    m_control->Say(now, bytes);
}

void
DatagramApplication::Finish(Nanoseconds /* now */, const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    if (m_isOn)
    {
        m_reason = reason;
        Stop(!reason.empty());
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

} // namespace ns3::gridftp
