/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SENDER_H
#define GRIDFTP_SEGMENT_SENDER_H

#include "gridftp-congestion-reno.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-result.h"
#include "gridftp-ring.h"
#include "gridftp-rtt-estimator.h"
#include "gridftp-segment-ecn.h"
#include "gridftp-segment-sack-blocks.h"
#include "gridftp-segment-scoreboard.h"
#include "gridftp-segment-send-buffer.h"
#include "gridftp-segment-tcp.h"
#include "gridftp-segment-time.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a TCP sender is doing about losses; the names are Linux's. */
enum class CongestionState
{
    OPEN,     //!< nothing seems lost
    DISORDER, //!< one or two duplicate ACKs have come (NewReno)
    RECOVERY, //!< fast recovery
    LOSS,     //!< sending again after a timeout
    CWR       //!< cwnd was reduced because of an ECN echo (RFC 3168)
};

/**
 * @ingroup gridftp
 * The sending end of a TCP connection, segment by segment.
 *
 * Rule for rule what TcpSocketReno and TcpSocketGuarded do in engine ns3: the retransmission
 * timeout (RFC 6298) with Karn's rule and backoff, go-back-N after it, no segment shorter than MSS
 * where more is there to send. How cwnd grows and falls is its CongestionControl's, what a
 * duplicate ACK and an ACK of new data mean its Recovery's. Sequence numbers are bytes of the
 * stream, from 0.
 */
class SegmentSender final : private CongestionWindow
{
  public:
    class Recovery; // gridftp-segment-recovery.h

    /** What a sender that is watched reports. */
    enum class Report : uint8_t
    {
        SENT,         //!< a data segment, for the first time
        SENT_AGAIN,   //!< a data segment, once more
        ACKNOWLEDGED, //!< an ACK of new data has come
        SAMPLE,       //!< the RTT estimator has taken a sample: the value, ns
        RTO,          //!< the retransmission timeout is set: the value, ns
        TIMEOUT       //!< the retransmission timer has expired
    };

    /** What a sender acts on. */
    class Port
    {
      public:
        virtual ~Port() = default;

        /**
         * A segment leaves.
         * @param sender whose
         * @param start first byte
         * @param size bytes
         */
        virtual void SendSegment(SegmentSender& sender, uint64_t start, uint32_t size) = 0;

        /** The timer is due earlier than what SetTimerQueued() told. @param sender whose */
        virtual void ArmTimer(SegmentSender& sender) = 0;

        /** All that the source has is acknowledged. @param sender whose */
        virtual void HandleDrained(SegmentSender& sender) = 0;

        /** The application has written, and rests: see SegmentSendBuffer. @param sender whose */
        virtual void HandleRest(SegmentSender& sender) = 0;

        /** It has sent a segment too often in vain. @param sender whose */
        virtual void HandleGaveUp(SegmentSender& sender) = 0;

        /** cwnd or ssthresh has changed, and it is observed. @param sender whose */
        virtual void HandleWindow(const SegmentSender& sender) = 0;

        /** Something has happened, and it is watched. @param sender whose @param report what
         * @param value see Report; else 0 */
        virtual void HandleReport(const SegmentSender& sender, Report report, int64_t value);
    };

    /**
     * @param tcp what it has in common with others; outlives it
     * @param port what it acts on; outlives it
     * @param id for the port's use
     */
    SegmentSender(const SegmentTcp& tcp, Port& port, uint32_t id);

    /** @return the number that the constructor was given */
    uint32_t GetId() const
    {
        return m_id;
    }

    /** @return what it has in common with others */
    const SegmentTcp& GetTcp() const
    {
        return *m_tcp;
    }

    /** Calls Port::HandleWindow() from now on. */
    void Observe()
    {
        ObserveWindow();
    }

    /** Calls Port::HandleReport() and Port::HandleWindow() from now on. No fast path takes its ACKs
     * then; what it does stays the same. @param showsRto with Report::RTO */
    void Watch(bool showsRto)
    {
        m_watched = true;
        m_showsRto = showsRto;
        m_hasFastPath = m_fastPath = false;
        ObserveWindow();
    }

    /**
     * From now on a segment shorter than MSS that is sent for the first time waits until no other
     * such segment is unacknowledged: Nagle's algorithm (RFC 896) as Minshall has it
     * (draft-minshall-nagle-01) and as Linux does, whose last short segment does not wait for the
     * full ones in front of it.
     */
    void HoldSmall()
    {
        m_holdsSmall = true;
    }

