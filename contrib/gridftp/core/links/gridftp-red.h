/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RED_H
#define GRIDFTP_RED_H

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * Random early detection, for both engines.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Parameters of RED, by the names of ns-3's RedQueueDisc. */
struct RedSpec
{
    int64_t minThreshold{};  //!< MinTh, packets: no drop while fewer wait on average
    int64_t maxThreshold{};  //!< MaxTh, packets, above MinTh
    double maxProbability{}; //!< 1 / LInterm: of a drop where MaxTh wait on average, (0, 1]
    double weight{};         //!< QW, of a packet's queue in the average, (0, 1]
    bool isGentle{};         //!< Gentle: up to twice MaxTh the probability rises to 1, else at once
    int64_t packetBytes{};   //!< MeanPktSize, link header included
};

/**
 * @ingroup gridftp
 * Random early detection (Floyd, Jacobson: Random Early Detection Gateways for Congestion
 * Avoidance, IEEE/ACM Transactions on Networking 1(4), 1993), as ns-2's RED and ns-3's RedQueueDisc
 * have it with Wait, and without adaptation or byte mode.
 *
 * A packet is dropped with a probability that rises with the average number of those that wait,
 * and with the packets since the last drop, so that drops are spread evenly; none is dropped where
 * fewer than two wait. While a link is idle the average falls as if small queues had been met: as
 * many as packets could have gone.
 *
 * The n-th draw is for the n-th packet that may be dropped. Both engines ask in the same order, so
 * they drop the same packets. Nothing of libm is used, so that results are the same with every
 * compiler.
 */
class RandomEarlyDetection
{
  public:
    /**
     * @param spec valid
     * @param rateBps of the link, bit/s
     * @param key of the draws
     */
    RandomEarlyDetection(const RedSpec& spec, int64_t rateBps, uint64_t key);

    /**
     * A packet comes to the queue.
     * @param waiting packets there, without the one in service
     * @param idleNs since the link has had nothing to send, ns; 0 while it has
     * @return whether it is dropped
     */
    bool IsNextDropped(uint64_t waiting, int64_t idleNs);

    /**
     * IsNextDropped() with draws from elsewhere.
     * @param waiting see there
     * @param idleNs see there
     * @param draw called where one is needed: a number from U(0, 1)
     * @return whether it is dropped
     */
    template <typename Draw>
    bool IsDropped(uint64_t waiting, int64_t idleNs, Draw&& draw)
    {
        Average(waiting, idleNs);
        ++m_count;
        if (m_average < m_spec.minThreshold || waiting < 2)
        {
            m_isAbove = false;
            return false;
        }
        if (m_average >= m_certain)
        {
            return true;
        }
        if (!m_isAbove)
        {
            m_isAbove = true;
            m_count = 1;
            return false;
        }
        if (draw() > GetProbability())
        {
            return false;
        }
        m_count = 0;
        return true;
    }

    /** @return of a packet that is to be dropped, by the last call: whether it is marked instead if
     * it is ECT, as by ns-3's UseEcn with UseHardDrop: above the thresholds all are dropped */
    bool IsMarking() const
    {
        return m_average < m_certain;
    }

    /** @return packets that wait, on average over those that came */
    double GetAverage() const
    {
        return m_average;
    }

    /** @param stream number of independent draws @return the same rule in its first state, drawn in
     * that stream */
    RandomEarlyDetection InStream(uint64_t stream) const;

  private:
    /** Takes a queue into the average. @param waiting packets @param idleNs before it */
    void Average(uint64_t waiting, int64_t idleNs);

    /** @return of a drop now, spread evenly over packets */
    double GetProbability() const;

    RedSpec m_spec;        //!< parameters
    double m_packetsPerNs; //!< of mean size, that the link carries
    uint64_t m_key;        //!< of the draws
    uint64_t m_draws{0};   //!< how many were made
    double m_certain;      //!< average from which each packet is dropped
    double m_average{0};   //!< see GetAverage()
    uint64_t m_count{0};   //!< packets since the last drop, or since the average came above MinTh
    bool m_isAbove{false}; //!< whether the last one may have been dropped
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RED_H
