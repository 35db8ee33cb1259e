/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_CONGESTION_BBR3_H
#define GRIDFTP_LINUX_CONGESTION_BBR3_H

#include "gridftp-linux-bbr-base.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * BBR, version 3 (draft-ietf-ccwg-bbr; net/ipv4/tcp_bbr.c of github.com/google/bbr, branch v3).
 * Next to the bandwidth it bounds the data in flight: above by what losses or ECN marks showed to
 * be too much while it probed (`inFlightHi`), in the short term by 70 % of what was in flight when
 * losses came at other times (`bandwidthLo`, `inFlightLo`). It probes for bandwidth every 2 to 3 s,
 * or as often as Reno would lose.
 *
 * It needs of the sender, in addition to version 1: HandleLost(), LinuxRateSample::lost,
 * txInFlight, isEce and isAckingTlp, LinuxCaEvent::TLP_RECOVERY. Protective load balancing (another
 * IPv6 flow label after congestion) has no counterpart here: paths are fixed.
 */
class LinuxBbr3 : public LinuxBbrBase
{
  public:
    /** @param parameters of this connection */
    explicit LinuxBbr3(const LinuxCongestionParameters& parameters);

    void Init(LinuxWindow& window) override;
    uint32_t GetSsthresh(LinuxWindow& window) override;
    void Control(LinuxWindow& window, const LinuxRateSample& sample) override;
    void HandleState(LinuxWindow& window, LinuxCaState next) override;
    void HandleEvent(LinuxWindow& window, LinuxCaEvent event) override;
    void HandleLost(LinuxWindow& window, const LinuxLostSegment& segment) override;
    uint32_t GetUndoCwnd(LinuxWindow& window) override;
    uint32_t GetTsoSegments(const LinuxWindow& window) const override;

  private:
    static constexpr uint32_t NONE = ~0U; //!< no bound

    /// Phases of PROBE_BW.
    enum class Phase : uint8_t
    {
        UP,     //!< probes for bandwidth
        DOWN,   //!< drains the queue
        CRUISE, //!< at the estimated bandwidth, with headroom
        REFILL  //!< fills the pipe before it probes
    };

    /// What ACKs say about the last probing for bandwidth.
    enum class AckPhase : uint8_t
    {
        INIT,           //!< nothing
        REFILLING,      //!< sent in REFILL
        PROBE_STARTING, //!< sent before probing
        PROBE_FEEDBACK, //!< sent while probing
        PROBE_STOPPING  //!< probing has stopped, its ACKs still come
    };

    /// Bounds that a spurious loss recovery restores.
    struct Bounds
    {
        uint32_t bandwidthLo{NONE}; //!< short-term bound of the bandwidth
        uint32_t inFlightLo{NONE};  //!< short-term bound of the data in flight, segments
        uint32_t inFlightHi{NONE};  //!< bound of the data in flight, segments
    };

    uint32_t GetMaxBandwidth() const override;
    uint32_t GetBandwidth() const override;
    uint32_t GetTsoGoal(const LinuxWindow& window) const override;
    uint32_t AddQuantization(const LinuxWindow& window, uint32_t cwnd) const override;
    uint32_t GetProbeRttCwnd() const override;
    void LeaveProbeRtt(LinuxWindow& window) override;

    // The model of the path: gridftp-linux-congestion-bbr3-model.cc
    void UpdateRound(const LinuxWindow& window, const LinuxRateSample& sample);
    void UpdateSampleBandwidth(const LinuxRateSample& sample);
    void UpdateLatest(const LinuxWindow& window, const LinuxRateSample& sample);
    void AdvanceLatest(const LinuxRateSample& sample);
    void UpdateSignals(const LinuxWindow& window, const LinuxRateSample& sample);
    void UpdateEcnAlpha(const LinuxWindow& window);
    void CheckStartupEcn(const LinuxWindow& window, uint64_t ratio);
    void CheckStartupLoss(const LinuxWindow& window, const LinuxRateSample& sample);
    void EndStartupByQueue(const LinuxWindow& window);
    void CheckFullPipe(const LinuxRateSample& sample);
    void ResetFullPipe();
    void AdaptLowerBounds(const LinuxWindow& window);
    void ResetLowerBounds();
    void ResetSignals();
    bool IsTooHigh(uint32_t lost, uint32_t inFlight) const;
    bool IsTooHigh(const LinuxRateSample& sample) const;
    void NoteLoss(const LinuxWindow& window);
    void CutInFlight(const LinuxWindow& window, uint32_t inFlight, bool isAppLimited);
    static uint32_t GetInFlightOfLoss(const LinuxLostSegment& segment, uint32_t lost);
    uint32_t GetHeadroomBound() const;

