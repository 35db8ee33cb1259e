/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TCP_RESET_H
#define GRIDFTP_TCP_RESET_H

#include "ns3/ptr.h"
#include "ns3/socket.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Resets a connection and forgets it (ABORT of RFC 793, Section 3.8): one RST, and nothing of what
 * was written is sent any more. ns-3 has no such call, and Close() sends what is left first.
 * @param socket of any TCP; its error callback is called
 */
void ResetTcpConnection(Ptr<Socket> socket);

/**
 * @ingroup gridftp
 * The same as soon as ns-3 has done with the socket, for one that has just been accepted.
 * @param socket of any TCP
 */
void ResetAcceptedConnection(Ptr<Socket> socket);

} // namespace ns3::gridftp

#endif // GRIDFTP_TCP_RESET_H
