/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_PROCESSING_H
#define GRIDFTP_OPTION_PROCESSING_H

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
 * Adds the rows of what a session makes of its file, made of what each module declares, and of what
 * it costs on the CPUs of its hosts.
 * @param rows of a session
 */
void AddProcessingRows(std::vector<Option>& rows);

/**
 * @ingroup gridftp
 * @param session with its processing
 * @param quote shows "NAME=VALUE" as a person would write it
 * @return nothing, or what its module or protection needs and is not given, or does not go with
 */
Done CheckProcessing(const SessionSpec& session,
                     const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_PROCESSING_H
