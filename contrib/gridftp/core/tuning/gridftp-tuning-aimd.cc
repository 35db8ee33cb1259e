/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-mode.h"
#include "gridftp-tuning-rounding.h"

#include <array>

namespace ns3::gridftp
{

namespace
{

constexpr TuningParameter ALPHA{.name = "alpha",
                                .key = "alpha",
                                .defaultText = "1",
                                .help = "connections added",
                                .minimum = 1,
                                .maximum = 1024};

constexpr TuningParameter BETA{.name = "beta",
                               .key = "beta",
                               .defaultText = "0.5",
                               .help = "share of the connections removed",
                               .minimum = 0,
                               .maximum = 1,
                               .openMinimum = true,
                               .openMaximum = true};

/** The words of ROUNDING; the paper does not say how N becomes a whole number. */
constexpr std::array<std::string_view, 2> DOWN_OR_UP{"down", "up"};
constexpr double UP = 1;

constexpr TuningParameter ROUNDING{.name = "aimd-rounding",
                                   .key = "aimd_rounding",
                                   .defaultText = "down",
                                   .help = "how N becomes a whole number",
                                   .choices = DOWN_OR_UP};

constexpr std::array PARAMETERS{&INITIAL_PARALLELISM,
                                &MAX_PARALLELISM,
                                &ETA,
                                &ALPHA,
                                &BETA,
                                &ROUNDING};

constexpr std::array DASHES{3.0, 1.2, 1.0, 1.2};

/**
 * Additive increase, multiplicative decrease (Ito et al., Sec. 3.4, AIMD mode, Eq. (9) to (12)). It
 * never ends: every chunk moves N.
 */
class AimdPolicy : public TuningPolicy
{
  public:
    /** @param values of the parameters */
    explicit AimdPolicy(const NamedValues& values)
        : m_initial(INITIAL_PARALLELISM.CountOf(values)),
          m_max(MAX_PARALLELISM.CountOf(values)),
          m_eta(ETA.Of(values)),
          m_alpha(ALPHA.Of(values)),
          m_beta(BETA.Of(values)),
          m_up(ROUNDING.Of(values) == UP)
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_initial;
    }

  protected:
    uint32_t DoDecide(const ChunkSample& sample) override
    {
        const double n = sample.parallelism;
        const double next = IsWindowLimited(sample, m_eta) ? n + m_alpha : n * (1 - m_beta);
        return m_up ? RoundUpParallelism(next, m_max) : RoundDownParallelism(next, m_max);
    }

  private:
    uint32_t m_initial; //!< N0
    uint32_t m_max;     //!< N is never raised above this
    double m_eta;       //!< share of N W / R that counts as window-limited
    double m_alpha;     //!< connections added
    double m_beta;      //!< share taken off
    bool m_up;          //!< N is rounded up
};

} // namespace

TuningMode
DeclareAimd()
{
    return {
        .name = "aimd",
        .label = "AIMD",
        .help = "add alpha while the windows limit the goodput, else N (1 - beta)",
        .look = {.color = "#CC79A7", .marker = "^", .markerSize = 3.4, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = [](const NamedValues& values) -> std::unique_ptr<TuningPolicy> {
            return std::make_unique<AimdPolicy>(values);
        },
    };
}

} // namespace ns3::gridftp
