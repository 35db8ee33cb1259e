/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-sender.h"

#include "gridftp-simulation-time.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(DataSender);

TypeId
DataSender::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::DataSender")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<DataSender>()
                            .AddTraceSource("Connection",
                                            "A data connection is about to connect.",
                                            MakeTraceSourceAccessor(&DataSender::m_opened),
                                            "ns3::gridftp::DataSender::ConnectionTracedCallback");
    return tid;
}

DataSender::DataSender() = default;

DataSender::~DataSender()
{
    if (m_sockets)
    {
        m_sockets->Dispose();
    }
}

void
DataSender::DoDispose()
{
    if (m_machine)
    {
        m_machine->Abort(GetSimulationTime());
        m_sockets->Dispose();
    }
    m_drained = DrainedCallback();
    m_failed = FailedCallback();
    Object::DoDispose();
}

void
DataSender::Configure(Ptr<Node> node,
                      TypeId tcp,
                      SessionMonitor* monitor,
                      DrainedCallback drained,
                      FailedCallback failed)
{
    m_drained = drained;
    m_failed = failed;
    m_sockets = Create<SocketHost>(node, Ipv4Address());
    m_sockets->SetMonitor(monitor);
    m_sockets->SetSocketCallback(MakeCallback(&DataSender::HandleSocket, this));
    BlockSender::Owner& owner = *this;
    m_machine = std::make_unique<BlockSender>(*m_sockets, owner);
    m_machine->SetTcp(tcp.GetName());
}

void
DataSender::HandleSocket(Ptr<Socket> socket, const StreamTerms& terms)
{
    m_opened(socket, terms.label->chunk, terms.label->connection);
}

void
DataSender::HandleSent(Nanoseconds /* now */)
{
    if (!m_drained.IsNull())
    {
        m_drained();
    }
}

void
DataSender::HandleSendFailed(Nanoseconds /* now */, const TransferFailure& failure)
{
    if (!m_failed.IsNull())
    {
        m_failed(failure.code, failure.reason);
    }
}

} // namespace ns3::gridftp
