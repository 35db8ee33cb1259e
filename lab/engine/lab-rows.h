/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_ROWS_H
#define LAB_ROWS_H

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

/**
 * @file
 * How LabSimulation makes rows of numbers.
 */

namespace ns3::gridftp
{

/** @brief What is not known. */
inline constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();

/** @param ns a time, ns @return the same in seconds */
inline double
Seconds(int64_t ns)
{
    return static_cast<double>(ns) / 1e9;
}

/** @param value a whole number or a bool @return the same as a number of a row */
template <typename Integer>
double
Real(Integer value)
{
    return static_cast<double>(value);
}

/** @param rows gets a row more @param row its numbers */
inline void
AddRow(std::vector<double>& rows, std::initializer_list<double> row)
{
    rows.insert(rows.end(), row);
}

} // namespace ns3::gridftp

#endif // LAB_ROWS_H
