/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-background-source.h"

#include "gridftp-option-attribute.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpBackgroundSource");

NS_OBJECT_ENSURE_REGISTERED(BackgroundSource);

TypeId
BackgroundSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::BackgroundSource")
            .SetParent<BufferedApplication>()
            .SetGroupName("GridFtp")
            .AddConstructor<BackgroundSource>()
            .AddAttribute("Remote",
                          "Address and port of the BackgroundSink.",
                          AddressValue(),
                          MakeAddressAccessor(&BackgroundSource::m_remote),
                          MakeAddressChecker())
            .AddAttribute("DataTcp",
                          "TCP of the connection: a TypeId that is a TcpSocketBase or a "
                          "TcpCongestionOps.",
                          TypeIdValue(*FindTcpVariant(GetDefaultText("tcp"))),
                          MakeTypeIdAccessor(&BackgroundSource::m_tcp),
                          MakeTypeIdChecker())
            .AddTraceSource("Connection",
                            "The connection is about to be made.",
                            MakeTraceSourceAccessor(&BackgroundSource::m_connection),
                            "ns3::gridftp::BackgroundSource::ConnectionTracedCallback");
    return tid;
}

BackgroundSource::BackgroundSource() = default;

BackgroundSource::~BackgroundSource() = default;

ConnectionTotals
BackgroundSource::GetTotals() const
{
    return m_observer->GetTotals();
}

const std::string&
BackgroundSource::GetReason() const
{
    return m_reason;
}

void
BackgroundSource::SetUp(Ptr<Socket> socket) const
{
    SetTcpBuffers(socket, GetBuffers());
}

void
BackgroundSource::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (const auto socket = m_socket)
    {
        Forget();
        socket->Close();
    }
    BufferedApplication::DoDispose();
}

void
BackgroundSource::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_socket = CreateTcpSocket(GetNode(), m_tcp);
    SetUp(m_socket);
    m_observer->Observe(m_socket, GetMonitor());
    m_socket->SetConnectCallback(MakeCallback(&BackgroundSource::HandleConnected, this),
                                 MakeCallback(&BackgroundSource::HandleRefused, this));
    m_socket->SetSendCallback(MakeCallback(&BackgroundSource::HandleRoom, this));
    m_socket->SetCloseCallbacks(MakeCallback(&BackgroundSource::HandlePeerClose, this),
                                MakeCallback(&BackgroundSource::HandleError, this));
    const bool bound = m_socket->Bind() == 0;
    m_connection(m_socket);
    if (!bound || m_socket->Connect(m_remote) != 0)
    {
        Fail("the connection cannot be opened");
    }
}

void
BackgroundSource::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (const auto socket = m_socket)
    {
        Forget();
        ResetTcpConnection(socket);
    }
}

void
BackgroundSource::Fill()
{
    while (m_socket && m_socket->GetTxAvailable() >= GetWriteBatch(GetTcpSendBuffer(m_socket)))
    {
        if (m_socket->Send(Create<Packet>(m_socket->GetTxAvailable())) < 0)
        {
            return;
        }
    }
}

void
BackgroundSource::Forget()
{
    m_observer->End();
    m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                 MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeNullCallback<void, Ptr<Socket>>());
    m_socket = nullptr;
}

void
BackgroundSource::Fail(const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    if (const auto socket = m_socket)
    {
        m_reason = reason;
        Forget();
        socket->Close();
    }
}

void
BackgroundSource::HandleConnected(Ptr<Socket> /* socket */)
{
    m_connected = true;
    Fill();
}

void
BackgroundSource::HandleRefused(Ptr<Socket> /* socket */)
{
    Fail("the connection was refused");
}

void
BackgroundSource::HandleRoom(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    // Room is told of before the handshake is, too.
    if (m_connected)
    {
        Fill();
    }
}

void
BackgroundSource::HandlePeerClose(Ptr<Socket> /* socket */)
{
    Fail("the connection was closed by the peer");
}

void
BackgroundSource::HandleError(Ptr<Socket> /* socket */)
{
    Fail(m_connected ? "the connection was reset or gave up its retries"
                     : "the connection was refused");
}

} // namespace ns3::gridftp
