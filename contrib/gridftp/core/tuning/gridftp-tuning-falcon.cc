/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-mode.h"
#include "gridftp-tuning-rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** The words of SEARCH. */
constexpr std::array<std::string_view, 2> SEARCHES{"gradient", "hill-climbing"};
constexpr double HILL_CLIMBING = 1;

constexpr TuningParameter SEARCH{.name = "falcon-search",
                                 .key = "falcon_search",
                                 .defaultText = "gradient",
                                 .help = "how the search for the N with the largest utility works",
                                 .choices = SEARCHES};

constexpr std::array PARAMETERS{&INITIAL_PARALLELISM, &MAX_PARALLELISM, &SEARCH};

constexpr std::array DASHES{1.0, 1.6, 1.0, 4.0};

constexpr double CONNECTION_COST = 1.02; //!< K: what each connection divides the goodput by
constexpr double LOSS_COST = 10;         //!< B: what a loss of 1 takes off, in goodputs
constexpr double RESTART_CHANGE = 0.1;   //!< of the utility, with which hill climbing goes on
constexpr uint32_t REACH = 10;           //!< above the best N so far that the gradient leads

/** @param n exponent @return K^n, by multiplications alone: the same with every compiler */
double
GetCostOf(uint32_t n)
{
    double power = 1;
    for (double square = CONNECTION_COST; n > 0; n /= 2, square *= square)
    {
        power *= n % 2 == 1 ? square : 1;
    }
    return power;
}

/**
 * Falcon (M. Arifuzzaman, E. Arslan, "Online Optimization of File Transfers in High-Speed
 * Networks", SC'21, doi 10.1145/3458817.3476208), whose program can be read, too
 * (arif-zaman/Falcon-File-Transfer-Optimizer). N is judged by a utility
 *
 *   u = T / 1.02^n - 10 T L
 *
 * with T the throughput, n the connections, L the share of segments that were sent again. It never
 * ends: every chunk is a probe.
 *
 * - A probe of Falcon takes 3 s, of which it leaves out the first one. Here it is a chunk, and
 *   takes as long as that does: it begins with the commands, and with fresh connections in slow
 *   start, so that a short chunk makes many connections look worse than they are; a long one means
 *   few decisions in a transfer. T is the goodput G.
 * - Falcon changes how many files move at a time, each on one connection; here it is N.
 * - With stripes T and n are those of a pair, as all pairs are alike; L is that of all of them.
 * - Falcon rounds utilities to whole Mbit/s. Here none is rounded.
 */
class FalconPolicy : public TuningPolicy
{
  public:
    /** @param values of the parameters */
    explicit FalconPolicy(const NamedValues& values)
        : m_initial(INITIAL_PARALLELISM.CountOf(values)),
          m_max(MAX_PARALLELISM.CountOf(values))
    {
    }

    uint32_t GetInitialParallelism() const override
    {
        return m_initial;
    }

  protected:
    uint32_t DoDecide(const ChunkSample& sample) override
    {
        const uint32_t n = sample.parallelism;
        const double rate = sample.GetPairGoodputBps();
        return Probe(n, rate / GetCostOf(n) - LOSS_COST * rate * sample.segments.GetLossShare());
    }

    /** @return the largest N */
    uint32_t GetMax() const
    {
        return m_max;
    }

  private:
    /** A chunk has been a probe. @param n N @param utility u @return N of the next one */
    virtual uint32_t Probe(uint32_t n, double utility) = 0;

    uint32_t m_initial; //!< N0
    uint32_t m_max;     //!< N is never raised above this
};

/**
 * N goes on by one while u grows; then one back, where it stays until u changes by more than 10 %
 * from one chunk to the next: up where it has grown, down where it has fallen.
 *
 * The program, on its way down, turns where u grows, and goes on where it falls. That is taken for
 * a slip: here the way down is the way up seen in a mirror. N at its least or largest value stays
 * there, which the program, comparing it with itself, leaves by one.
 */
class FalconHillClimbing final : public FalconPolicy
{
  public:
    using FalconPolicy::FalconPolicy;

