/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-mode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

namespace
{

constexpr TuningParameter STEP{.name = "search-step",
                               .key = "search_step",
                               .defaultText = "8",
                               .help = "initial step of a search, in connections",
                               .dimension = Dimension::COUNT,
                               .minimum = 1,
                               .maximum = MOST_CONNECTIONS};

constexpr TuningParameter TOLERANCE{.name = "search-tolerance",
                                    .key = "search_tolerance",
                                    .defaultText = "0.05",
                                    .help = "share of a change in goodput that starts a new search",
                                    .minimum = 0,
                                    .maximum = 1};

constexpr std::array PARAMETERS{&INITIAL_PARALLELISM, &MAX_PARALLELISM, &STEP, &TOLERANCE};

constexpr std::array DASHES{1.0, 3.4};

/**
 * Compass search for the N with the largest goodput, anew when the goodput changes (P.
 * Balaprakash, V. Morozov, R. Kettimuthu, K. Kumaran, I. Foster, "Improving Data Transfer
 * Throughput with Direct Search Optimization", ICPP 2016, pp. 248-257).
 *
 * What could be read of the publication without a subscription is its abstract: direct search
 * methods adapt the number of parallel streams during a transfer, from throughput alone, and follow
 * an external load. A Globus transfer has files under way at a time (concurrency), too; here N is
 * the one variable, since a session's tuner decides on nothing else. The rest is read as compass
 * search is defined (T. G. Kolda, R. M. Lewis, V. Torczon, "Optimization by Direct Search: New
 * Perspectives on Some Classical and Modern Methods", SIAM Review 45 (3), 2003, pp. 385-482, Sec.
 * 1.1). Readings of ours:
 *
 * - It begins at N0 with the step of the parameter. N plus the step is tried first, then N minus
 *   it; the first that has more goodput than any N before becomes the middle, and the step stays.
 *   With none, the step is halved, rounded down; at 0 the search has ended.
 * - Equal goodput is no more. A step past an end of the allowed N ends there.
 * - A search measures each N once, by one chunk: noise is not averaged out.
 * - After the end N stays at the middle. The first chunk there gives the goodput that later ones
 *   are held against, so that a drift in small steps is noticed as a jump is. One that differs by
 *   more than the tolerance starts a new search, from this N and this goodput, with the first step.
 * - Steps of 8 and a tolerance of 5 % are ours.
 */
class DirectSearchPolicy : public TuningPolicy
{
  public:
    /** @param values of the parameters */
    explicit DirectSearchPolicy(const NamedValues& values)
        : m_initial(INITIAL_PARALLELISM.CountOf(values)),
          m_max(MAX_PARALLELISM.CountOf(values)),
          m_firstStep(STEP.CountOf(values)),
          m_tolerance(TOLERANCE.Of(values)),
          m_step(m_firstStep)
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_initial;
    }

  protected:
    uint32_t DoDecide(const ChunkSample& sample) override
    {
        const double goodputBps = sample.GetGoodputBps();
        if (m_step == 0)
        {
            if (!HasChanged(goodputBps))
            {
                return sample.parallelism;
            }
            m_step = m_firstStep;
            m_tried.clear();
            m_bestBps = 0;
        }
        m_tried.push_back(sample.parallelism);
        if (goodputBps > m_bestBps)
        {
            m_bestBps = goodputBps;
            m_middle = sample.parallelism;
        }
        return Probe();
    }

  private:
    /** @param goodputBps of a chunk after the end of a search @return whether to search anew */
    bool HasChanged(double goodputBps)
    {
        if (m_usualBps == 0)
        {
            m_usualBps = goodputBps;
        }
        return std::abs(goodputBps - m_usualBps) > m_tolerance * m_usualBps;
    }

    /** @return the next N of the search, the middle where there is no other */
    uint32_t Probe()
    {
        for (; m_step > 0; m_step /= 2)
        {
            const uint32_t above = std::min(m_middle + m_step, m_max);
            const uint32_t below = m_middle > m_step ? m_middle - m_step : 1;
            for (const uint32_t n : {above, below})
            {
                // Whatever was tried is no better than the middle, or is the middle.
                if (std::ranges::find(m_tried, n) == m_tried.end())
                {
                    return n;
                }
            }
        }
        m_usualBps = 0;
        return m_middle;
    }

    uint32_t m_initial;            //!< N0
    uint32_t m_max;                //!< N is never raised above this
    uint32_t m_firstStep;          //!< connections by which a search begins to move N
    double m_tolerance;            //!< share of a change that starts a new search
    uint32_t m_step;               //!< of the search; 0: it has ended
    std::vector<uint32_t> m_tried; //!< each N of this search
    uint32_t m_middle{1};          //!< the best of them
    double m_bestBps{0};           //!< its goodput, bit/s
    double m_usualBps{0};          //!< goodput after the end, bit/s; 0: of no chunk yet
};

} // namespace

TuningMode
DeclareDirectSearch()
{
    return {
        .name = "direct-search",
        .label = "direct search",
        .help = "compass search: N plus or minus a step, half the step if neither is better",
        .look = {.color = "#FFC878", .marker = "p", .markerSize = 2.8, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = [](const NamedValues& values) -> std::unique_ptr<TuningPolicy> {
            return std::make_unique<DirectSearchPolicy>(values);
        },
    };
}

} // namespace ns3::gridftp