    /** It is about to open: the first SYN is sent, or has come. @param now of the simulation */
    void HandleOpen(Nanoseconds now)
    {
        m_control->HandleOpen(now);
    }

    /**
     * The answer to the SYN has come.
     * @param now of the simulation
     * @param sampleNs round-trip time, ns; 0 where the SYN was sent more than once (Karn's rule)
     */
    void HandleConnected(Nanoseconds now, int64_t sampleNs);

    /** The application writes what there is room for. */
    void Supply();

    /** Sends what the window allows. @param now of the simulation */
    void Send(Nanoseconds now);

    /**
     * An ACK has come.
     * @param now of the simulation
     * @param ack the first byte that the receiver misses
     */
    void HandleAck(Nanoseconds now, uint64_t ack);

    /**
     * HandleAck() without the sending, for a connection that carries data both ways: what the
     * application writes in answer to the data goes out with the same Send().
     * @param now of the simulation
     * @param ack the first byte that the receiver misses
     * @param carriesData the segment with the ACK has data, so it is no duplicate ACK
     * @return whether the segment is any use; an old one is ignored with its data (ns-3)
     */
    bool AcceptAck(Nanoseconds now, uint64_t ack, bool carriesData);

    /** Takes the round-trip time of an ACK that is otherwise ignored, as ns-3's socket does in the
     * states of a connection that closes. @param now of the simulation @param ack the first byte
     * that the receiver misses */
    void SampleAck(Nanoseconds now, uint64_t ack);

    /** Sends behind AcceptAck(), where HandleAckFast() may take the next ACK. @param now of the
     * simulation */
    void SendAccepted(Nanoseconds now)
    {
        Send(now);
        UpdateFastPath();
    }

    /**
     * Whether the fast path may take an ACK: of one full segment, while nothing seems lost.
     * @param ack the first byte that the receiver misses
     * @return true if HandleAckFast() may take it
     */
    bool IsOnFastPath(uint64_t ack) const
    {
        // Without a sample nothing is in flight, and no ACK is of anything
        const uint64_t next = m_una + m_tcp->segmentBytes;
        return m_fastPath && ack == next && m_samples.Front().mark == Sample::MarkOf(next);
    }

    /**
     * HandleAck() on the fast path: the same steps without those that it does not need. Nearly
     * all ACKs are of this kind where cwnd grows as Reno's; other growth goes the whole way.
     * @param now of the simulation
     * @param ack the first byte that the receiver misses
     * @param send sends a full segment from a byte on, of a size
     */
    template <typename SendFunction>
    void HandleAckFast(Nanoseconds now, uint64_t ack, SendFunction&& send);

    /**
     * The next ACK has a window. Before that, and where windows are constant, it is
     * SegmentTcp::window.
     * @param bytes the window
     */
    void SetOffered(uint64_t bytes)
    {
        m_offered = bytes;
    }

    /**
     * The next ACK has options.
     * @param echoMs timestamp that it echoes, ms; counts where SegmentTcp::hasTimestamps
     * @param blocks of its SACK option
     */
    void SetOptions(uint32_t echoMs, const SackBlocks& blocks)
    {
        m_echoMs = echoMs;
        m_blocks = blocks;
    }

    /** The next ACK has ECN flags. @param hasEcho it carries ECE */
    void SetEcho(bool hasEcho)
    {
        m_hasEcho = hasEcho;
    }

    /** @return ECN of its end, where SegmentTcp::hasEcn */
    SegmentEcn& GetEcn()
    {
        return m_ecn;
    }

    /** @param now current simulation time @return round-trip time by the timestamp of SetOptions(),
     * ns; ns-3's clock has 1 ms, and where that shows none, it is 1 us */
    int64_t GetEchoedNs(Nanoseconds now) const;

    /** HandleAckFast() comes next: it takes the window of the ACK as it is. */
    void TakeOffered()
    {
        m_rwnd = m_offered;
    }

    /** @return whether nothing is in flight and the receiver's window keeps what is written from
     * being sent */
    bool IsBlocked() const
    {
        const uint64_t waiting = m_buffer.GetWritten() - m_sent;
        return m_sent == m_una && waiting > 0 &&
               m_rwnd < std::min<uint64_t>(waiting, m_tcp->segmentBytes);
    }

