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

/** @ingroup gridftp @brief Most sessions and background connections together: each has a host. */
inline constexpr int64_t MOST_PAIRS = 5000;

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
 * @name What is given in lists
 * Each adds to a scenario what one item of a list asks for. It has its path, its first session,
 * seed and run; what an item leaves out is as in the first session, or of the path.
 *
 * @param scenario what is added to
 * @param index of the item in its list
 * @param values what is given; the last one given counts
 * @return nothing, or one line that names the value at fault; the scenario is of no use then
 * @{
 */
/** @ingroup gridftp @brief A further session. */
Done AddSession(Scenario& scenario, size_t index, std::span<const OptionAssignment> values);

/** @ingroup gridftp @brief Sessions that arrive one after the other. */
Done AddArrivals(Scenario& scenario, size_t index, std::span<const OptionAssignment> values);

/** @ingroup gridftp @brief A background connection. */
Done AddBackground(Scenario& scenario, size_t index, std::span<const OptionAssignment> values);

/** @} */

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_SESSION_H
