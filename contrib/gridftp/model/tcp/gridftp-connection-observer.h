/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONNECTION_OBSERVER_H
#define GRIDFTP_CONNECTION_OBSERVER_H

#include "gridftp-connection-monitor.h"
#include "gridftp-result.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/sequence-number.h"
#include "ns3/simple-ref-count.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Counts what the sending socket of a data connection does, through its trace sources, so that
 * any TCP is counted alike. Results use the counts, and samples of chunks, which tell no more of
 * them than TCP_INFO tells a program of its own sockets.
 */
class ConnectionObserver : public SimpleRefCount<ConnectionObserver>
{
  public:
    /**
     * Starts counting; the observer lives as long as the socket.
     * @param socket a TCP socket that has sent nothing yet
     * @param session gets what the connection does, outlives the socket; null: nothing does
     * @param number of the connection in the session
     */
    void Observe(Ptr<Socket> socket, SessionMonitor* session = nullptr, uint32_t number = 0);

    /** Its application closes the socket: nothing more is added to the session. */
    void End()
    {
        m_monitor.End();
    }

    /**
     * A data segment sent for the first time is delivered exactly once when the transfer
     * completes, so the segments sent first are the segments delivered.
     *
     * @return the counts so far
     */
    const ConnectionTotals& GetTotals() const;

  private:
    /**
     * A segment is sent.
     * @param packet its payload
     * @param header its header
     * @param socket the socket
     */
    void HandleTx(Ptr<const Packet> packet,
                  const TcpHeader& header,
                  Ptr<const TcpSocketBase> socket);

    /** The retransmission timer has expired. */
    void HandleTimeout();

    /**
     * The retransmission timeout of a socket that is no TcpSocketGuarded changes; a timeout doubles
     * it (RFC 6298, section 5.5), up to 60 s. At that limit further timeouts do not show.
     * @param before old value
     * @param now new value
     */
    void HandleRto(Time before, Time now);

    /** Connects the trace sources that the session needs, too. @param socket the socket */
    void Watch(Ptr<Socket> socket);

    /** The socket's state changes. @param before old one @param now new one */
    void HandleState(TcpSocket::TcpStates_t before, TcpSocket::TcpStates_t now);

    /** cwnd changes. @param before bytes @param now bytes */
    void HandleCwnd(uint32_t before, uint32_t now);

    /** The first byte not acknowledged changes. @param before its number @param now its number */
    void HandleAcknowledged(SequenceNumber32 before, SequenceNumber32 now);

    /** The RTT estimator has taken a sample. @param sample RTT @param smoothed SRTT */
    void HandleSample(Time sample, Time smoothed);

    ConnectionMonitor m_monitor;   //!< adds to the session
    uint32_t m_cwnd{0};            //!< bytes, for the session
    uint64_t m_acknowledged{0};    //!< bytes, for the session
    ConnectionTotals m_totals;     //!< the counts
    SequenceNumber32 m_highest{0}; //!< first byte not sent yet
    bool m_started{false};         //!< whether any data was sent
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONNECTION_OBSERVER_H