    /** Sends what the receiver's window lets through, though it is less than a segment. @param now
     * of the simulation */
    void SendPart(Nanoseconds now)
    {
        Transmit(now, m_sent, m_rwnd);
    }

    /** @return bytes written that have never been sent */
    uint64_t GetUnsent() const
    {
        return m_buffer.GetWritten() - m_sent;
    }

    /** @return receiver's window, bytes */
    uint64_t GetReceiverWindow() const
    {
        return m_rwnd;
    }

    /** @return whether the receiver's window is closed */
    bool IsClosed() const
    {
        return m_rwnd == 0;
    }

    /** Nothing is in flight: the timer does not run (RFC 6298, Section 5.2). */
    void StopTimer()
    {
        m_deadlineNs = NEVER;
    }

    /** The timer has expired. @param now of the simulation */
    void HandleTimeout(Nanoseconds now);

    /** @return what is written into it */
    SegmentSendBuffer& GetBuffer()
    {
        return m_buffer;
    }

    /** @return what is written into it */
    const SegmentSendBuffer& GetBuffer() const
    {
        return m_buffer;
    }

    /** @return when the timer expires, ns, or NEVER */
    int64_t GetDeadline() const
    {
        return m_deadlineNs;
    }

    /** @param ns when the port will look at the timer next, or NEVER */
    void SetTimerQueued(int64_t ns)
    {
        m_queuedNs = ns;
    }

    using CongestionWindow::GetCwnd;
    using CongestionWindow::GetSsthresh;
    using CongestionWindow::NO_SSTHRESH;

    /** @return what it is doing about losses */
    CongestionState GetState() const
    {
        return m_state;
    }

    /** @return bytes in flight, by its own reckoning */
    uint64_t GetFlight() const
    {
        const uint64_t sent = m_sent - m_una;
        return m_board.IsActive() ? m_board.GetFlight(sent) : sent;
    }

    /** @return first byte that was never sent */
    uint64_t GetSent() const
    {
        return m_sent;
    }

    /** @return first byte that ns-3's socket would take for the next one, though it may have been
     * sent: behind what was sent last, and not below GetAcknowledged() */
    uint64_t GetNextAsNs3() const
    {
        return m_againAt == m_sent ? std::max(m_againNext, m_una) : m_sent;
    }

    /** @return first byte that is not acknowledged */
    uint64_t GetAcknowledged() const
    {
        return m_una;
    }

    /** @return retransmission timeout, not backed off, ns */
    int64_t GetRtoNs() const
    {
        return m_rtt.GetRtoNs();
    }

    /** @return retransmission timeout without its lower bound, not backed off, ns */
    int64_t GetShortRtoNs() const
    {
        return m_rtt.GetShortRtoNs();
    }

    /** @return retransmission timeout, backed off, ns */
    int64_t GetBackedOffRtoNs() const
    {
        return m_rtoNs;
    }

    /** @param ns the retransmission timeout from now on; a timer that runs is left alone */
    void SetRto(int64_t ns)
    {
        m_rtoNs = ns;
        if (m_showsRto) [[unlikely]]
        {
            m_port->HandleReport(*this, Report::RTO, ns);
        }
    }

    /** The retransmission timeout is no longer backed off. */
    void ResetRto()
    {
        SetRto(m_rtt.GetRtoNs());
    }

    /** @return whether an RTT sample was taken */
    bool HasRttSample() const
    {
        return m_rtt.HasSample();
    }

    /** @return smoothed round-trip time, ns; 1 s before the first sample */
    int64_t GetSmoothedRttNs() const
    {
        return m_rtt.GetSmoothedNs();
    }

    /** What ACKs tell is kept from now on, of a connection that grows as Reno: to be repeated. */
    void KeepHeard()
    {
        m_heard.emplace();
    }

    /** @return whether the same ACKs once more would change cwnd and estimates, and nothing else */
    bool MayRepeatHeard() const;

    /** They come once more. @param now of the simulation */
    void RepeatHeard(Nanoseconds now);

    /** @param state gets what it is at, but for what RepeatHeard() changes */
    void AddState(SegmentState& state) const;

    /** @return counts so far */
    const ConnectionTotals& GetTotals() const
    {
        return m_totals;
    }

