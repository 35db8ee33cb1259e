/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_SENDER_H
#define GRIDFTP_LINUX_SENDER_H

#include "gridftp-linux-ack-state.h"
#include "gridftp-linux-congestion.h"
#include "gridftp-linux-segment.h"
#include "gridftp-linux-sent-queue.h"
#include "gridftp-linux-settings.h"
#include "gridftp-linux-windowed-filter.h"
#include "gridftp-nanoseconds.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The sending half of a LinuxSocket: what it sends, when, and what it concludes from ACKs. It
 * follows Linux 6.18 (net/ipv4/tcp_input.c, tcp_output.c, tcp_timer.c, tcp_recovery.c, tcp_rate.c):
 * SACK scoreboard, RACK-TLP (RFC 8985), proportional rate reduction (RFC 6937), F-RTO (RFC 5682),
 * undo by DSACK and timestamps, cwnd validation, restart after idle time, TSO autosizing, pacing.
 *
 * Contract: the LinuxSocket that owns it calls Open() when the handshake is done, Write() and
 * Finish() for the application, HandleAck() for each segment with an ACK, then Push(). All segments
 * leave through Port::Send(), with a header of Port::Prepare(), which has the receiver's fields.
 * Times never decrease.
 *
 * Deviations: segments, not skbs, are the unit of the scoreboard; queues in the host are not
 * limited (TCP small queues); the path MTU is known.
 */
class LinuxSender
{
  public:
    static constexpr Nanoseconds NEVER = std::numeric_limits<Nanoseconds>::max(); //!< no deadline

    /** What a sender acts on. */
    class Port
    {
      public:
        /** Segments are about to leave, now. @param hasData whether they carry data @return their
         * header, with the flag ACK and the fields of the receiver; the sender adds `seq`, `size`
         * and flags, and passes it to Send() once for each segment */
        virtual LinuxSegment& Prepare(bool hasData) = 0;

        /** A segment leaves. @param segment with data, FIN, or the position of a probe, that of
         * Prepare() */
        virtual void Send(const LinuxSegment& segment) = 0;

        /** GetDeadline() may have become earlier. */
        virtual void HandleDeadline() = 0;

        /** No answer, however often a segment was sent. */
        virtual void HandleTimedOut() = 0;

        /** cwnd or ssthresh has changed; only after Observe(). */
        virtual void HandleWindow() = 0;

      protected:
        ~Port() = default;
    };

    /** @param settings outlive it @param port outlives it @param number of the connection, which
     * makes its random numbers differ from those of others */
    LinuxSender(const LinuxSettings& settings, Port& port, uint32_t number);

    /** Options of the handshake. */
    struct Handshake
    {
        uint32_t mss{0};          //!< bytes of data of a full segment, without options
        uint64_t window{0};       //!< window of the peer, bytes
        int64_t rttUs{-1};        //!< RTT of the SYN, us; -1: unknown, it was sent again
        bool hasSack{false};      //!< both permit SACK
        bool hasTimestamp{false}; //!< both use timestamps
        bool hasEcn{false};       //!< both use ECN
    };

    /** The connection is established. @param now current time @param handshake its options */
    void Open(Nanoseconds now, const Handshake& handshake);

    /** The application writes. @param now current time @param bytes at least 1 */
    void Write(Nanoseconds now, uint64_t bytes);

    /** The application has written its last byte: a FIN follows. */
    void Finish();

    /** A segment with an ACK has come; data are sent by the Push() that follows. @param now current
     * time @param segment it @return whether it has acknowledged, or SACKed, something new */
    bool HandleAck(Nanoseconds now, const LinuxSegment& segment);

    // Fast paths of HandleAck(), which LinuxSocket takes: gridftp-linux-sender-fast.h

    /** @param segment with an ACK @return whether it only acknowledges new segments, of which none
     * was retransmitted or SACKed, while nothing seems lost */
    bool IsPlain(const LinuxSegment& segment) const
    {
        constexpr uint8_t SPECIAL = LinuxSegment::FIN | LinuxSegment::ECE;
        return segment.ack > m_window.sndUna && m_window.state == LinuxCaState::OPEN &&
               segment.blocks == 0 && segment.size == 0 && (segment.flags & SPECIAL) == 0 &&
               (m_window.sackedOut | m_window.lostOut | m_window.retransOut) == 0 &&
               m_window.sndUna >= m_cleanFrom && m_probeHighSeq == 0 && m_hasSack &&
               !m_queue.IsEmpty() && m_queue.Front().end <= segment.ack &&
               segment.ack <= m_window.sndNxt;
    }

