/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection-terms.h"

#include "gridftp-segment-connection.h"

namespace ns3::gridftp
{

void
TcpConnectionTerms::User::HandleConnected(TcpConnection& /* connection */, Nanoseconds /* now */)
{
}

void
TcpConnectionTerms::User::HandleAccepted(TcpConnection& /* connection */, Nanoseconds /* now */)
{
}

void
TcpConnectionTerms::User::HandleDelivered(TcpConnection& /* connection */,
                                          End /* to */,
                                          Nanoseconds /* now */)
{
}

void
TcpConnectionTerms::User::HandleRead(TcpConnection& /* connection */, Nanoseconds /* now */)
{
}

void
TcpConnectionTerms::User::HandleDrained(TcpConnection& /* connection */, Nanoseconds /* now */)
{
}

void
TcpConnectionTerms::User::HandleFailed(TcpConnection& /* connection */,
                                       Nanoseconds /* now */,
                                       Failure /* failure */)
{
}

void
TcpConnectionTerms::User::HandleReset(TcpConnection& /* connection */,
                                      End /* to */,
                                      Nanoseconds /* now */)
{
}

} // namespace ns3::gridftp
