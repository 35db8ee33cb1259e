/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DELAY_TALLY_H
#define GRIDFTP_DELAY_TALLY_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Mean, percentile and extremes of many delays, seconds. */
struct DelayFigures
{
    uint64_t count{0}; //!< delays that were measured
    double meanS{0};   //!< their mean
    double p95S{0};    //!< their 95th percentile, see DelayHistogram
    double leastS{0};  //!< the smallest one
    double mostS{0};   //!< the largest one

    bool operator==(const DelayFigures&) const = default;
};

/**
 * @ingroup gridftp
 * Count, sum and extremes of delays in integer nanoseconds, so that the order in which they are
 * added does not matter. The sum has room for 584 years.
 */
struct DelaySum
{
    uint64_t count{0};          //!< delays added
    uint64_t sumNs{0};          //!< sum of them
    int64_t leastNs{INT64_MAX}; //!< the smallest one; the largest number without any
    int64_t mostNs{-1};         //!< the largest one; -1 without any

    /** @param ns a delay, at least 0 */
    void Add(int64_t ns)
    {
        ++count;
        sumNs += static_cast<uint64_t>(ns);
        leastNs = std::min(leastNs, ns);
        mostNs = std::max(mostNs, ns);
    }

    /** @param other delays that are added to these */
    void Add(const DelaySum& other)
    {
        count += other.count;
        sumNs += other.sumNs;
        leastNs = std::min(leastNs, other.leastNs);
        mostNs = std::max(mostNs, other.mostNs);
    }

    /** @param before the same sum earlier @return what was added since; its extremes are those of
     * all delays */
    DelaySum operator-(const DelaySum& before) const
    {
        return {count - before.count, sumNs - before.sumNs, leastNs, mostNs};
    }

    /** @return the mean, s; none without a delay */
    std::optional<double> GetMeanS() const
    {
        return count == 0
                   ? std::nullopt
                   : std::optional(static_cast<double>(sumNs) / static_cast<double>(count) / 1e9);
    }

    bool operator==(const DelaySum&) const = default;
};

/**
 * @ingroup gridftp
 * Delays counted in buckets, from which percentiles come. Below 256 ns a bucket holds one value;
 * above, a power of two is divided into 128 buckets of equal width. A percentile is the upper bound
 * of its bucket, or the largest delay where that is smaller: never below the true value, and at
 * most 1/128 (0.8 %) above it. Counts are integers, so the order of delays does not matter.
 */
class DelayHistogram
{
  public:
    /** @param ns a delay, at least 0 */
    void Add(int64_t ns)
    {
        m_sum.Add(ns);
        const size_t bucket = BucketOf(static_cast<uint64_t>(ns));
        if (bucket >= m_counts.size()) [[unlikely]]
        {
            m_counts.resize(bucket + 1);
        }
        ++m_counts[bucket];
    }

    /** @param other delays that are added to these */
    void Add(const DelayHistogram& other);

    /** @param before the same histogram earlier @return what was added since; its extremes are
     * those of all delays */
    DelayHistogram operator-(const DelayHistogram& before) const;

    /** @return count, sum and extremes */
    const DelaySum& GetSum() const
    {
        return m_sum;
    }

    /** @param percent above 0, at most 100 @return the smallest bound that so many delays do not
     * exceed, ns; there has to be a delay */
    int64_t GetPercentileNs(uint64_t percent) const;

    /** @return mean, 95th percentile and extremes; none without a delay */
    std::optional<DelayFigures> GetFigures() const;

    /** @param ns a delay @return index of its bucket */
    static size_t BucketOf(uint64_t ns);

    /** @param bucket index @return the largest delay in it, ns */
    static uint64_t GetBound(size_t bucket);

  private:
    DelaySum m_sum;                 //!< of all delays
    std::vector<uint64_t> m_counts; //!< by bucket, up to the last one that has any
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DELAY_TALLY_H