    /** HandleAck() where IsPlain(): the same steps without those that do nothing. @param now
     * current time @param segment it */
    void HandlePlainAck(Nanoseconds now, const LinuxSegment& segment);

    /** @param segment with data of the peer @return whether HandleAck() and Push() have nothing to
     * do: all that was written is acknowledged */
    bool IsIdle(const LinuxSegment& segment) const
    {
        return segment.ack == m_window.sndUna && m_window.packetsOut == 0 && segment.blocks == 0 &&
               segment.window == m_peerWindow && m_window.sndNxt == m_written &&
               m_probeHighSeq == 0;
    }

    /** HandleAck() where IsIdle(). @param now current time @param segment it */
    void HandleIdleAck(Nanoseconds now, const LinuxSegment& segment)
    {
        m_window.now = now;
        m_windowSeq = m_windowSeq < segment.seq ? segment.seq : m_windowSeq;
    }

    /** Sends what the windows allow. @param now current time */
    void Push(Nanoseconds now);

    /** @return when HandleDeadline() has to be called, or NEVER */
    Nanoseconds GetDeadline() const
    {
        return m_timerAt < m_paceAt ? m_timerAt : m_paceAt;
    }

    /** GetDeadline() is reached; too early it does nothing. @param now current time */
    void HandleDeadline(Nanoseconds now);

    /** The connection ends: no deadline is left. */
    void Stop();

    /** Port::HandleWindow() is called from now on. */
    void Observe()
    {
        m_observed = true;
    }

    /** @param isOn whether Nagle's algorithm, as Minshall has it, holds small segments back */
    void UseNagle(bool isOn)
    {
        m_nagle = isOn;
    }

    /** @return variables of congestion control */
    const LinuxWindow& GetWindow() const
    {
        return m_window;
    }

    /** @return counts so far */
    const LinuxSenderCounts& GetCounts() const
    {
        return m_counts;
    }

    /** @return position behind the last byte written, and behind the FIN once Finish() was called
     */
    uint64_t GetWritten() const
    {
        return m_written;
    }

    /** @return first position that is not acknowledged */
    uint64_t GetAcknowledged() const
    {
        return m_window.sndUna;
    }

    /** @return whether the FIN is acknowledged */
    bool IsFinAcknowledged() const
    {
        return m_hasFin && m_window.sndUna == m_written;
    }

    /** @return bytes of the send buffer that are free */
    uint64_t GetWritable() const
    {
        const uint64_t used = m_written - m_window.sndUna;
        return used < m_sendBuffer ? m_sendBuffer - used : 0;
    }

    /** @return whether a sleeping writer is woken: a third of the buffer is free */
    bool IsWritable() const
    {
        return GetWritable() >= (m_written - m_window.sndUna) / 2;
    }

    /** @return size of the send buffer, bytes */
    uint64_t GetSendBuffer() const
    {
        return m_sendBuffer;
    }

    /** @return receive window of the peer, bytes */
    uint64_t GetPeerWindow() const
    {
        return m_peerWindow;
    }

    /** @return retransmission timeout with its backoff */
    Nanoseconds GetRto() const
    {
        return m_rto;
    }

    /** The retransmission timer of the SYN has expired; LinuxSocket sends the SYN again. */
    void CountSynTimeout()
    {
        ++m_counts.timeouts;
    }

    /** @return degree of reordering, segments */
    uint32_t GetReordering() const
    {
        return m_reordering;
    }

    /** @return last RTT sample, us; 0: none */
    uint32_t GetLastRttUs() const
    {
        return m_lastRttUs;
    }

    /** @param now a time @return the value of the timestamp clock then, ms (RFC 7323) */
    static uint32_t GetTimestamp(Nanoseconds now)
    {
        return static_cast<uint32_t>(now / LINUX_MS) + 1;
    }

  private:
    /** What the timer of a sender waits for; there is one timer, as in the kernel. */
    enum class Timer : uint8_t
    {
        NONE,
        RETRANSMISSION, //!< RTO
        LOSS_PROBE,     //!< tail loss probe
        REORDERING,     //!< RACK's reordering window
        ZERO_WINDOW     //!< probe of a zero window
    };

    using AckState = LinuxAckState; //!< of the ACK that is being processed

    /** What to send behind an ACK (the kernel's rexmit). */
    enum class Resend : uint8_t
    {
        NONE,
        LOST, //!< segments marked lost
        NEW   //!< new data, for F-RTO
    };

