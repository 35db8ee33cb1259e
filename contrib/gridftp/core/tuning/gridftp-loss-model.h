/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LOSS_MODEL_H
#define GRIDFTP_LOSS_MODEL_H

#include "gridftp-fluid-model.h"

#include <cstdint>
#include <span>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * Published formulas for the goodput of TCP on a path that loses packets at random, and the number
 * of parallel connections that fills such a path. FluidModel is for losses that the connections
 * cause themselves; these models are for losses that occur whatever the connections do.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One formula for the rate of one connection.
 *
 * Contract: a pure function of its arguments. It ignores the window and the bandwidth, which
 * LossPoint applies. The caller passes a valid path and a loss above 0 and below 1.
 */
struct LossModel
{
    std::string_view name;   //!< key in JSON and column in CSV
    std::string_view source; //!< publication and equation
    bool isParallel;         //!< whether the publication applies it to N connections
    double (*connectionBps)(const FluidPath& path, double loss); //!< rate of one connection, bit/s
};

/** @ingroup gridftp @return all models, in the order in which programs print them */
std::span<const LossModel> GetLossModels();

/** @ingroup gridftp @brief What limits the goodput of N connections. */
enum class LossLimit
{
    LOSS,   //!< each connection recovers from losses too often
    WINDOW, //!< each connection fills its socket buffer
    NETWORK //!< the connections together fill the bottleneck
};

/** @ingroup gridftp @param limit a limit @return its name in results */
std::string_view GetLimitName(LossLimit limit);

/** @ingroup gridftp @brief The prediction of one model for N connections. */
struct LossPoint
{
    uint32_t parallelism{0}; //!< N
    double goodputBps{0};    //!< min(N x connection, N W / R, B (1 - p)), bit/s
    LossLimit limit{};       //!< which of the three terms is the smallest
};

/**
 * @ingroup gridftp
 * @param model a formula
 * @param path must be valid
 * @param loss probability that the path loses a packet, above 0 and below 1
 * @param parallelism N, at least 1
 * @return the prediction for N connections
 */
LossPoint PredictWithLoss(const LossModel& model,
                          const FluidPath& path,
                          double loss,
                          uint32_t parallelism);

/**
 * @ingroup gridftp
 * @param model a formula
 * @param path must be valid
 * @param loss probability that the path loses a packet, above 0 and below 1
 * @param maxParallelism largest N allowed, at least 1
 * @return the prediction for the smallest N with the largest goodput; for N = 1 where the
 *         publication is about one connection only
 */
LossPoint FindOptimumWithLoss(const LossModel& model,
                              const FluidPath& path,
                              double loss,
                              uint32_t maxParallelism);

} // namespace ns3::gridftp

#endif // GRIDFTP_LOSS_MODEL_H
