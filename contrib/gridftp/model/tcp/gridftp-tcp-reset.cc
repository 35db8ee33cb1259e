/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-reset.h"

#include "ns3/simulator.h"
#include "ns3/tcp-socket-base.h"

namespace ns3::gridftp
{

namespace
{

/** Opens what a TcpSocketBase keeps to itself. */
class Resetter : public TcpSocketBase
{
  public:
    /** @param socket of any TCP */
    static void Reset(Ptr<Socket> socket)
    {
        const auto tcp = DynamicCast<TcpSocketBase>(socket);
        (PeekPointer(tcp)->*(&Resetter::SendRST))();
    }
};

} // namespace

void
ResetTcpConnection(Ptr<Socket> socket)
{
    Resetter::Reset(socket);
}

void
ResetAcceptedConnection(Ptr<Socket> socket)
{
    Simulator::ScheduleNow(&ResetTcpConnection, socket);
}

} // namespace ns3::gridftp
