/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BACKGROUND_SOURCE_H
#define GRIDFTP_BACKGROUND_SOURCE_H

#include "gridftp-assigned-ports.h"
#include "gridftp-buffer-settings.h"
#include "gridftp-buffered-application.h"
#include "gridftp-connection-observer.h"

#include "ns3/address.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A plain TCP connection that always has data to send, beside the sessions.
 *
 * It connects when it starts and writes by the rule of DataSender: all the room of the send buffer
 * at once, as soon as that is half a window. When it stops, it aborts the connection (RFC 9293,
 * section 3.10.5): what waits in its buffers is not sent any more.
 */
class BackgroundSource : public BufferedApplication
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    BackgroundSource();
    ~BackgroundSource() override;

    /** @return counts of its connection so far */
    ConnectionTotals GetTotals() const;

    /** @return why the connection ended before it was to stop; empty if it did not */
    const std::string& GetReason() const;

    /**
     * The connection is about to be made; its socket is bound.
     * @param socket the sending socket
     */
    typedef void (*ConnectionTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;

  private:
    /** Sets the buffers of a socket. @param socket not connected */
    void SetUp(Ptr<Socket> socket) const;

    void StartApplication() override;
    void StopApplication() override;

    /** Writes while there is enough room. */
    void Fill();

    /** Lets go of the socket. */
    void Forget();

    /** The connection is over too early. @param reason for a person */
    void Fail(const std::string& reason);

    /** The connection is up. @param socket the socket */
    void HandleConnected(Ptr<Socket> socket);

    /** The connection is refused. @param socket the socket */
    void HandleRefused(Ptr<Socket> socket);

    /** Room has become free. @param socket the socket @param room bytes */
    void HandleRoom(Ptr<Socket> socket, uint32_t room);

    /** The peer has closed. @param socket the socket */
    void HandlePeerClose(Ptr<Socket> socket);

    /** The connection has failed. @param socket the socket */
    void HandleError(Ptr<Socket> socket);

    Address m_remote;                                                 //!< where the sink listens
    TypeId m_tcp;                                                     //!< its TCP
    Ptr<Socket> m_socket;                                             //!< null before and after
    Ptr<ConnectionObserver> m_observer{Create<ConnectionObserver>()}; //!< counts
    bool m_connected{false};                                          //!< handshake done
    std::string m_reason;                                             //!< why it ended too early
    TracedCallback<Ptr<Socket>> m_connection;                         //!< it is about to connect
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BACKGROUND_SOURCE_H
