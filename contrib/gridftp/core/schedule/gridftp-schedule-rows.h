/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCHEDULE_ROWS_H
#define GRIDFTP_SCHEDULE_ROWS_H

#include "gridftp-expected.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The rows of a schedule as they are written: in the option itself, in a CSV, in a trace.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A row as it is given. */
struct GivenRow
{
    int64_t startNs{};                //!< since when, ns
    std::optional<int64_t> rateBps{}; //!< bit/s; none: as before
    std::optional<int64_t> delayNs{}; //!< ns; none: as before
    size_t place{};                   //!< which row or line it is, from 1
};

/** @ingroup gridftp @brief All that are given. */
struct GivenRows
{
    std::vector<GivenRow> rows{}; //!< in their order
    int64_t periodNs{};           //!< when they begin again by themselves, ns; 0: never
    std::string_view unit{};      //!< what a place is, in messages: row, line
    std::string note{};           //!< how a file was understood; empty: it has nothing to assume
};

/**
 * @ingroup gridftp
 * Reads TIME:RATE:DELAY. The rate, or the delay with its colon, may be left out.
 * @param text a row
 * @param place which it is, from 1
 * @return the row, or what is wrong with it
 */
Expected<GivenRow> ParseScheduleRow(std::string_view text, size_t place);

/**
 * @ingroup gridftp
 * @param content of a file
 * @return whether its first line is the header of our own CSV, see ParseScheduleCsv()
 */
bool IsScheduleCsv(std::string_view content);

/**
 * @ingroup gridftp
 * Reads a CSV whose first line names the columns: time, rate and delay, each with its unit, as in
 * "time_s,rate_Mbps,delay_ms". Rate or delay, but not both, may be absent, and a cell of theirs
 * empty: as before. Numbers are rounded to whole bit/s and ns. Empty lines and those that begin
 * with '#' do not count.
 * @param content of the file
 * @return the rows, or what is wrong with which line
 */
Expected<GivenRows> ParseScheduleCsv(std::string_view content);

/**
 * @ingroup gridftp
 * @param content of a file
 * @return whether it is a packet-delivery trace: its first line is one number
 */
bool IsDeliveryTrace(std::string_view content);

/**
 * @ingroup gridftp
 * Finds how long a packet-delivery trace is, without a check of its other lines.
 * @param content of the file
 * @return the last time, ns; 0 where there is none
 */
int64_t FindLastDelivery(std::string_view content);

/**
 * @ingroup gridftp
 * Reads a packet-delivery trace as Mahimahi has them (R. Netravali et al., Mahimahi: Accurate
 * Record-and-Replay for HTTP, USENIX ATC 2015): each line is a time in ms, later than or as late as
 * the one before, at which a packet of 1500 bytes may be delivered; behind the last time the trace
 * begins again. An opportunity counts to the interval at whose end or within which it is; where
 * that makes less than 1 kbit/s, to the next one.
 * @param content of the file
 * @param intervalNs over which opportunities are made into a rate, ns; the last interval may be
 *        shorter
 * @return the rows, or what is wrong with which line
 */
Expected<GivenRows> ParseDeliveryTrace(std::string_view content, int64_t intervalNs);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCHEDULE_ROWS_H
