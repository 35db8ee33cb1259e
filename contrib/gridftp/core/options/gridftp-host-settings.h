/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_SETTINGS_H
#define GRIDFTP_HOST_SETTINGS_H

#include "gridftp-host-file.h"
#include "gridftp-option-table.h"

#include <functional>
#include <span>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * Settings of Linux in files of hosts for which the model has an option, but no parameter of a
 * host: they set the option, or a note says why they have no effect.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @return the keys that ReadHostFile() is to report */
std::span<const std::string_view> GetReportedKeys();

/**
 * @ingroup gridftp
 * Applies what the files of both hosts say. An option that the user gives wins, without a note.
 *
 * Contract: ParseTransfer() and ParseScenarioJson() call it when the options of the first session
 * are read and before further sessions copy them. Options of TCP hold for all connections, so
 * that what TCP negotiates is on where no file switches it off.
 *
 * @param request whose engine, TCP and first session are there; options are set in it, and notes of
 *        the report and of what has no effect are added, one for each key
 * @param report of the files
 * @param isGiven whether the user gives an option, by its name
 */
void ApplyHostSettings(TransferRequest& request,
                       const HostFileReport& report,
                       const std::function<bool(std::string_view option)>& isGiven);

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_SETTINGS_H
