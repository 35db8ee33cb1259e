/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-channel.h"

#include "gridftp-tcp-reset.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpControlChannel");

NS_OBJECT_ENSURE_REGISTERED(ControlChannel);

TypeId
ControlChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::ControlChannel")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<ControlChannel>();
    return tid;
}

void
ControlChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_unsent.clear();
    Close();
    Object::DoDispose();
}

void
ControlChannel::Attach(Ptr<Socket> socket, LineCallback line, ClosedCallback closed)
{
    NS_LOG_FUNCTION(this << socket);
    m_socket = socket;
    m_line = line;
    m_closed = closed;
    socket->SetRecvCallback(MakeCallback(&ControlChannel::HandleRead, this));
    socket->SetSendCallback(MakeCallback(&ControlChannel::HandleSend, this));
    socket->SetCloseCallbacks(MakeCallback(&ControlChannel::HandlePeerClose, this),
                              MakeCallback(&ControlChannel::HandleError, this));
}

void
ControlChannel::Send(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    m_unsent += m_side ? WrapLines(*m_side, text) : text;
    Flush();
}

void
ControlChannel::Protect(ArmourSide side)
{
    NS_LOG_FUNCTION(this);
    m_side = side;
    m_reader.SetLongest(GetWrappedLength(side, std::string(LineReader::MAXIMUM_LENGTH, ' ')));
}

TextResult<std::string>
ControlChannel::Unwrap(const TextResult<std::string>& line) const
{
    if (!line || !m_side)
    {
        return line;
    }
    return UnwrapLine(*m_side == ArmourSide::CLIENT ? ArmourSide::SERVER : ArmourSide::CLIENT,
                      *line);
}

void
ControlChannel::Flush()
{
    while (m_socket && !m_unsent.empty())
    {
        const auto room = std::min<size_t>(m_unsent.size(), m_socket->GetTxAvailable());
        if (room == 0)
        {
            return;
        }
        const auto packet = Create<Packet>(reinterpret_cast<const uint8_t*>(m_unsent.data()),
                                           static_cast<uint32_t>(room));
        if (m_socket->Send(packet) <= 0)
        {
            return; // not connected yet or closing; HandleSend() or Lose() comes
        }
        m_unsent.erase(0, room);
    }
    if (m_closing)
    {
        if (const auto socket = Release())
        {
            socket->Close();
        }
    }
}

void
ControlChannel::HandleRead(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    // The owner may close this channel, or drop it, while it handles a line.
    const Ptr<ControlChannel> keep(this);
    while (m_socket)
    {
        const auto packet = m_socket->Recv();
        if (!packet || packet->GetSize() == 0)
        {
            break;
        }
        if (m_closing)
        {
            continue; // unread, it would make ns-3 reset the connection
        }
        std::string bytes(packet->GetSize(), '\0');
        packet->CopyData(reinterpret_cast<uint8_t*>(bytes.data()), packet->GetSize());
        m_reader.Feed(bytes);
        while (m_socket && !m_closing)
        {
            const auto line = m_reader.Next();
            if (!line)
            {
                break;
            }
            const auto handle = m_line; // the owner may close the channel within
            handle(Unwrap(*line));
        }
    }
}

void
ControlChannel::HandleSend(Ptr<Socket> /* socket */, uint32_t /* available */)
{
    Flush();
}

void
ControlChannel::HandlePeerClose(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Lose("control connection closed by the peer");
}

void
ControlChannel::HandleError(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Lose("control connection failed");
}

void
ControlChannel::Lose(const std::string& reason)
{
    if (!m_socket)
    {
        return;
    }
    const auto closed = m_closed;
    m_unsent.clear();
    Close();
    if (!closed.IsNull())
    {
        closed(reason);
    }
}

void
ControlChannel::Close()
{
    m_closing = true;
    m_line = LineCallback();
    m_closed = ClosedCallback();
    Flush();
}

void
ControlChannel::Reset()
{
    m_closing = true;
    m_line = LineCallback();
    m_closed = ClosedCallback();
    m_unsent.clear();
    if (const auto socket = Release())
    {
        ResetTcpConnection(socket);
    }
}

Ptr<Socket>
ControlChannel::Release()
{
    if (!m_socket)
    {
        return nullptr;
    }
    m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                 MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeNullCallback<void, Ptr<Socket>>());
    return std::exchange(m_socket, nullptr);
}

Ipv4Address
ControlChannel::GetLocalAddress() const
{
    Address local;
    m_socket->GetSockName(local);
    return InetSocketAddress::ConvertFrom(local).GetIpv4();
}

} // namespace ns3::gridftp
