/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SOCKET_HOST_H
#define GRIDFTP_SOCKET_HOST_H

#include "gridftp-data-host.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

class SessionMonitor;
class SocketListener;
class SocketStream;

/**
 * @ingroup gridftp
 * The driver of engine ns3: the host of an application without I/O, with ns-3's sockets.
 *
 * Contract: an ns-3 application makes one for its node, and calls Dispose() in its DoDispose().
 */
class SocketHost final : public SimpleRefCount<SocketHost, DataHost>
{
  public:
    /** Called with the socket of a connection that is about to connect or was accepted, and the
     * terms of this endpoint. */
    using SocketCallback = Callback<void, Ptr<Socket>, const StreamTerms&>;

    /** @param node of the host @param peer address of the other host; not used by a host that only
     * accepts */
    SocketHost(Ptr<Node> node, Ipv4Address peer);

    ~SocketHost() override;

    /** @param monitor measures data connections that send, outlives them; null: nothing does.
     * Before the first connection */
    void SetMonitor(SessionMonitor* monitor)
    {
        m_monitor = monitor;
    }

    /** @param callback called for each connection. Before the first connection */
    void SetSocketCallback(SocketCallback callback)
    {
        m_socketCallback = callback;
    }

    /** Closes all connections and listeners. No user and no event target is called any more. */
    void Dispose();

    // ApplicationHost
    ByteStream& Connect(Nanoseconds now,
                        uint16_t port,
                        const StreamTerms& terms,
                        StreamUser& user) override;
    uint16_t Listen(Nanoseconds now,
                    uint16_t port,
                    const StreamTerms& terms,
                    ListenUser& user) override;
    void StopListening() override;
    void Schedule(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) override;
    void ScheduleWork(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) override;

    // DataHost
    ByteStream& ConnectTo(Nanoseconds now,
                          const HostPort& to,
                          const StreamTerms& terms,
                          StreamUser& user) override;
    void SetAlarm(Nanoseconds now, Nanoseconds at, EventTarget& target) override;
    void CancelAlarm(EventTarget& target) override;
    DataStream* OpenData(Nanoseconds now,
                         const HostPort& to,
                         const StreamTerms& terms,
                         DataStreamUser& user) override;
    std::optional<uint16_t> ListenForData(Nanoseconds now,
                                          const StreamTerms& terms,
                                          DataListenUser& user) override;
    Nanoseconds AskCpu(Nanoseconds now, const CpuWork& work) override;
    BlockStages FindSourceStages(const BufferSpec& buffers, uint64_t offset) override;
    BlockStages FindSinkStages(const BufferSpec& buffers) override;

    /** @param socket any @return the connection with it; null: there is none, or it is closed */
    const DataStream* Find(const Ptr<Socket>& socket) const;

  private:
    friend class SocketListener;

    /** @param port of this host; 0: an ephemeral one @param terms of connections @return a
     * listening socket; null: the port is not free */
    Ptr<Socket> MakeListener(uint16_t port, const StreamTerms& terms) const;

    /** @param terms of a connection @return a socket for it, not bound */
    Ptr<Socket> MakeSocket(const StreamTerms& terms) const;

    /** @param socket of a new connection @param terms of this endpoint @return the endpoint */
    Ptr<SocketStream> AddStream(Ptr<Socket> socket, const StreamTerms& terms);

    /** Calls the SocketCallback. @param socket of a connection @param terms of this endpoint */
    void Report(Ptr<Socket> socket, const StreamTerms& terms) const;

    /** A listener has accepted a connection. @param listener which @param socket of the connection
     */
    void HandleAccepted(const SocketListener& listener, Ptr<Socket> socket);

    /** A scheduled event. @param target called @param id for its use */
    void HandleEvent(EventTarget* target, uint32_t id);

    /** An alarm expires. @param target called */
    void HandleAlarm(EventTarget* target);

    Ptr<Node> m_node;                             //!< of the host
    Ipv4Address m_peer;                           //!< of the other host
    SessionMonitor* m_monitor{nullptr};           //!< see SetMonitor()
    SocketCallback m_socketCallback;              //!< see SetSocketCallback()
    std::vector<Ptr<SocketStream>> m_streams;     //!< all connections
    std::vector<Ptr<SocketListener>> m_listeners; //!< that are open
    std::map<EventTarget*, EventId> m_alarms;     //!< that are set
    bool m_isDisposed{false};                     //!< see Dispose()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SOCKET_HOST_H
