/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BACKGROUND_SINK_H
#define GRIDFTP_BACKGROUND_SINK_H

#include "gridftp-buffer-settings.h"
#include "gridftp-buffered-application.h"

#include "ns3/address.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The other end of a BackgroundSource: counts the bytes that come, in order, until it stops.
 *
 * In place of ns-3's PacketSink, whose listener is of the node's TCP and not of one's choice.
 */
class BackgroundSink : public BufferedApplication
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    BackgroundSink();
    ~BackgroundSink() override;

    /** @return bytes that have come, in order, until now or until it stopped */
    uint64_t GetBytes() const;

    /**
     * The connection has been accepted.
     * @param socket it
     */
    typedef void (*AcceptedTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;

  private:
    /** Sets the buffers of a socket. @param socket not connected */
    void SetUp(Ptr<Socket> socket) const;

    void StartApplication() override;
    void StopApplication() override;

    /** A connection has come. @param socket the connection @param from its peer */
    void HandleAccept(Ptr<Socket> socket, const Address& from);

    /** Data has come. @param socket the connection */
    void HandleRead(Ptr<Socket> socket);

    /** The peer has closed. @param socket the connection */
    void HandlePeerClose(Ptr<Socket> socket);

    /** Closes a socket, if there is one, and lets go of it. @param socket the member */
    static void Drop(Ptr<Socket>& socket);

    uint16_t m_port{0};                     //!< where it listens
    TypeId m_tcp;                           //!< its TCP
    uint32_t m_segmentBytes{1};             //!< most bytes to read at once
    Ptr<Socket> m_listener;                 //!< null before and after
    Ptr<Socket> m_socket;                   //!< the connection, null before and after
    uint64_t m_bytes{0};                    //!< that have come
    TracedCallback<Ptr<Socket>> m_accepted; //!< the connection has been accepted
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BACKGROUND_SINK_H
