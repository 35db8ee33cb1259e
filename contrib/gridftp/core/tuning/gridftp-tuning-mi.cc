/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fluid-model.h"
#include "gridftp-tuning-mode.h"
#include "gridftp-tuning-rounding.h"

#include <array>

namespace ns3::gridftp
{

namespace
{

constexpr std::array PARAMETERS{&INITIAL_PARALLELISM, &MAX_PARALLELISM, &ETA, &GAMMA};

constexpr std::array DASHES_OF_MI_PLUS{4.0, 2.0};

/**
 * Multiplicative increase (Ito et al., Sec. 3.4, MI mode, Eq. (3) to (5)).
 */
class MiPolicy : public TuningPolicy
{
  public:
    /** @param values of the parameters */
    explicit MiPolicy(const NamedValues& values)
        : m_max(MAX_PARALLELISM.CountOf(values)),
          m_initial(INITIAL_PARALLELISM.CountOf(values)),
          m_eta(ETA.Of(values)),
          m_gamma(GAMMA.Of(values))
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_initial;
    }

  protected:
    uint32_t DoDecide(const ChunkSample& sample) override
    {
        if (m_terminated)
        {
            return sample.parallelism;
        }
        if (IsWindowLimited(sample, m_eta))
        {
            return RoundUpParallelism(m_gamma * sample.parallelism, m_max);
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

    uint32_t m_max; //!< N is never raised above this

  private:
    uint32_t m_initial;       //!< N0
    double m_eta;             //!< share of N W / R that counts as window-limited
    double m_gamma;           //!< factor of increase
    bool m_terminated{false}; //!< the algorithm has ended; N stays
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
        const FluidModel model({.bandwidthBps = sample.GetPairGoodputBps(),
                                .rttS = sample.rttS,
                                .windowBytes = sample.windowBytes,
                                .segmentBytes = sample.segmentBytes});
        return model.Optimum(m_max).parallelism;
    }
};

template <typename Policy>
std::unique_ptr<TuningPolicy>
Make(const NamedValues& values)
{
    return std::make_unique<Policy>(values);
}

} // namespace

TuningMode
DeclareMi()
{
    return {
        .name = "mi",
        .label = "MI",
        .help = "multiply N by gamma while the windows limit the goodput",
        .look = {.color = "#0072B2", .marker = "o", .markerSize = 6.4, .dashes = {}},
        .refines = "",
        .parameters = PARAMETERS,
        .make = &Make<MiPolicy>,
    };
}

TuningMode
DeclareMiPlus()
{
    return {
        .name = "mi-plus",
        .label = "MI+",
        .help = "as mi, then the optimum of the fluid model",
        .look = {.color = "#D55E00", .marker = "s", .markerSize = 4.2, .dashes = DASHES_OF_MI_PLUS},
        .refines = "mi",
        .parameters = PARAMETERS,
        .make = &Make<MiPlusPolicy>,
    };
}

} // namespace ns3::gridftp
