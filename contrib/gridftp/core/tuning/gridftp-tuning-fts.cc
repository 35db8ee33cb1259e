/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-mode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace ns3::gridftp
{

namespace
{

constexpr TuningParameter LEAST{.name = "fts-least",
                                .key = "fts_least",
                                .defaultText = "2",
                                .help = "N is never lowered below this",
                                .dimension = Dimension::COUNT,
                                .minimum = 1,
                                .maximum = MOST_CONNECTIONS};

constexpr TuningParameter STREAMS{.name = "fts-streams",
                                  .key = "fts_streams",
                                  .defaultText = "16",
                                  .help = "most connections that FTS gives a transfer",
                                  .dimension = Dimension::COUNT,
                                  .minimum = 1,
                                  .maximum = MOST_CONNECTIONS};

constexpr TuningParameter SMOOTHING{.name = "fts-smoothing",
                                    .key = "fts_smoothing",
                                    .defaultText = "0.1",
                                    .help = "weight of the newest goodput in the moving average",
                                    .minimum = 0,
                                    .maximum = 1,
                                    .openMinimum = true};

constexpr std::array PARAMETERS{&MAX_PARALLELISM, &LEAST, &STREAMS, &SMOOTHING};

constexpr std::array DASHES{3.0, 3.0, 1.0, 3.0};

/** FTS's step where the optimizer decides on streams, too (OptimizerAggressiveIncreaseStep). */
constexpr uint32_t INCREASE = 2;

/** FTS's OptimizerDecreaseStep. */
constexpr uint32_t DECREASE = 1;

/** FTS's OptimizerSteadyInterval, s. */
constexpr double STEADY_S = 300;

/**
 * @param bytesPerS a rate, bytes/s
 * @return its decimal logarithm, rounded, at least 0; found without a logarithm, so that it is the
 *         same with every compiler
 */
int
GetOrder(double bytesPerS)
{
    int order = 0;
    for (double bound = std::sqrt(10.0); bytesPerS >= bound; bound *= 10)
    {
        ++order;
    }
    return order;
}

/**
 * The optimizer of the File Transfer Service FTS3, version 3.14.4, read in its source
 * (github.com/cern-fts/fts3, src/optimizer/services: OptimizerConnections.cpp,
 * OptimizerStreams.cpp; defaults of src/config/ServerConfigReader.cpp and of the schema's
 * t_link_config: optimizer mode 2, which decides on streams, too).
 *
 * FTS decides every 60 s how many connections all transfers between two storages have together, and
 * gives each transfer an equal part of them, rounded down, as streams: connections over transfers
 * active and queued, at most 16. What remains of it for one transfer, and what we made of the rest:
 *
 * - The one transfer has all connections, so N is what FTS decides on, and a chunk is its interval.
 *   That there are bytes left is the queue: FTS adds nothing when its queue runs empty.
 * - It starts in the middle of the range, rounded down. In FTS that is 2 to 130; here it ends at
 *   16, as more would change no stream. Where the maximum is under 2, so is the least N.
 * - The goodput is averaged, each new one with a weight of 0.1. FTS decides before anything has
 *   moved, so the average begins at 0: the first chunks raise it, whatever their N.
 * - Where the average has risen, N <- N + 2. Where it has fallen, N stays, or, where the rounded
 *   decimal logarithm of bytes/s is less than before, N <- N - 1.
 * - Where it has not changed at all, nothing is decided for 300 s; then N <- N + 2.
 *
 * The success rate has no part: FTS lowers N by 1 under 97 %, unless the rate rises. A chunk that
 * fails is no sample; it is tried again, or the transfer ends. So a sample means 100 %. Nor have
 * sizes: FTS forgives a fall where files have become smaller, and chunks are all of one size.
 * FTS's limits of a storage's throughput are not modelled.
 */
class FtsPolicy : public TuningPolicy
{
  public:
    /** @param values of the parameters */
    explicit FtsPolicy(const NamedValues& values)
        : m_most(std::min(MAX_PARALLELISM.CountOf(values), STREAMS.CountOf(values))),
          m_least(std::min(LEAST.CountOf(values), m_most)),
          m_smoothing(SMOOTHING.Of(values))
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_least + (m_most - m_least) / 2;
    }

  protected:
    uint32_t DoDecide(const ChunkSample& sample) override
    {
        const double before = m_average;
        m_average = m_smoothing * sample.GetGoodputBps() / 8 + (1 - m_smoothing) * before;
        m_steadyS += sample.durationS;
        if (m_average == before && m_steadyS < STEADY_S)
        {
            return sample.parallelism;
        }
        m_steadyS = 0;
        uint32_t next = sample.parallelism;
        if (m_average >= before)
        {
            next += INCREASE;
        }
        else if (GetOrder(m_average) < GetOrder(before))
        {
            next -= DECREASE;
        }
        return std::clamp(next, m_least, m_most);
    }

  private:
    uint32_t m_most;     //!< the largest N
    uint32_t m_least;    //!< the smallest N
    double m_smoothing;  //!< weight of the newest goodput
    double m_average{0}; //!< of the goodput, bytes/s
    double m_steadyS{0}; //!< since the last decision, s
};

} // namespace

TuningMode
DeclareFts()
{
    return {
        .name = "fts",
        .label = "FTS",
        .help = "N + 2 if the smoothed goodput rises, N - 1 if it falls by a power of ten",
        .look = {.color = "#FFFF40", .marker = "h", .markerSize = 3.0, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = [](const NamedValues& values) -> std::unique_ptr<TuningPolicy> {
            return std::make_unique<FtsPolicy>(values);
        },
    };
}

} // namespace ns3::gridftp
