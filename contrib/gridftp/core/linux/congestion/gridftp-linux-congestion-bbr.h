/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_CONGESTION_BBR_H
#define GRIDFTP_LINUX_CONGESTION_BBR_H

#include "gridftp-linux-clock.h"
#include "gridftp-linux-congestion.h"
#include "gridftp-linux-windowed-filter.h"

#include <array>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * BBR, version 1 (N. Cardwell et al.: BBR: Congestion-Based Congestion Control, ACM Queue 14(5),
 * 2016), as in net/ipv4/tcp_bbr.c of Linux 6. It paces at a multiple of the bandwidth that it has
 * measured, and bounds the data in flight by a multiple of bandwidth and minimum RTT. Losses matter
 * during recovery, and to detect a policer.
 *
 * Bandwidths are segments per us, times 2^24; gains are in units of 1/256.
 */
class LinuxBbr : public LinuxCongestionControl
{
  public:
    /** @param parameters of this connection */
    explicit LinuxBbr(const LinuxCongestionParameters& parameters);

    void Init(LinuxWindow& window) override;
    uint32_t GetSsthresh(LinuxWindow& window) override;
    bool HasControl() const override;
    void Control(LinuxWindow& window, const LinuxRateSample& sample) override;
    void HandleState(LinuxWindow& window, LinuxCaState next) override;
    void HandleEvent(LinuxWindow& window, LinuxCaEvent event) override;
    uint32_t GetUndoCwnd(LinuxWindow& window) override;
    uint32_t GetMinTsoSegments(const LinuxWindow& window) const override;
    uint32_t GetSendBufferFactor() const override;

  private:
    /// What the sender is doing.
    enum class Mode : uint8_t
    {
        STARTUP,  //!< the rate doubles each round
        DRAIN,    //!< the queue that STARTUP left drains
        PROBE_BW, //!< the rate cycles around the bandwidth
        PROBE_RTT //!< 4 segments in flight, to measure the minimum RTT
    };

    /// Average bandwidth between losses, by which a policer is detected (long-term sampling).
    struct LongTerm
    {
        bool isSampling{false};    //!< an interval is being measured
        bool isUsed{false};        //!< the connection is policed: `bandwidth` is its bandwidth
        uint32_t bandwidth{0};     //!< of the last interval; 0: none
        uint32_t rounds{0};        //!< in this interval, or since isUsed
        uint32_t lastMs{0};        //!< start of the interval, ms
        uint32_t lastDelivered{0}; //!< LinuxWindow::delivered then
        uint32_t lastLost{0};      //!< LinuxWindow::lost then
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

    // Bandwidth: gridftp-linux-congestion-bbr-bandwidth.cc
    uint32_t GetMaxBandwidth() const;
    uint32_t GetBandwidth() const;
    void UpdateBandwidth(const LinuxWindow& window, const LinuxRateSample& sample);
    void SampleLongTerm(const LinuxWindow& window, const LinuxRateSample& sample);
    bool IsLongTermIntervalOver(const LinuxWindow& window, const LinuxRateSample& sample);
    void EndLongTermInterval(const LinuxWindow& window, uint32_t bandwidth);
    void RestartLongTermInterval(const LinuxWindow& window);
    void ResetLongTerm(const LinuxWindow& window);
    void UpdateAggregation(const LinuxWindow& window, const LinuxRateSample& sample);
    uint32_t GetAggregationBudget() const;
    void CheckFullPipe(const LinuxRateSample& sample);

    // Modes: gridftp-linux-congestion-bbr-modes.cc
    void UpdateCycle(const LinuxWindow& window, const LinuxRateSample& sample);
    bool IsPhaseOver(const LinuxWindow& window, const LinuxRateSample& sample) const;
    void AdvancePhase(const LinuxWindow& window);
    void EnterProbeBandwidth(const LinuxWindow& window);
    void LeaveProbeRtt(const LinuxWindow& window);
    void CheckDrain(LinuxWindow& window);
    void UpdateMinRtt(LinuxWindow& window, const LinuxRateSample& sample);
    void ProbeRtt(LinuxWindow& window);
    void CheckProbeRttDone(LinuxWindow& window);
    void UpdateGains();

