/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-mode.h"
#include "gridftp-tuning-rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

namespace
{

constexpr std::array PARAMETERS{&INITIAL_PARALLELISM, &MAX_PARALLELISM};

constexpr std::array DASHES{2.0, 3.0};

/** A number of connections and the goodput measured with it. */
struct Point
{
    double parallelism{0}; //!< N
    double goodputBps{0};  //!< G, bit/s

    /** @return N^2 / G^2, a quadratic polynomial of N in the model */
    double GetRadicand() const
    {
        return parallelism * parallelism / (goodputBps * goodputBps);
    }
};

/** The model: G = N / sqrt(a N^2 + b N + c). */
struct Curve
{
    double a{0}; //!< coefficient of N^2
    double b{0}; //!< coefficient of N
    double c{0}; //!< constant

    /**
     * The derivative of G is 0 at N = -2 c / b only. That is above 0, and a maximum, with b < 0 and
     * c > 0; what is under the root is then positive there, and so for every N, with 4 a c > b^2.
     *
     * @return whether there is a maximum, and G is a number for every N
     */
    bool HasMaximum() const
    {
        return b < 0 && c > 0 && 4 * a * c > b * b;
    }

    /** @return the N with the largest G, where there is one */
    double GetOptimum() const
    {
        return -2 * c / b;
    }

    /** @param n a number of connections @return G, bit/s, of a curve that has a maximum */
    double GetGoodputBps(double n) const
    {
        return n / std::sqrt((a * n + b) * n + c);
    }
};

/**
 * The polynomial through three points, by divided differences.
 *
 * @param i a point
 * @param j one with another N
 * @param k one with a third N
 * @return the curve
 */
Curve
Interpolate(const Point& i, const Point& j, const Point& k)
{
    const double first = i.GetRadicand();
    const double near = (j.GetRadicand() - first) / (j.parallelism - i.parallelism);
    const double far = (k.GetRadicand() - first) / (k.parallelism - i.parallelism);
    Curve curve;
    curve.a = (far - near) / (k.parallelism - j.parallelism);
    curve.b = near - curve.a * (i.parallelism + j.parallelism);
    curve.c = first - (curve.a * i.parallelism + curve.b) * i.parallelism;
    return curve;
}

/**
 * The full second-order model (E. Yildirim, D. Yin, T. Kosar, "Prediction of Optimal Parallelism
 * Level in Wide Area Data Transfers", IEEE Trans. Parallel Distrib. Syst. 22 (12), 2011, pp.
 * 2033-2045): a few N are sampled, the curve G = N / sqrt(a N^2 + b N + c) is laid through three of
 * them, and the rest is moved with the N of its maximum.
 *
 * What could be read of the publication without a subscription is its abstract: new models of few
 * samples, and an algorithm that selects the best combination of them. Model, optimum and selection
 * are read in an optimizer of the authors' group, Full2ndOptimizer of their data scheduler Stork;
 * the sections of the paper could not be compared. Readings of ours, and differences:
 *
 * - Samples are N0 and twice the N before, until the goodput falls or N comes to its maximum.
 *   Equal goodput counts as a fall (Stork goes on). With N0 = 1 these are the N that Stork takes;
 *   with another N0 it doubles N - N0 + 1.
 * - Stork throws its first block away, to warm up; here the first chunk is a sample.
 * - The curve is laid through every three of the samples; the one with the least squared error over
 *   all samples is taken, of equal ones the first.
 * - A curve that has no maximum, or that is no number somewhere for want of a positive radicand, is
 *   passed over. Where none is left, and where there are fewer than three samples, the N sampled
 *   with the largest goodput is taken, of equal ones the smallest. Two samples have never the same
 *   N, so that a curve has always finite coefficients.
 * - The optimum is rounded to the nearest whole number, and kept between the first and the last N
 *   sampled: the curve says nothing of what lies outside (Stork keeps it within the allowed N).
 * - N stays there until the end of the transfer: a path that changes later is not noticed.
 * - Of the authors' other models, the one whose exponent of N is found by Newton's iteration is not
 *   modelled.
 */
class CurveFitPolicy : public TuningPolicy
{
  public:
    /** @param values of the parameters */
    explicit CurveFitPolicy(const NamedValues& values)
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
        if (m_chosen > 0)
        {
            return m_chosen;
        }
        const Point point{static_cast<double>(sample.parallelism), sample.GetGoodputBps()};
        const bool more = m_samples.empty() || point.goodputBps > m_samples.back().goodputBps;
        m_samples.push_back(point);
        const uint32_t next = RoundDownParallelism(2 * point.parallelism, m_max);
        if (more && next > sample.parallelism)
        {
            return next;
        }
        m_chosen = Choose();
        return m_chosen;
    }

  private:
    /** @return N for the rest of the transfer, from all samples */
    uint32_t Choose() const
    {
        double best = std::ranges::max_element(m_samples, {}, &Point::goodputBps)->parallelism;
        double least = std::numeric_limits<double>::infinity();
        const size_t count = m_samples.size();
        for (size_t i = 0; i < count; ++i)
        {
            for (size_t j = i + 1; j < count; ++j)
            {
                for (size_t k = j + 1; k < count; ++k)
                {
                    const auto curve = Interpolate(m_samples[i], m_samples[j], m_samples[k]);
                    if (curve.HasMaximum() && GetError(curve) < least)
                    {
                        least = GetError(curve);
                        best = curve.GetOptimum();
                    }
                }
            }
        }
        const double within =
            std::clamp(best, m_samples.front().parallelism, m_samples.back().parallelism);
        return RoundDownParallelism(within + 0.5, m_max);
    }

    /** @param curve that has a maximum @return sum of its squared errors over all samples */
    double GetError(const Curve& curve) const
    {
        double sum = 0;
        for (const auto& point : m_samples)
        {
            const double error = curve.GetGoodputBps(point.parallelism) - point.goodputBps;
            sum += error * error;
        }
        return sum;
    }

    uint32_t m_initial;           //!< N0
    uint32_t m_max;               //!< N is never raised above this
    std::vector<Point> m_samples; //!< by rising N
    uint32_t m_chosen{0};         //!< N for the rest of the transfer; 0: still sampling
};

} // namespace

TuningMode
DeclareCurveFit()
{
    return {
        .name = "curve-fit",
        .label = "curve fit",
        .help = "double N until the goodput falls, then the maximum of a curve through three N",
        .look = {.color = "#560008", .marker = ">", .markerSize = 2.8, .dashes = DASHES},
        .refines = "",
        .parameters = PARAMETERS,
        .make = [](const NamedValues& values) -> std::unique_ptr<TuningPolicy> {
            return std::make_unique<CurveFitPolicy>(values);
        },
    };
}

} // namespace ns3::gridftp