  private:
    uint32_t Probe(uint32_t n, double utility) override
    {
        if (m_way != 0 && utility <= m_before)
        {
            return Go(n, -std::exchange(m_way, 0));
        }
        if (m_way == 0)
        {
            const double change = utility - m_before;
            const bool moves = std::abs(change) > RESTART_CHANGE * std::abs(m_before);
            m_way = !moves ? 0 : change > 0 ? 1 : -1;
        }
        m_before = utility;
        const uint32_t next = Go(n, m_way);
        m_way = next == n ? 0 : m_way;
        return next;
    }

    /** @param n N @param step 1, 0 or -1 @return N and that, within its bounds */
    uint32_t Go(uint32_t n, int step) const
    {
        return static_cast<uint32_t>(
            std::clamp<int64_t>(static_cast<int64_t>(n) + step, 1, GetMax()));
    }

    int m_way{1};       //!< that N goes; 0: it stays
    double m_before{0}; //!< u to compare with
};

/**
 * Two chunks, with one connection less and one more than a number n, tell how u grows there. That,
 * as a share of u with one less, is the share by which n moves, rounded up to whole connections,
 * and times theta, which is 1 at first, one more each time that n goes on the same way, and 1 again
 * where it turns. n is at least 2 and at most 9 above what it was when u was largest. A later
 * version of the program, which takes two chunks in a row for such a pair, is not meant here.
 *
 * The first chunk has N0, so that n begins at N0 + 1; the program's begins at 2, which N0 = 1
 * makes. N above its maximum is not probed: the maximum is, in its place.
 */
class FalconGradient final : public FalconPolicy
{
  public:
    /** @param values of the parameters */
    explicit FalconGradient(const NamedValues& values)
        : FalconPolicy(values),
          m_middle(GetInitialParallelism() + 1),
          m_limit(GetMax())
    {
    }

  private:
    uint32_t Probe(uint32_t n, double utility) override
    {
        if (utility > m_best)
        {
            m_best = utility;
            m_limit = std::min(m_middle + REACH, GetMax());
        }
        if (m_below == 0)
        {
            m_below = n;
            m_before = utility;
            return std::min(m_middle + 1, GetMax());
        }
        const uint32_t below = std::exchange(m_below, 0);
        Move(n > below ? n - below : 0, utility - m_before);
        return m_middle - 1;
    }

    /** Moves n. @param distance of the two chunks, connections @param growth of u between them */
    void Move(uint32_t distance, double growth)
    {
        const bool rises = growth >= 0;
        m_theta = rises == (m_theta >= 0) ? m_theta + (rises ? 1 : -1) : (rises ? 1 : -1);
        // Two chunks of the same N, which its maximum may make them, tell nothing of it
        const bool tells = distance > 0 && growth != 0;
        const double share = tells ? std::abs(growth / m_before) / distance : 0;
        const int64_t step = share > 0 ? RoundUpParallelism(share * m_middle, GetMax()) : 0;
        const int64_t next = std::min<int64_t>(m_middle + m_theta * step, m_limit - 1);
        m_middle = static_cast<uint32_t>(std::max<int64_t>(next, 2));
    }

    uint32_t m_middle;   //!< n
    uint32_t m_limit;    //!< n stays below it
    uint32_t m_below{0}; //!< N of the first one of two chunks; 0: that comes next
    double m_before{0};  //!< u of that
    double m_best{0};    //!< the largest u so far
    int64_t m_theta{0};  //!< theta, negative on the way down
};

} // namespace

TuningMode
DeclareFalcon()
{
    return {
        .name = "falcon",
        .label = "Falcon",
        .help = "search for the N with the largest goodput / 1.02^N - 10 goodput loss",
        .look = {.color = "#5FD3F3", .marker = "<", .markerSize = 2.6, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = [](const NamedValues& values) -> std::unique_ptr<TuningPolicy> {
            if (SEARCH.Of(values) == HILL_CLIMBING)
            {
                return std::make_unique<FalconHillClimbing>(values);
            }
            return std::make_unique<FalconGradient>(values);
        },
    };
}

} // namespace ns3::gridftp