    // Rate and window: gridftp-linux-congestion-bbr.cc
    static uint64_t GetBytesPerSecond(const LinuxWindow& window, uint64_t rate, uint32_t gain);
    static uint64_t GetPacingRate(const LinuxWindow& window, uint32_t bandwidth, uint32_t gain);
    void InitPacingRate(LinuxWindow& window);
    void SetPacingRate(LinuxWindow& window, uint32_t bandwidth, uint32_t gain);
    uint32_t GetTsoGoal(const LinuxWindow& window) const;
    void SaveCwnd(const LinuxWindow& window);
    uint32_t GetBdp(uint32_t bandwidth, uint32_t gain) const;
    uint32_t AddQuantization(const LinuxWindow& window, uint32_t cwnd) const;
    uint32_t GetInFlightTarget(const LinuxWindow& window, uint32_t bandwidth, uint32_t gain) const;
    uint32_t GetInNetworkAtDeparture(const LinuxWindow& window, uint32_t inFlight) const;
    bool RecoverOrRestore(const LinuxWindow& window, const LinuxRateSample& sample, uint32_t& cwnd);
    void SetCwnd(LinuxWindow& window, const LinuxRateSample& sample);

    LinuxClock m_clock;                           //!< ticks
    uint64_t m_seed;                              //!< of the random phases
    uint64_t m_draws{0};                          //!< random phases so far
    Mode m_mode{Mode::STARTUP};                   //!< what the sender is doing
    uint32_t m_pacingGain{0};                     //!< of the bandwidth
    uint32_t m_cwndGain{0};                       //!< of the bandwidth-delay product
    LinuxWindowedMax m_maxBandwidth;              //!< of the last 10 rounds
    uint32_t m_minRttUs{LinuxWindow::NO_RTT};     //!< of the last 10 s, us
    uint32_t m_minRttAt{0};                       //!< when it was measured, ticks
    uint32_t m_rounds{0};                         //!< round trips so far
    uint64_t m_roundEnd{0};                       //!< the round ends when this segment is delivered
    bool m_isRoundStart{false};                   //!< this ACK starts a round
    bool m_isIdleRestart{false};                  //!< nothing was delivered since an idle time
    bool m_hasSeenRtt{false};                     //!< the pacing rate results from a measured RTT
    LinuxCaState m_lastState{LinuxCaState::OPEN}; //!< state at the previous ACK
    bool m_conserves{false};                      //!< first round of recovery: packet conservation
    uint32_t m_priorCwnd{0};                      //!< cwnd before recovery or PROBE_RTT
    bool m_isPipeFull{false};                     //!< STARTUP has filled the pipe
    uint32_t m_fullBandwidth{0};                  //!< bandwidth that has to grow by a quarter
    uint32_t m_fullRounds{0};                     //!< rounds without such growth
    uint32_t m_phase{0};                          //!< of the gain cycle
    uint64_t m_phaseUs{0};                        //!< its start, us
    uint32_t m_probeRttDoneAt{0};                 //!< end of PROBE_RTT, ticks; 0: not known yet
    bool m_isProbeRttRoundDone{false};            //!< a round has ended in PROBE_RTT
    LongTerm m_longTerm;                          //!< policer detection
    Aggregation m_aggregation;                    //!< of ACKs
};

/**
 * @ingroup gridftp
 * @name Units of BBR
 * @{
 */
inline constexpr uint32_t BBR_BANDWIDTH_BITS = 24;                      //!< of bandwidths
inline constexpr uint64_t BBR_BANDWIDTH_UNIT = 1 << BBR_BANDWIDTH_BITS; //!< one segment per us
inline constexpr uint32_t BBR_GAIN_BITS = 8;                            //!< of gains
inline constexpr uint32_t BBR_GAIN_UNIT = 1 << BBR_GAIN_BITS;           //!< a gain of 1
inline constexpr uint32_t BBR_MIN_CWND = 4;     //!< least target, segments; cwnd of PROBE_RTT
inline constexpr uint32_t BBR_CYCLE_PHASES = 8; //!< phases of the gain cycle
/** @} */

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_CONGESTION_BBR_H
