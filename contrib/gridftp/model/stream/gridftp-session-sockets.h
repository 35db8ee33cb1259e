/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SESSION_SOCKETS_H
#define GRIDFTP_SESSION_SOCKETS_H

#include "gridftp-socket-host.h"

#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>

namespace ns3::gridftp
{

class SessionMonitor;

/**
 * @ingroup gridftp
 * The data connections of one GridFTP session on a node: a SocketHost for those on which it sends
 * and one for those on which it receives.
 *
 * Contract: an ns-3 application makes one for each session, destroys the session first, and calls
 * Dispose() in its DoDispose().
 */
class SessionSockets
{
  public:
    /** @param node of the application @param monitor measures connections that send, outlives them;
     * null: nothing does */
    SessionSockets(Ptr<Node> node, SessionMonitor* monitor);
    ~SessionSockets();

    SessionSockets(const SessionSockets&) = delete;
    SessionSockets& operator=(const SessionSockets&) = delete;

    /** @param opened called for each connection that is about to be opened for sending: socket,
     * index of the chunk, and index among the connections of all stripes @param accepted called for
     * each connection that was accepted for receiving */
    void Trace(const Callback<void, Ptr<Socket>, uint64_t, uint32_t>& opened,
               const Callback<void, Ptr<Socket>>& accepted);

    /** @return host of connections on which the session sends */
    DataHost& GetSender()
    {
        return *m_sender;
    }

    /** @return host of connections on which the session receives */
    DataHost& GetReceiver()
    {
        return *m_receiver;
    }

    /** @param socket any @return the connection with it that was accepted; null: there is none */
    const DataStream* FindAccepted(const Ptr<Socket>& socket) const
    {
        return m_receiver->Find(socket);
    }

    /** Closes all connections. */
    void Dispose();

    /**
     * A data connection is about to be opened for sending; its socket is bound.
     * @param socket of the sender
     * @param chunk index of the chunk that it is opened for
     * @param connection index among the connections of all stripes
     */
    typedef void (*OpenedTracedCallback)(Ptr<Socket> socket, uint64_t chunk, uint32_t connection);

    /**
     * A data connection was accepted for receiving.
     * @param socket of the receiver
     */
    typedef void (*AcceptedTracedCallback)(Ptr<Socket> socket);

  private:
    Ptr<SocketHost> m_sender;   //!< see GetSender()
    Ptr<SocketHost> m_receiver; //!< see GetReceiver()
};

/** @ingroup gridftp @param address of type InetSocketAddress; another one gives 0.0.0.0, port 0
 * @return the same for applications without I/O */
HostPort MakeHostPort(const Address& address);

} // namespace ns3::gridftp

#endif // GRIDFTP_SESSION_SOCKETS_H
