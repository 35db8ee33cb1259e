/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PIE_H
#define GRIDFTP_PIE_H

#include "gridftp-active-queue.h"
#include "gridftp-ring.h"

#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup gridftp
 * PIE, for both engines.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Parameters of PIE, by the names of ns-3's PieQueueDisc. */
struct PieSpec
{
    int64_t targetNs{}; //!< QueueDelayReference: the time that packets shall wait, ns
    int64_t updateNs{}; //!< Tupdate: between two updates of the probability, ns
    int64_t burstNs{};  //!< MaxBurstAllowance: how long a burst after an idle time passes, ns
};

/**
 * @ingroup gridftp
 * Proportional integral controller enhanced (RFC 8033), as ns-3's PieQueueDisc with its defaults:
 * the delay of the last packet that left is the queue's delay (no estimate of the departure rate),
 * the limit is in packets, no derandomization, always active. The probability of a drop is updated
 * at times 0, updateNs, 2 updateNs, ...; an update at the time of a call comes before the call. A
 * packet that is ECT is marked instead while the probability is below 10 %.
 *
 * The n-th random number is for the n-th packet that may be dropped. Floating-point numbers are
 * added, multiplied and divided in a fixed order, so results are the same with every compiler.
 */
class PieQueue : public ActiveQueue
{
  public:
    /** @param spec valid parameters @param mostPackets most packets that wait @param key of the
     * random numbers */
    PieQueue(const PieSpec& spec, uint64_t mostPackets, uint64_t key);

    uint64_t GetLength() const override
    {
        return m_packets.GetSize();
    }

    int64_t UseStream(uint64_t stream) override;

    /** @return of a drop, since the last update */
    double GetProbability() const
    {
        return m_probability;
    }

  protected:
    /** @return the next random number, from U(0, 1) */
    virtual double Draw();

  private:
    /** Which bursts pass (RFC 8033, section 4.4, as in ns-3). */
    enum class Burst
    {
        NONE,       //!< the next packet that may be dropped begins one
        PROTECTING, //!< one passes, or has passed
        OVER        //!< the queue is short again since then
    };

    bool DoEnqueue(int64_t nowNs, QueuedPacket packet) override;
    std::optional<QueuedPacket> DoDequeue(int64_t nowNs) override;

    /** Makes all updates that are due. @param nowNs current simulation time, ns */
    void UpdateUntil(int64_t nowNs);

    /** Updates probability and burst allowance. @return whether the next update would change
     * nothing, unless a packet leaves before */
    bool Update();

    /** Part of Update(). @param isIdle the queue was short at this update and the one before, with
     * nothing to drop and no burst */
    void UpdateBurst(bool isIdle);

    /** @return whether the packet that comes is to be dropped or marked */
    bool IsChosen();

    PieSpec m_spec;               //!< parameters
    uint64_t m_mostPackets;       //!< most packets that wait
    uint64_t m_key;               //!< of the random numbers
    double m_target;              //!< PieSpec::targetNs, s
    uint64_t m_draws{0};          //!< random numbers so far
    Ring<QueuedPacket> m_packets; //!< that wait
    int64_t m_nextUpdateNs{0};    //!< time of the next update, ns
    int64_t m_delayNs{0};         //!< of the last packet that left, ns; 0 where none waited then
    double m_oldDelay{0};         //!< the same at the last update, s
    double m_probability{0};      //!< see GetProbability()
    int64_t m_allowanceNs{0};     //!< that a burst still passes, ns
    Burst m_burst{Burst::NONE};   //!< which
    int64_t m_shortUpdates{0};    //!< updates since Burst::OVER
};

} // namespace ns3::gridftp

#endif // GRIDFTP_PIE_H
