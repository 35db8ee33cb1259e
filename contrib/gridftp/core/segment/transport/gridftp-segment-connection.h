/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_CONNECTION_H
#define GRIDFTP_SEGMENT_CONNECTION_H

#include "gridftp-connection-monitor.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-receive-buffer.h"
#include "gridftp-segment-connection-half.h"
#include "gridftp-segment-connection-terms.h"
#include "gridftp-segment-delivery.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-options.h"
#include "gridftp-segment-receiver.h"
#include "gridftp-segment-sender.h"
#include "gridftp-segment-tcp-connection.h"
#include "gridftp-send-pool.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A TCP connection of the segment engine, both ends of it: the handshake, the windows, the timers
 * and the delayed ACKs that ns-3's has. Data connections are of one way: only the end that connects
 * sends, and a packet carries one sequence number of any size. Control connections are of two ways:
 * packets carry both numbers, of up to 4 GiB. A data connection whose receiving end sizes its
 * buffer by SBUFs talks back: it is one of one way, with the windows that move, but packets carry
 * the low bits of both numbers.
 *
 * Each end has a clock of its own: that of a host that runs ahead is, see HostClock.
 *
 * An object serves one connection after another (Renew()), so that what is scheduled or on its way
 * finds somebody: times that are no longer due, and packets that come before the handshake is done,
 * are of a connection that was here before.
 */
