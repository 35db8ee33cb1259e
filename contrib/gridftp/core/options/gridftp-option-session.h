/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_SESSION_H
#define GRIDFTP_OPTION_SESSION_H

#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @return the rows of the options of one session that stand flat in the option table, bound to
 *         SessionSpec
 */
std::span<const Option> GetFlatSessionRows();

/**
 * @ingroup gridftp
 * @return what --session takes, and what a member of "sessions" holds: the flat rows and the delay
 *         of the session's own path, bound to SessionSpec
 */
std::span<const Option> GetSessionRows();

/**
 * @ingroup gridftp
 * @return what --background takes, and what a member of "background" holds, bound to BackgroundSpec
 */
std::span<const Option> GetBackgroundRows();

/**
 * @ingroup gridftp
 * @return what --arrivals takes, and what a member of "arrivals" holds: the rows of a session,
 * bound to SessionSpec, and those of scope TRAFFIC, bound to Arrivals
 */
std::span<const Option> GetArrivalRows();

/** @ingroup gridftp @brief A value that one of what is given in a list has. */
struct OptionAssignment
{
    const Option* option{nullptr}; //!< a row of those of the list
    OptionValue value;             //!< within the row's range
    std::string shown;             //!< how it was given, for error messages
    bool byHand{true};             //!< given as text by a person, not echoed by a program
};

/**
 * @ingroup gridftp
 * Reads "KEY=V,KEY=V,...".
 *
 * @param list the row of --session, --arrivals or --background
 * @param text its value
 * @return the values, in order, or one line that names the part at fault
 */
Expected<std::vector<OptionAssignment>> ParseAssignments(const Option& list, std::string_view text);

/**
 * @ingroup gridftp
 * Gives values to a session; the last one given counts.
 *
 * @param session whose delay, and all that is not given, is there already
 * @param path its path
 * @param values what is given
 * @return nothing, or one line that names the value at fault
 */
Done AssignSession(SessionSpec& session,
                   const PathSpec& path,
                   std::span<const OptionAssignment> values);

/**
 * @ingroup gridftp
 * Adds sessions that arrive one after the other.
 *
 * @param scenario with its path, its first session, seed and run; the sessions are added
 * @param index of this arrival process within the scenario
 * @param values what is given; the rest is as in the first session
 * @return nothing, or one line that names the value at fault
 */
Done AddArrivals(Scenario& scenario, size_t index, std::span<const OptionAssignment> values);

/**
 * @ingroup gridftp
 * @param scenario with its path and its first session
 * @return a background connection with its defaults: TCP and window of the first session, delay of
 *         the path
 */
BackgroundSpec MakeBackground(const Scenario& scenario);

/**
 * @ingroup gridftp
 * Gives values to a background connection; the last one given counts.
 *
 * @param background with its defaults
 * @param path its path
 * @param values what is given
 * @return nothing, or one line that names the value at fault
 */
Done AssignBackground(BackgroundSpec& background,
                      const PathSpec& path,
                      std::span<const OptionAssignment> values);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_SESSION_H
