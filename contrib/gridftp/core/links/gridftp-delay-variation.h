/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DELAY_VARIATION_H
#define GRIDFTP_DELAY_VARIATION_H

#include "gridftp-nanoseconds.h"

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * Propagation delays that vary from packet to packet, and packets that overtake others, for both
 * engines. The parameters are those of Linux's netem (net/sched/sch_netem.c).
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Distribution of the delay variation, in units of the jitter. */
enum class JitterDistribution
{
    UNIFORM,      //!< uniform in [-1, 1]: mean 0, standard deviation 0.58
    NORMAL,       //!< mean 0, standard deviation 1, cut off at -4 and 4
    PARETO,       //!< netem's: (s^(-1/3) - 3/2) 4/3 of a uniform s, cut off at 4: mean -0.03,
                  //!< standard deviation 0.82
    PARETO_NORMAL //!< netem's: a quarter of NORMAL and three quarters of PARETO at the same
                  //!< cumulative probability: mean -0.02, standard deviation 0.84
};

/** @ingroup gridftp @brief Whether a packet overtakes others whose jitter delays them more. */
enum class JitterOrder
{
    FREE, //!< it does, as in netem
    FIFO  //!< a packet arrives no earlier than the one before, as with a FIFO below netem
};

/** @ingroup gridftp @brief How the propagation delay of a link varies. */
struct DelayVariationSpec
{
    int64_t jitterNs{};                //!< netem's JITTER, ns; 0: the delay does not vary
    JitterDistribution distribution{}; //!< of the variation
    double correlation{};              //!< with the packet before, [0, 1)
    JitterOrder order{};               //!< of packets that do not skip the delay
    double reorder{};                  //!< share of packets that skip the delay, [0, 1]
    double reorderCorrelation{};       //!< of these with the packet before, [0, 1)
    int64_t reorderGap{1};             //!< at least 1: after a packet that has overtaken, so many
                                       //!< less one do not

    /** @return whether delays vary at all */
    bool IsSet() const
    {
        return jitterNs > 0 || reorder > 0;
    }
};

/** @ingroup gridftp @brief Bits of JITTER_SCALE. */
inline constexpr unsigned JITTER_SCALE_BITS = 29;

/** @ingroup gridftp @brief The jitter in the unit of GetJitterQuantile(). */
inline constexpr int64_t JITTER_SCALE = int64_t{1} << JITTER_SCALE_BITS;

/**
 * @ingroup gridftp
 * The quantile function of a distribution, in integer arithmetic alone, so that it is the same with
 * every compiler.
 * @param distribution of the variation
 * @param uniform cumulative probability, in 1 / 2^64
 * @return value of the distribution there, in 1 / JITTER_SCALE of the jitter; it never falls as
 *         uniform rises
 */
int64_t GetJitterQuantile(JitterDistribution distribution, uint64_t uniform);

/**
 * @ingroup gridftp
 * Random numbers of 64 bits, each uniform, each correlated with the one before: uniform numbers of
 * normal variates z of which z(t) = r z(t-1) + sqrt(1 - r^2) e(t) with independent normal e(t).
 *
 * netem's get_crandom() averages uniform numbers instead. Its averages are not uniform, so that
 * with a correlation of r the standard deviation falls to sqrt((1 - r) / (1 + r)) of what was asked
 * for. Here spread and share are those asked for, whatever the correlation.
 */
class CorrelatedUniform
{
  public:
    /** @param correlation r, [0, 1) */
    explicit CorrelatedUniform(double correlation = 0);

    /** @param bits 64 uniform bits, independent of all before @return the next number */
    uint64_t Next(uint64_t bits);

  private:
    int64_t m_share;      //!< r, in 1 / 2^30
    int64_t m_rest;       //!< sqrt(1 - r^2), in 1 / 2^30
    bool m_isFirst{true}; //!< Next() has not been called
    int64_t m_normal{0};  //!< z of the last number, in 1 / JITTER_SCALE
};

/**
 * @ingroup gridftp
 * When the packets of a link arrive, where its propagation delay varies or packets overtake others.
 *
 * A packet propagates for the link's delay and its variation, never for less than 0. A
 * packet overtakes with probability reorder, unless one of the reorderGap - 1 packets before it
 * has: it skips the delay and its
 * variation and arrives when its last bit is sent, as in netem, which puts it at the head of its
 * queue.
 *
 * Contract: an engine has one object for each direction of a link. It calls Vary() once for each
 * packet, in the order of transmissions, lost packets included. The random numbers of a packet
 * depend on the key and on the time when its transmission begins, so that a packet more or less on
 * the link does not change those of others.
 */
class DelayVariation
{
  public:
    /** @param spec what varies @param key of the random numbers */
    DelayVariation(const DelayVariationSpec& spec, uint64_t key);

    /**
     * @param beginNs when the packet's transmission begins, ns; not before that of the one before
     * @param endNs when its last bit is sent, ns
     * @param arrivalNs when it arrives without variation, ns; not before endNs
     * @return when it arrives, ns; not before endNs
     */
    int64_t Vary(Nanoseconds beginNs, Nanoseconds endNs, Nanoseconds arrivalNs);

    /** @param stream number of independent random numbers @return the same variation in its first
     * state, with the random numbers of that stream */
    DelayVariation InStream(uint64_t stream) const;

  private:
    /** @param beginNs see Vary() @return whether the next packet overtakes */
    bool IsNextAhead(int64_t beginNs);

    /** @param beginNs see Vary() @return variation of the next packet, ns */
    int64_t GetNextJitter(int64_t beginNs);

    DelayVariationSpec m_spec;   //!< what varies
    uint64_t m_key;              //!< of the random numbers
    uint64_t m_reorderBound;     //!< a number of 63 bits below it overtakes
    CorrelatedUniform m_jitter;  //!< of the variations
    CorrelatedUniform m_reorder; //!< of the packets that overtake
    int64_t m_sinceAhead{0};     //!< packets since the last one that has overtaken
    int64_t m_lastArrivalNs{0};  //!< of those that have not
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DELAY_VARIATION_H
