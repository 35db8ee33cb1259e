/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_CONGESTION_BBR_H
#define GRIDFTP_LINUX_CONGESTION_BBR_H

#include "gridftp-linux-bbr-base.h"
#include "gridftp-linux-windowed-filter.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * BBR, version 1 (N. Cardwell et al.: BBR: Congestion-Based Congestion Control, ACM Queue 14(5),
 * 2016), as in net/ipv4/tcp_bbr.c of Linux 6. It paces at a multiple of the bandwidth that it has
 * measured, and bounds the data in flight by a multiple of bandwidth and minimum RTT. Losses matter
 * during recovery, and to detect a policer.
 */
class LinuxBbr : public LinuxBbrBase
{
  public:
    /** @param parameters of this connection */
    explicit LinuxBbr(const LinuxCongestionParameters& parameters);

    void Init(LinuxWindow& window) override;
    uint32_t GetSsthresh(LinuxWindow& window) override;
    void Control(LinuxWindow& window, const LinuxRateSample& sample) override;
    void HandleState(LinuxWindow& window, LinuxCaState next) override;
    uint32_t GetUndoCwnd(LinuxWindow& window) override;
    uint32_t GetMinTsoSegments(const LinuxWindow& window) const override;

  private:
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

    uint32_t GetMaxBandwidth() const override;
    uint32_t GetBandwidth() const override;
    uint32_t GetTsoGoal(const LinuxWindow& window) const override;
    uint32_t AddQuantization(const LinuxWindow& window, uint32_t cwnd) const override;
    uint32_t GetProbeRttCwnd() const override;
    void LeaveProbeRtt(LinuxWindow& window) override;

    // Bandwidth: gridftp-linux-congestion-bbr-bandwidth.cc
    void UpdateBandwidth(const LinuxWindow& window, const LinuxRateSample& sample);
    void SampleLongTerm(const LinuxWindow& window, const LinuxRateSample& sample);
    bool IsLongTermIntervalOver(const LinuxWindow& window, const LinuxRateSample& sample);
    void EndLongTermInterval(const LinuxWindow& window, uint32_t bandwidth);
    void RestartLongTermInterval(const LinuxWindow& window);
    void ResetLongTerm(const LinuxWindow& window);
    void CheckFullPipe(const LinuxRateSample& sample);

    // Modes and cwnd: gridftp-linux-congestion-bbr.cc
    void UpdateCycle(const LinuxWindow& window, const LinuxRateSample& sample);
    bool IsPhaseOver(const LinuxWindow& window, const LinuxRateSample& sample) const;
    void AdvancePhase(const LinuxWindow& window);
    void EnterProbeBandwidth(const LinuxWindow& window);
    void CheckDrain(LinuxWindow& window);
    void UpdateMinRtt(LinuxWindow& window, const LinuxRateSample& sample);
    void UpdateGains();
    bool RecoverOrRestore(const LinuxWindow& window, const LinuxRateSample& sample, uint32_t& cwnd);
    void SetCwnd(LinuxWindow& window, const LinuxRateSample& sample);

    LinuxWindowedMax m_maxBandwidth; //!< of the last 10 rounds
    uint32_t m_rounds{0};            //!< round trips so far
    bool m_conserves{false};         //!< first round of recovery: packet conservation
    uint32_t m_phase{0};             //!< of the gain cycle
    LongTerm m_longTerm;             //!< policer detection
};

inline constexpr uint32_t BBR_CYCLE_PHASES = 8; //!< phases of the gain cycle

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_CONGESTION_BBR_H
