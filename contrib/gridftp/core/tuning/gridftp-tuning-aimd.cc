/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-quantity.h"
#include "gridftp-tuning-makers.h"

#include <cmath>

namespace ns3::gridftp
{

namespace
{

/**
 * Additive increase, multiplicative decrease (Ito et al., Sec. 3.4, AIMD mode, Eq. (9) to (12)). It
 * never ends: every chunk moves N.
 */
class AimdPolicy : public TuningPolicy
{
  public:
    /** @param parameters checked */
    explicit AimdPolicy(const TuningParameters& parameters)
        : m_parameters(parameters)
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_parameters.initialParallelism;
    }

  protected:
    uint32_t DoDecide(const ChunkSample& sample) override
    {
        const double n = sample.parallelism;
        const double next = IsWindowLimited(sample, m_parameters.eta) ? n + m_parameters.alpha
                                                                      : n * (1 - m_parameters.beta);
        return m_parameters.rounding == Rounding::UP
                   ? RoundUpParallelism(next, m_parameters.maxParallelism)
                   : RoundDownParallelism(next, m_parameters.maxParallelism);
    }

  private:
    TuningParameters m_parameters; //!< checked numbers
};

} // namespace

MadePolicy
MakeAimd(const TuningParameters& parameters)
{
    if (!(parameters.alpha >= 1 && std::isfinite(parameters.alpha)))
    {
        return Error{"alpha " + FormatReal(parameters.alpha) + " is not at least 1"};
    }
    if (!(parameters.beta > 0 && parameters.beta < 1))
    {
        return Error{"beta " + FormatReal(parameters.beta) + " is not between 0 and 1"};
    }
    if (auto checked = CheckAdaptive(parameters); !checked)
    {
        return checked.GetError();
    }
    return std::unique_ptr<TuningPolicy>(std::make_unique<AimdPolicy>(parameters));
}

} // namespace ns3::gridftp
