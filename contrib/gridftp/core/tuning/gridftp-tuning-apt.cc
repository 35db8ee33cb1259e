/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-mode.h"
#include "gridftp-tuning-rounding.h"

#include <algorithm>
#include <array>
#include <memory>

namespace ns3::gridftp
{

namespace
{

constexpr std::array PARAMETERS{&INITIAL_PARALLELISM, &MAX_PARALLELISM, &GAMMA};

constexpr std::array DASHES{1.0, 2.6};

/** (3 - sqrt 5) / 2: where a golden section search puts its next point, seen from the middle. */
constexpr double SECTION = 0.381966011250105;

/** A number of connections and the goodput measured with it. */
struct Point
{
    uint32_t parallelism{0}; //!< N; none move nothing, so that 0 bounds the first bracket
    double goodputBps{0};    //!< G, bit/s
};

/**
 * GridFTP-APT (T. Ito, H. Ohsaki, M. Imase, "GridFTP-APT: Automatic Parallelism Tuning Mechanism
 * for Data Transfer Protocol GridFTP", CCGRID 2006, pp. 454-461; also IEICE Trans. Commun. E91-B
 * (12), 2008, pp. 3925-3936): N is multiplied until the goodput of a chunk falls, which brackets
 * the maximum; a golden section search for the N with the largest goodput follows.
 *
 * What can be read of these publications without a subscription are their abstracts: N is adjusted
 * by what the middleware can measure, and by nothing else. The rest is read as golden section
 * search is defined (J. Kiefer, Proc. Amer. Math. Soc. 4, 1953, pp. 502-506; for a bracket of three
 * points W. H. Press et al., Numerical Recipes in C, 2nd ed., 1992, Sec. 10.1):
 *
 * - The factor of the first phase is MI's gamma, rounded up; it begins at N0.
 * - Equal goodput counts as a fall: of two N that are as good the smaller one is kept.
 * - Where the first increase lowers the goodput already, the bracket begins at N = 0. Where N comes
 *   to its maximum, what is above that counts as worse.
 * - A point is the whole number nearest to the golden section of the larger part of the bracket, as
 *   seen from its middle, and never the middle itself.
 * - The search ends when no untried N is left next to the middle. N stays there until the end of
 * the transfer: a path that changes later is not noticed.
 * - Each N is measured once, by one chunk. Noise is not averaged out.
 */
class AptPolicy : public TuningPolicy
{
  public:
    /** @param values of the parameters */
    explicit AptPolicy(const NamedValues& values)
        : m_initial(INITIAL_PARALLELISM.CountOf(values)),
          m_max(MAX_PARALLELISM.CountOf(values)),
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
        const Point point{sample.parallelism, sample.GetGoodputBps()};
        if (m_right > 0)
        {
            Narrow(point);
            return Probe();
        }
        if (point.goodputBps <= m_middle.goodputBps)
        {
            m_right = point.parallelism;
            return Probe();
        }
        m_left = m_middle.parallelism;
        m_middle = point;
        const uint32_t next = RoundUpParallelism(m_gamma * point.parallelism, m_max);
        if (next > point.parallelism)
        {
            return next;
        }
        m_right = point.parallelism + 1;
        return Probe();
    }

  private:
    /** Makes the bracket smaller. @param point inside of it; the middle is nothing new */
    void Narrow(const Point& point)
    {
        if (point.parallelism == m_middle.parallelism)
        {
            return;
        }
        const bool above = point.parallelism > m_middle.parallelism;
        if (point.goodputBps > m_middle.goodputBps)
        {
            (above ? m_left : m_right) = m_middle.parallelism;
            m_middle = point;
        }
        else
        {
            (above ? m_right : m_left) = point.parallelism;
        }
    }

    /** @return the next point of the search, the middle where there is no other */
    uint32_t Probe() const
    {
        const uint32_t below = m_middle.parallelism - m_left;
        const uint32_t above = m_right - m_middle.parallelism;
        const uint32_t larger = std::max(below, above);
        if (larger < 2)
        {
            return m_middle.parallelism;
        }
        // At least 1 and less than the part: SECTION of 2 is 0.76
        const auto step = static_cast<uint32_t>(SECTION * larger + 0.5);
        return above > below ? m_middle.parallelism + step : m_middle.parallelism - step;
    }

    uint32_t m_initial; //!< N0
    uint32_t m_max;     //!< N is never raised above this
    double m_gamma;     //!< factor of the first phase
    Point m_middle;     //!< the best one so far; with the first chunk still none
    uint32_t m_left{0}; //!< the largest N below the middle that was tried, or 0
    uint32_t m_right{
        0}; //!< the smallest N above it that is no better; 0: none yet, the first phase
};

} // namespace

TuningMode
DeclareApt()
{
    return {
        .name = "apt",
        .label = "APT",
        .help = "multiply N by gamma until the goodput falls, then search for its maximum",
        .look = {.color = "#004D40", .marker = "v", .markerSize = 2.8, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = [](const NamedValues& values) -> std::unique_ptr<TuningPolicy> {
            return std::make_unique<AptPolicy>(values);
        },
    };
}

} // namespace ns3::gridftp
