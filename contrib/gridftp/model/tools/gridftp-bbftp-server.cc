/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-server.h"

#include "gridftp-tcp-reset.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpBbftpServerApplication");

NS_OBJECT_ENSURE_REGISTERED(BbftpServerApplication);

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

BbftpServerApplication::BbftpServerApplication() = default;

BbftpServerApplication::~BbftpServerApplication() = default;

void
BbftpServerApplication::SetResets(const Outages& resets)
{
    m_resets = resets;
}

void
BbftpServerApplication::Fail()
{
    if (IsActive() && GetControl())
    {
        GetEnd().HandleLost(Simulator::Now().GetNanoSeconds(), BbftpLoss::FAILED);
    }
}

std::unique_ptr<BbftpEnd>
BbftpServerApplication::MakeEnd(const BbftpTransfer& transfer, BbftpPort& port)
{
    return std::make_unique<BbftpServer>(transfer, port);
}

void
BbftpServerApplication::Begin()
{
    m_listener = MakeControlSocket();
    const bool bound = m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) == 0 &&
                       m_listener->Listen() == 0;
    NS_ABORT_MSG_UNLESS(bound, "cannot listen on port " << m_port);
    // A connection under way has a copy of this, and may outlive the listener
    m_listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        MakeCallback(&BbftpServerApplication::HandleControl, Ptr<BbftpServerApplication>(this)));
}

void
BbftpServerApplication::ConnectControl(Nanoseconds /* now */)
{
    // the client does
}

void
BbftpServerApplication::Connect(Nanoseconds /* now */, uint32_t /* stream */, uint16_t /* port */)
{
    // the client does
}

std::vector<uint16_t>
BbftpServerApplication::Listen(Nanoseconds /* now */, uint32_t streams)
{
    for (uint32_t stream = 0; stream < streams; ++stream)
    {
        const auto listener = MakeDataSocket();
        const bool bound = listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 0)) == 0 &&
                           listener->Listen() == 0;
        NS_ABORT_MSG_UNLESS(bound, "no port is left for stream " << stream);
        listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            MakeCallback(&BbftpServerApplication::HandleData, Ptr<BbftpServerApplication>(this)));
        Address address;
        listener->GetSockName(address);
        m_listeners.push_back(listener);
        m_ports.push_back(InetSocketAddress::ConvertFrom(address).GetPort());
    }
    return m_ports;
}

void
BbftpServerApplication::HandleControl(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    if (!IsActive() || GetControl())
    {
        ResetAcceptedConnection(socket); // it has one client
        return;
    }
    const Nanoseconds now = Simulator::Now().GetNanoSeconds();
    AttachControl(socket);
    if (IsOut(m_resets, now))
    {
        GetEnd().HandleLost(now, BbftpLoss::FAILED);
        return;
    }
    GetEnd().HandleAccepted(now);
    ReadFirst(socket);
}

void
BbftpServerApplication::HandleData(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    Address local;
    socket->GetSockName(local);
    const auto port = InetSocketAddress::ConvertFrom(local).GetPort();
    const auto it = std::ranges::find(m_ports, port);
    if (!IsActive() || it == m_ports.end())
    {
        ResetAcceptedConnection(socket);
        return;
    }
    AttachData(socket, static_cast<uint32_t>(it - m_ports.begin()));
    HandleConnected(socket);
    ReadFirst(socket);
}

void
BbftpServerApplication::Drop(Ptr<Socket> listener)
{
    if (listener)
    {
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeNullCallback<void, Ptr<Socket>, const Address&>());
        listener->Close();
    }
}

void
BbftpServerApplication::StopListening()
{
    Drop(std::exchange(m_listener, nullptr));
    for (const auto& listener : std::exchange(m_listeners, {}))
    {
        Drop(listener);
    }
}

} // namespace ns3::gridftp