    // Sending: gridftp-linux-sender-output.cc

    /** Sends new data as cwnd and the peer's window allow (tcp_write_xmit). @param isProbe sends
     * one segment even if cwnd allows none @return whether nothing is in flight and data written
     * cannot be sent */
    bool SendNew(bool isProbe);

    /** @param unsent bytes not sent @param most segments of a burst @param window bytes that the
     * peer's window allows @param limit segments that cwnd allows @param[out] isCwndLimited set if
     * it waits for cwnd @return whether to wait for more ACKs (tcp_tso_should_defer) */
    bool ShouldDefer(uint64_t unsent,
                     uint32_t most,
                     uint64_t window,
                     uint32_t limit,
                     bool& isCwndLimited) const;

    /** @return segments of one burst: TSO autosizing */
    uint32_t GetBurst() const;

    /** Sends new segments, all at one time. @param bytes of data @param hasFin the FIN, too */
    void SendBurst(uint64_t bytes, bool hasFin);

    /** Sends a segment of the queue again. @param number of it @return whether it was sent */
    bool Retransmit(uint32_t number);

    /** Sends a queued segment. @param sent it @param segment header of Port::Prepare() @param flags
     * more flags of it */
    void Transmit(const LinuxSentSegment& sent, LinuxSegment& segment, uint8_t flags);

    /** A segment was sent again, other than as a probe. @param sent it */
    void NoteRetransmission(LinuxSentSegment& sent);

    /** Sends segments marked lost, as cwnd allows (tcp_xmit_retransmit_queue). */
    void ResendLost();

    /** Puts off the next segment by what pacing demands. @param bytes just sent */
    void Pace(uint64_t bytes);

    /** @return whether pacing forbids to send now; a deadline is set then */
    bool IsPaced();

    /** IsPaced() of a sender that paces. @return the same */
    bool WaitsForPacing();

    /** Keeps track of whether cwnd is the limit (tcp_cwnd_validate). @param isCwndLimited it is */
    void ValidateCwnd(bool isCwndLimited);

    /** cwnd was not used for an RTO (RFC 2861). */
    void ShrinkUnusedCwnd();

    /** Idle time has passed (tcp_slow_start_after_idle_check). */
    void CheckIdle();

    /** Nothing more to send: marks rate samples (tcp_rate_check_app_limited). */
    void CheckAppLimited();

    /** The send buffer follows cwnd (tcp_sndbuf_expand). */
    void ExpandSendBuffer();

    /** A segment is about to leave: notes what its rate sample needs. @param sent it @param
     * segments of the burst */
    void NoteRate(LinuxSentSegment& sent, uint32_t segments);

    // ACKs: gridftp-linux-sender-ack.cc

    /** Takes acknowledged segments off (tcp_clean_rtx_queue). @param state of the ACK @param
     * priorHighest GetHighestSacked() before the ACK */
    void CleanQueue(AckState& state, uint64_t priorHighest);

    /** @param state of the ACK @param sequenceUs RTT of the first segment
     * acknowledged, us, or -1 @param sackUs of the first SACKed, or -1 @param congestionUs of the
     * last one, or -1 @return whether there was a sample */
    bool TakeRtt(AckState& state, int64_t sequenceUs, int64_t sackUs, int64_t congestionUs);

    /** @param rttUs a sample, us */
    void EstimateRtt(uint32_t rttUs);

    /** Sets the timeout from the estimates, without backoff. */
    void SetRto();

    /** A segment was delivered: may be the newest one. @param sent it @param state of the ACK */
    void NoteDelivered(LinuxSentSegment& sent, AckState& state) const;

    /** Completes the rate sample. @param state of the ACK @param delivered segments newly delivered
     * @param lost segments newly marked lost */
    void CompleteRate(AckState& state, uint32_t delivered, uint32_t lost);

    /** Lets congestion control act. @param state of the ACK @param delivered segments */
    void ControlCongestion(const AckState& state, uint32_t delivered);

    /** pacingRate from cwnd and RTT (tcp_update_pacing_rate). */
    void UpdatePacingRate();

    /** HandlePlainAck() where congestion control needs a rate sample. @param last newest segment
     * acknowledged @param lastUs its RTT, us @param acked segments @param priorInFlight segments
     * before the ACK @param isDelayed the receiver probably delayed the ACK */
    void ControlPlain(const LinuxSentSegment& last,
                      int64_t lastUs,
                      uint32_t acked,
                      uint32_t priorInFlight,
                      bool isDelayed);

