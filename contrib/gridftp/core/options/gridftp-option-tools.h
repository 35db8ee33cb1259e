/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_TOOLS_H
#define GRIDFTP_OPTION_TOOLS_H

#include "gridftp-expected.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Adds the row of what moves the file, and those of what each tool beside GridFTP declares.
 * @param rows of a session
 */
void AddToolRows(std::vector<Option>& rows);

/**
 * @ingroup gridftp
 * @param scenario of the session
 * @param session with its tool
 * @param quote shows "NAME=VALUE" as a person would write it
 * @return nothing, or the option that is given and does not go with its tool
 */
Done CheckTool(const Scenario& scenario,
               const SessionSpec& session,
               const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_TOOLS_H