    // States and cwnd: gridftp-linux-congestion-bbr3.cc
    void UpdateModel(LinuxWindow& window, const LinuxRateSample& sample);
    bool TakeFastPath(LinuxWindow& window, const LinuxRateSample& sample, bool& updates);
    void CheckDrain(LinuxWindow& window);
    void UpdateMinRtt(LinuxWindow& window, const LinuxRateSample& sample);
    void UpdateGains();
    void SetCwnd(LinuxWindow& window, const LinuxRateSample& sample);
    void BoundCwnd(LinuxWindow& window) const;
    void HandleTlpRecovery(LinuxWindow& window);

    // The cycle of PROBE_BW: gridftp-linux-congestion-bbr3-cycle.cc
    bool IsProbing() const;
    uint32_t GetTargetInFlight(const LinuxWindow& window) const;
    void UpdateCycle(const LinuxWindow& window, const LinuxRateSample& sample);
    bool AdaptUpperBounds(const LinuxWindow& window, const LinuxRateSample& sample);
    void RaiseInFlight(const LinuxWindow& window, const LinuxRateSample& sample);
    void RaiseSlope(const LinuxWindow& window);
    bool CheckTimeToProbe(const LinuxWindow& window);
    void CheckProbeUp(const LinuxWindow& window, uint32_t inFlight);
    void SetPhase(Phase phase);
    void StartRefill(const LinuxWindow& window, uint32_t rounds);
    void StartUp(const LinuxWindow& window);
    void StartDown(const LinuxWindow& window);
    void StartCruise();

    Phase m_phase{Phase::UP};            //!< of PROBE_BW
    AckPhase m_ackPhase{AckPhase::INIT}; //!< see there
    Bounds m_bounds;                     //!< of the path
    Bounds m_undo{0, 0, 0};              //!< m_bounds before loss recovery
    uint32_t m_sample{0};                //!< bandwidth sample of this ACK
    std::array<uint32_t, 2> m_maxima{};  //!< largest samples of the last cycle and this one
    uint32_t m_latestBandwidth{0};       //!< largest sample of this round
    uint32_t m_latestInFlight{0};        //!< most delivered in a sample of this round, segments
    uint64_t m_lossRoundEnd{0};          //!< the loss round ends with this delivered segment
    bool m_isLossRoundStart{false};      //!< this ACK starts a loss round
    bool m_hasLossInRound{false};        //!< losses since
    bool m_hasEcnInRound{false};         //!< ECN echoes since
    bool m_hasLossInCycle{false};        //!< losses in this cycle of PROBE_BW
    bool m_hasEcnInCycle{false};         //!< marks in this cycle of PROBE_BW
    uint32_t m_lossEvents{0};            //!< ACKs with losses in this round of STARTUP, up to 15
    bool m_isFullNow{false};             //!< the bandwidth does not grow
    bool m_isEcnEligible{false};         //!< ECN marks matter: the RTT is short
    uint32_t m_ecnAlpha{BBR_GAIN_UNIT};  //!< average of marked of delivered, in units of 1/256
    uint32_t m_ecnRounds{0};             //!< rounds of STARTUP in a row with many marks
    uint64_t m_alphaDelivered{0};        //!< LinuxWindow::delivered at the last average
    uint64_t m_alphaDeliveredCe{0};      //!< LinuxWindow::deliveredCe then
    bool m_hasProbeSamples{false};       //!< samples show the effect of probing
    bool m_wasTooHigh{false};            //!< the last probing went too high
    bool m_stoppedRisky{false};          //!< the last probing stopped at inFlightHi
    uint32_t m_upRounds{0};              //!< rounds of UP, up to 30
    uint32_t m_upCount{NONE};            //!< ACKed segments for one more of inFlightHi
    uint32_t m_upAcked{0};               //!< ACKed segments since then
    uint32_t m_roundsSinceProbe{0};      //!< up to 255
    uint32_t m_probeWaitUs{0};           //!< time from DOWN to the next probing, us
    uint32_t m_probeRttMinUs{NONE};      //!< minimum RTT of the last 5 s, us
    uint32_t m_probeRttMinAt{0};         //!< when it was measured, ticks
    bool m_mayTakeFastPath{false};       //!< cwnd has reached its target
};

inline constexpr uint32_t BBR3_LOSS_CUT = BBR_GAIN_UNIT - BBR_GAIN_UNIT * 30 / 100; //!< 1 - beta

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_CONGESTION_BBR3_H
