/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCHEDULE_JSON_H
#define GRIDFTP_SCHEDULE_JSON_H

#include "gridftp-expected.h"

#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * Measurements of a path as JSON, made into the table that ParseScheduleTable() reads.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief JSON as a table, its cells separated by tabs. */
struct JsonTable
{
    std::string text;     //!< one line for each item, behind one with names where there are some
    bool hasNames{false}; //!< the first line has the keys of the first item
};

/** @ingroup gridftp @param content of a file @return whether it begins as JSON does */
bool IsJsonTable(std::string_view content);

/**
 * @ingroup gridftp
 * Makes a table of JSON: of a list of objects or lists, also inside one object, of objects one a
 * line, or of an object of lists that are the columns.
 *
 * @param content of a file
 * @return the table, or what is wrong
 */
Expected<JsonTable> MakeJsonTable(std::string_view content);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCHEDULE_JSON_H
