/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_CONGESTION_H
#define GRIDFTP_LINUX_CONGESTION_H

#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief States of a Linux sender; their order matters, as in the kernel. */
enum class LinuxCaState : uint8_t
{
    OPEN,     //!< nothing seems lost
    DISORDER, //!< duplicate ACKs or SACK blocks have come
    CWR,      //!< cwnd is being reduced because of ECN
    RECOVERY, //!< fast recovery
    LOSS      //!< recovery after a retransmission timeout
};

/** @ingroup gridftp @brief Events that a congestion control may react to. */
enum class LinuxCaEvent : uint8_t
{
    TRANSMISSION_START, //!< data leave while no data are in flight
    CWND_RESTART,       //!< cwnd is reset after idle time
    COMPLETE_CWR,       //!< the reduction of cwnd has ended
    LOSS,               //!< the retransmission timer has expired
    TLP_RECOVERY        //!< a tail loss probe has repaired a loss
};

/**
 * @ingroup gridftp
 * The variables of a Linux sender that its congestion control reads, and the few that it changes.
 * Counts are segments of `mss` bytes unless a unit is given.
 */
struct LinuxWindow
{
    static constexpr uint32_t NO_SSTHRESH = 0x7fffffff; //!< ssthresh before the first loss
    static constexpr uint32_t NO_RTT = ~0U;             //!< minRttUs before the first sample

    // A congestion control may change these
    uint32_t cwnd{10};              //!< congestion window
    uint32_t ssthresh{NO_SSTHRESH}; //!< slow start threshold
    uint32_t cwndCount{0};          //!< ACKed segments that have not increased cwnd yet
    uint64_t pacingRate{0};         //!< bytes/s; 0: not computed yet
    bool needsPacing{false};        //!< fq or the socket spaces segments out by pacingRate; the
                                    //!< sender sets it before Init() where its settings ask for it
    uint64_t appLimited{0};         //!< `delivered` at which the phase ends that the application
                                    //!< limits; 0: the application does not limit the sender
    // The sender alone changes these
    uint32_t cwndClamp{~0U};     //!< largest cwnd
    uint32_t priorCwnd{0};       //!< cwnd before the last reduction
    uint32_t packetsOut{0};      //!< sent, not acknowledged cumulatively
    uint32_t sackedOut{0};       //!< of these: SACKed
    uint32_t lostOut{0};         //!< of these: marked lost
    uint32_t retransOut{0};      //!< retransmitted, and not known to have left the network
    uint32_t maxPacketsOut{0};   //!< most packetsOut of the last window
    bool isCwndLimited{false};   //!< cwnd limited the sender in the last window
    bool hasLowEcn{false};       //!< both hosts use ECN on a route of low latency (ecn_low)
    bool isTlpAppLimited{false}; //!< the application limited the data of the last loss probe
    LinuxCaState state{LinuxCaState::OPEN}; //!< state of loss recovery
    uint32_t mss{1460};                     //!< bytes of data of a full segment
    uint32_t tsoBytes{65536};       //!< largest burst of one transmission (gso_max_size), bytes
    uint32_t srttUs8{0};            //!< 8 times the smoothed RTT, us; 0 before the first sample
    uint32_t minRttUs{NO_RTT};      //!< windowed minimum of the RTT, us
    uint64_t delivered{0};          //!< segments delivered in all, retransmissions included
    uint64_t deliveredCe{0};        //!< of these: marked with congestion experienced
    uint64_t lost{0};               //!< segments marked lost in all
    uint64_t sndUna{0};             //!< first position not acknowledged, the current ACK included
    uint64_t sndNxt{0};             //!< first position never sent
    Nanoseconds now{0};             //!< time of the ACK, segment or timer being processed
    Nanoseconds lastSentAt{0};      //!< when data were sent last (lsndtime)
    Nanoseconds nextDepartureAt{0}; //!< earliest departure of the next segment (tcp_wstamp_ns); a
                                    //!< past time where the sender does not pace
    Nanoseconds deliveredAt{0};     //!< when `delivered` changed last
    uint64_t maxPacingRate{std::numeric_limits<uint64_t>::max()}; //!< SO_MAX_PACING_RATE, bytes/s

    /** @return whether cwnd is below ssthresh */
    bool IsInSlowStart() const
    {
        return cwnd < ssthresh;
    }

    /** @return segments in flight, RFC 6675's pipe */
    uint32_t GetInFlight() const
    {
        return packetsOut - sackedOut - lostOut + retransOut;
    }

    /** @return whether cwnd may grow: in slow start up to twice the most that was in flight */
    bool MayGrow() const
    {
        return isCwndLimited || (IsInSlowStart() && cwnd < 2 * maxPacketsOut);
    }
};

/** @ingroup gridftp @brief Delivery rate of one ACK (draft-cheng-iccrg-delivery-rate-estimation).
 */
struct LinuxRateSample
{
    uint64_t priorDelivered{0};      //!< `delivered` when the newest acknowledged segment was sent
    Nanoseconds priorDeliveredAt{0}; //!< `deliveredAt` then; 0: the ACK delivers nothing
    int64_t delivered{-1};           //!< segments delivered over the interval; -1: invalid
    int64_t deliveredCe{0};          //!< of these: marked
    int64_t intervalUs{-1};          //!< length of the interval, us; -1: invalid
    int64_t rttUs{-1};         //!< RTT of the last segment (s)acked that was sent once, us; -1
    uint32_t losses{0};        //!< segments newly marked lost
    uint32_t ackedSacked{0};   //!< segments newly acknowledged or SACKed
    uint32_t priorInFlight{0}; //!< in flight before the ACK
    uint32_t lost{0};          //!< segments marked lost since the newest acknowledged segment
                               //!< was sent
    uint32_t txInFlight{0};    //!< in flight when that one was sent, itself included
    bool isAppLimited{false};  //!< the application limited the rate
    bool isAckDelayed{false};  //!< the receiver probably delayed the ACK
    bool isEce{false};         //!< the ACK echoes congestion (ECE)
    bool isAckingTlp{false};   //!< the ACK acknowledges a tail loss probe
};

