/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_HYSTART_H
#define GRIDFTP_LINUX_HYSTART_H

#include "gridftp-linux-congestion.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Hybrid slow start of cubic (S. Ha, I. Rhee: Taming the Elephants: New TCP Slow Start, 2008), as
 * in net/ipv4/tcp_cubic.c of Linux 6.14 and later. Slow start ends where the ACKs of one window
 * arrive in a train that is half the minimum RTT long, or where the RTT has grown by an eighth.
 *
 * Contract: LinuxCubic calls Restart() when the connection begins and after a retransmission
 * timeout, Update() for each RTT sample in slow start. Update() sets ssthresh to end slow start.
 */
class LinuxHystart
{
  public:
    /** Slow start begins. @param window of the sender */
    void Restart(const LinuxWindow& window);

    /** Slow start may be ended once more. @param window of the sender */
    void Rearm(const LinuxWindow& window);

    /**
     * @param window its ssthresh is set where slow start has to end
     * @param delayUs RTT of this ACK, us, at least 1
     * @param minDelayUs minimum RTT of the connection, us
     */
    void Update(LinuxWindow& window, uint32_t delayUs, uint32_t minDelayUs);

  private:
    /** @param window of the sender @param minDelayUs minimum RTT @return whether the train is long
     */
    bool IsTrainLong(const LinuxWindow& window, uint32_t minDelayUs);

    /** @param delayUs RTT of this ACK @param minDelayUs minimum RTT @return whether it has grown */
    bool HasDelayGrown(uint32_t delayUs, uint32_t minDelayUs);

    bool m_found{false};      //!< slow start was ended
    uint32_t m_samples{0};    //!< RTT samples in this round, up to the number needed
    uint32_t m_roundStart{0}; //!< start of the round, us
    uint32_t m_lastAck{0};    //!< last ACK of the train, us
    uint64_t m_roundEnd{0};   //!< the round ends behind this position
    uint32_t m_roundMin{~0U}; //!< minimum RTT of the round, us
};

/**
 * @ingroup gridftp
 * HyStart++ (RFC 9406): where the RTT has grown, slow start goes on at a quarter of its speed
 * (conservative slow start) for five rounds, and resumes if the growth was spurious. It works in
 * the first slow start only (Section 4.3).
 *
 * Contract: LinuxCubic calls Update() for each RTT sample in slow start, then Limit() before slow
 * start increases cwnd. Update() sets ssthresh to end slow start.
 */
class LinuxHystartPlus
{
  public:
    /** @param window its ssthresh is set where slow start has to end @param rttUs RTT, us */
    void Update(LinuxWindow& window, uint32_t rttUs);

    /** @param window of the sender @param acked segments newly acknowledged @return segments by
     * which slow start may increase cwnd */
    uint32_t Limit(const LinuxWindow& window, uint32_t acked);

  private:
    static constexpr uint32_t NONE = ~0U; //!< no RTT yet: infinity

    /** A round trip ends. @param window of the sender */
    void EndRound(LinuxWindow& window);

    bool m_conservative{false};   //!< in conservative slow start
    uint32_t m_rounds{0};         //!< its rounds that have ended
    uint32_t m_credit{0};         //!< ACKed segments in it that have not increased cwnd yet
    uint32_t m_samples{0};        //!< RTT samples in this round
    uint64_t m_roundEnd{0};       //!< the round ends when this position is acknowledged
    uint32_t m_roundMin{NONE};    //!< minimum RTT of the round, us
    uint32_t m_lastMin{NONE};     //!< minimum RTT of the last round, us
    uint32_t m_baselineMin{NONE}; //!< a smaller RTT shows that the growth was spurious, us
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_HYSTART_H
