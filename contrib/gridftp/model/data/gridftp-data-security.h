/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_SECURITY_H
#define GRIDFTP_DATA_SECURITY_H

#include "gridftp-handshake.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/socket.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One end of the handshake on a data connection, before its first block (DCAU, GFD.20): says and
 * reads as many bytes as real ones, and waits as long as these take to compute. Its owner has the
 * socket's callbacks.
 */
class DataSecurity
{
  public:
    /** All is said. */
    using SaidCallback = Callback<void>;

    /** There is nothing to say. */
    DataSecurity() = default;

    ~DataSecurity()
    {
        Stop();
    }

    DataSecurity(const DataSecurity&) = delete;
    DataSecurity& operator=(const DataSecurity&) = delete;

    /**
     * It is of a connection.
     * @param settings of it
     * @param isAcceptor which end it is
     * @param said called, once, when this end has nothing left to say
     */
    void Configure(const DataSecuritySettings& settings, bool isAcceptor, SaidCallback said);

    /** The connection is up. @param socket the connection */
    void Begin(Ptr<Socket> socket);

    /** @return whether all has been said and read */
    bool IsDone() const
    {
        return m_progress.IsDone() && m_unsent == 0 && !m_computed.IsPending();
    }

    /** Something has come: reads what is of the handshake. @param socket the connection */
    void HandleRead(Ptr<Socket> socket);

    /** Room has become free. */
    void HandleRoom();

    /** The connection is gone. */
    void Stop();

  private:
    /** Computes and says what it is its turn to say. */
    void Say();

    /** Writes. @param bytes of a message */
    void Write(uint32_t bytes);

    SecuritySpec m_security;      //!< what it costs
    HandshakeProgress m_progress; //!< how far it has come
    SaidCallback m_said;          //!< owner's callback
    Ptr<Socket> m_socket;         //!< the connection
    uint32_t m_unsent{0};         //!< for which the socket had no room, bytes
    EventId m_computed;           //!< when it has computed
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_SECURITY_H
