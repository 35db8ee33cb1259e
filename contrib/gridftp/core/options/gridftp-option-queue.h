/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_QUEUE_H
#define GRIDFTP_OPTION_QUEUE_H

#include "gridftp-expected.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The options of the routers' queues.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @param rows of an option table, which gets those of the routers' queues */
void AddQueueRows(std::vector<Option>& rows);

/** @ingroup gridftp @param scenario resolved @return what is wrong with its routers' queues, if
 * anything is */
Done CheckQueue(const Scenario& scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_QUEUE_H
