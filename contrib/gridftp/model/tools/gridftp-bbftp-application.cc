/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-application.h"

#include "gridftp-option-attribute.h"
#include "gridftp-tcp-variant.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpBbftpApplication");

NS_OBJECT_ENSURE_REGISTERED(BbftpApplication);
NS_OBJECT_ENSURE_REGISTERED(BbftpClientApplication);
NS_OBJECT_ENSURE_REGISTERED(BbftpServerApplication);

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
BbftpApplication::SetSettings(const BbftpSettings& settings)
{
    m_settings = settings;
}

void
BbftpApplication::SetUser(BbftpHostUser& user)
{
    m_user = &user;
}

void
BbftpApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_sockets)
    {
        m_sockets->Dispose();
    }
    m_user = nullptr;
    BufferedApplication::DoDispose();
}

void
BbftpApplication::DoInitialize()
{
    m_sockets = Create<SocketHost>(GetNode(), GetPeer());
    m_sockets->SetMonitor(GetMonitor());
    m_sockets->SetSocketCallback(
        SocketHost::SocketCallback([this](Ptr<Socket> socket, const StreamTerms& terms) {
            terms.label ? m_dataTrace(socket, terms.label->connection) : void();
        }));
    m_settings.tcp = m_dataTcp.GetName();
    m_settings.buffers = GetBuffers();
    m_settings.port = GetPort();
    BbftpHostUser& user = *this;
    m_host = std::make_unique<BbftpHost>(m_settings, *m_sockets, user);
    BufferedApplication::DoInitialize();
}

void
BbftpApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_host->Start(Simulator::Now().GetNanoSeconds());
}

void
BbftpApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_host->Fail(Simulator::Now().GetNanoSeconds());
}

void
BbftpApplication::HandleBegun(Nanoseconds now)
{
    if (m_user)
    {
        m_user->HandleBegun(now);
    }
}

void
BbftpApplication::HandleMoved(Nanoseconds now)
{
    if (m_user)
    {
        m_user->HandleMoved(now);
    }
}

void
BbftpApplication::HandleEnded(Nanoseconds now, BbftpRole role)
{
    NS_LOG_FUNCTION(this << m_host->GetReason());
    if (m_user)
    {
        m_user->HandleEnded(now, role);
    }
}

// The end that connects

TypeId
BbftpClientApplication::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::BbftpClientApplication")
                            .SetParent<BbftpApplication>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<BbftpClientApplication>()
                            .AddAttribute("Remote",
                                          "Address and port of the BbftpServerApplication.",
                                          AddressValue(),
                                          MakeAddressAccessor(&BbftpClientApplication::m_remote),
                                          MakeAddressChecker());
    return tid;
}

Ipv4Address
BbftpClientApplication::GetPeer() const
{
    return InetSocketAddress::ConvertFrom(m_remote).GetIpv4();
}

uint16_t
BbftpClientApplication::GetPort() const
{
    return InetSocketAddress::ConvertFrom(m_remote).GetPort();
}

// The end that accepts

TypeId
BbftpServerApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::BbftpServerApplication")
            .SetParent<BbftpApplication>()
            .SetGroupName("GridFtp")
            .AddConstructor<BbftpServerApplication>()
            .AddAttribute("Port",
                          "Port on which the server listens for the control connection.",
                          UintegerValue(BBFTP_PORT),
                          MakeUintegerAccessor(&BbftpServerApplication::m_port),
                          MakeUintegerChecker<uint16_t>(1));
    return tid;
}

Ipv4Address
BbftpServerApplication::GetPeer() const
{
    return Ipv4Address::GetAny();
}

uint16_t
BbftpServerApplication::GetPort() const
{
    return m_port;
}

} // namespace ns3::gridftp
