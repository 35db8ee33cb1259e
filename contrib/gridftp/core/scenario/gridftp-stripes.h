/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STRIPES_H
#define GRIDFTP_STRIPES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * Striping: several hosts at an end of a transfer, each with a part of the data (Allcock et al.,
 * Section 5; GFD.20).
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How many hosts share the data of a session at each of its ends. */
struct StripeCounts
{
    static constexpr int64_t MOST = 64; //!< of each

    /** Pairs that may have a tuner each: what is said of them is a line of a dialogue. */
    static constexpr int64_t MOST_TUNED_PAIRS = 256;

    int64_t senders{1};   //!< M, at the end that sends
    int64_t receivers{1}; //!< N, at the end that receives

    /** @return whether it is more than one host that sends, or receives */
    bool IsStriped() const
    {
        return senders > 1 || receivers > 1;
    }
};

/** @ingroup gridftp @brief Which stripe has which part of the file (GFD.20, OPTS RETR). */
enum class StripeLayout
{
    BLOCKED,    //!< blocks in turn
    PARTITIONED //!< each one contiguous part of a chunk
};

/** @ingroup gridftp @brief What decides how many connections the pairs of stripes have. */
enum class StripeTuning
{
    WHOLE, //!< one tuner, for all pairs the same
    EACH   //!< a tuner for each pair
};

/**
 * @ingroup gridftp
 * @param text "MxN"
 * @return M and N, each 1 to StripeCounts::MOST; none where it is something else
 */
std::optional<StripeCounts> ParseStripes(std::string_view text);

/** @ingroup gridftp @param stripes how many @return "MxN" */
std::string FormatStripes(const StripeCounts& stripes);

/**
 * @ingroup gridftp
 * @param stripes how many
 * @return with how many hosts of the other end one has data connections, at most: one where there
 *         are as many at both ends, else all of them
 */
int64_t GetPairsOfHost(const StripeCounts& stripes);

/**
 * @ingroup gridftp
 * @param stripes how many
 * @return how many pairs of hosts have data connections: as many as stripes where these are as many
 *         at both ends, else each host with each of the other end
 */
int64_t GetPairs(const StripeCounts& stripes);

} // namespace ns3::gridftp

#endif // GRIDFTP_STRIPES_H
