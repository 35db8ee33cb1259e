/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SOCKET_STREAM_H
#define GRIDFTP_SOCKET_STREAM_H

#include "gridftp-application-host.h"
#include "gridftp-connection-observer.h"
#include "gridftp-message-queue.h"

#include "ns3/event-id.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/socket.h"

#include <cstdint>
#include <span>

namespace ns3::gridftp
{

class SessionMonitor;

/**
 * @ingroup gridftp
 * One endpoint of a TCP connection over a socket of ns-3. SocketHost makes it and keeps it.
 */
class SocketStream final : public SimpleRefCount<SocketStream, ByteStream>
{
  public:
    /** @param socket connecting, or accepted @param terms of this endpoint @param monitor measures
     * what it sends, outlives it; null: nothing does */
    SocketStream(Ptr<Socket> socket, const StreamTerms& terms, SessionMonitor* monitor);

    ~SocketStream() override;

    /** @param user called from now on; outlives it */
    void SetUser(StreamUser& user)
    {
        m_user = &user;
    }

    /** The connection is established: begins to count what it sends. */
    void Establish();

    /** Reads what has arrived, for example with the last segment of the handshake. */
    void Read();

    /** The socket could not begin to connect. */
    void HandleConnectFailed();

    /** Closes the socket at the end of the simulation, without a call of its user. */
    void Dispose();

    /** @return whether the socket is in use */
    bool IsOpen() const
    {
        return m_socket != nullptr;
    }

    // ByteStream
    void Say(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void DropMessages() override;
    void Send(Nanoseconds now, StreamSource& source) override;
    void Close(Nanoseconds now) override;
    void Reset(Nanoseconds now) override;
    ConnectionTotals GetTotals() const override;

  private:
    /** @return the socket, which calls nothing any more and is not used any more */
    Ptr<Socket> Detach();

    /** Writes the next message. */
    void WriteMessage();

    /** Writes what the source has while there is enough room. */
    void Fill();

    /** Reads with a StreamSink, as long as it does not wait. @param sink it */
    void ReadPaced(StreamSink& sink);

    /** The connection is lost. @param loss how */
    void Lose(StreamLoss loss);

    // Callbacks of the socket
    void HandleConnected(Ptr<Socket> socket);
    void HandleRefused(Ptr<Socket> socket);
    void HandleRead(Ptr<Socket> socket);
    void HandleRoom(Ptr<Socket> socket, uint32_t room);
    void HandlePeerClose(Ptr<Socket> socket);
    void HandleError(Ptr<Socket> socket);

    Ptr<Socket> m_socket;               //!< null when the stream is closed
    StreamTerms m_terms;                //!< of this endpoint
    SessionMonitor* m_monitor;          //!< gets what it sends, or null
    Ptr<ConnectionObserver> m_observer; //!< of a data connection, once established
    StreamUser* m_user{nullptr};        //!< its application
    bool m_isEstablished{false};        //!< the handshake is complete
    StreamSource* m_source{nullptr};    //!< what it sends, or null
    MessageQueue m_messages;            //!< that are to be written
    EventId m_nextWrite;                //!< when the source has data again
    EventId m_nextRead;                 //!< when the sink reads again
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SOCKET_STREAM_H
