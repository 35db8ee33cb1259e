/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-socket-host.h"

#include "gridftp-socket-stream.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A listening socket of a SocketHost. */
class SocketListener final : public SimpleRefCount<SocketListener>
{
  public:
    /** @param host of it @param socket bound and listening @param terms of its connections @param
     * user called for each of them */
    SocketListener(SocketHost& host, Ptr<Socket> socket, const StreamTerms& terms, ListenUser& user)
        : terms(terms),
          user(&user),
          m_host(&host),
          m_socket(socket)
    {
        Address address;
        socket->GetSockName(address);
        port = InetSocketAddress::ConvertFrom(address).GetPort();
        // A connection under way has a copy of this, and may outlive the listener
        socket->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            MakeCallback(&SocketListener::HandleAccepted, Ptr<SocketListener>(this)));
    }

    /** Closes it. A connection that it accepts afterwards is reset. */
    void Close()
    {
        m_host = nullptr;
        if (const auto socket = std::exchange(m_socket, nullptr))
        {
            socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
            socket->Close();
        }
    }

    uint16_t port{0};  //!< on which it listens
    StreamTerms terms; //!< of its connections
    ListenUser* user;  //!< called for each of them

  private:
    /** A connection was accepted. @param socket of it @param from the peer */
    void HandleAccepted(Ptr<Socket> socket, const Address& /* from */)
    {
        m_host ? m_host->HandleAccepted(*this, socket) : ResetAcceptedConnection(socket);
    }

    SocketHost* m_host;   //!< of it; null: closed
    Ptr<Socket> m_socket; //!< null: closed
};

SocketHost::SocketHost(Ptr<Node> node, Ipv4Address peer)
    : m_node(node),
      m_peer(peer)
{
}

SocketHost::~SocketHost() = default;

void
SocketHost::Dispose()
{
    m_isDisposed = true;
    StopListening();
    for (const auto& stream : m_streams)
    {
        stream->Dispose();
    }
    m_socketCallback = SocketCallback();
}

Ptr<Socket>
SocketHost::MakeSocket(const StreamTerms& terms) const
{
    const auto variant = FindTcpVariant(terms.tcp);
    NS_ABORT_MSG_UNLESS(variant, terms.tcp << " is no TCP");
    auto socket = CreateTcpSocket(m_node, *variant);
    SetTcpBuffers(socket, terms.buffers);
    if (terms.holdsSmall)
    {
        HoldSmallSegments(socket);
    }
    return socket;
}

Ptr<SocketStream>
SocketHost::AddStream(Ptr<Socket> socket, const StreamTerms& terms)
{
    auto stream = Create<SocketStream>(socket, terms, m_monitor);
    m_streams.push_back(stream);
    if (terms.label && !m_socketCallback.IsNull())
    {
        m_socketCallback(socket, terms.label->connection);
    }
    return stream;
}

ByteStream&
SocketHost::Connect(Nanoseconds /* now */,
                    uint16_t port,
                    const StreamTerms& terms,
                    StreamUser& user)
{
    const auto socket = MakeSocket(terms);
    const bool isBound = socket->Bind() == 0;
    const auto stream = AddStream(socket, terms);
    stream->SetUser(user);
    if (!isBound || socket->Connect(InetSocketAddress(m_peer, port)) != 0)
    {
        stream->HandleConnectFailed();
    }
    return *stream;
}

uint16_t
SocketHost::Listen(Nanoseconds /* now */, uint16_t port, const StreamTerms& terms, ListenUser& user)
{
    const auto socket = MakeSocket(terms);
    const bool isBound =
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) == 0 && socket->Listen() == 0;
    NS_ABORT_MSG_UNLESS(isBound, "cannot listen on port " << port);
    const auto listener = Create<SocketListener>(*this, socket, terms, user);
    m_listeners.push_back(listener);
    return listener->port;
}

void
SocketHost::StopListening()
{
    for (const auto& listener : std::exchange(m_listeners, {}))
    {
        listener->Close();
    }
}

void
SocketHost::HandleAccepted(const SocketListener& listener, Ptr<Socket> socket)
{
    const auto stream = AddStream(socket, listener.terms);
    stream->Establish();
    StreamUser* const user =
        listener.user->HandleAccepted(Simulator::Now().GetNanoSeconds(), listener.port, *stream);
    if (!user)
    {
        return stream->Reset(Simulator::Now().GetNanoSeconds());
    }
    if (stream->IsOpen())
    {
        stream->SetUser(*user);
        stream->Read();
    }
}

void
SocketHost::Schedule(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id)
{
    Simulator::Schedule(NanoSeconds(at - now),
                        &SocketHost::HandleEvent,
                        Ptr<SocketHost>(this),
                        &target,
                        id);
}

void
SocketHost::ScheduleWork(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id)
{
    Schedule(now, at, target, id);
}

void
SocketHost::HandleEvent(EventTarget* target, uint32_t id)
{
    if (!m_isDisposed)
    {
        target->HandleEvent(Simulator::Now().GetNanoSeconds(), id);
    }
}

} // namespace ns3::gridftp
