/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H
#define GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H

#include "gridftp-server-session.h"
#include "gridftp-session-sockets.h"

#include "ns3/object.h"
#include "ns3/traced-value.h"

#include <memory>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One control connection of a Server: a ServerSession on a node of ns-3, with a trace source.
 *
 * Contract: the Server calls Prepare() and Start() once each, in this order.
 */
class ServerProtocolInterpreter : public Object
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    ServerProtocolInterpreter();
    ~ServerProtocolInterpreter() override;

    /** Makes the session. @param node of the server @param control host of the control connection;
     * outlives it @param monitor measures what data connections send, outlives them; null: nothing
     * does */
    void Prepare(Ptr<Node> node, DataHost& control, SessionMonitor* monitor);

    /** Begins, and greets the client. @param settings of the server @param stream the accepted
     * control connection @return who uses the stream */
    StreamUser& Start(const ServerSettings& settings, ByteStream& stream);

    /** @return the session, after Prepare() */
    ServerSession& GetSession() const
    {
        return *m_session;
    }

    /** @return its data connections, after Prepare() */
    SessionSockets& GetSockets() const
    {
        return *m_sockets;
    }

    /** @return its state */
    ServerState GetState() const
    {
        return m_state;
    }

    /**
     * The state has changed.
     * @param before the old one
     * @param now the new one
     */
    typedef void (*StateTracedCallback)(ServerState before, ServerState now);

  protected:
    void DoDispose() override;

  private:
    std::unique_ptr<SessionSockets> m_sockets;                    //!< its data connections
    std::unique_ptr<ServerSession> m_session;                     //!< the session
    TracedValue<ServerState> m_state{ServerState::AWAITING_USER}; //!< of the session
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H