    /** Takes RTTs. @param sequenceUs of the first segment acknowledged, us @param congestionUs of
     * the last one, us @param maybeDelayed the receiver probably delayed the ACK */
    void AddRtt(int64_t sequenceUs, int64_t congestionUs, bool maybeDelayed);

    /** HandleAck() of an ACK below sndUna. @param segment it @param state of it */
    void HandleOldAck(const LinuxSegment& segment, AckState& state);

    /** @param resend what to send behind an ACK */
    void ResendAfterAck(Resend resend);

    /** @param segment with an ACK @param state of it */
    void UpdatePeerWindow(const LinuxSegment& segment, AckState& state);

    /** @param window of the peer from now on, another one than before, bytes */
    void SetPeerWindow(uint64_t window);

    /** @param segments newly delivered @param state of the ACK */
    void CountDelivered(uint32_t segments, const AckState& state)
    {
        m_window.delivered += segments;
        m_window.deliveredCe += state.isEcho ? segments : 0;
    }

    // SACK: gridftp-linux-sender-sack.cc

    /** tcp_sacktag_write_queue. @param segment with SACK blocks @param state of the ACK */
    void TagSacked(const LinuxSegment& segment, AckState& state);

    /** @param segment with SACK blocks @param state of the ACK @return whether the first block is a
     * DSACK (RFC 2883) */
    bool CheckDsack(const LinuxSegment& segment, AckState& state);

    /** @param block of an ACK @param isDsack it is the DSACK @return whether it makes sense */
    bool IsValid(const LinuxRange& block, bool isDsack) const;

    /** Tags segments that a block covers. @param from first position to look at @param to first one
     * not to look at @param block whole @param isDsack it is the DSACK @param state of the ACK */
    void TagRange(uint64_t from,
                  uint64_t to,
                  const LinuxRange& block,
                  bool isDsack,
                  AckState& state);

    /** @param number of a segment that a block covers @param isDsack the block is the DSACK @param
     * state of the ACK */
    void TagOne(uint32_t number, bool isDsack, AckState& state);

    /** Reordering was seen. @param low lowest position that came late */
    void CheckReordering(uint64_t low);

    /** @return position behind the highest segment SACKed, or sndUna */
    uint64_t GetHighestSacked() const
    {
        return m_window.sackedOut == 0 || m_highestSacked < m_window.sndUna ? m_window.sndUna
                                                                            : m_highestSacked;
    }

    // Recovery: gridftp-linux-sender-recovery.cc

    /** tcp_fastretrans_alert. @param state of the ACK @param duplicates duplicate ACKs @param[out]
     * resend what to send */
    void ProcessState(AckState& state, uint32_t duplicates, Resend& resend);

    /** ProcessState() in recovery. @return whether nothing more is to be done */
    bool ProcessRecovery(AckState& state, uint32_t duplicates);

    /** ProcessState() after a timeout. */
    void ProcessLoss(const AckState& state, uint32_t duplicates, Resend& resend);

    /** Marks segments lost. @param state of the ACK */
    void FindLosses(AckState& state);

    /** Without SACK: duplicate ACKs count as SACKed segments. */
    void AddRenoSack(uint32_t duplicates, const AckState& state);
    void RemoveRenoSacks(uint32_t acked, const AckState& state);
    void LimitRenoSacked(uint32_t acked);
    void MarkHeadLost(bool isAdvance);

    /** @param number of a segment that is lost */
    void MarkLost(uint32_t number);

    void EnterRecovery(bool isEcho);
    void EnterCwr();
    void InitReduction();
    void ReduceCwnd(int32_t delivered, uint32_t lost, bool isAdvance);
    void EndReduction();
    void InitUndo();
    void UndoReduction(bool unmarksLost);
    bool MayUndo() const;
    bool IsPacketDelayed() const;
    bool IsSpuriousRetransmission(const LinuxSentSegment& sent) const;
    bool TryUndoRecovery();
    bool TryUndoDsack();
    bool TryUndoLoss(bool isFrto);
    bool TryUndoPartial(const AckState& state, bool& isDone);
    bool HoldsState();
    bool WasAnythingRetransmitted() const;
    void TryKeepOpen();
    void TryToOpen(const AckState& state);
    void ProcessProbeAck(uint64_t ack, AckState& state);

    /** @return whether cwnd is being reduced (CWR or RECOVERY) */
    bool IsReducing() const
    {
        return m_window.state == LinuxCaState::CWR || m_window.state == LinuxCaState::RECOVERY;
    }

