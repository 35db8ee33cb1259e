/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCHEDULE_TABLE_H
#define GRIDFTP_SCHEDULE_TABLE_H

#include "gridftp-expected.h"
#include "gridftp-schedule-columns.h"
#include "gridftp-schedule-rows.h"

#include <string_view>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads a measurement of a rate over time as other programs write it: "time rate" without a header
 * (Pensieve's traces), or a table with a header from which ChooseColumns() takes two columns.
 *
 * Contract: ResolvePathSchedule() calls it for files that are neither our own CSV nor a trace of
 * deliveries. Cells are separated by semicolons, tabs, commas or spaces, whichever the first line
 * has, and may be quoted. Numbers may have an exponent, and a decimal comma where commas separate
 * nothing. Times may be dates. The first row is time 0, unless the header has our own "time_UNIT"
 * and the time is within the range of a schedule. Each rate holds until the next row. Without a
 * unit times are seconds, or what their size says if they count from 1970, and rates are Mbit/s.
 * Rows without a rate are left out, rows of the same time are averaged, and a rate below 1 kbit/s
 * is 0.
 *
 * @param content of the file
 * @param reading what the user specifies
 * @return the rows with a note that says how they were read, or what is wrong with which line
 */
Expected<GivenRows> ParseScheduleTable(std::string_view content, const TableReading& reading);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCHEDULE_TABLE_H
