/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-client.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpBbftpClientApplication");

NS_OBJECT_ENSURE_REGISTERED(BbftpClientApplication);

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

void
BbftpClientApplication::SetProgress(Told begun, Told moved)
{
    m_begun = begun;
    m_moved = moved;
}

BbftpSpan
BbftpClientApplication::GetSpan() const
{
    return m_client ? m_client->GetSpan() : BbftpSpan();
}

uint32_t
BbftpClientApplication::GetStreams() const
{
    return m_client ? m_client->GetStreams() : 0;
}

std::unique_ptr<BbftpEnd>
BbftpClientApplication::MakeEnd(const BbftpTransfer& transfer, BbftpPort& port)
{
    auto client = std::make_unique<BbftpClient>(transfer, port);
    m_client = client.get();
    return client;
}

void
BbftpClientApplication::Begin()
{
    m_client->Start(Simulator::Now().GetNanoSeconds());
}

void
BbftpClientApplication::ConnectControl(Nanoseconds now)
{
    const auto socket = MakeControlSocket();
    AttachControl(socket);
    if (socket->Bind() != 0 || socket->Connect(m_remote) != 0)
    {
        m_client->HandleLost(now, BbftpLoss::REFUSED);
    }
}

std::vector<uint16_t>
BbftpClientApplication::Listen(Nanoseconds /* now */, uint32_t /* streams */)
{
    return {}; // the server does
}

void
BbftpClientApplication::Connect(Nanoseconds now, uint32_t stream, uint16_t port)
{
    const auto socket = MakeDataSocket();
    const bool isBound = socket->Bind() == 0;
    AttachData(socket, stream);
    const auto host = InetSocketAddress::ConvertFrom(m_remote).GetIpv4();
    if (!isBound || socket->Connect(InetSocketAddress(host, port)) != 0)
    {
        m_client->HandleDataLost(now, stream, BbftpLoss::REFUSED);
    }
}

void
BbftpClientApplication::HandleBegun(Nanoseconds /* now */)
{
    if (!m_begun.IsNull())
    {
        m_begun();
    }
}

void
BbftpClientApplication::HandleMoved(Nanoseconds /* now */)
{
    if (!m_moved.IsNull())
    {
        m_moved();
    }
}

} // namespace ns3::gridftp