class ClassicConnection final : public TcpConnection,
                                private TcpConnectionTimers,
                                private EventTarget,
                                private SegmentSender::Port,
                                private TcpEnding::Port
{
  public:
    /** @param flows table to which it is added, its owner @param use what it is @return a new one
     */
    static ClassicConnection& MakeClassic(FlowTable& flows, const Use& use);

    /** Becomes a new connection, which is open but not connected. @param use what it is */
    void Renew(const Use& use) override;

    /** Connects. @param now of the simulation */
    void Connect(Nanoseconds now) override;

    /** Begins to send from a source, at the end that has it. @param source what @param now of the
     * simulation */
    void Begin(ByteSource& source, Nanoseconds now) override;

    /** An end writes once. @param from which @param now ns @param bytes at least 1 */
    void Write(End from, Nanoseconds now, uint64_t bytes) override;

    /** The application of the end that connects sets its send buffer. @param now of the simulation
     * @param bytes what is less than it has changes nothing */
    void GrowSendBuffer(Nanoseconds now, uint64_t bytes) override;

    void ReadOn(Nanoseconds now) override;

    /** The application of the end that accepts sets its receive buffer, where the window moves.
     * @param now of the simulation @param bytes at least 1 */
    void ResizeWindow(Nanoseconds now, uint64_t bytes) override
    {
        m_window->Resize(now, bytes);
    }

    /** Sends nothing more of the source. */
    void EndSource() override
    {
        m_ends[m_use.source].sender.GetBuffer().End();
    }

    /** The end that connects closes, with a FIN where connected. @param now of the simulation */
    void Close(Nanoseconds now) override;

    /** The end that connects closes as soon as its user has read; of two ways. Where it closes
     * packet by packet, at once. */
    void CloseAfterReading() override;

    /** The end that accepts closes, which the other one answers. Of two ways: behind what it has
     * written, and only where it closes packet by packet. @param now of the simulation */
    void ClosePassive(Nanoseconds now) override;

    /** Both ends are let go of without a word. */
    void Stop() override;

    /** Both applications end at once. @param now of the simulation */
    void Abort(Nanoseconds now) override;

    /** The application of one end lets go of it without a word to its user, and the other end is
     * told with a RST (RFC 793, Section 3.4). What comes later to the end that is gone is answered
     * with a RST, too. No host of such a connection may run ahead. @param end which @param now ns
     */
    void Reset(End end, Nanoseconds now) override;

    /** The end that connects says that it will send no more, which has no effect on the other; of
     * two ways. @param now of the simulation */
    void Leave(Nanoseconds now) override;

    // How it is

    /** @return whether the end that connects has not closed it */
    bool IsOpen() const override
    {
        return m_open || m_gone == 1U << PASSIVE;
    }

    /** @return whether the end that accepts has not closed: it is open, or does not know better */
    bool IsOpenAtPassive() const override
    {
        return m_isApart ? m_ends[PASSIVE].ending.IsOpen() : IsOpen() || m_fin.isUnderWay;
    }

    /** @param now ns @return whether nothing of its ends is under way that closes them apart */
    bool MayRenew(Nanoseconds now) const override;

    /** @return whether the end that connects has done so */
    bool IsConnected() const override
    {
        return m_ends[ACTIVE].connected;
    }

    /** @param end which @return whether it is connected, and the connection is open */
    bool IsThere(End end) const override
    {
        return m_ends[end].connected && (m_open || IsLeft(end));
    }

    /** @return whether the end that accepts knows of it: a SYN has come, and it is open */
    bool IsKnown() const override
    {
        return m_ends[PASSIVE].synSent > 0 && (m_open || IsLeft(PASSIVE));
    }

    /** @param end which @return its clock, when the connection did something there last, ns */
    Nanoseconds GetNow(End end) const override
    {
        return m_ends[end].nowNs;
    }

    ConnectionTotals GetTotals(End end) const override
    {
        return m_ends[end].sender.GetTotals();
    }

    uint64_t GetWritten(End end) const override
    {
        return m_ends[end].sender.GetBuffer().GetWritten();
    }

    uint64_t GetReceived(End end) const override
    {
        return m_ends[end].receiver.GetNext();
    }

    uint64_t GetSendBufferSize() const override
    {
        return m_ends[ACTIVE].sender.GetBuffer().GetSize();
    }

    SenderView GetSenderView() const override;

    /** @param end which @return what it sends */
    const SegmentSender& GetSender(End end = ACTIVE) const
    {
        return m_ends[end].sender;
    }

    /** @param end which @return what it sends, whose ACKs are to be kept or repeated */
    SegmentSender& GetSenderToRepeat(End end)
    {
        return m_ends[end].sender;
    }

    /** @return receive buffer of the end without the source; null where its window is constant */
    const ReceiveBuffer* GetWindow() const override
    {
        return m_use.tcp->buffers.AreMoving() ? m_window.get() : nullptr;
    }

    /** @param packet of it @return the first byte of its data of the source; none: it has none */
    std::optional<uint64_t> FindSequence(SegmentPacket packet) const override;

    /** @param end which @return what it receives */
    const SegmentReceiver& GetReceiver(End end = PASSIVE) const
    {
        return m_ends[end].receiver;
    }

    /** @param now of the simulation, of a host that runs ahead what it has come to, unless
     * Use::logsDelivery @return bytes that the application of the end that accepts has taken */
    uint64_t GetDelivered(Nanoseconds now) const override
    {
        return m_logs ? m_delivery.Get(now) : GetTaken();
    }

    /** @param bytes of the stream @return how many of them are of the source under way */
    uint64_t CountOfSource(uint64_t bytes) const override
    {
        return bytes > m_sourceBegin ? bytes - m_sourceBegin : 0;
    }

    /** Tells the observer of the table of its windows, and perhaps of its buffers, from now on. */
    void Observe() override;

    /** @param state gets all of it: gridftp-segment-connection-timers.cc */
    void AddState(SegmentState& state) const override;

    // For FlowTable

    bool IsLingering() const override
    {
        return m_lingers || (m_isApart && m_gone == 0 && !HasEnded());
    }

    bool HasEnded() const override
    {
        return m_isApart && m_ends[ACTIVE].ending.HasEnded() && m_ends[PASSIVE].ending.HasEnded();
    }

    /** A packet arrives. @param to which end @param at when @param packet it */
    void Receive(End to, Nanoseconds at, SegmentPacket packet) override;

    /** A packet with options arrives. @param to which end @param at when @param options with the
     * packet */
    void ReceiveOptions(End to, Nanoseconds at, const SegmentOptions& options);

    /** @param at when a packet arrives @return whether a middlebox has discarded it */
    bool IsDiscarded(Nanoseconds at)
    {
        return m_use.entry && m_use.entry->Discards(at);
    }

    /** A packet does not get through. @param at when @param packet it */
    void HandleDrop(Nanoseconds at, SegmentPacket packet) override;

  private:
    friend class FlowTable;

    using Half = TcpConnectionHalf;

    /** SegmentReceiver::TryReceive() of a segment of one way. @param data the segment @return
     * whether it was so, and the ACK is left to the caller; otherwise nothing is done */
    [[gnu::always_inline]] bool TryReceive(SegmentPacket data)
    {
        const uint64_t start = data.GetValue();
        const uint64_t size = data.GetPayload();
        return m_flowing && start + size < m_ends[ACTIVE].sender.GetBuffer().GetEnd() &&
               m_ends[PASSIVE].receiver.TryReceive(start, size);
    }

    /** Puts down that data has arrived. @param at when */
    void LogDelivery(Nanoseconds at)
    {
        m_delivery.Add(m_receiverClock->GetNow(), at, GetTaken());
    }

    /** @param flows its table @param use what it is */
    ClassicConnection(FlowTable& flows, const Use& use);

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // SegmentSender::Port
    void SendSegment(SegmentSender& sender, uint64_t start, uint32_t size) override;
    void ArmTimer(SegmentSender& sender) override;
    void HandleDrained(SegmentSender& sender) override;
    void HandleRest(SegmentSender& sender) override;
    void HandleGaveUp(SegmentSender& sender) override;
    void HandleWindow(const SegmentSender& sender) override;
    void HandleReport(const SegmentSender& sender,
                      SegmentSender::Report report,
                      int64_t value) override;

    // TcpEnding::Port: gridftp-segment-connection-apart.cc
    void SendEnding(uint32_t end, PacketKind kind, uint32_t flags) override;
    void ScheduleEnding(uint32_t end, Nanoseconds at, TcpEnding::Timer timer) override;

    /** A FIN arrives at an end of one way. @param to which @return whether its application closes
     * at once */
    bool ClosesAtFin(End to);

    /** The packet of SendEnding(). @param end whose @param kind see there @param flags see there */
    void SendEndingPacket(End end, PacketKind kind, uint32_t flags);

    /** An end closes apart. @param end which @param now of the simulation */
    void CloseApart(End end, Nanoseconds now);

    /** Abort() of one that closes packet by packet: the end that connects resets and is gone, the
     * other one closes. @param now of the simulation */
    void AbortApart(Nanoseconds now);

    /** CloseApart() was called, and an ACK comes. @param end which @param ack of what */
    void AcknowledgeApart(End end, uint64_t ack);

    /** A packet comes to an end of a connection that closes apart. @param to which @param at when
     * @param packet it @return whether it was special to that */
    bool ReceiveApart(End to, Nanoseconds at, SegmentPacket packet);

    // The same where both ends send: gridftp-segment-connection-talk.cc

    /** A segment between two ends that both send. */
    struct TalkSegment
    {
        uint64_t start;    //!< first byte
        uint64_t ack;      //!< first byte that its sender misses, or one more: with the FIN
        uint32_t size;     //!< bytes
        bool isFin{false}; //!< it carries a FIN
    };

    /** @param to the end that it has come to @param packet TALK, TALK_FIN, BOTH_DATA or BOTH_ACK
     * @return what it says */
    TalkSegment ReadTalk(End to, SegmentPacket packet) const;

    /** ReadTalk() of BOTH_DATA and BOTH_ACK. @param to the end that it has come to @param packet it
     * @return what it says */
    TalkSegment ReadBoth(End to, SegmentPacket packet) const;

    /** ReceiveApart() where both ends send. @param to which end @param packet it @return whether it
     * was special to that */
    bool ReceiveTalkApart(End to, SegmentPacket packet);

    /** A segment comes to an end that has closed, or knows of the other end's FIN. @param to which
     * end @param segment it */
    void ReceiveTalkClosing(End to, const TalkSegment& segment);

    /** ReceiveTalkClosing() where the end still takes data and ACKs. @param to which end @param
     * segment it */
    void ReceiveTalkWaiting(End to, const TalkSegment& segment);

    /** A FIN comes to an end that is open. @param to which end @param segment it */
    void ReceiveTalkFin(End to, TalkSegment segment);

    /** Takes the data of a segment. @param to which end @param segment it, with data */
    void TakeTalk(End to, const TalkSegment& segment);

    /** The application of an end reads data that are in order. @param to which end @param before
     * first byte that was missing before the segment @param size its bytes @param answer to it
     * @return answer to it now, see AnnounceReads() */
    SegmentReceiver::Answer PassTalkOn(End to,
                                       uint64_t before,
                                       uint32_t size,
                                       SegmentReceiver::Answer answer);

    /** All data and the FIN behind them have come: the application closes, unless it has. @param to
     * which end */
    void AnswerTalkFin(End to);

    /** @param end of two ways @return the number that it acknowledges: the first byte missing, or
     * the one behind the other end's FIN */
    uint64_t GetTalkNext(End end) const
    {
        return m_ends[end].receiver.GetNext() + m_ends[end].ending.CountMetFin();
    }

    /** What it does is added to its session from now on, where results contain that. */
    void Measure();

    /** Starts to watch the end that has the source, if anybody asks for RTT: before the handshake,
     * where that end connects, else behind it. @param end which has come so far */
    void Watch(End end);

    /** @return the end that receives what the source sends, whose window may move */
    End GetReceivingEnd() const
    {
        return Other(m_use.source);
    }

    /** @param end whose @param at when @param timer which @param more behind it */
    void Schedule(End end, Nanoseconds at, Timer timer, uint32_t more = 0);

    /** An end sends. @param from which @param now of the simulation @param bytes of the IP packet
     * @param kind of the packet @param value in it @param payload in it */
    void SendPacket(End from,
                    Nanoseconds now,
                    int64_t bytes,
                    PacketKind kind,
                    uint64_t value = 0,
                    uint32_t payload = 0);

    // TCP options: gridftp-segment-connection-options.cc

    /** SendPacket() of a connection with options. @param from which end @param now current
     * simulation time @param bytes of the IP packet without options, but with those of a SYN @param
     * packet the packet without options */
    void SendWithOptions(End from, Nanoseconds now, int64_t bytes, SegmentPacket packet);

    /** A segment with a timestamp arrives. @param to which end @param options with the packet */
    void TakeTimestamp(End to, const SegmentOptions& options);

    // ECN: gridftp-segment-connection-ecn.cc

    /** Sets the ECN field and flags of a packet. @param from which end sends it @param bytes see
     * SendWithOptions() @param options of the packet */
    void AddEcn(End from, int64_t bytes, SegmentOptions& options);

    /** Receive() of a packet of a connection with ECN. @param to which end @param at when @param
     * options with the packet */
    void ReceiveEcn(End to, Nanoseconds at, const SegmentOptions& options);

    /** Takes the ECN field and flags of a packet. @param to which end @param options with the
     * packet */
    void TakeEcn(End to, const SegmentOptions& options);

    /** @param to the end that it comes to @param packet with data, but for that of a probe @return
     * first byte, and size */
    TalkSegment ReadData(End to, SegmentPacket packet) const;

    /** @param end which @return sequence number of a packet without data, as a byte of the stream
     */
    uint64_t GetNextNumber(End end) const;

    /** A host without the connection answers with a RST, which has no options. @param end where
     * @param now current simulation time @param kind RESET or WITHOUT_EFFECT */
    void SendFromNobody(End end, Nanoseconds now, PacketKind kind);

    /** Sends a SYN or SYN-ACK. @param end which */
    void SendSyn(End end);

    /** Sends an ACK without data. @param end which */
    void SendAck(End end);

    /** Sends a packet without data. @param end which @param kind of two ways @param payload of it
     */
    void SendBare(End end, PacketKind kind, uint32_t payload = 0);

    /** Sends a FIN, and again after m_fin.rtoNs if it is dropped. @param now of the simulation
     * @param number of the connection, among those that the object has been */
    void SendFin(Nanoseconds now, uint32_t number);

    /** The timer of a FIN that is lost expires. @param now of the simulation @param number of it */
    void SendFinAgain(Nanoseconds now, uint32_t number);

    /** An ACK comes to the end that has closed: one of new data starts the FIN's timer anew (RFC
     * 6298, Sec. 5, rule 5.3). @param at when @param ack it */
    void HandleAckOfClosed(Nanoseconds at, uint64_t ack);

    /** Of the timers of one moment the first one started expires first: where the timer of an end
     * does not run, it waits no more in the place that it had. @param end which */
    void LeaveTimerPlace(End end);

    /** Sends what was written a nanosecond later, as ns-3's socket. @param end which @param now ns
     */
    void SendLater(End end, Nanoseconds now);

    /** The answer to a SYN or SYN-ACK has come. @param end which */
    void Establish(End end);

    /** An end is connected to. @param to the end that accepts */
    void Accept(End to);

    /** The application of the end that connects learns of it. @param end which @param now ns */
    void HandleOpened(End end, Nanoseconds now);

    /** A SYN-ACK has come. @param to which end */
    void ReceiveSynAck(End to);

    /** A segment of one way arrives. @param at when @param packet it */
    void ReceiveData(Nanoseconds at, SegmentPacket packet);

    /** An ACK of one way arrives. @param to which end @param at when @param packet it */
    void ReceiveAck(End to, Nanoseconds at, SegmentPacket packet);

    /** All that has arrived, or all that the source had, is taken. @param at when */
    void CheckEnd(Nanoseconds at);

    // Windows that move: gridftp-segment-connection-windows.cc

    /** Tells the observer of a buffer, if it wants to know. @param end whose @param at when */
    void ShowBuffers(End end, Nanoseconds at) const
    {
        if (m_traced) [[unlikely]]
        {
            TellBuffers(end, at);
        }
    }

    /** ShowBuffers(), where the observer wants to know. @param end which @param at when */
    void TellBuffers(End end, Nanoseconds at) const;

    /** Data of one way have arrived where this is special. @param at when */
    void HandleArrival(Nanoseconds at);

    /** An application reads at a rate, what it takes lets the sender go on, and so data come just
     * when it reads again. In one and the same nanosecond ns-3 does first what was scheduled first:
     * an arrival when its last transmission began. @param end which @param at when a packet comes,
     * ns @param packet it @param options bytes of options @return whether that is before the
     * application reads or writes again */
    bool IsBeforeWork(End end, Nanoseconds at, SegmentPacket packet, uint32_t options) const;

    /** @param end which @param at when @return whether its application goes on then */
    bool IsWorkDue(End end, Nanoseconds at) const
    {
        return m_ends[end].workDueNs == at;
    }

    /** The application of an end reads or writes again. @param end which @param at when */
    void ResumeWork(End end, Nanoseconds at);

    /** Starts work of an application. @param end which @param now of the simulation @param ns how
     * long @param timer behind it */
    void Work(End end, Nanoseconds now, int64_t ns, Timer timer);

    /** The application reads what it can. @param at when */
    void Read(Nanoseconds at);

    /** Read(), where what it does with that takes time. @param sink does it @param at when */
    void ReadInto(ByteSink& sink, Nanoseconds at);

    /** The application may read again. @param at when */
    void ResumeReading(Nanoseconds at);

    /** The application may write again. @param now of the simulation */
    void ResumeWriting(Nanoseconds now);

    /** There may be room to write. @param now of the simulation */
    void WriteOn(Nanoseconds now);

    /** The send buffer follows what the others of the host's memory do, where it is of that. */
    void FollowPool();

    /** The send buffer becomes one of those that share the host's memory. */
    void JoinPool();

    /** The send buffer is given back, if it was taken from the host's memory. */
    void LeavePool();

    /** The send buffer is made as large as its share. */
    void TakeShare();

    /** The next ACK has a window. @param window bytes */
    void TakeWindow(uint64_t window);

    /** An ACK comes to the end that connects if this is special. @param at when @param packet it */
    void ReceiveWindow(Nanoseconds at, SegmentPacket packet);

    /** An ACK without data has come, behind its window. @param at when @param ack of what */
    void TakeAck(Nanoseconds at, uint64_t ack);

    /** Starts to probe the receiver's window, or ends it. @param now of the simulation */
    void CheckBlocked(Nanoseconds now);

    /** Probes the receiver's window. @param now of the simulation */
    void Probe(Nanoseconds now);

    // Reads that are announced, there, too

    /** The application of an end reads all that has arrived in order, unless Read() has done so;
     * where SegmentTcp::announcesReads. @param end which @param before first byte that was missing
     * before the segment @param size its bytes @param answer to it, without what the application
     * has announced @return answer to it now */
    SegmentReceiver::Answer AnnounceReads(End end,
                                          uint64_t before,
                                          uint32_t size,
                                          SegmentReceiver::Answer answer);

    /** The application of an end reads once, and sends an ACK if that reopens the window. @param
     * end which @param unread bytes in order before that @param bytes that it reads */
    void AnnounceRead(End end, uint64_t unread, uint64_t bytes);

    /** Sends an ACK that announces a window. @param end which @param field of the window */
    void SendWindow(End end, uint32_t field);

    /** The window of the next ACK. @param end that sends @param field of it; 0: the usual one */
    void TakeAnnouncedWindow(End end, uint32_t field);

    /** @param packet BOTH_ACK @return bytes of data in it */
    static uint32_t GetBackBytes(SegmentPacket packet);

    /** @param packet BOTH_ACK @return bytes that it acknowledges */
    uint64_t GetAckOfBoth(SegmentPacket packet) const;

    // An end that accepts and talks back: gridftp-segment-connection-back.cc

    /** Sends a segment or an ACK. @param end which @param start first byte @param size bytes */
    void SendBoth(End end, uint64_t start, uint32_t size);

    /** Sends a segment or an ACK at the end that accepts. @param start first byte @param size bytes
     * @param field of the window */
    void SendBack(uint64_t start, uint32_t size, uint32_t field);

    /** A segment or an ACK arrives at the end that accepts. @param at when @param packet it */
    void ReceiveBothData(Nanoseconds at, SegmentPacket packet);

    /** An ACK arrives at the end that connects. @param at when @param packet it */
    void ReceiveBothAck(Nanoseconds at, SegmentPacket packet);

    /** The end that connects offers a window to the one that talks back, which stays as it is. */
    void OfferToBack();

    /** @return numbers of a probe of the window: the last byte acknowledged, first byte missing */
    uint64_t PackProbe() const;

    // Windows that move of a connection of two ways: gridftp-segment-connection-talk-window.cc

    /** The application of an end reads what has arrived on a connection of two ways. @param to
     * which end */
    void DeliverTalk(End to);

    /** @param end that sends the packet @param size bytes of data in it @return the payload field
     * of the packet: the size, and the window field if the window of that endpoint varies */
    uint32_t PackTalk(End end, uint32_t size);

    /** @param to which end @param packet TALK, TALK_FIN or TALK_WINDOW that arrives there @return
     * bytes of data in it; 0 for TALK_WINDOW */
    uint32_t GetTalkBytes(End to, SegmentPacket packet) const;

    /** Updates the send window of the source from a packet, if the window of the other endpoint
     * varies. @param to which end @param packet that arrives there */
    void TakeTalkWindow(End to, SegmentPacket packet);

    /** The endpoint without the source receives a zero-window probe: takes its ACK, answers with
     * an ACK and sends pending data. @param at when @param packet the probe */
    void ReceiveTalkProbe(Nanoseconds at, SegmentPacket packet);

    /** A probe of a window arrives where windows move. @param at when @param packet it */
    void ReceiveProbe(Nanoseconds at, SegmentPacket packet);

    /** @return bytes that the application of the end that accepts has taken */
    uint64_t GetTaken() const
    {
        return m_window ? m_window->GetRead() : GetReceiver().GetNext();
    }

    /** A segment or an ACK of two ways arrives. @param to which end @param packet it */
    void ReceiveTalk(End to, SegmentPacket packet);

    /** A segment is acknowledged now or later. @param end which @param answer of its receiver */
    void Acknowledge(End end, SegmentReceiver::Answer answer);

    /** @param end which, of a connection of which one end is gone @return whether it is there */
    bool IsLeft(End end) const
    {
        return m_gone != 0 && (m_gone & 1U << end) == 0;
    }

    /** An end is gone. @param end which */
    void Drop(End end);

    /** A RST comes, or what does to an end that is gone. @param to it @param at when @param packet
     */
    void ReceiveAfterReset(End to, Nanoseconds at, SegmentPacket packet);

    /** A packet comes to an end that was closed. @param to which @param at when @param packet it */
    void ReceiveClosed(End to, Nanoseconds at, SegmentPacket packet);

    /** Looks at a delayed ACK. @param end which @param now of the simulation */
    void CheckAck(End end, Nanoseconds now);

    /** CheckRetry() where a delayed ACK is due. @param end which @param now of the simulation */
    void CheckRetryBeforeAck(End end, Nanoseconds now);

    /** Looks at the retransmission timer. @param end which @param now of the simulation */
    void CheckRetry(End end, Nanoseconds now);

    FlowTable* m_flows;               //!< of the simulation
    uint32_t m_index{0};              //!< in the table
    Half m_ends[ENDS];                //!< both
    bool m_flowing{false};            //!< open and connected, for the fast path
    SegmentPacket::Label m_dataLabel; //!< of a full segment of one way
    SegmentPacket::Label m_ackLabel;  //!< of an ACK of one way
    HostClock* m_receiverClock;       //!< of the end that accepts
    uint64_t m_sourceBegin{0};        //!< first byte of the source under way
    bool m_open{true};                //!< both ends are there
    uint8_t m_gone{0};                //!< a bit for each end that Reset() has ended
    bool m_isApart{false};            //!< an end has closed, see Use::closesApart
    TcpConnectionFin m_fin;           //!< where they close together
    bool m_lingers{false};            //!< closed, but the end that talks back does not know yet
    bool m_ended{false};              //!< the receiver has the end of the source
    bool m_closing{false};            //!< see CloseAfterReading()
    bool m_aborted{false};            //!< see Abort()
    bool m_resets{false};             //!< aborted, its receiver answers what comes with a reset
    bool m_logs{false};               //!< what arrives is put down in m_delivery
    bool m_special{false};            //!< a buffer moves or is traced, reads are announced, or
                                      //!< headers have options: no fast path takes it
    bool m_hasOptions{false};         //!< headers may have options
    bool m_announced{false};          //!< a read of what has just arrived was announced
    bool m_pooled{false};             //!< its send buffer is taken from Use::pool
    SendPool::Member m_member{0};     //!< of Use::pool
    bool m_traced{false};             //!< the observer is told of its buffers
    ConnectionMonitor m_monitor;      //!< measures it, where results contain that
    bool m_showsRtt{false};           //!< reports its RTT to the observer
    DeliveryLog m_delivery;           //!< see GetDelivered()
    std::unique_ptr<ReceiveBuffer> m_window; //!< of the end without the source, where it moves, or
                                             //!< of the one that accepts and talks back
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_CONNECTION_H
