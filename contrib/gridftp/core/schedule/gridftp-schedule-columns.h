/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCHEDULE_COLUMNS_H
#define GRIDFTP_SCHEDULE_COLUMNS_H

#include "gridftp-expected.h"
#include "gridftp-schedule-units.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Which columns of a table of a measurement are its time and its rate, and in which units.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a user specifies about a table; empty: it is found. */
struct TableReading
{
    std::string timeColumn; //!< name in the header, or number from 1
    std::string rateColumn; //!< likewise
    std::string timeUnit;   //!< one of GetTimeUnits()
    std::string rateUnit;   //!< one of GetRateUnits()

    /** @return whether anything is specified */
    bool IsGiven() const
    {
        return !timeColumn.empty() || !rateColumn.empty() || !timeUnit.empty() || !rateUnit.empty();
    }
};

/** @ingroup gridftp @brief A column of a table. */
struct TableColumn
{
    size_t index{0};                //!< from 0
    std::string shown;              //!< for notes: its name in quotes, or its number
    std::optional<ColumnUnit> unit; //!< that the header or the user specifies
    std::string unknownUnit;        //!< in brackets in the header, and none of the units there are
};

/** @ingroup gridftp @brief The columns that count. */
struct TableColumns
{
    TableColumn time;                 //!< when a row begins
    TableColumn rate;                 //!< of it
    std::optional<TableColumn> delay; //!< of it; only under the name "delay" with a unit
    bool isDuration{false};           //!< the time of a row is how long it lasts
    bool isOwnTime{false};            //!< the header has our own "time_UNIT": times are absolute
};

/**
 * @ingroup gridftp
 * Chooses columns by the names in a header, such as "Time (s)", "timestamp_ms", "DL_bitrate",
 * "Throughput (Mbps)". Of rates in both directions the one down is chosen. An unnamed first column
 * is the time where no other is. DL_bitrate and UL_bitrate without a unit are in kbit/s (D. Raca et
 * al., Beyond Throughput: a 4G LTE Dataset, MMSys 2018, and its 5G successor, MMSys 2020).
 *
 * @param names of all columns
 * @param reading what the user specifies
 * @return the columns, or an error that names the candidates and what is allowed
 */
Expected<TableColumns> ChooseColumns(std::span<const std::string> names,
                                     const TableReading& reading);

/**
 * @ingroup gridftp
 * Chooses columns of a table without a header: the first and the second of two, else those that the
 * user names by their numbers.
 *
 * @param count how many columns there are
 * @param reading what the user specifies
 * @return the columns, or an error that says what is allowed
 */
Expected<TableColumns> ChooseColumns(size_t count, const TableReading& reading);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCHEDULE_COLUMNS_H