/** @ingroup gridftp @brief What LinuxCongestionControl::HandleAcked() is given. */
struct LinuxAckSample
{
    int64_t rttUs{-1}; //!< RTT of the ACK, us; -1: none
};

/** @ingroup gridftp @brief What LinuxCongestionControl::HandleLost() is given about a segment. */
struct LinuxLostSegment
{
    uint64_t lostBefore{0};   //!< LinuxWindow::lost when it was sent
    uint32_t inFlight{0};     //!< in flight when it was sent, itself included
    bool isAppLimited{false}; //!< the application limited the sender then
    bool hasSample{true};     //!< false: a rate sample has used it already
};

/**
 * @ingroup gridftp
 * A congestion control of the Linux stack; the calls are those of the kernel's tcp_congestion_ops
 * (include/net/tcp.h), so that each algorithm can be compared with the kernel's call by call.
 *
 * Contract: LinuxSender makes one for each connection and calls Init() when the handshake is done.
 * For each ACK it moves LinuxWindow::sndUna and calls HandleAcked() where anything was
 * acknowledged; then, after loss detection, Control() where HasControl(), otherwise Increase() in
 * the states in which cwnd may grow. GetSsthresh() is called once when a reduction of cwnd begins;
 * cwnd itself is then the sender's (proportional rate reduction) unless HasControl(). HandleState()
 * precedes each change of LinuxWindow::state. HandleEvent() with TRANSMISSION_START precedes the
 * update of LinuxWindow::lastSentAt. Arithmetic is integer, with the widths of the kernel: results
 * are the same with every compiler.
 */
class LinuxCongestionControl
{
  public:
    virtual ~LinuxCongestionControl() = default;

    /** The connection is established. @param window to set */
    virtual void Init(LinuxWindow& window);

    /** A reduction of cwnd begins. @param window as it is @return ssthresh from now on */
    virtual uint32_t GetSsthresh(LinuxWindow& window) = 0;

    /** cwnd may grow. @param window to set @param acked segments newly acknowledged, at least 1 */
    virtual void Increase(LinuxWindow& window, uint32_t acked);

    /** @return whether Control() sets cwnd, in every state */
    virtual bool HasControl() const;

    /** An ACK was processed; only where HasControl(). @param window to set @param sample delivery
     * rate of the ACK */
    virtual void Control(LinuxWindow& window, const LinuxRateSample& sample);

    /** The state is about to change. @param window with the old state @param next new state */
    virtual void HandleState(LinuxWindow& window, LinuxCaState next);

    /** @param window to set @param event what happens */
    virtual void HandleEvent(LinuxWindow& window, LinuxCaEvent event);

    /** Segments were acknowledged. @param window to set @param sample about them */
    virtual void HandleAcked(LinuxWindow& window, const LinuxAckSample& sample);

    /** A segment was marked lost, LinuxWindow::lost contains it. Only bbr3 needs this. @param
     * window to set @param segment about it */
    virtual void HandleLost(LinuxWindow& window, const LinuxLostSegment& segment);

    /** The last reduction was spurious. @param window as it is @return cwnd from now on */
    virtual uint32_t GetUndoCwnd(LinuxWindow& window);

    /** @param window as it is @return least segments of a burst; 0: tcp_min_tso_segs */
    virtual uint32_t GetMinTsoSegments(const LinuxWindow& window) const;

    /** @param window as it is @return segments of a burst; 0: the sender computes them
     * (tcp_tso_autosize) */
    virtual uint32_t GetTsoSegments(const LinuxWindow& window) const;

    /** @return send buffer as a multiple of cwnd, while it tunes itself */
    virtual uint32_t GetSendBufferFactor() const;

  protected:
    /** Slow start (RFC 5681, Section 3.1): cwnd grows by each segment, up to ssthresh. @param
     * window to set @param acked segments @return segments that are left behind ssthresh */
    static uint32_t SlowStart(LinuxWindow& window, uint32_t acked);

    /** Additive increase: one segment for each `per` segments acknowledged. @param window to set
     * @param per at least 1 @param acked segments */
    static void IncreaseAdditively(LinuxWindow& window, uint32_t per, uint32_t acked);
};

/** @ingroup gridftp @brief Parameters that options may set, for every LinuxCongestionKind. */
struct LinuxCongestionParameters
{
    bool hystart{true};      //!< cubic: HyStart as the kernel has it
    bool hystartPlus{false}; //!< cubic: HyStart++ (RFC 9406) in its place
    uint32_t seed{1};        //!< bbr, bbr3: random phases of the cycle in PROBE_BW
    uint32_t hz{1000};       //!< clock ticks per second (CONFIG_HZ), 1 to 1000
};

/** @ingroup gridftp @brief A congestion control by name. */
struct LinuxCongestionKind
{
    std::string_view name; //!< tcp_congestion_control
    std::unique_ptr<LinuxCongestionControl> (*make)(
        const LinuxCongestionParameters&); //!< a new one
};

/** @ingroup gridftp @return all of them; the first one is the default, cubic */
std::span<const LinuxCongestionKind> GetLinuxCongestionKinds();

/** @ingroup gridftp @param name of one @return it, or null */
const LinuxCongestionKind* FindLinuxCongestionKind(std::string_view name);

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_CONGESTION_H
