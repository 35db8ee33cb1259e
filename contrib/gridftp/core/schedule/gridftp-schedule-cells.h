/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCHEDULE_CELLS_H
#define GRIDFTP_SCHEDULE_CELLS_H

#include "gridftp-decimal.h"
#include "gridftp-expected.h"
#include "gridftp-schedule-units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The cells of a table of a measurement: how they are separated, and what is in them.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How the cells of a file are written. */
struct CellLayout
{
    char separator{','}; //!< between cells; ' ': any white space
    char point{'.'};     //!< of numbers, where a cell has no full stop
};

/**
 * @ingroup gridftp
 * @brief A rate in a cell, which may have a unit of its own: "12.5", "12.5 Mbps", "10mbit".
 */
struct RateCell
{
    Decimal number;                 //!< it
    std::optional<ColumnUnit> unit; //!< of the cell
};

/** @ingroup gridftp @brief A line of a log of downloads: a rate, and for how long it was that. */
struct Download
{
    int64_t rateBps{0}; //!< mean
    int64_t spanNs{0};  //!< since the line before, more than 0
};

/** @ingroup gridftp @param line of the file @return how its cells are written */
CellLayout FindLayout(std::string_view line);

/** @ingroup gridftp @param line of the file @param separator of cells @return them */
std::vector<std::string> SplitCells(std::string_view line, char separator);

/** @ingroup gridftp @return whether a cell says that there is no value */
bool IsMissingCell(std::string_view cell);

/** @ingroup gridftp @param cell that may be a number @param point see CellLayout @return it */
std::optional<Decimal> ReadCellNumber(std::string_view cell, char point);

/** @ingroup gridftp @param cell that may be a rate @param point see CellLayout @return it */
std::optional<RateCell> ReadRateCell(std::string_view cell, char point);

/** @ingroup gridftp @param point see CellLayout @return whether all cells are values, none a name
 */
bool AreValues(const std::vector<std::string>& cells, char point);

/** @ingroup gridftp Joins "Throughput" and "(Mbps)" where spaces separate names. */
void JoinUnits(std::vector<std::string>& names);

/**
 * @ingroup gridftp
 * Whether a line is of a log of downloads on the move: time since 1970, ms since the first line,
 * latitude, longitude, bytes and ms since the line before (H. Riiser et al., Commute path bandwidth
 * traces from 3G networks, MMSys 2013; J. van der Hooft et al., HTTP/2-based adaptive streaming of
 * HEVC video over 4G/LTE networks, IEEE Communications Letters 20(11), 2016).
 *
 * @param cells of the line
 * @return whether all six are there and may be that
 */
bool IsDownload(const std::vector<std::string>& cells);

/** @ingroup gridftp @param cells of a line, six or more @return its rate, or what is wrong */
Expected<Download> ReadDownload(const std::vector<std::string>& cells);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCHEDULE_CELLS_H