    /** @return ssthresh for an undo (tcp_current_ssthresh) */
    uint32_t GetCurrentSsthresh() const;

    /** @param next state from now on */
    void SetState(LinuxCaState next);

    /** @param segments cwnd from now on, at least 1 where it is to send */
    void SetCwnd(uint32_t segments)
    {
        m_window.cwnd = segments;
    }

    // RACK and timers: gridftp-linux-sender-timers.cc

    /** @param sent segment delivered */
    void AdvanceRack(const LinuxSentSegment& sent);

    /** @return segments sent that long before the newest delivered one are lost, us */
    uint32_t GetReorderingWindowUs() const;

    /** Marks segments lost by time. @return us until the next look, or 0 */
    uint32_t DetectLosses();

    /** @return whether the timer for RACK was set */
    bool MarkLostByTime();

    /** @param priorDelivered LinuxWindow::delivered when the newest acknowledged segment was sent;
     * 0: none */
    void UpdateReorderingWindow(uint64_t priorDelivered);

    void SetTimer(Timer timer, Nanoseconds delay);

    /** A timer is due. The kernel's timer wheel (kernel/time/timer.c) never fires early: it rounds
     * up to the next tick, or 8 of them for delays of 63 ticks and more, and so on. @param now
     * current time @return whether the timer still waits; m_timerAt is when it fires */
    bool WaitsForWheel(Nanoseconds now);
    void StopTimer();
    void RearmRto();
    void SetTransmitTimer();
    bool ScheduleProbe(bool isRtoAdvancing);
    void SendProbe();
    void HandleRto();
    void EnterLoss();
    void MarkLostAtTimeout();
    void HandleReordering();
    void HandleZeroWindow();
    void CheckZeroWindow();
    void HandleWindowOfIdle();
    Nanoseconds GetZeroWindowDelay() const;
    bool IsTimedOut() const;
    Nanoseconds GetRtoLeft() const;

    /** @param us length of time @return it in whole ticks, rounded up, ns */
    Nanoseconds ToTicks(int64_t us) const
    {
        const Nanoseconds ns = us * 1000;
        return (ns + m_settings.tick - 1) / m_settings.tick * m_settings.tick;
    }

    /** @param since a time @return us since then */
    int64_t GetUsSince(Nanoseconds since) const
    {
        return (m_window.now - since) / 1000;
    }

    /** Reports a changed window, if anybody observes it. */
    void CheckObserver();

    static constexpr uint64_t NO_LIMIT = std::numeric_limits<uint64_t>::max(); //!< of a rate
    static constexpr Nanoseconds MIN_RTT_WINDOW = 300'000 * LINUX_MS;          //!< tcp_min_rtt_wlen
    static constexpr uint32_t SEGMENT_OVERHEAD = 640; //!< headers and skb_shared_info, bytes
    static constexpr uint32_t SKB_BYTES = 256;        //!< sk_buff, bytes
    static constexpr uint32_t MOST_WHEEL_SHIFT = 24;  //!< the wheel has 9 levels
    static constexpr uint32_t RACK_PERSIST = 16;      //!< RFC 8985: recoveries, see m_rackPersist

    const LinuxSettings& m_settings;                   //!< of the host
    Port& m_port;                                      //!< what it acts on
    std::unique_ptr<LinuxCongestionControl> m_control; //!< congestion control
    LinuxWindow m_window;                              //!< variables that congestion control sees
    LinuxSentQueue m_queue;                            //!< sent, not acknowledged
    LinuxSenderCounts m_counts;                        //!< counts
    LinuxWindowedMin m_minRtt;                         //!< of the RTT, over 300 s

    uint64_t m_written{1};        //!< position behind the last byte written
    bool m_hasControl{false};     //!< LinuxCongestionControl::HasControl()
    bool m_hasFin{false};         //!< the last position is the FIN
    bool m_hasSack{false};        //!< SACK is in use
    bool m_hasTimestamp{false};   //!< timestamps are in use
    bool m_hasEcn{false};         //!< ECN is in use
    bool m_queuesCwr{false};      //!< the next new segment carries CWR
    bool m_nagle{false};          //!< see UseNagle()
    bool m_observed{false};       //!< see Observe()
    uint32_t m_shownCwnd{0};      //!< last reported
    uint32_t m_shownSsthresh{0};  //!< last reported
    uint64_t m_smallEnd{0};       //!< end of the last small segment (snd_sml)
    bool m_rearms{false};         //!< the timer is set when Push() is done
    uint64_t m_bufferSegments{0}; //!< segments that the send buffer was made for
    uint32_t m_segmentMemory{0};  //!< memory of a full segment in the send buffer: data, headers
                                  //!< and sk_buff, in blocks that are powers of two, bytes
    uint64_t m_sendBuffer{0};     //!< size of the send buffer, bytes
    uint64_t m_peerWindow{0};     //!< receive window of the peer, bytes
    uint64_t m_maxPeerWindow{0};  //!< largest so far
    uint64_t m_windowSeq{0};      //!< sequence number of its last update (snd_wl1)
    Nanoseconds m_firstSentAt{0}; //!< when the flight under way began (rate samples)

