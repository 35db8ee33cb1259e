/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-random-path.h"

#include "gridftp-quantity.h"
#include "gridftp-random.h"

#include <cmath>
#include <string>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** Tells these draws from others with a key of as many parts. */
constexpr uint64_t STREAM = 0x70617468ULL;

/** Most uniform numbers that the least is taken of. */
constexpr uint64_t MOST_COUNT = 1000;

/** Most of those that are few. */
constexpr uint64_t MOST_FEW = 32;

/** @param count n @return mean of the least of n */
double
MeanOf(uint64_t count)
{
    return 1 / static_cast<double>(count + 1);
}

/** @param count n @return mean of the square of the least of n */
double
SquareOf(uint64_t count)
{
    return 2 / (static_cast<double>(count + 1) * static_cast<double>(count + 2));
}

/** @param mean of the least of n or n + 1 @return n */
uint64_t
CountFor(double mean)
{
    uint64_t count = 0;
    while (count < MOST_COUNT && MeanOf(count + 1) > mean)
    {
        ++count;
    }
    return count;
}

/** A rate that is drawn or asked for, on its way from 0 to 1 between its bounds. */
struct Scaled
{
    double mean;   //!< of the rate
    double square; //!< mean of its square
};

/** @param path what is asked for @param deviation of the rate @return the moments */
Scaled
Scale(const RandomPath& path, double deviation)
{
    const auto span = static_cast<double>(path.most - path.least);
    const double mean = static_cast<double>(path.mean - path.least) / span;
    const double spread = deviation / span;
    return {mean, spread * spread + mean * mean};
}

/** @return what of the rates is not possible */
Error
TellDeviations(const RandomPath& path)
{
    const auto span = static_cast<double>(path.most - path.least);
    const double mean = Scale(path, 0).mean;
    const auto deviationOf = [&](double square) {
        return FormatWhole(static_cast<int64_t>(span * std::sqrt(square - mean * mean)),
                           Dimension::RATE);
    };
    const uint64_t count = CountFor(mean);
    const double part = (mean - MeanOf(count + 1)) / (MeanOf(count) - MeanOf(count + 1));
    const double narrow = part * SquareOf(count) + (1 - part) * SquareOf(count + 1);
    const double wide = (mean - MeanOf(MOST_COUNT)) / (1 - MeanOf(MOST_COUNT));
    return Error{"deviation=" + FormatWhole(path.deviation, Dimension::RATE) +
                 " is not possible; allowed with these bounds and this mean: from about " +
                 deviationOf(narrow) + " to about " +
                 deviationOf(wide + (1 - wide) * SquareOf(MOST_COUNT))};
}

/** @return that a mean is not between its bounds, or too near to the lower one */
Error
TellMean(const std::string& name, int64_t mean, int64_t least, int64_t most, Dimension dimension)
{
    const auto show = [dimension](int64_t value) { return FormatWhole(value, dimension); };
    const int64_t low = least + (most - least) / static_cast<int64_t>(MOST_COUNT);
    return Error{name + "=" + show(mean) + " is not within its bounds; allowed: from " + show(low) +
                 " to " + show(most) + ", with the given least and most"};
}

/** @return whether a mean is one that can be drawn */
bool
IsWithin(int64_t mean, int64_t least, int64_t most)
{
    return least < most && mean >= least + (most - least) / static_cast<int64_t>(MOST_COUNT) &&
           mean <= most;
}

} // namespace

Expected<LeastOfUniforms>
LeastOfUniforms::OfMean(double mean)
{
    const uint64_t count = CountFor(mean);
    const double weight = (mean - MeanOf(count + 1)) / (MeanOf(count) - MeanOf(count + 1));
    if (!(weight >= 0 && weight <= 1))
    {
        return Error{};
    }
    LeastOfUniforms made;
    made.m_parts = {{weight, count}, {1 - weight, count + 1}};
    return made;
}

Expected<LeastOfUniforms>
LeastOfUniforms::OfMoments(double mean, double square)
{
    LeastOfUniforms made;
    double nearest = 1;
    for (uint64_t few = 0; few < MOST_FEW; ++few)
    {
        for (uint64_t count = few + 1; count < MOST_COUNT; ++count)
        {
            // Cramer's rule, the weight of n being what is left of 1
            const double a1 = MeanOf(few) - MeanOf(count);
            const double a2 = SquareOf(few) - SquareOf(count);
            const double b1 = MeanOf(count + 1) - MeanOf(count);
            const double b2 = SquareOf(count + 1) - SquareOf(count);
            const double c1 = mean - MeanOf(count);
            const double c2 = square - SquareOf(count);
            const double determinant = a1 * b2 - a2 * b1;
            const double a = (c1 * b2 - c2 * b1) / determinant;
            const double b = (a1 * c2 - a2 * c1) / determinant;
            const double far = std::abs(a * MeanOf(few) - mean / 2);
            if (a >= 0 && b >= 0 && a + b <= 1 && far < nearest)
            {
                nearest = far;
                made.m_parts = {{a, few}, {1 - a - b, count}, {b, count + 1}};
            }
        }
    }
    return made.m_parts.empty() ? Expected<LeastOfUniforms>(Error{})
                                : Expected<LeastOfUniforms>(std::move(made));
}

Expected<std::vector<RandomPathRow>>
DrawPath(const RandomPath& path, const RandomPathKey& key)
{
    if (!IsWithin(path.mean, path.least, path.most))
    {
        return TellMean("mean", path.mean, path.least, path.most, Dimension::RATE);
    }
    if (!IsWithin(path.meanRtt, path.leastRtt, path.mostRtt))
    {
        return TellMean("mean-rtt", path.meanRtt, path.leastRtt, path.mostRtt, Dimension::TIME);
    }
    const auto moments = Scale(path, static_cast<double>(path.deviation));
    const auto rates = LeastOfUniforms::OfMoments(moments.mean, moments.square);
    if (!rates)
    {
        return TellDeviations(path);
    }
    const auto rtts = LeastOfUniforms::OfMean(static_cast<double>(path.meanRtt - path.leastRtt) /
                                              static_cast<double>(path.mostRtt - path.leastRtt));
    if (!rtts)
    {
        return TellMean("mean-rtt", path.meanRtt, path.leastRtt, path.mostRtt, Dimension::TIME);
    }
    const uint64_t run = path.run < 0 ? key.run : static_cast<uint64_t>(path.run);
    std::vector<RandomPathRow> rows;
    for (int64_t start = 0; start < path.duration; start += path.interval)
    {
        uint64_t drawn = 0;
        const auto draw = [&] {
            return KeyedRandom({STREAM, key.seed, run, rows.size(), drawn++});
        };
        const auto between = [](uint64_t value, int64_t low, int64_t high) {
            return low +
                   static_cast<int64_t>(UniformBelow(value, static_cast<uint64_t>(high - low) + 1));
        };
        const uint64_t rate = rates->Take(draw);
        rows.push_back({start,
                        between(rate, path.least, path.most),
                        between(rtts->Take(draw), path.leastRtt, path.mostRtt)});
    }
    return rows;
}

} // namespace ns3::gridftp
