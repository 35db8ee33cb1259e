/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-receiver.h"

#include "gridftp-simulation-time.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(DataReceiver);

TypeId
DataReceiver::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::DataReceiver")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<DataReceiver>()
                            .AddTraceSource("Accepted",
                                            "A data connection has been accepted.",
                                            MakeTraceSourceAccessor(&DataReceiver::m_accepted),
                                            "ns3::gridftp::DataReceiver::AcceptedTracedCallback");
    return tid;
}

DataReceiver::DataReceiver() = default;

DataReceiver::~DataReceiver()
{
    if (m_sockets)
    {
        m_sockets->Dispose();
    }
}

void
DataReceiver::DoDispose()
{
    if (m_machine)
    {
        m_machine->Abort(GetSimulationTime());
        m_sockets->Dispose();
    }
    m_completed = CompletedCallback();
    m_failed = FailedCallback();
    Object::DoDispose();
}

void
DataReceiver::Configure(Ptr<Node> node,
                        TypeId tcp,
                        CompletedCallback completed,
                        FailedCallback failed)
{
    m_completed = completed;
    m_failed = failed;
    m_sockets = Create<SocketHost>(node, Ipv4Address());
    m_sockets->SetSocketCallback(MakeCallback(&DataReceiver::HandleSocket, this));
    BlockReceiver::Owner& owner = *this;
    m_machine = std::make_unique<BlockReceiver>(*m_sockets, owner);
    m_machine->SetTcp(tcp.GetName());
}

void
DataReceiver::HandleSocket(Ptr<Socket> socket, const StreamTerms& /* terms */)
{
    m_accepted(socket);
}

void
DataReceiver::BreakConnection(Ptr<Socket> socket)
{
    if (const DataStream* const stream = m_sockets->Find(socket))
    {
        m_machine->BreakConnection(GetSimulationTime(), *stream);
    }
}

void
DataReceiver::HandleReceived(Nanoseconds /* now */)
{
    if (!m_completed.IsNull())
    {
        m_completed();
    }
}

void
DataReceiver::HandleReceiveFailed(Nanoseconds /* now */, const TransferFailure& failure)
{
    if (!m_failed.IsNull())
    {
        m_failed(failure.code, failure.reason);
    }
}

} // namespace ns3::gridftp