    /** Times that a segment is sent again before the connection gives up (TcpDefaults). */
    static constexpr uint32_t DATA_RETRIES = 15;

  private:
    class RenoRecovery;    // gridftp-segment-recovery-reno.cc
    class NewRenoRecovery; // gridftp-segment-recovery-newreno.cc
    class SackRecovery;    // gridftp-segment-recovery-sack.cc

    /** A segment whose round-trip time is being taken. It begins where the one before it ends. */
    struct Sample
    {
        int64_t sentNs; //!< when it was sent
        uint64_t mark;  //!< twice the first byte behind it, plus 1 where it was sent again

        /** @param end first byte behind a segment sent once @return its mark */
        static constexpr uint64_t MarkOf(uint64_t end)
        {
            return end << 1;
        }

        /** @return first byte behind it */
        uint64_t GetEnd() const
        {
            return mark >> 1;
        }

        /** @return whether it was sent again, so that it gives no sample */
        bool IsAgain() const
        {
            return (mark & 1) != 0;
        }
    };

    /** What an ACK has told, for RepeatHeard(). */
    struct Heard
    {
        uint64_t bytes;   //!< newly acknowledged, or 0
        int64_t sampleNs; //!< a round-trip time, or 0
        int64_t rtoNs;    //!< the timeout since then
        bool isUsual;     //!< nothing seemed lost
    };

    /** Takes the round-trip time, where there is one. @param now of the simulation @param ack the
     * ACK */
    void TakeSample(Nanoseconds now, uint64_t ack);

    /** @param start first byte of what is to be sent @param available bytes written from there on
     * @return whether it has to wait, see HoldSmall() */
    bool IsHeld(uint64_t start, uint64_t available) const
    {
        return m_holdsSmall && start == m_sent && available < m_tcp->segmentBytes &&
               m_smallEnd > m_una;
    }

    /** An ACK that is not old has come to a sender with SACK. @param now current simulation time
     * @param ack the first byte that the receiver misses */
    void AcceptSack(Nanoseconds now, uint64_t ack);

    // ECN: gridftp-segment-sender-ecn.cc

    /** An ACK that is not old has come to a sender with ECN, without SACK. @param now current
     * simulation time @param ack the first byte that the receiver misses @param mayBeDuplicate
     * neither data nor another window come with it */
    void AcceptEcn(Nanoseconds now, uint64_t ack, bool mayBeDuplicate);

    /** Ends CongestionState::CWR, or begins it because of an echo: m_una has moved, nothing else of
     * the ACK is processed yet. @param oldUna m_una before it */
    void CheckEcho(uint64_t oldUna);

    /** Processes an ACK in CongestionState::CWR. @param now current simulation time @param oldUna
     * m_una before the ACK @param delivered bytes that it acknowledges or reports for the first
     * time @param isDuplicate it counts as a duplicate ACK */
    void HandleAckInCwr(Nanoseconds now, uint64_t oldUna, uint64_t delivered, bool isDuplicate);

    /** @return first byte of what a recovery with SACK sends again although it does not seem lost:
     * where nothing new is written */
    std::optional<uint64_t> FindUnreported() const
    {
        return m_tcp->hasSack && m_state == CongestionState::RECOVERY &&
                       m_buffer.GetWritten() == m_sent
                   ? m_board.FindUnreported()
                   : std::nullopt;
    }

    /** @return bytes that may be sent for the first time, at most a segment; 0 where the receiver's
     * window has no room, or nothing is written */
    uint64_t GetNewBytes() const;

    /** Segments sent again give no round-trip time. @param start first byte @param end first behind
     */
    void SpoilSample(uint64_t start, uint64_t end);

    /** Sends one segment. @param now of the simulation @param start first byte @param bytes most
     * @return how many */
    uint64_t Transmit(Nanoseconds now, uint64_t start, uint64_t bytes);

    /** @param now of the simulation @return what its congestion control may know */
    CongestionSignals GetSignals(Nanoseconds now) const;

    /** cwnd may grow. @param now of the simulation @param segments newly acknowledged */
    void Grow(Nanoseconds now, uint64_t segments);

    /** @param whole bytes newly acknowledged @return segments that these are, with what is left of
     * earlier ones */
    uint64_t CountSegments(uint64_t whole);

    /** Tells its congestion control of an ACK. @param now of the simulation */
    void TellOfAck(Nanoseconds now);

