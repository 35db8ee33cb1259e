/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DETAIL_OUTPUT_H
#define GRIDFTP_DETAIL_OUTPUT_H

#include "gridftp-delay-tally.h"
#include "gridftp-json-writer.h"
#include "gridftp-result.h"

#include <string>

/**
 * @file
 * @ingroup gridftp
 * How results show what --detail=on measures: as keys of an open JSON object, and as lines for
 * people.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Writes keys of counts. @param json an open object @param totals counts
 */
void WriteTotals(JsonWriter& json, const ConnectionTotals& totals);

/** @ingroup gridftp @brief Writes keys of RTT samples, Jain's index and each connection. @param
 * json the open object "tcp" @param detail what was measured */
void WriteDetail(JsonWriter& json, const TcpDetail& detail);

/** @ingroup gridftp @brief Writes keys of a link's queueing delay. @param json an open object
 * @param delay what was measured */
void WriteQueueDelay(JsonWriter& json, const DelayFigures& delay);

/** @ingroup gridftp @param value a number @param places decimal places @return its text */
std::string FormatFixed(double value, int places);

/** @ingroup gridftp @param text a text @param width of a column @return the text, at the right of
 * it */
std::string AlignRight(const std::string& text, size_t width);

/** @ingroup gridftp @param delay what was measured @return mean, 95th percentile and the largest
 * delay in ms, the rest of a line */
std::string DelayText(const DelayFigures& delay);

/** @ingroup gridftp @param detail what was measured @param listsAll with a line for each
 * connection @return lines about RTT and connections */
std::string DetailText(const TcpDetail& detail, bool listsAll);

} // namespace ns3::gridftp

#endif // GRIDFTP_DETAIL_OUTPUT_H
