/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-loss-model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3::gridftp
{

namespace
{

constexpr double BITS_PER_BYTE = 8;

/** @param path a path @param segments mean window, segments @return the rate with it, bit/s */
double
RateOf(const FluidPath& path, double segments)
{
    return segments * path.segmentBytes * BITS_PER_BYTE / path.rttS;
}

/** @return mean window of AIMD(1, 1/2) with an ACK for each segment, segments: sqrt(3 / (2 p)) */
double
RenoWindow(double loss)
{
    return std::sqrt(1.5 / loss);
}

double
RenoBps(const FluidPath& path, double loss)
{
    return RateOf(path, RenoWindow(loss));
}

/** The fourth root by square roots, which every C library rounds alike. */
double
FourthRoot(double value)
{
    return std::sqrt(std::sqrt(value));
}

double
CubicBps(const FluidPath& path, double loss)
{
    constexpr double C = 0.4;    // RFC 9438, Section 5
    constexpr double BETA = 0.7; // Section 4.6
    const double ratio = path.rttS / loss;
    const double cubic =
        FourthRoot(C * (3 + BETA) / (4 * (1 - BETA))) * FourthRoot(ratio * ratio * ratio);
    // Section 4.3: where Reno's window is larger, CUBIC follows it
    return RateOf(path, std::max(cubic, RenoWindow(loss)));
}

constexpr std::array MODELS{
    LossModel{"mathis",
              "Mathis, Semke, Mahdavi, Ott 1997, Eq. (3): one Reno connection, "
              "MSS/R sqrt(3/(2p))",
              false,
              &RenoBps},
    LossModel{"hacker",
              "Hacker, Athey, Noble 2002: N Reno connections have N times the rate of one",
              true,
              &RenoBps},
    LossModel{"cubic",
              "RFC 9438, Sections 4.3 and 5: N times the larger of CUBIC's and Reno's rate",
              true,
              &CubicBps}};

} // namespace

std::span<const LossModel>
GetLossModels()
{
    return MODELS;
}

std::string_view
GetLimitName(LossLimit limit)
{
    switch (limit)
    {
    case LossLimit::LOSS:
        return "loss";
    case LossLimit::WINDOW:
        return "window";
    case LossLimit::NETWORK:
        break;
    }
    return "network";
}

LossPoint
PredictWithLoss(const LossModel& model, const FluidPath& path, double loss, uint32_t parallelism)
{
    const double n = parallelism;
    const double byLoss = n * model.connectionBps(path, loss);
    const double byWindow = n * path.windowBytes * BITS_PER_BYTE / path.rttS;
    const double byNetwork = path.bandwidthBps * (1 - loss);
    LossPoint point{parallelism, byNetwork, LossLimit::NETWORK};
    if (std::min(byLoss, byWindow) < byNetwork)
    {
        point.goodputBps = std::min(byLoss, byWindow);
        point.limit = byLoss < byWindow ? LossLimit::LOSS : LossLimit::WINDOW;
    }
    return point;
}

LossPoint
FindOptimumWithLoss(const LossModel& model,
                    const FluidPath& path,
                    double loss,
                    uint32_t maxParallelism)
{
    const uint32_t most = model.isParallel ? maxParallelism : 1;
    LossPoint best = PredictWithLoss(model, path, loss, 1);
    for (uint32_t n = 2; n <= most && best.limit != LossLimit::NETWORK; ++n)
    {
        best = PredictWithLoss(model, path, loss, n);
    }
    return best;
}

} // namespace ns3::gridftp
