/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MARKER_RANGES_H
#define GRIDFTP_MARKER_RANGES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Ranges of a file, as replies 111 and the argument of REST have them (GFD.20, extended block
 * mode): what a receiver has, and a restart leaves out.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A stretch of a file in REST or reply 111. */
struct MarkerRange
{
    uint64_t begin{0}; //!< offset of the first byte
    uint64_t end{0};   //!< offset behind the last byte

    bool operator==(const MarkerRange&) const = default;
};

/** @ingroup gridftp @brief Several of them; of MergeRanges(): in order, disjoint, not touching. */
using MarkerRanges = std::vector<MarkerRange>;

/** @ingroup gridftp @param ranges the ranges @return "begin-end,begin-end,..." */
std::string FormatRanges(const MarkerRanges& ranges);

/** @ingroup gridftp @param text "begin-end,..." @return at least one range, each with begin <= end;
 * or nothing */
std::optional<MarkerRanges> ReadRanges(std::string_view text);

/** @ingroup gridftp @param ranges any @return the same bytes in order, in as few ranges as can be
 */
MarkerRanges MergeRanges(MarkerRanges ranges);

/**
 * @ingroup gridftp
 * @param ranges of MergeRanges()
 * @param within a stretch of the file
 * @return what of them is in it
 */
MarkerRanges ClipRanges(const MarkerRanges& ranges, const MarkerRange& within);

/**
 * @ingroup gridftp
 * @param ranges of MergeRanges()
 * @param within a stretch of the file
 * @return what of it is in none of them
 */
MarkerRanges FindGaps(const MarkerRanges& ranges, const MarkerRange& within);

/** @ingroup gridftp @param ranges any, not before `from` @param from position from which they are
 * counted @param to position from which they are to be counted @return the ranges, moved by to -
 * from */
MarkerRanges MoveRanges(MarkerRanges ranges, uint64_t from, uint64_t to);

/** @ingroup gridftp @param ranges of MergeRanges() @return how many bytes they are */
uint64_t CountBytes(const MarkerRanges& ranges);

} // namespace ns3::gridftp

#endif // GRIDFTP_MARKER_RANGES_H
