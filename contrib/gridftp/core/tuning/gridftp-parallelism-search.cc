/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-parallelism-search.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** A gain that is worth more connections. */
constexpr double GAIN = 1.02;

/** Values of N in a row without such a gain that end the search. */
constexpr uint32_t PATIENCE = 2;

/** @param values at least one @return their median */
double
GetMedian(std::vector<double> values)
{
    std::ranges::sort(values);
    const size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/** @param parallelism N @param trials of it, at least one @return their summary */
ParallelismPoint
Summarize(uint32_t parallelism, const std::vector<ParallelismTrial>& trials)
{
    std::vector<double> goodputs;
    std::vector<double> resent;
    for (const auto& trial : trials)
    {
        goodputs.push_back(trial.goodputBps);
        resent.push_back(trial.resent);
    }
    return {.parallelism = parallelism,
            .goodputBps = GetMedian(goodputs),
            .leastBps = std::ranges::min(goodputs),
            .mostBps = std::ranges::max(goodputs),
            .resent = GetMedian(resent)};
}

/** @param points at least one @return index of the best one */
size_t
FindBest(const std::vector<ParallelismPoint>& points)
{
    const auto highest = std::ranges::max_element(points, {}, &ParallelismPoint::goodputBps);
    const double enough = highest->goodputBps / GAIN;
    const auto isEnough = [enough](const auto& point) { return point.goodputBps >= enough; };
    return static_cast<size_t>(std::ranges::find_if(points, isEnough) - points.begin());
}

} // namespace

Expected<ParallelismCurve>
SearchParallelism(
    const ParallelismRange& range,
    const std::function<Expected<ParallelismTrial>(uint32_t parallelism, uint32_t run)>& simulate)
{
    ParallelismCurve curve;
    double highest = 0;
    uint32_t idle = 0;
    for (uint32_t n = 1; idle<PATIENCE; n = n> range.most / 2 ? range.most : 2 * n)
    {
        std::vector<ParallelismTrial> trials;
        for (uint32_t run = 1; run <= range.repeats && curve.failure.empty(); ++run)
        {
            const auto trial = simulate(n, run);
            if (trial)
            {
                trials.push_back(*trial);
                continue;
            }
            if (n == 1)
            {
                return trial.GetError();
            }
            curve.failure = trial.GetError().message;
        }
        if (!curve.failure.empty())
        {
            break;
        }
        curve.points.push_back(Summarize(n, trials));
        const double goodput = curve.points.back().goodputBps;
        idle = goodput > GAIN * highest ? 0 : idle + 1;
        highest = std::max(highest, goodput);
        if (n == range.most)
        {
            break;
        }
    }
    curve.best = FindBest(curve.points);
    return curve;
}

} // namespace ns3::gridftp
