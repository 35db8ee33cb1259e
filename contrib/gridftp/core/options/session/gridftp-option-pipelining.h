/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_PIPELINING_H
#define GRIDFTP_OPTION_PIPELINING_H

#include "gridftp-expected.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * --pipelining: transfers that are asked for before those before them are complete.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @param rows of a session, to which that of pipelining is added */
void AddPipeliningRow(std::vector<Option>& rows);

/**
 * @ingroup gridftp
 * Whether all that a session is to do can be said ahead.
 *
 * @param scenario resolved
 * @param index of the session
 * @param quote shows "name=VALUE" as it is given for the session
 * @return nothing, or one line that names what is wrong and what is allowed
 */
Done CheckPipelining(const Scenario& scenario,
                     size_t index,
                     const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_PIPELINING_H
