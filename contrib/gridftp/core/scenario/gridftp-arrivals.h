/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ARRIVALS_H
#define GRIDFTP_ARRIVALS_H

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How long after one session the next one arrives. */
enum class ArrivalProcess
{
    POISSON, //!< intervals are exponential, each drawn by itself
    FIXED    //!< all intervals are the mean
};

/** @ingroup gridftp @brief Sessions that arrive one after the other. */
struct Arrivals
{
    int64_t count{};          //!< how many
    int64_t interval{};       //!< between them, on average, ns
    ArrivalProcess process{}; //!< which kind
};

/** @ingroup gridftp @brief What draws belong to. */
struct ArrivalsKey
{
    uint64_t seed{0};  //!< seed of the scenario
    uint64_t run{0};   //!< number of the replication
    uint64_t index{0}; //!< of the arrival process within the scenario
};

/**
 * @ingroup gridftp
 * @param arrivals what arrives
 * @param startNs when the process begins, ns; the first session arrives an interval later
 * @param key what the draws belong to: the same key, the same times, on both engines
 * @return when each session arrives, ns, in order
 */
std::vector<int64_t> DrawArrivalTimes(const Arrivals& arrivals,
                                      int64_t startNs,
                                      const ArrivalsKey& key);

} // namespace ns3::gridftp

#endif // GRIDFTP_ARRIVALS_H
