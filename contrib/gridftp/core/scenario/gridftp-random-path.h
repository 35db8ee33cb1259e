/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RANDOM_PATH_H
#define GRIDFTP_RANDOM_PATH_H

#include "gridftp-expected.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A path that changes at random, by the statistics that were measured of one.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Bounds and moments of a path's rate and round-trip time (M. K. Gardner, S. Thulasidasan, W. Feng,
 * User-space auto-tuning for TCP flow control in computational grids, Computer Communications 27,
 * 2004, Section 2, Figures 1 and 2).
 */
struct RandomPath
{
    int64_t mean{};      //!< of the rate, bit/s
    int64_t deviation{}; //!< standard deviation of the rate, bit/s
    int64_t least{};     //!< bound of the rate, bit/s
    int64_t most{};      //!< bound of the rate, bit/s
    int64_t meanRtt{};   //!< mean round-trip time, ns
    int64_t leastRtt{};  //!< its bound, ns
    int64_t mostRtt{};   //!< its bound, ns
    int64_t interval{};  //!< how long each rate and round-trip time holds, ns
    int64_t duration{};  //!< when they begin again, ns
    int64_t run{-1};     //!< replication whose path it is; -1: that of the key
};

/** @ingroup gridftp @brief What draws belong to. */
struct RandomPathKey
{
    uint64_t seed{0}; //!< seed of the scenario
    uint64_t run{0};  //!< number of the replication
};

/** @ingroup gridftp @brief One interval of a path that was drawn. */
struct RandomPathRow
{
    int64_t startNs{}; //!< when it begins, ns
    int64_t rateBps{}; //!< bit/s
    int64_t rttNs{};   //!< round-trip time, ns
};

/**
 * @ingroup gridftp
 * A distribution between 0 and 1 that is drawn by comparisons alone, so that it is the same with
 * every compiler: with some probability each, the least of so many uniform numbers. That has the
 * moments E X = 1/(n+1) and E X^2 = 2/((n+1)(n+2)) (it is Beta(1, n)) and goes towards an
 * exponential distribution as n grows, but knows a bound.
 */
class LeastOfUniforms
{
  public:
    /** How often the least of how many. */
    struct Part
    {
        double weight;  //!< probability
        uint64_t count; //!< n; 0: it is 1
    };

    /**
     * The least of n and of n + 1, whichever n this takes.
     * @param mean above 0, at most 1
     * @return with exactly this mean; or, without a message, that there is none
     */
    static Expected<LeastOfUniforms> OfMean(double mean);

    /**
     * The least of few, of n and of n + 1: as a mixture of two exponential distributions, it has
     * a standard deviation above the mean. Of those that there are, the one in which the few
     * contribute half of the mean ("balanced means", W. Whitt, Approximating a point process by a
     * renewal process, Operations Research 30, 1982).
     * @param mean above 0, at most 1
     * @param square mean of the square
     * @return with exactly these moments; or, without a message, that there is none
     */
    static Expected<LeastOfUniforms> OfMoments(double mean, double square);

    /** @return its parts */
    std::span<const Part> GetParts() const
    {
        return m_parts;
    }

    /**
     * @param draw gives 64 uniform bits, independent each time
     * @return a value, in units of 2^-64; the largest one stands for 1
     */
    template <typename Draw>
    uint64_t Take(Draw draw) const
    {
        constexpr double TWO_TO_63 = 9223372036854775808.0;
        const auto chosen = static_cast<double>(draw() >> 1) / TWO_TO_63;
        size_t part = 0;
        for (double sum = m_parts[0].weight; part + 1 < m_parts.size() && chosen >= sum;)
        {
            sum += m_parts[++part].weight;
        }
        uint64_t least = UINT64_MAX;
        for (uint64_t i = 0; i < m_parts[part].count; ++i)
        {
            const uint64_t next = draw();
            least = next < least ? next : least;
        }
        return least;
    }

  private:
    std::vector<Part> m_parts; //!< their weights add up to 1
};

/**
 * @ingroup gridftp
 * Draws a path: rates and round-trip times that are independent from interval to interval and of
 * one another, which the paper says nothing of.
 * @param path within its bounds
 * @param key what the draws belong to: the same key, the same path, on both engines
 * @return its intervals, or what of it is not possible
 */
Expected<std::vector<RandomPathRow>> DrawPath(const RandomPath& path, const RandomPathKey& key);

} // namespace ns3::gridftp

#endif // GRIDFTP_RANDOM_PATH_H
