/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PARALLELISM_SEARCH_H
#define GRIDFTP_PARALLELISM_SEARCH_H

#include "gridftp-expected.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Result of one transfer with N connections. */
struct ParallelismTrial
{
    double goodputBps{0}; //!< goodput, bit/s
    double resent{0};     //!< segments sent again, as a share of all that were sent
};

/** @ingroup gridftp @brief Results of several transfers with N connections. */
struct ParallelismPoint
{
    uint32_t parallelism{1}; //!< N
    double goodputBps{0};    //!< median, bit/s
    double leastBps{0};      //!< lowest goodput, bit/s
    double mostBps{0};       //!< highest goodput, bit/s
    double resent{0};        //!< median of ParallelismTrial::resent
};

/** @ingroup gridftp @brief Goodput over N. */
struct ParallelismCurve
{
    std::vector<ParallelismPoint> points; //!< by increasing N; at least one
    size_t best{0};                       //!< index of the best N
    std::string failure;                  //!< why a larger N was not possible; empty: none failed

    /** @return the best N and its results */
    const ParallelismPoint& GetBest() const
    {
        return points[best];
    }
};

/** @ingroup gridftp @brief Which N SearchParallelism() tries, and how often. */
struct ParallelismRange
{
    uint32_t most{1};    //!< largest N, at least 1
    uint32_t repeats{1}; //!< transfers for each N, at least 1
};

/**
 * @ingroup gridftp
 * Finds the number of parallel connections that is best for a path by trying N = 1, 2, 4, ..., and
 * the largest N. It ends early when two values of N in a row have not raised the highest median by
 * more than 2 %. The best N is the least one whose median is within 2 % of the highest: more
 * connections would take more from others and gain nothing.
 *
 * Contract: calls the function once for each N and each run from 1 to the number of repeats, in
 * this order. If the function fails for N = 1, its error is returned. If it fails for a larger N,
 * the search ends with the N before.
 *
 * @param range which N
 * @param simulate makes one transfer with N connections; the second argument is the run
 * @return the curve, or why not even one connection works
 */
Expected<ParallelismCurve> SearchParallelism(
    const ParallelismRange& range,
    const std::function<Expected<ParallelismTrial>(uint32_t parallelism, uint32_t run)>& simulate);

} // namespace ns3::gridftp

#endif // GRIDFTP_PARALLELISM_SEARCH_H
