/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SOCKET_STREAM_H
#define GRIDFTP_SOCKET_STREAM_H

#include "gridftp-application-host.h"
#include "gridftp-connection-observer.h"
#include "gridftp-data-stream.h"
#include "gridftp-message-queue.h"

#include "ns3/event-id.h"
#include "ns3/packet.h"
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
class SocketStream final : public SimpleRefCount<SocketStream, DataStream>
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
        m_dataUser = nullptr;
    }

    /** @param user of a data connection, called from now on; outlives it */
    void SetDataUser(DataStreamUser& user)
    {
        m_user = &user;
        m_dataUser = &user;
    }

    /** @param socket any @return whether it is the socket in use */
    bool Has(const Ptr<Socket>& socket) const
    {
        return m_socket == socket;
    }

    /** The connection is established. */
    void Establish();

    /** Begins to count what it sends, if it is a data connection. */
    void Observe();

    /** Reads what has arrived, for example with the last segment of the handshake. */
    void Read();

    /** The socket could not begin to connect. */
    void HandleConnectFailed();

    /** Resets a connection that was just accepted, when ns-3 has finished with its socket. */
    void Refuse();

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
    uint32_t GetLocalAddress() const override;

    // DataStream
    void SendPieces(Nanoseconds now, PieceSource& source) override;
    void Resume(Nanoseconds now) override;
    uint64_t GetUnread() const override;
    uint64_t GetSegmentBytes() const override;
    uint64_t GetSendBuffer() const override;
    void GrowSendBuffer(Nanoseconds now, uint64_t bytes) override;
    uint64_t GetReceiveBuffer() const override;
    void SetReceiveBuffer(uint64_t bytes) override;
    void CountBuffer(BufferTally& tally) const override;

  private:
    /** @return what reads at its own pace; null: nothing does */
    PieceSink* GetSink() const;

    /** @return the socket, which calls nothing any more and is not used any more */
    Ptr<Socket> Detach();

    /** Closes the socket. */
    void CloseSocket();

    /** Writes the next message. */
    void WriteMessage();

    /** Adds bytes to the message under way. @param bytes of a message */
    void AddUnsent(std::span<const uint8_t> bytes);

    /** Writes as much of the message under way as there is room for. */
    void WriteUnsent();

    /** Writes what the source has while there is enough room. */
    void Fill();

    /** Reads at the pace of a sink, as long as it does not wait. @param sink it */
    void ReadPaced(PieceSink& sink);

    /** Reports, once, that all of the source is acknowledged. */
    void CheckDrained();

    /** The connection is lost. @param loss how */
    void Lose(StreamLoss loss);

    // Callbacks of the socket
    void HandleConnected(Ptr<Socket> socket);
    void HandleRefused(Ptr<Socket> socket);
    void HandleRead(Ptr<Socket> socket);
    void HandleRoom(Ptr<Socket> socket, uint32_t room);
    void HandlePeerClose(Ptr<Socket> socket);
    void HandleError(Ptr<Socket> socket);

    Ptr<Socket> m_socket;                //!< null when the stream is closed
    uint32_t m_segmentBytes;             //!< payload of a full segment
    StreamTerms m_terms;                 //!< of this endpoint
    SessionMonitor* m_monitor;           //!< gets what it sends, or null
    Ptr<ConnectionObserver> m_observer;  //!< of a data connection, once established
    StreamUser* m_user{nullptr};         //!< its application
    DataStreamUser* m_dataUser{nullptr}; //!< the same, of a data connection with blocks
    bool m_isEstablished{false};         //!< the handshake is complete
    bool m_isPeerClosed{false};          //!< the peer has sent its FIN
    bool m_isClosing{false};             //!< the socket closes when m_unsent is written
    PieceSource* m_source{nullptr};      //!< what it sends, or null
    bool m_isDrained{false};             //!< all of it is acknowledged
    MessageQueue m_messages;             //!< that are to be written
    Ptr<Packet> m_unsent;                //!< what the socket had no room for, or null
    EventId m_nextWrite;                 //!< when the source has data again
    EventId m_nextRead;                  //!< when the sink reads again
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SOCKET_STREAM_H
