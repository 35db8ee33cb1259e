/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PATH_SCHEDULE_H
#define GRIDFTP_PATH_SCHEDULE_H

#include "gridftp-expected.h"
#include "gridftp-file-reader.h"
#include "gridftp-link-schedule.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"
#include "gridftp-schedule-columns.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * --path-schedule: from what is given to the rows of a LinkSchedule.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The value of --path-schedule for a path that does not change. */
inline constexpr std::string_view NO_SCHEDULE = "none";

/** @ingroup gridftp @brief Most rows of a schedule; a result holds them all. */
inline constexpr size_t MOST_SCHEDULE_ROWS = 20'000;

/** @ingroup gridftp @return the keys that a drawn path takes, bound to RandomPath */
std::span<const Option> GetRandomPathRows();

/** @ingroup gridftp @return the keys that rows and files take, bound to ScheduleKeys */
std::span<const Option> GetScheduleKeyRows();

/** @ingroup gridftp @brief What may be said of rows and files. */
struct ScheduleKeys
{
    int64_t repeat{};   //!< when the rows begin again, ns; 0: never
    int64_t interval{}; //!< over which a packet-delivery trace is made into rates, ns
    TableReading table; //!< columns and units of a table
};

/**
 * @ingroup gridftp
 * Makes the rows of PathSpec::scheduleText: those that it lists, those of the file that it names,
 * or drawn ones. Bandwidth and delay of the path become the largest and the least of the
 * schedule, and the text becomes the rows, so that to resolve it again changes nothing.
 *
 * @param scenario whose path, seed and run are there
 * @param read reads a file
 * @param notes to which is added how a file was understood, and whether it was resampled
 * @return nothing, or one line that names what is wrong and what is allowed
 */
Done ResolvePathSchedule(Scenario& scenario, const FileReader& read, Notes& notes);

/**
 * @ingroup gridftp
 * @param schedule not empty
 * @return its rows and its period, as --path-schedule takes them
 */
std::string FormatSchedule(const LinkSchedule& schedule);

} // namespace ns3::gridftp

#endif // GRIDFTP_PATH_SCHEDULE_H
