/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNING_POLICY_H
#define GRIDFTP_TUNING_POLICY_H

#include "gridftp-chunk-sample.h"
#include "gridftp-expected.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How AIMD makes a whole number of N; the paper does not say. */
enum class Rounding
{
    DOWN, //!< to the next smaller one, at least 1
    UP    //!< to the next larger one
};

/**
 * @ingroup gridftp
 * Every number that some policy takes; each policy reads its own and leaves the others alone.
 *
 * There are no defaults here: they stand in the option table.
 */
struct TuningParameters
{
    uint32_t parallelism{0};        //!< N of the fixed policy
    uint32_t initialParallelism{0}; //!< N0, Eq. (3), (6), (9)
    uint32_t maxParallelism{0};     //!< N is never raised above this
    double eta{0};                  //!< share of N W / R that counts as window-limited, (0, 1]
    double gamma{0};                //!< MI, MI+: factor of increase, above 1
    double alpha{0};                //!< AIMD: connections added, at least 1
    double beta{0};                 //!< AIMD: share taken off, in (0, 1)
    Rounding rounding{};            //!< AIMD: how N becomes a whole number
};

/**
 * @ingroup gridftp
 * Decides how many connections the next chunk uses.
 *
 * Contract: whoever transfers calls GetInitialParallelism() once before the first chunk, then
 * Decide() once after each chunk, in order, with the sample of that chunk. A policy keeps what
 * state it needs between the calls; it knows no engine, no clock and no socket. Decide() returns at
 * least 1. On a sample that is not valid it returns the sample's parallelism and changes nothing.
 *
 * To add one, see doc/adding.md.
 */
class TuningPolicy
{
  public:
    virtual ~TuningPolicy() = default;

    /** @return N for the first chunk, at least 1 */
    virtual uint32_t GetInitialParallelism() const = 0;

    /**
     * @param sample what was measured of the chunk just finished
     * @return N for the next chunk, at least 1
     */
    uint32_t Decide(const ChunkSample& sample);

  protected:
    /**
     * The policy's own step.
     * @param sample a valid sample
     * @return N for the next chunk
     */
    virtual uint32_t DoDecide(const ChunkSample& sample) = 0;

    /**
     * Eq. (4), (7), (10): G > eta N W / R.
     * @param sample a valid sample
     * @param eta control parameter
     * @return whether the socket buffers, not the network, limit the goodput
     */
    static bool IsWindowLimited(const ChunkSample& sample, double eta);
};

/**
 * @ingroup gridftp
 * One entry of the list of policies.
 */
struct TuningMode
{
    std::string_view name; //!< as in --mode=NAME
    std::string_view help; //!< one line

    /** Checks the parameters it needs and makes the policy, or says which one is out of range. */
    Expected<std::unique_ptr<TuningPolicy>> (*make)(const TuningParameters& parameters);
};

/**
 * @ingroup gridftp
 * @return all policies, in the order of --help
 */
std::span<const TuningMode> GetTuningModes();

/**
 * @ingroup gridftp
 * @param name as in --mode=NAME
 * @param parameters the policy's numbers
 * @return the policy, or what is wrong
 */
Expected<std::unique_ptr<TuningPolicy>> MakeTuningPolicy(std::string_view name,
                                                         const TuningParameters& parameters);

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNING_POLICY_H
