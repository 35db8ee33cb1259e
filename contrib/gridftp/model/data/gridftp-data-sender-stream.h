/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_SENDER_STREAM_H
#define GRIDFTP_DATA_SENDER_STREAM_H

#include "gridftp-block-feed.h"
#include "gridftp-connection-sizer.h"
#include "gridftp-data-sender.h"
#include "gridftp-tcp-variant.h"

#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One data connection of a DataSender.
 */
class DataSender::Stream
{
  public:
    /**
     * @param owner whose stream it is; outlives it
     * @param pair to which of the owner's receivers
     * @param stream index among the streams to that
     */
    Stream(DataSender& owner, uint32_t pair, uint32_t stream)
        : m_owner(owner),
          m_pair(pair),
          m_stream(stream),
          m_index(owner.GetConnections().GetFirst(owner.GetFirstPair() + pair) + stream)
    {
    }

    ~Stream()
    {
        Close();
    }

    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /** Opens the connection, now or later. @param delay how much later */
    void OpenAfter(Time delay);

    /** Begins a chunk. */
    void Begin();

    /** Ends a chunk: from here on the peer may close the connection. */
    void End()
    {
        m_active = false;
    }

    /** Closes the connection. */
    void Close();

    /** Resets the connection. */
    void Reset();

    /** The connection is reset from within its host. */
    void Break();

    /** @return whether there is a connection */
    bool IsConnected() const
    {
        return m_socket && m_connected;
    }

    /** @param bytes size of its send buffer from now on, unless it is larger */
    void GrowSendBuffer(uint64_t bytes);

    /** @return size of its send buffer, bytes; 0 where there is no connection */
    uint64_t GetBufferSize() const
    {
        return m_socket ? GetTcpSendBuffer(m_socket) : 0;
    }

    /** @return index among the data connections of all stripes, when it was opened */
    uint32_t GetIndex() const
    {
        return m_index;
    }

    /** @return counts of its socket */
    const ConnectionTotals& GetTotals() const
    {
        return m_observer->GetTotals();
    }

  private:
    /** Lets go of the socket. @return the socket, null where there is none */
    Ptr<Socket> Release();

    /** Makes the socket and connects. */
    void Open();

    /** Writes blocks while the socket has room. */
    void Fill();

    /** Takes the next block, or ends the data, when nothing is left to write. @return whether there
     * is something to write; otherwise it is still being read */
    bool Refill();

    /** @return whether the next block, if it takes time, is there */
    bool IsNextReady();

    /** Nothing is left to write: reads on, where that takes time. */
    void Fetch();

    /** Writes nothing for a time. @param ns how long */
    void Rest(int64_t ns);

    /** @return the stripe that it goes to */
    uint32_t GetReceiver() const
    {
        return m_owner.m_plan.GetPair(m_owner.GetFirstPair() + m_pair).receiver;
    }

    /**
     * Writes one packet of at most @p room bytes.
     * @param room of the send buffer, at least 1
     * @return whether the socket took it
     */
    bool Write(uint32_t room);

    /** Tells the owner, once, when all is acknowledged. */
    void CheckDrained();

    /** The connection is up. @param socket the socket */
    void HandleConnected(Ptr<Socket> socket);

    /** The connection is refused. @param socket the socket */
    void HandleRefused(Ptr<Socket> socket);

    /** Room has become free. @param socket the socket @param room bytes */
    void HandleRoom(Ptr<Socket> socket, uint32_t room);

    /** Something has come: of the handshake, or SBUFs. @param socket the socket */
    void HandleRead(Ptr<Socket> socket);

    /** SBUFs have come. @param socket the socket */
    void HandleSizing(Ptr<Socket> socket);

    /** The peer has closed. @param socket the socket */
    void HandlePeerClose(Ptr<Socket> socket);

    /** The connection has failed. @param socket the socket */
    void HandleError(Ptr<Socket> socket);

    DataSender& m_owner;                                              //!< whose stream it is
    uint32_t m_pair;                                                  //!< owner's receiver
    uint32_t m_stream;                                                //!< among those of the pair
    uint32_t m_index;                                                 //!< see GetIndex()
    Ptr<Socket> m_socket;                                             //!< the connection
    EventId m_openEvent;                                              //!< a late start
    Ptr<ConnectionObserver> m_observer{Create<ConnectionObserver>()}; //!< counts
    BufferSettings m_buffers;                                         //!< of its socket
    EventId m_restEvent;                                              //!< until it writes again
    DataSecurity m_security;                                          //!< before the first block
    bool m_connected{false};                                          //!< TCP's handshake done
    bool m_active{false};                                             //!< a chunk is under way
    Ptr<Packet> m_header;            //!< rest of a header still to be written, null if none
    uint64_t m_payload{0};           //!< payload bytes of the block still to be written
    bool m_ended{false};             //!< EOD taken
    bool m_drained{false};           //!< all acknowledged
    std::optional<BlockFeed> m_feed; //!< where its blocks come from, if that takes time
    SizingReader m_sizings;          //!< takes SBUFs apart
    uint32_t m_sizingsOwed{0};       //!< SBUFs that no header has acknowledged
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_SENDER_STREAM_H
