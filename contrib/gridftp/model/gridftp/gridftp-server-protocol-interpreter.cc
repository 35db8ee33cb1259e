/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-protocol-interpreter.h"

#include "gridftp-connection-monitor.h"
#include "gridftp-simulation-time.h"

#include "ns3/trace-source-accessor.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(ServerProtocolInterpreter);

TypeId
ServerProtocolInterpreter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::ServerProtocolInterpreter")
            .SetParent<Object>()
            .SetGroupName("GridFtp")
            .AddConstructor<ServerProtocolInterpreter>()
            .AddTraceSource("State",
                            "State of the control connection.",
                            MakeTraceSourceAccessor(&ServerProtocolInterpreter::m_state),
                            "ns3::gridftp::ServerProtocolInterpreter::StateTracedCallback");
    return tid;
}

ServerProtocolInterpreter::ServerProtocolInterpreter() = default;

ServerProtocolInterpreter::~ServerProtocolInterpreter() = default;

void
ServerProtocolInterpreter::DoDispose()
{
    if (m_session)
    {
        m_session->Dispose(GetSimulationTime());
        m_sockets->Dispose();
    }
    Object::DoDispose();
}

void
ServerProtocolInterpreter::Prepare(Ptr<Node> node, DataHost& control, SessionMonitor* monitor)
{
    m_sockets = std::make_unique<SessionSockets>(node, monitor);
    m_session = std::make_unique<ServerSession>(
        ChannelHosts{control, m_sockets->GetSender(), m_sockets->GetReceiver()},
        [this](ServerState state) { m_state = state; });
}

StreamUser&
ServerProtocolInterpreter::Start(const ServerSettings& settings, ByteStream& stream)
{
    return m_session->Start(GetSimulationTime(), settings, stream);
}

} // namespace ns3::gridftp