    /** The timer starts again, the application writes. @param now of the simulation @param restart
     * the timer */
    void NewAck(Nanoseconds now, bool restart);

    /** Starts the timer. @param now of the simulation */
    void StartTimer(Nanoseconds now);

    /** Supply(), where there is something to do. */
    void SupplyNow();

    /** Finds out whether IsOnFastPath() may hold: after whatever has left it. */
    void UpdateFastPath();

    /** Puts every segment in flight on the scoreboard. */
    void FillBoard();

    /** Reports where it is watched. @param report what @param value see Report */
    void Tell(Report report, int64_t value = 0) const
    {
        if (m_watched) [[unlikely]]
        {
            m_port->HandleReport(*this, report, value);
        }
    }

    /** A segment is lost: sets ssthresh. @param flight bytes that were in flight */
    void ReduceSsthresh(uint64_t flight);

    void HandleWindowChange() override;

    const SegmentTcp* m_tcp;                      //!< what it has in common with others
    Port* m_port;                                 //!< what it acts on
    uint32_t m_id;                                //!< for the port's use
    std::unique_ptr<CongestionControl> m_control; //!< how far cwnd grows and falls
    const Recovery* m_recovery;                   //!< what is sent again, and when

    uint64_t m_una{0};              //!< first byte not acknowledged
    uint64_t m_sent{0};             //!< first byte never sent
    uint64_t m_rwnd{0};             //!< receiver's window
    uint64_t m_againNext{0};        //!< behind what was sent again last, see GetNextAsNs3()
    uint64_t m_againAt{UINT64_MAX}; //!< m_sent then
    uint64_t m_offered{0};          //!< receiver's window, of the next ACK
    uint64_t m_inflated{0};         //!< Reno: congestion window as fast recovery inflates it
    CongestionState m_state{CongestionState::OPEN}; //!< what it is doing about losses
    uint32_t m_duplicates{0};                       //!< duplicate ACKs
    uint64_t m_leftBytes{0};                        //!< acknowledged, not counted as segments yet
    uint64_t m_recover{0};     //!< NewReno, and CWR: first byte not sent when it began to recover
    bool m_firstPartial{true}; //!< NewReno: no partial ACK has come yet
    bool m_cwndLimited{false}; //!< CongestionSignals::isCwndLimited, unless it grows as Reno
    bool m_holdsSmall{false};  //!< see HoldSmall()
    uint64_t m_smallEnd{0};    //!< first byte behind the last segment shorter than MSS
    bool m_fastPath{false};    //!< nothing seems lost: see IsOnFastPath()
    bool m_hasFastPath{true};  //!< m_fastPath is ever set: not watched, and ACKs have no options
    bool m_isExtended{false};  //!< SegmentTcp::hasSack or hasEcn
    bool m_hasEcho{false};     //!< see SetEcho()
    bool m_watched{false};     //!< see Watch()
    bool m_showsRto{false};    //!< likewise

    RttEstimator m_rtt;                        //!< estimates
    int64_t m_rtoNs{0};                        //!< timeout, backed off
    int64_t m_deadlineNs{NEVER};               //!< when the timer expires
    int64_t m_queuedNs{NEVER};                 //!< when the port will look at it
    int64_t m_lastSentNs{NEVER};               //!< when a segment was sent last
    uint32_t m_retries{0};                     //!< timeouts left before it gives up
    bool m_drained{false};                     //!< Port::HandleDrained() was called for this source
    Ring<Sample> m_samples;                    //!< segments whose round-trip time is being taken
    uint64_t m_sampledFrom{0};                 //!< first byte of the first of them
    SegmentScoreboard m_board;                 //!< what seems lost
    uint32_t m_echoMs{0};                      //!< timestamp that the ACK echoes
    SackBlocks m_blocks;                       //!< of the ACK, until it is taken
    uint64_t m_flightBefore{0};                //!< Reno with limited transmit: in flight before it
    SegmentSendBuffer m_buffer;                //!< what it carries
    ConnectionTotals m_totals;                 //!< counts
    std::optional<std::vector<Heard>> m_heard; //!< see KeepHeard()
    SegmentEcn m_ecn;                          //!< see GetEcn()
};

} // namespace ns3::gridftp

#include "gridftp-segment-sender-fast.h" // what is compiled into its callers

#endif // GRIDFTP_SEGMENT_SENDER_H
