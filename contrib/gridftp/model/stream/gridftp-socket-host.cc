/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-socket-host.h"

#include "gridftp-host-processor.h"
#include "gridftp-socket-stream.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A listening socket of a SocketHost. */
class SocketListener final : public SimpleRefCount<SocketListener>
{
  public:
    /** @param host of it @param socket bound and listening @param terms of its connections */
    SocketListener(SocketHost& host, Ptr<Socket> socket, const StreamTerms& terms)
        : terms(terms),
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

    uint16_t port{0};                  //!< on which it listens
    StreamTerms terms;                 //!< of its connections
    ListenUser* user{nullptr};         //!< called for each of them, or null
    DataListenUser* dataUser{nullptr}; //!< called for each data connection, or null

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
    for (const auto& [target, event] : std::exchange(m_alarms, {}))
    {
        Simulator::Remove(event);
    }
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
    return stream;
}

void
SocketHost::Report(Ptr<Socket> socket, const StreamTerms& terms) const
{
    if (!m_socketCallback.IsNull())
    {
        m_socketCallback(socket, terms);
    }
}

ByteStream&
SocketHost::Connect(Nanoseconds now, uint16_t port, const StreamTerms& terms, StreamUser& user)
{
    return ConnectTo(now, {m_peer.Get(), port}, terms, user);
}

ByteStream&
SocketHost::ConnectTo(Nanoseconds /* now */,
                      const HostPort& to,
                      const StreamTerms& terms,
                      StreamUser& user)
{
    const auto socket = MakeSocket(terms);
    const bool isBound = socket->Bind() == 0;
    const auto stream = AddStream(socket, terms);
    Report(socket, terms);
    stream->SetUser(user);
    if (!isBound || socket->Connect(InetSocketAddress(Ipv4Address(to.address), to.port)) != 0)
    {
        stream->HandleConnectFailed();
    }
    return *stream;
}

DataStream*
SocketHost::OpenData(Nanoseconds /* now */,
                     const HostPort& to,
                     const StreamTerms& terms,
                     DataStreamUser& user)
{
    const auto socket = MakeSocket(terms);
    const auto stream = AddStream(socket, terms);
    stream->Observe(); // a socket that is bound looks like one that was accepted
    stream->SetDataUser(user);
    const bool isBound = socket->Bind() == 0;
    Report(socket, terms);
    const InetSocketAddress address(Ipv4Address(to.address), to.port);
    if (!isBound || socket->Connect(address) != 0)
    {
        stream->Dispose();
        return nullptr;
    }
    return PeekPointer(stream);
}

uint16_t
SocketHost::Listen(Nanoseconds /* now */, uint16_t port, const StreamTerms& terms, ListenUser& user)
{
    const auto socket = MakeListener(port, terms);
    NS_ABORT_MSG_UNLESS(socket, "cannot listen on port " << port);
    m_listeners.push_back(Create<SocketListener>(*this, socket, terms));
    m_listeners.back()->user = &user;
    return m_listeners.back()->port;
}

std::optional<uint16_t>
SocketHost::ListenForData(Nanoseconds /* now */, const StreamTerms& terms, DataListenUser& user)
{
    const auto socket = MakeListener(0, terms);
    if (!socket)
    {
        return std::nullopt;
    }
    m_listeners.push_back(Create<SocketListener>(*this, socket, terms));
    m_listeners.back()->dataUser = &user;
    return m_listeners.back()->port;
}

Ptr<Socket>
SocketHost::MakeListener(uint16_t port, const StreamTerms& terms) const
{
    const auto socket = MakeSocket(terms);
    const bool isBound =
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) == 0 && socket->Listen() == 0;
    if (!isBound)
    {
        socket->Close();
    }
    return isBound ? socket : nullptr;
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
    Report(socket, listener.terms);
    stream->Establish();
    const Nanoseconds now = Simulator::Now().GetNanoSeconds();
    DataStreamUser* const dataUser =
        listener.dataUser ? listener.dataUser->HandleDataAccepted(now, *stream) : nullptr;
    StreamUser* const user =
        listener.user ? listener.user->HandleAccepted(now, listener.port, *stream) : dataUser;
    if (!user)
    {
        return stream->Refuse();
    }
    if (stream->IsOpen())
    {
        dataUser ? stream->SetDataUser(*dataUser) : stream->SetUser(*user);
        stream->Read();
    }
}

Nanoseconds
SocketHost::AskCpu(Nanoseconds now, const CpuWork& work)
{
    return now + HostProcessor::Ask(m_node, work).GetNanoSeconds();
}

BlockStages
SocketHost::FindSourceStages(const BufferSpec& buffers, uint64_t offset)
{
    return gridftp::FindSourceStages(m_node, buffers, offset);
}

BlockStages
SocketHost::FindSinkStages(const BufferSpec& buffers)
{
    return gridftp::FindSinkStages(m_node, buffers);
}

const DataStream*
SocketHost::Find(const Ptr<Socket>& socket) const
{
    const auto stream = std::ranges::find_if(m_streams, [&socket](const Ptr<SocketStream>& one) {
        return one->Has(socket);
    });
    return stream == m_streams.end() ? nullptr : PeekPointer(*stream);
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
SocketHost::SetAlarm(Nanoseconds now, Nanoseconds at, EventTarget& target)
{
    m_alarms[&target] =
        Simulator::Schedule(NanoSeconds(at - now), &SocketHost::HandleAlarm, this, &target);
}

void
SocketHost::CancelAlarm(EventTarget& target)
{
    if (const auto alarm = m_alarms.find(&target); alarm != m_alarms.end())
    {
        Simulator::Remove(alarm->second); // cancelled, it would keep the simulation running
        m_alarms.erase(alarm);
    }
}

void
SocketHost::HandleAlarm(EventTarget* target)
{
    m_alarms.erase(target);
    target->HandleEvent(Simulator::Now().GetNanoSeconds(), 0);
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
