/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-makers.h"

namespace ns3::gridftp
{

namespace
{

/** The same N throughout: what GridFTP does without a tuner. */
class FixedPolicy : public TuningPolicy
{
  public:
    /** @param parallelism N */
    explicit FixedPolicy(uint32_t parallelism)
        : m_parallelism(parallelism)
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_parallelism;
    }

  protected:
    uint32_t DoDecide(const ChunkSample& /* sample */) override
    {
        return m_parallelism;
    }

  private:
    uint32_t m_parallelism; //!< N
};

} // namespace

MadePolicy
MakeFixed(const TuningParameters& parameters)
{
    if (parameters.parallelism < 1)
    {
        return Error{"parallelism 0 is not at least 1"};
    }
    return std::unique_ptr<TuningPolicy>(std::make_unique<FixedPolicy>(parameters.parallelism));
}

} // namespace ns3::gridftp
