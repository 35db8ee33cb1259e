/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CALENDAR_TIME_H
#define GRIDFTP_CALENDAR_TIME_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads a date with a time of day as ISO 8601, pandas and measuring applications write it:
 * "2021-10-17T12:00:00.5Z", "2021-10-17 12:00:00+02:00", "2019.12.16_13.40.04", "2021-10-17 12:00",
 * "17.10.2021 12:00:00". Without an offset it is UTC.
 *
 * @param text the date alone
 * @return ns since 1970-01-01 UTC, or nothing where the text is no date from 1970 to 2199
 */
std::optional<int64_t> ParseCalendarTime(std::string_view text);

/**
 * @ingroup gridftp
 * Reads a time of day without a date: "18:19:50", "9:05:00.25".
 *
 * @param text the time alone
 * @return ns since midnight, or nothing where the text is none
 */
std::optional<int64_t> ParseClockTime(std::string_view text);

} // namespace ns3::gridftp

#endif // GRIDFTP_CALENDAR_TIME_H