    // cwnd validation
    uint32_t m_cwndUsed{0};       //!< most of cwnd that was used
    Nanoseconds m_cwndStampAt{0}; //!< when it was full last
    uint64_t m_usageSeq{0};       //!< end of the window in which isCwndLimited holds

    // RTT and RTO
    uint32_t m_mdevUs4{0};              //!< 4 times the mean deviation, us
    uint32_t m_mdevMaxUs{0};            //!< largest of the last window
    uint32_t m_rttVarUs{0};             //!< part of the timeout
    uint32_t m_lastRttUs{0};            //!< last sample
    uint64_t m_rttSeq{0};               //!< end of the window of m_mdevMaxUs
    Nanoseconds m_rto{1000 * LINUX_MS}; //!< timeout, backed off
    uint32_t m_retransmits{0};          //!< timeouts in a row
    uint32_t m_backoff{0};              //!< exponent of probes of a zero window
    uint32_t m_probesOut{0};            //!< probes of a zero window in a row

    // Recovery
    uint64_t m_highSeq{0};            //!< sndNxt when the state began
    uint64_t m_undoMarker{0};         //!< sndUna when the recovery began; 0: no undo
    int32_t m_undoRetrans{-1};        //!< retransmissions that no DSACK has reported; -1: none sent
    uint32_t m_priorSsthresh{0};      //!< ssthresh before the reduction; 0: no undo
    uint32_t m_prrDelivered{0};       //!< segments delivered in the reduction
    uint32_t m_prrOut{0};             //!< segments sent in it
    uint32_t m_reordering{3};         //!< degree of reordering, segments
    uint32_t m_reorderingSeen{0};     //!< times that reordering was seen
    uint32_t m_dsackSegments{0};      //!< segments that DSACKs have reported
    Nanoseconds m_retransStampAt{-1}; //!< first retransmission of the recovery; -1: none
    uint32_t m_tsEcr{0};              //!< of the ACK being processed; 0: none
    bool m_isFrto{false};             //!< F-RTO is under way
    bool m_isReneg{false};            //!< the receiver has dropped what it had SACKed
    bool m_probeRetransmits{false};   //!< the tail loss probe was a retransmission
    uint64_t m_cleanFrom{0};          //!< no segment from here on was retransmitted
    uint64_t m_probeHighSeq{0};       //!< sndNxt at the tail loss probe; 0: none under way
    uint32_t m_resendHint{0};         //!< no segment before it waits to be sent again
    uint64_t m_highestSacked{0};      //!< see GetHighestSacked()
    std::array<LinuxRange, LinuxSegment::MOST_BLOCKS>
        m_sackCache;          //!< blocks of the last ACK, sorted
    uint32_t m_sackCached{0}; //!< how many

    // RACK
    Nanoseconds m_rackSentAt{-1};  //!< when the newest delivered segment was sent
    uint64_t m_rackEnd{0};         //!< its end
    uint32_t m_rackRttUs{0};       //!< its RTT
    uint64_t m_rackDelivered{0};   //!< `delivered` when the window was widened last
    uint32_t m_rackSteps{1};       //!< quarters of the RTT that reordering may take
    uint32_t m_rackPersist{0};     //!< recoveries for which m_rackSteps stays
    bool m_rackHasAdvanced{false}; //!< there may be new losses
    bool m_rackSawDsack{false};    //!< a DSACK came since the window was widened

    Timer m_timer{Timer::NONE};   //!< what the timer waits for
    Nanoseconds m_timerAt{NEVER}; //!< when it expires
    Nanoseconds m_timerSetAt{-1}; //!< when it was set; -1: it waits for the timer wheel
    Nanoseconds m_paceAt{NEVER};  //!< when pacing lets it go on
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_SENDER_H
