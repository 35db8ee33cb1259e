/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONTROL_CHANNEL_H
#define GRIDFTP_CONTROL_CHANNEL_H

#include "gridftp-control-reply.h"
#include "gridftp-security-text.h"

#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/object.h"
#include "ns3/socket.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One end of a control connection: lines of text over a TCP socket.
 *
 * Used alike by the client's and the server's protocol interpreter. What the socket has no room
 * for waits here; lines come out whole, however TCP cuts them.
 */
class ControlChannel : public Object
{
  public:
    /** A line has come, or one that is too long. */
    using LineCallback = Callback<void, const TextResult<std::string>&>;

    /** The connection is gone; the reason for a person. */
    using ClosedCallback = Callback<void, std::string>;

    /** @return the TypeId */
    static TypeId GetTypeId();

    /**
     * Takes over a socket: its receive, send and close callbacks.
     * @param socket connected, or about to be
     * @param line called for each line
     * @param closed called once when the peer closes or the connection fails
     */
    void Attach(Ptr<Socket> socket, LineCallback line, ClosedCallback closed);

    /**
     * Sends text; the rest follows when the socket has no room for all of it.
     * @param text whole lines, each with CRLF
     */
    void Send(const std::string& text);

    /**
     * From now on what it sends has armour, and what comes has to have it (RFC 2228).
     * @param side which end it is
     */
    void Protect(ArmourSide side);

    /**
     * Closes the connection once everything is sent. From now on no callback is called and what
     * comes is thrown away.
     */
    void Close();

    /** Resets the connection at once. No callback is called any more. */
    void Reset();

    /** @return the address of this end; only while the connection is open */
    Ipv4Address GetLocalAddress() const;

  protected:
    void DoDispose() override;

  private:
    /** Writes as much as the socket has room for. */
    void Flush();

    /**
     * Reads what has come.
     * @param socket the socket
     */
    void HandleRead(Ptr<Socket> socket);

    /**
     * @param line that has come
     * @return what it says, or why it is none
     */
    TextResult<std::string> Unwrap(const TextResult<std::string>& line) const;

    /**
     * The socket has room again.
     * @param socket the socket
     * @param available bytes
     */
    void HandleSend(Ptr<Socket> socket, uint32_t available);

    /**
     * The peer has closed.
     * @param socket the socket
     */
    void HandlePeerClose(Ptr<Socket> socket);

    /**
     * The connection has failed.
     * @param socket the socket
     */
    void HandleError(Ptr<Socket> socket);

    /**
     * Lets go of the socket and tells the owner.
     * @param reason for a person
     */
    void Lose(const std::string& reason);

    /** Takes the callbacks off the socket. @return the socket, null where there is none */
    Ptr<Socket> Release();

    Ptr<Socket> m_socket;             //!< the connection, null when there is none
    LineCallback m_line;              //!< owner's line callback
    ClosedCallback m_closed;          //!< owner's closed callback
    LineReader m_reader;              //!< cuts what comes into lines
    std::string m_unsent;             //!< what the socket had no room for
    bool m_closing{false};            //!< to be closed when everything is sent
    std::optional<ArmourSide> m_side; //!< see Protect()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONTROL_CHANNEL_H
