/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_PATH_H
#define GRIDFTP_OPTION_PATH_H

#include "gridftp-expected.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The options of the network.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @param rows of an option table, which gets those of the network */
void AddPathRows(std::vector<Option>& rows);

/**
 * @ingroup gridftp
 * Checks what one option of the network alone cannot tell.
 * @param scenario with its access links and its reverse direction resolved
 * @return what is wrong, if anything is
 */
Done CheckPath(const Scenario& scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_PATH_H
