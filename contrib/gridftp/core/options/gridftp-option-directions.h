/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_DIRECTIONS_H
#define GRIDFTP_OPTION_DIRECTIONS_H

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
 * --file-directions: uploads and downloads over one control connection.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @param rows of a session, to which that of the directions of files is added */
void AddDirectionsRow(std::vector<Option>& rows);

/**
 * @ingroup gridftp
 * Reads the directions of a session's files. A session with one file gets as many as are listed. To
 * resolve a session again changes nothing.
 *
 * Contract: ResolveScenario() calls it once for each session, after ResolveFileSizes() has read the
 * sizes of its files.
 *
 * @param session whose directions are given as text
 * @param quote shows "name=VALUE" as it is given for the session
 * @return nothing, or one line that names what is wrong and what is allowed
 */
Done ResolveDirections(SessionSpec& session,
                       const std::function<std::string(const std::string&)>& quote);

/**
 * @ingroup gridftp
 * Whether all options of a session are for one whose files go both ways.
 *
 * @param scenario resolved
 * @param index of the session
 * @param quote shows "name=VALUE" as it is given for the session
 * @return nothing, or one line that names what is wrong and what is allowed
 */
Done CheckDirections(const Scenario& scenario,
                     size_t index,
                     const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_DIRECTIONS_H
