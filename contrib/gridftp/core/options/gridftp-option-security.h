/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_SECURITY_H
#define GRIDFTP_OPTION_SECURITY_H

#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the security of a session costs: its rows and their checks.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @param t gets the rows of a session about authentication */
void AddSecurityRows(std::vector<Option>& t);

/**
 * @ingroup gridftp
 * @param session with its security
 * @param quote how a person would write one of its values
 * @return nothing, or one line that names the value at fault
 */
Done CheckSecurity(const SessionSpec& session,
                   const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_SECURITY_H
