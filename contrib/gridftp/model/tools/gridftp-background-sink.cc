/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-background-sink.h"

#include "gridftp-background-source.h"
#include "gridftp-option-attribute.h"
#include "gridftp-tcp-variant.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpBackgroundSink");

NS_OBJECT_ENSURE_REGISTERED(BackgroundSink);

TypeId
BackgroundSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::BackgroundSink")
            .SetParent<BufferedApplication>()
            .SetGroupName("GridFtp")
            .AddConstructor<BackgroundSink>()
            .AddAttribute("Port",
                          "Port on which the sink listens.",
                          UintegerValue(BACKGROUND_PORT),
                          MakeUintegerAccessor(&BackgroundSink::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("DataTcp",
                          "TCP of the connection: a TypeId that is a TcpSocketBase or a "
                          "TcpCongestionOps.",
                          TypeIdValue(*FindTcpVariant(GetDefaultText("tcp"))),
                          MakeTypeIdAccessor(&BackgroundSink::m_tcp),
                          MakeTypeIdChecker())
            .AddTraceSource("Accepted",
                            "The connection has been accepted.",
                            MakeTraceSourceAccessor(&BackgroundSink::m_accepted),
                            "ns3::gridftp::BackgroundSink::AcceptedTracedCallback");
    return tid;
}

BackgroundSink::BackgroundSink() = default;

BackgroundSink::~BackgroundSink() = default;

uint64_t
BackgroundSink::GetBytes() const
{
    return m_bytes;
}

void
BackgroundSink::SetUp(Ptr<Socket> socket) const
{
    SetTcpBuffers(socket, GetBuffers());
}

void
BackgroundSink::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StopApplication();
    BufferedApplication::DoDispose();
}

void
BackgroundSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_listener = CreateTcpSocket(GetNode(), m_tcp);
    SetUp(m_listener);
    UintegerValue segment;
    m_listener->GetAttribute("SegmentSize", segment);
    m_segmentBytes = static_cast<uint32_t>(segment.Get());
    const bool bound = m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) == 0 &&
                       m_listener->Listen() == 0;
    NS_ABORT_MSG_UNLESS(bound, "cannot listen on port " << m_port);
    // A connection under way has a copy of this, and may outlive the listener.
    m_listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        MakeCallback(&BackgroundSink::HandleAccept, Ptr<BackgroundSink>(this)));
}

void
BackgroundSink::StopApplication()
{
    NS_LOG_FUNCTION(this);
    Drop(m_socket);
    Drop(m_listener);
}

void
BackgroundSink::HandleAccept(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    if (!m_listener || m_socket)
    {
        socket->Close(); // stopped during the handshake, or one connection too many
        return;
    }
    m_socket = socket;
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeNullCallback<void, Ptr<Socket>, const Address&>());
    socket->SetRecvCallback(MakeCallback(&BackgroundSink::HandleRead, this));
    socket->SetCloseCallbacks(MakeCallback(&BackgroundSink::HandlePeerClose, this),
                              MakeCallback(&BackgroundSink::HandlePeerClose, this));
    m_accepted(socket);
    HandleRead(socket);
}

void
BackgroundSink::HandleRead(Ptr<Socket> socket)
{
    // A segment at a time: joined with others, a packet's virtual payload would become real.
    while (const auto packet = socket->Recv(m_segmentBytes, 0))
    {
        if (packet->GetSize() == 0)
        {
            return;
        }
        m_bytes += packet->GetSize();
    }
}

void
BackgroundSink::HandlePeerClose(Ptr<Socket> /* socket */)
{
    Drop(m_socket);
}

void
BackgroundSink::Drop(Ptr<Socket>& socket)
{
    const auto dropped = socket;
    socket = nullptr;
    if (dropped)
    {
        dropped->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                   MakeNullCallback<void, Ptr<Socket>, const Address&>());
        dropped->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        dropped->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                   MakeNullCallback<void, Ptr<Socket>>());
        dropped->Close();
    }
}

} // namespace ns3::gridftp
