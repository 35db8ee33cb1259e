/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fluid-model.h"
#include "gridftp-quantity.h"
#include "gridftp-tuning-makers.h"

#include <cmath>

namespace ns3::gridftp
{

namespace
{

/**
 * Multiplicative increase (Ito et al., Sec. 3.4, MI mode, Eq. (3) to (5)).
 */
class MiPolicy : public TuningPolicy
{
  public:
    /** @param parameters checked */
    explicit MiPolicy(const TuningParameters& parameters)
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
        if (m_terminated)
        {
            return sample.parallelism;
        }
        if (IsWindowLimited(sample, m_parameters.eta))
        {
            return RoundUpParallelism(m_parameters.gamma * sample.parallelism,
                                      m_parameters.maxParallelism);
        }
        m_terminated = true;
        return Settle(sample);
    }

    /**
     * The last step, once the network limits the goodput.
     * @param sample the chunk that showed it
     * @return N from here on
     */
    virtual uint32_t Settle(const ChunkSample& sample) const
    {
        return sample.parallelism;
    }

    TuningParameters m_parameters; //!< checked numbers
    bool m_terminated{false};      //!< the algorithm has ended; N stays
};

/**
 * Multiplicative increase, then the optimum of the steady-state analysis (Sec. 3.4, MI+ mode, Eq.
 * (6) to (8) and step 5).
 *
 * Step 5 as written maximises the second term of Eq. (1), which falls with N at every B and R; the
 * maximum of the whole of Eq. (1) is what gives the paper's N. B is not measurable at the client;
 * in step 5 the network is the bottleneck, so the goodput just measured stands for it.
 */
class MiPlusPolicy : public MiPolicy
{
  public:
    using MiPolicy::MiPolicy;

  protected:
    uint32_t Settle(const ChunkSample& sample) const override
    {
        const FluidModel model({.bandwidthBps = sample.GetGoodputBps(),
                                .rttS = sample.rttS,
                                .windowBytes = sample.windowBytes,
                                .segmentBytes = sample.segmentBytes});
        return model.Optimum(m_parameters.maxParallelism).parallelism;
    }
};

Done
CheckMi(const TuningParameters& parameters)
{
    if (!(parameters.gamma > 1 && std::isfinite(parameters.gamma)))
    {
        return Error{"gamma " + FormatReal(parameters.gamma) + " is not above 1"};
    }
    return CheckAdaptive(parameters);
}

template <typename Policy>
MadePolicy
Make(const TuningParameters& parameters)
{
    if (auto checked = CheckMi(parameters); !checked)
    {
        return checked.GetError();
    }
    return std::unique_ptr<TuningPolicy>(std::make_unique<Policy>(parameters));
}

} // namespace

MadePolicy
MakeMi(const TuningParameters& parameters)
{
    return Make<MiPolicy>(parameters);
}

MadePolicy
MakeMiPlus(const TuningParameters& parameters)
{
    return Make<MiPlusPolicy>(parameters);
}

} // namespace ns3::gridftp
