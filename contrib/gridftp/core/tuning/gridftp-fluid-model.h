/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FLUID_MODEL_H
#define GRIDFTP_FLUID_MODEL_H

#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The path as the fluid model sees it.
 */
struct FluidPath
{
    double bandwidthBps{0}; //!< B, bandwidth of the bottleneck, bit/s
    double rttS{0};         //!< R, round-trip time of the connections, s
    double windowBytes{0};  //!< W, TCP socket buffer of each connection, bytes
    double segmentBytes{0}; //!< payload of a full segment (MSS), bytes: the model's packet

    /** @return whether every quantity is positive and finite, so that the model says something */
    bool IsValid() const;
};

/**
 * @ingroup gridftp
 * What the model says of N parallel connections.
 */
struct FluidPoint
{
    uint32_t parallelism{0};  //!< N
    double goodputBps{0};     //!< G, Eq. (1), bit/s; min(NW/R, B) where Eq. (2) says nothing
    double windowLimitBps{0}; //!< first term of Eq. (1), N W / R, bit/s
    std::optional<double>
        networkLimitBps;        //!< second term of Eq. (1), bit/s; none outside 0 < p < 1
    std::optional<double> loss; //!< p*, Eq. (2); none outside 0 < p < 1
};

/**
 * @ingroup gridftp
 * The steady-state model of parallel TCP Reno connections: Ito, Ohsaki, Imase, "Automatic Parameter
 * Configuration Mechanism for Data Transfer Protocol GridFTP", Eq. (1) and (2).
 *
 * With x = B R / N in packets, Eq. (2) is 1/p = -2 + 2x + (2/3) x^2. It gives a probability
 * (0 < p < 1) where x is above the positive root of (2/3) x^2 + 2x - 3 = 0, that is
 * x > (3/2) (sqrt(3) - 1), about 1.098 packets of bandwidth-delay product per connection. Beyond
 * that many connections the model says nothing of the network, and FluidPoint has no network limit.
 *
 * Since 6/p + 21 = (2x + 3)^2, the second term of Eq. (1) equals B (1 - p), which falls as N grows:
 * the optimum is the largest value of the whole of Eq. (1).
 */
class FluidModel
{
  public:
    /**
     * @param path the path; must be valid
     */
    explicit FluidModel(const FluidPath& path);

    /**
     * Eq. (1) and (2) at one number of connections.
     *
     * @param parallelism N, at least 1
     * @return loss, both limits and goodput
     */
    FluidPoint At(uint32_t parallelism) const;

    /**
     * @return the largest number of connections for which Eq. (2) gives a probability; 0 where even
     *         one connection has too small a bandwidth-delay product
     */
    uint64_t GetLargestValidParallelism() const;

    /**
     * The number of connections with the largest goodput by Eq. (1), found by trying all integers.
     *
     * @param maxParallelism largest N allowed, at least 1
     * @return the best point; the smallest such N on a tie; N = 1 where the model says nothing of
     *         any N
     */
    FluidPoint Optimum(uint32_t maxParallelism) const;

  private:
    /**
     * Eq. (2).
     * @param parallelism N
     * @return p*, or none where it is not a probability
     */
    std::optional<double> Loss(double parallelism) const;

    FluidPath m_path; //!< the path
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FLUID_MODEL_H
