/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_RELIABILITY_H
#define GRIDFTP_OPTION_RELIABILITY_H

#include "gridftp-option-session.h"
#include "gridftp-option.h"
#include "gridftp-path-schedule.h"
#include "gridftp-scenario.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What goes wrong, and what a client does then: rows of --fault and --faults, rows of a session,
 * and their checks.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @return what --fault takes, and what a member of "faults" holds, bound to
 * FaultSpec */
std::span<const Option> GetFaultRows();

/** @ingroup gridftp @param t gets the rows of a session about limits, new tries and restarts */
void AddReliabilityRows(std::vector<Option>& t);

/**
 * @ingroup gridftp
 * Adds something that goes wrong.
 *
 * @param scenario what is added to
 * @param index of the item in its list
 * @param values what is given; the last one given counts
 * @return nothing, or one line that names the value at fault; the scenario is of no use then
 */
Done AddFault(Scenario& scenario, size_t index, std::span<const OptionAssignment> values);

/**
 * @ingroup gridftp
 * Adds what a file says that goes wrong: one fault on a line, in the words of --fault.
 *
 * @param scenario what is added to
 * @param name of the file; empty: none
 * @param read reads a file
 * @return nothing, or one line that names file, line and the value at fault
 */
Done AddFaultsOfFile(Scenario& scenario, const std::string& name, const FileReader& read);

/** @ingroup gridftp @param scenario resolved but for its faults @param fault one of them @return
 * nothing, or one line that names the value at fault */
Done CheckFault(const Scenario& scenario, const FaultSpec& fault);

/**
 * @ingroup gridftp
 * @param session which may begin anew
 * @param quote how a person would write one of its values
 * @return nothing, or one line that names the value at fault
 */
Done CheckRetries(const SessionSpec& session,
                  const std::function<std::string(const std::string&)>& quote);

/**
 * @ingroup gridftp
 * @param session whose client may send NOOP, or give up a slow transfer
 * @param quote how a person would write one of its values
 * @return nothing, or one line that names the value at fault
 */
Done CheckKeepalive(const SessionSpec& session,
                    const std::function<std::string(const std::string&)>& quote);

/**
 * @ingroup gridftp
 * Reads which ranges of the file are there at the beginning.
 *
 * @param session whose they are
 * @param quote how a person would write one of its values
 * @return nothing, or one line that names the value at fault
 */
Done ResolveRestart(SessionSpec& session,
                    const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_RELIABILITY_H
