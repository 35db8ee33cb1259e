/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_ROWS_H
#define GRIDFTP_HOST_ROWS_H

#include "gridftp-result.h"
#include "gridftp-scenario.h"
#include "gridftp-trace-rows.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Makes the rows of hosts.csv and cores.csv of what hosts and storages of sessions did in each
 * second, as sar samples a host: the same for both engines, since it is part of the result. In the
 * order of sessions; of each the end that sends first; of each end by second, host and core, up to
 * the second in which its last chunk is complete.
 * @param scenario resolved
 * @param result of it
 * @param rows where they go
 */
void AddHostRows(const Scenario& scenario, const TransferResult& result, TraceRows& rows);

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_ROWS_H
