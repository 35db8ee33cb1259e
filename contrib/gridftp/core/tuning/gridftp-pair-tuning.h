/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PAIR_TUNING_H
#define GRIDFTP_PAIR_TUNING_H

#include "gridftp-tuning-policy.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What one pair of stripes did in a chunk, where each has a tuner. */
struct PairRecord
{
    uint32_t parallelism{0};     //!< N, its connections
    uint32_t nextParallelism{0}; //!< as its tuner adjusted it
    double goodputBps{0};        //!< G of it
    SentSegments segments{};     //!< that its connections sent
};

/**
 * @ingroup gridftp
 * A tuner for each pair of stripes: what PairTuning does in place of one policy for all of them.
 *
 * The sample that a pair's policy sees is that of the session, but for X, T, N and segments, which
 * are the pair's own. T ends earlier by as much as the pair's last byte was acknowledged before
 * that of the last pair: so the last pair has the T of the session, and a session whose pairs are
 * all alike decides as one tuner for all of them does.
 */
class PairTuning
{
  public:
    /** One more pair. @param policy decides for it */
    void Add(std::unique_ptr<TuningPolicy> policy);

    /** @return whether there is no pair: one tuner decides for all */
    bool IsEmpty() const
    {
        return m_policies.empty();
    }

    /** @return N of each pair for the next chunk */
    const std::vector<uint32_t>& GetParallelism() const
    {
        return m_parallelism;
    }

    /** None of them is asked any more. */
    void End();

    /** @return why one of them cannot decide; empty: all can */
    std::string GetFailure() const;

    /** @return the largest of these; 0 without pairs */
    uint32_t GetMost() const;

    /**
     * A chunk is complete: each policy decides.
     *
     * A pair's X is as whole as the session's: after a last, shorter chunk nothing changes, nor for
     * a pair over which nothing went.
     *
     * @param whole the sample of the session
     * @param bytes file bytes of the chunk that each pair carried
     * @param elapsedNs from the order to send to the last acknowledgement of each pair, ns
     * @param segments that each pair sent; a pair of which nobody told may be missing
     * @return what each pair did
     */
    std::vector<PairRecord> Decide(const ChunkSample& whole,
                                   const std::vector<uint64_t>& bytes,
                                   const std::vector<int64_t>& elapsedNs,
                                   const std::vector<SentSegments>& segments);

  private:
    std::vector<std::unique_ptr<TuningPolicy>> m_policies; //!< by pair
    std::vector<uint32_t> m_parallelism;                   //!< see GetParallelism()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_PAIR_TUNING_H
