/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_BBR_BASE_H
#define GRIDFTP_LINUX_BBR_BASE_H

#include "gridftp-linux-clock.h"
#include "gridftp-linux-congestion.h"

#include <array>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @name Units of BBR
 * @{
 */
inline constexpr uint32_t BBR_BANDWIDTH_BITS = 24;                      //!< of bandwidths
inline constexpr uint64_t BBR_BANDWIDTH_UNIT = 1 << BBR_BANDWIDTH_BITS; //!< one segment per us
inline constexpr uint32_t BBR_GAIN_BITS = 8;                            //!< of gains
inline constexpr uint32_t BBR_GAIN_UNIT = 1 << BBR_GAIN_BITS;           //!< a gain of 1
inline constexpr uint32_t BBR_MIN_CWND = 4;                             //!< least target, segments
inline constexpr uint32_t BBR_HEADER_ROOM = 321; //!< bytes of a burst that headers take

/** @} */

/**
 * @ingroup gridftp
 * What versions 1 and 3 of BBR share: pacing at a multiple of the bandwidth, the bandwidth-delay
 * product, ACK aggregation, PROBE_RTT, restart from idle.
 *
 * Bandwidths are segments per us, times 2^24; gains are in units of 1/256.
 *
 * Contract: a version calls Start() in Init(), and implements what it estimates in its own way.
 */
class LinuxBbrBase : public LinuxCongestionControl
{
  public:
    bool HasControl() const override;
    void HandleEvent(LinuxWindow& window, LinuxCaEvent event) override;
    uint32_t GetSendBufferFactor() const override;

  protected:
    /// What the sender is doing.
    enum class Mode : uint8_t
    {
        STARTUP,  //!< the rate doubles each round
        DRAIN,    //!< the queue that STARTUP left drains
        PROBE_BW, //!< the rate cycles around the bandwidth
        PROBE_RTT //!< few segments in flight, to measure the minimum RTT
    };

    /// Constants in which versions differ.
    struct Traits
    {
        uint32_t startupGain{0}; //!< pacing gain of STARTUP
        uint64_t leastRate{0};   //!< least pacing rate, bytes/s
    };

    /// Segments acknowledged in excess of the bandwidth, because ACKs come in batches.
    struct Aggregation
    {
        uint64_t epochUs{0};              //!< start of the sampling epoch, us
        uint32_t epochAcked{0};           //!< acknowledged in it, below 2^20
        uint32_t rounds{0};               //!< age of the current maximum
        uint32_t index{0};                //!< of the current maximum
        std::array<uint16_t, 2> excess{}; //!< maxima of this and the previous window
    };

    /** @param parameters of this connection @param traits of the version */
    LinuxBbrBase(const LinuxCongestionParameters& parameters, const Traits& traits);

    /** @return largest bandwidth measured lately */
    virtual uint32_t GetMaxBandwidth() const = 0;

    /** @return estimated bandwidth */
    virtual uint32_t GetBandwidth() const = 0;

    /** @param window of the sender @return segments that a burst should have */
    virtual uint32_t GetTsoGoal(const LinuxWindow& window) const = 0;

    /** @param window of the sender @param cwnd segments @return it, with room for bursts */
    virtual uint32_t AddQuantization(const LinuxWindow& window, uint32_t cwnd) const = 0;

    /** @return cwnd of PROBE_RTT, segments */
    virtual uint32_t GetProbeRttCwnd() const = 0;

    /** PROBE_RTT is over, cwnd is restored. @param window of the sender */
    virtual void LeaveProbeRtt(LinuxWindow& window) = 0;

    /** The connection begins. @param window to set */
    void Start(LinuxWindow& window);

    /** @param bound exclusive, at least 1 @return a random number below it, by seed */
    uint32_t Draw(uint32_t bound);

    /** @param time a simulation time @param startUs us @return us since then; 0 before */
    static uint32_t GetUsSince(Nanoseconds time, uint64_t startUs);

    /** @param window of the sender @param rate bandwidth @param gain of it @return bytes/s */
    static uint64_t GetBytesPerSecond(const LinuxWindow& window, uint64_t rate, uint32_t gain);

    /** In STARTUP the rate never falls. @param window to set @param bandwidth its base @param gain
     * of it */
    void SetPacingRate(LinuxWindow& window, uint32_t bandwidth, uint32_t gain);

    /** Remembers a cwnd to restore. @param window of the sender */
    void SaveCwnd(const LinuxWindow& window);

    /** @param bandwidth its base @param gain of it @return bandwidth-delay product, segments */
    uint32_t GetBdp(uint32_t bandwidth, uint32_t gain) const;

    /** @param window of the sender @param bandwidth its base @param gain of it @return segments in
     * flight that fill the path and both hosts */
    uint32_t GetInFlightTarget(const LinuxWindow& window, uint32_t bandwidth, uint32_t gain) const;

    /** @param window of the sender @param inFlight segments now @return those in the network when
     * the next segment departs */
    uint32_t GetInNetworkAtDeparture(const LinuxWindow& window, uint32_t inFlight) const;

    /** @param window of the sender @param sample of an ACK @param rounds length of the window of
     * the maximum */
    void UpdateAggregation(const LinuxWindow& window,
                           const LinuxRateSample& sample,
                           uint32_t rounds);

    /** @return segments by which cwnd exceeds its target because of aggregation */
    uint32_t GetAggregationBudget() const;

    /** In PROBE_RTT. @param window to set */
    void ProbeRtt(LinuxWindow& window);

    LinuxClock m_clock;                           //!< ticks
    Mode m_mode{Mode::STARTUP};                   //!< what the sender is doing
    uint32_t m_pacingGain{0};                     //!< of the bandwidth
    uint32_t m_cwndGain{0};                       //!< of the bandwidth-delay product
    uint32_t m_initialCwnd{10};                   //!< cwnd before the first RTT, segments
    uint32_t m_minRttUs{LinuxWindow::NO_RTT};     //!< of the last 10 s, us
    uint32_t m_minRttAt{0};                       //!< when it was measured, ticks
    uint64_t m_roundEnd{0};                       //!< the round ends when this segment is delivered
    bool m_isRoundStart{false};                   //!< this ACK starts a round
    bool m_isIdleRestart{false};                  //!< nothing was delivered since an idle time
    LinuxCaState m_lastState{LinuxCaState::OPEN}; //!< state at the previous ACK
    uint32_t m_priorCwnd{0};                      //!< cwnd before recovery or PROBE_RTT
    bool m_isPipeFull{false};                     //!< STARTUP has filled the pipe
    uint32_t m_fullBandwidth{0};                  //!< bandwidth that has to grow by a quarter
    uint32_t m_fullRounds{0};                     //!< rounds without such growth
    uint64_t m_phaseUs{0};                        //!< start of the phase of PROBE_BW, us
    uint32_t m_probeRttDoneAt{0};                 //!< end of PROBE_RTT, ticks; 0: not known yet
    Aggregation m_aggregation;                    //!< of ACKs

  private:
    /** @param window of the sender @param bandwidth its base @param gain of it @return bytes/s,
     * within the bounds of the connection */
    uint64_t GetPacingRate(const LinuxWindow& window, uint32_t bandwidth, uint32_t gain) const;

    /** The rate of STARTUP by cwnd and RTT. @param window to set */
    void InitPacingRate(LinuxWindow& window);

    /** PROBE_RTT ends where it has taken long enough. @param window to set */
    void CheckProbeRttDone(LinuxWindow& window);

    Traits m_traits;                   //!< of the version
    uint64_t m_seed;                   //!< of random numbers
    uint64_t m_draws{0};               //!< random numbers so far
    bool m_hasSeenRtt{false};          //!< the pacing rate results from a measured RTT
    bool m_isProbeRttRoundDone{false}; //!< a round has ended in PROBE_RTT
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_BBR_BASE_H
