/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-session-sockets.h"

#include "gridftp-connection-monitor.h"

#include "ns3/inet-socket-address.h"

namespace ns3::gridftp
{

SessionSockets::SessionSockets(Ptr<Node> node, SessionMonitor* monitor)
    : m_sender(Create<SocketHost>(node, Ipv4Address())),
      m_receiver(Create<SocketHost>(node, Ipv4Address()))
{
    m_sender->SetMonitor(monitor);
}

SessionSockets::~SessionSockets()
{
    Dispose();
}

void
SessionSockets::Trace(const Callback<void, Ptr<Socket>, uint64_t, uint32_t>& opened,
                      const Callback<void, Ptr<Socket>>& accepted)
{
    m_sender->SetSocketCallback(
        SocketHost::SocketCallback([opened](Ptr<Socket> socket, const StreamTerms& terms) {
            opened(socket, terms.label->chunk, terms.label->connection);
        }));
    m_receiver->SetSocketCallback(SocketHost::SocketCallback(
        [accepted](Ptr<Socket> socket, const StreamTerms& /* terms */) { accepted(socket); }));
}

void
SessionSockets::Dispose()
{
    m_sender->Dispose();
    m_receiver->Dispose();
}

HostPort
MakeHostPort(const Address& address)
{
    if (!InetSocketAddress::IsMatchingType(address))
    {
        return {};
    }
    const auto inet = InetSocketAddress::ConvertFrom(address);
    return {inet.GetIpv4().Get(), inet.GetPort()};
}

} // namespace ns3::gridftp
