/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNING_POLICY_H
#define GRIDFTP_TUNING_POLICY_H

#include "gridftp-chunk-sample.h"

#include <cstdint>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Decides how many connections the next chunk uses.
 *
 * Contract: whoever transfers calls GetInitialParallelism() once before the first chunk, then
 * Decide() once after each chunk, in order, with the sample of that chunk. A policy keeps what
 * state it needs between the calls; it knows no engine, no clock and no socket. Decide() returns at
 * least 1. On a sample that is not valid it returns the sample's parallelism and changes nothing,
 * unless the policy says otherwise (DoSkip()). After each call GetFailure() tells whether that was
 * a decision; if not, the transfer fails, and Decide() is not called again.
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

    /** It is not asked any more, and lets go of what it holds outside of this process. */
    virtual void End()
    {
    }

    /** @return why it cannot decide, for a person; empty: it can */
    const std::string& GetFailure() const
    {
        return m_failure;
    }

  protected:
    /**
     * The policy's own step.
     * @param sample a valid sample
     * @return N for the next chunk
     */
    virtual uint32_t DoDecide(const ChunkSample& sample) = 0;

    /**
     * What is done about a sample that is no basis for a decision: nothing.
     * @param sample one that is not valid
     * @return N for the next chunk
     */
    virtual uint32_t DoSkip(const ChunkSample& sample);

    /** It cannot decide any more. @param reason for a person */
    void Fail(const std::string& reason)
    {
        m_failure = reason;
    }

    /**
     * Eq. (4), (7), (10): G > eta N W / R.
     * @param sample a valid sample
     * @param eta control parameter
     * @return whether the socket buffers, not the network, limit the goodput
     */
    static bool IsWindowLimited(const ChunkSample& sample, double eta);

  private:
    std::string m_failure; //!< see GetFailure()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNING_POLICY_H
