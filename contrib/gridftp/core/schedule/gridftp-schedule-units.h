/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCHEDULE_UNITS_H
#define GRIDFTP_SCHEDULE_UNITS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Units of times and rates as tables of measurements have them.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A unit of a column. */
struct ColumnUnit
{
    std::string_view name; //!< as notes and options name it
    int64_t factor{0};     //!< ns, or bit/s
};

/** @ingroup gridftp @param text any @return it with a to z in place of A to Z */
std::string LowerCase(std::string_view text);

/**
 * @ingroup gridftp
 * Reads a unit of rates as headers and cells have it: "Mbps", "kBytes/sec", "MiB/s",
 * "bits_per_second", "mbit" (as tc). Case does not count, but B alone is a byte and b a bit;
 * prefixes are powers of 1000, and of 1024 with an "i".
 *
 * @param text the unit alone
 * @return it; nothing where it is none
 */
std::optional<ColumnUnit> ParseRateUnit(std::string_view text);

/**
 * @ingroup gridftp
 * Reads a unit of times as headers have it: "s", "msec", "Seconds".
 *
 * @param text the unit alone
 * @param isOfTime whether it is certainly one of a time; only then "min" and "h" are units
 * @return it; nothing where it is none
 */
std::optional<ColumnUnit> ParseTimeUnit(std::string_view text, bool isOfTime);

/** @ingroup gridftp @return units of times that options take */
std::vector<std::string_view> GetTimeUnits();

/** @ingroup gridftp @return units of rates that options take */
std::vector<std::string_view> GetRateUnits();

} // namespace ns3::gridftp

#endif // GRIDFTP_SCHEDULE_UNITS_H
