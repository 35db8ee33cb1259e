/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TCP_SCOREBOARD_REPAIR_H
#define GRIDFTP_TCP_SCOREBOARD_REPAIR_H

#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-tx-buffer.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief Change the scoreboard of a socket so that TcpTxBuffer::Update() then has the result that
 * it has in ns-3 after release 3.48.
 *
 * - A segment that was sent again, and that a block reports, no longer counts as sent again (ns-3's
 *   issue 1190).
 * - A segment that was sent again before another one that a block reports now is lost once more
 *   (issue 1349).
 *
 * The method is not virtual, and its scoreboard is private. This function reaches it by explicit
 * instantiation, for which C++ does not check access. Where ns-3 has both rules, it changes nothing
 * that Update() would not change.
 *
 * Contract: TcpSocketGuarded calls it for each SACK option, just before TcpSocketBase does.
 *
 * @param buffer of the socket
 * @param blocks of the option
 */
void RepairScoreboard(TcpTxBuffer& buffer, const TcpOptionSack::SackList& blocks);

/**
 * @ingroup gridftp
 * @brief Whether ns-3 has the rules by itself: a trial of TcpTxBuffer.
 * @return true for ns-3 after release 3.48
 */
bool HasRepairedScoreboard();

} // namespace ns3::gridftp

#endif // GRIDFTP_TCP_SCOREBOARD_REPAIR_H
