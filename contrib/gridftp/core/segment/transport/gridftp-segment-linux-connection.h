/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_LINUX_CONNECTION_H
#define GRIDFTP_SEGMENT_LINUX_CONNECTION_H

#include "gridftp-connection-monitor.h"
#include "gridftp-linux-socket.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-ring.h"
#include "gridftp-segment-delivery.h"
#include "gridftp-segment-events.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-tcp-connection.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A TCP connection of the segment engine whose hosts are Linux: two LinuxSockets, and the
 * applications that write to and read from them. Either endpoint can send data.
 * FlowTable::GetLinuxPackets() stores the headers of packets on their way.
 *
 * An object serves one connection after another. After Renew() it discards packets of the previous
 * connection.
 *
 * Lookahead: a host whose clock may run ahead (HostClock::IsAhead()) gets a segment with data as
 * soon as it is sent: Send() calls the receiver's socket with the future time of arrival. All other
 * packets to such a host, and all packets of two-way connections, arrive by an event of its clock.
 * Otherwise the answer of one application could reach the other while that one is still writing.
 */
class LinuxConnection final : public TcpConnection, private EventTarget, private LinuxSocket::Port
{
  public:
    /** @param flows table that holds it @param use its hosts, path and direction */
    LinuxConnection(FlowTable& flows, const Use& use);

    /** TcpConnection::Make() calls it once, before Renew(). @param index in the table */
    void SetIndex(uint32_t index)
    {
        m_index = index;
    }

    void Renew(const Use& use) override;
    void Connect(Nanoseconds now) override;
    void Begin(ByteSource& source, Nanoseconds now) override;
    void Write(End from, Nanoseconds now, uint64_t bytes) override;
    void EndSource() override;
    void Close(Nanoseconds now) override;
    void CloseAfterReading() override;
    void ClosePassive(Nanoseconds now) override;
    void Stop() override;
    void Abort(Nanoseconds now) override;
    void Reset(End end, Nanoseconds now) override;
    void Leave(Nanoseconds now) override;
    bool IsOpen() const override;
    bool IsOpenAtPassive() const override;
    bool MayRenew(Nanoseconds now) const override;
    bool IsConnected() const override;
    bool IsThere(End end) const override;
    bool IsKnown() const override;
    Nanoseconds GetNow(End end) const override;
    ConnectionTotals GetTotals(End end) const override;
    uint64_t GetWritten(End end) const override;
    uint64_t GetReceived(End end) const override;
    uint64_t GetSendBufferSize() const override;
    SenderView GetSenderView() const override;

    const ReceiveBuffer* GetWindow() const override
    {
        return nullptr; // a LinuxReceiver has its own
    }

    std::optional<uint64_t> GetLargestWindow() const override
    {
        return m_ends[GetReceivingEnd()].socket->GetReceiver().GetBuffer().GetClamp();
    }

    std::optional<BufferUse> GetReceiveBufferUse() const override
    {
        return m_ends[GetReceivingEnd()].socket->GetReceiver().GetBufferUse();
    }

    std::optional<uint64_t> FindSequence(SegmentPacket packet) const override;

    void ReadOn(Nanoseconds now) override
    {
        if (m_readsSlowly && m_ends[GetReceivingEnd()].workAt == NEVER)
        {
            ReadSlowly(now);
        }
    }

    uint64_t GetDelivered(Nanoseconds now) const override;
    uint64_t CountOfSource(uint64_t bytes) const override;
    void Observe() override;
    void AddState(SegmentState& state) const override;
    void Receive(End to, Nanoseconds at, SegmentPacket packet) override;
    void HandleDrop(Nanoseconds at, SegmentPacket packet) override;

    /** @param packet to the sender of data @return whether it is an ACK without data, SYN, FIN or
     * RST, of a connection whose receiver has lookahead */
    bool IsAck(SegmentPacket packet) const
    {
        constexpr uint8_t SPECIAL = LinuxSegment::SYN | LinuxSegment::FIN | LinuxSegment::RST;
        const LinuxSegment& segment = LinuxPacketPool::Get(packet).segment;
        return m_isAhead && segment.size == 0 && (segment.flags & SPECIAL) == 0;
    }

    /** A packet has arrived: the socket gets its segment. @param to endpoint @param at when @param
     * packet which */
    void Deliver(End to, Nanoseconds at, SegmentPacket packet);

  private:
    static constexpr uint64_t NO_END = std::numeric_limits<uint64_t>::max(); //!< not known yet

    /** One endpoint. */
    struct Half
    {
        std::unique_ptr<LinuxSocket> socket; //!< its socket
        Nanoseconds now{0};                  //!< when it did something last
        Nanoseconds queuedAt{NEVER};         //!< when its next event is
        Nanoseconds workAt{NEVER};           //!< until when its application reads or writes nothing
        uint64_t written{0};                 //!< bytes that its application has written
        bool connected{false};               //!< the handshake is done
        bool closed{false};                  //!< its application has closed or left it
        bool isRetired{false};               //!< its application is not notified any more
    };

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // LinuxSocket::Port
    void Send(LinuxSocket& socket, const LinuxSegment& segment) override;
    void HandleDeadline(LinuxSocket& socket) override;
    void HandleConnected(LinuxSocket& socket, Nanoseconds now) override;
    void HandleReadable(LinuxSocket& socket, Nanoseconds now) override;
    void HandleAcknowledged(LinuxSocket& socket, Nanoseconds now) override;
    void HandleFailed(LinuxSocket& socket, Nanoseconds now, LinuxSocket::Failure failure) override;
    void HandleWindow(const LinuxSocket& socket, Nanoseconds now) override;

    /** @param segment any @return whether it may reach a host with lookahead within the call that
     * sends it */
    bool IsPlain(const LinuxSegment& segment) const
    {
        constexpr uint8_t SPECIAL = LinuxSegment::SYN | LinuxSegment::FIN | LinuxSegment::RST;
        return m_isAhead && segment.size > 0 && (segment.flags & SPECIAL) == 0;
    }

    /** @param from endpoint that sends @param segment which @return the packet, with the segment in
     * the pool */
    SegmentPacket Store(End from, const LinuxSegment& segment);

    /** Sends a plain segment of usual size by the fast path to the host with lookahead. @param
     * segment which */
    void SendAhead(const LinuxSegment& segment);

    /** A segment has arrived: the socket gets it. @param to endpoint @param at when @param segment
     * which */
    void Deliver(End to, Nanoseconds at, const LinuxSegment& segment);

    /** The receiving application has read. @param at when */
    void LogDelivery(Nanoseconds at);

    /** @return bytes that the receiving application has read */
    uint64_t GetTaken() const
    {
        return m_readsSlowly ? m_read : m_ends[GetReceivingEnd()].socket->GetReceived();
    }

    /** @param socket of this connection @return its endpoint */
    End EndOf(const LinuxSocket& socket) const
    {
        return &socket == m_ends[ACTIVE].socket.get() ? ACTIVE : PASSIVE;
    }

    /** @return the endpoint that receives what the source sends */
    End GetReceivingEnd() const
    {
        return Other(m_use.source);
    }

    /** The application of the source writes what there is room for, unless it is resting or waits
     * for its own source. @param now current time */
    void Fill(Nanoseconds now);

    // Slow applications and shared send buffers: gridftp-segment-linux-connection-slow.cc

    /** The application of an endpoint neither reads nor writes for some time. @param end which
     * @param now current time @param ns how long */
    void Work(End end, Nanoseconds now, Nanoseconds ns);

    /** Work() is over. @param end which @param now current time */
    void HandleWork(End end, Nanoseconds now);

    /** The FIN of the peer, and all before it, is read. @param end which @param now current time */
    void HandleEndOfFile(End end, Nanoseconds now);

    /** The application of the receiving endpoint, which takes its time, reads what it can. @param
     * now current time */
    void ReadSlowly(Nanoseconds now);

    /** It reads once. @param now current time @param bytes at most what is readable */
    void ReadOnce(Nanoseconds now, uint64_t bytes);

    /** @return bytes that the source may write now */
    uint64_t GetRoom() const
    {
        const LinuxSocket& socket = *m_ends[m_use.source].socket;
        return m_isPooled ? GetPooledRoom() : socket.GetWritable();
    }

    /** @return GetRoom() where the send buffer is of a pool */
    uint64_t GetPooledRoom() const;

    /** @return bytes of the source's stream that are not acknowledged */
    uint64_t GetHeld() const
    {
        const Half& half = m_ends[m_use.source];
        return half.written - half.socket->GetAcknowledged();
    }

    /** @return size of the send buffer of the source, bytes */
    uint64_t GetBufferOfSource() const;

    /** @return whether a source that waits for room goes on */
    bool IsWritable() const
    {
        return m_isPooled ? GetPooledRoom() > 0 && GetPooledRoom() >= GetHeld() / 2
                          : m_ends[m_use.source].socket->GetSender().IsWritable();
    }

    /** Its send buffer is of the pool from now on. */
    void JoinPool();

    /** An ACK has come: the pool gets to know what may be in flight. */
    void FollowPool();

    /** Its send buffer is of the pool no more. */
    void LeavePool();

    /** Reports buffers to the observer, where it wants that. @param end whose */
    void ShowBuffers(End end)
    {
        if (m_showsBuffers) [[unlikely]]
        {
            TellBuffers(end);
        }
    }

    /** ShowBuffers(), where the observer wants it. @param end whose */
    void TellBuffers(End end) const;

    /** All that was written is acknowledged: where the source is exhausted its application hears of
     * it once. @param now current time */
    void CheckDrained(Nanoseconds now);

    /** All that was written has arrived: where the source is exhausted the receiving application
     * hears of it once. @param now current time */
    void CheckDelivered(Nanoseconds now);

    /** Adds to results and traces what the sender did since the last call. @param now current time
     */
    void UpdateMonitor(Nanoseconds now);

    /** Reports a new RTT sample and a changed RTO to the observer. @param now current time */
    void ShowRtt(Nanoseconds now);

    /** @param end whose application closes @param now current time */
    void CloseEnd(End end, Nanoseconds now);

    /** Bit of an event's id: the first packet of m_early arrives. */
    static constexpr uint32_t EARLY = 1U << 31;

    FlowTable* m_flows;            //!< of the simulation
    uint32_t m_index{0};           //!< in the table
    uint32_t m_incarnation{0};     //!< counts Renew()
    int64_t m_usualBytes[ENDS]{};  //!< sizes of IP packets that SegmentNetwork::SendUsual() sends
    uint32_t m_depth{0};           //!< nesting depth of calls from network and events
    Half m_ends[ENDS];             //!< both endpoints
    ByteSource* m_source{nullptr}; //!< what is being sent, or null
    uint64_t m_sourceBegin{0};     //!< first byte of the source in the stream
    uint64_t m_sourceEnd{NO_END};  //!< position behind all that the source has, once it is known
    bool m_isDrained{true};        //!< HandleDrained() was called for the source
    bool m_isDelivered{true};      //!< HandleDelivered() was called for it
    bool m_closesAfterReading{false}; //!< see CloseAfterReading()
    Ring<SegmentPacket> m_early;      //!< packets that arrive by an event, in order: see Receive()
    DeliveryLog m_delivery;           //!< see GetDelivered()
    ConnectionMonitor m_monitor;      //!< collects statistics if results contain them
    LinuxSenderCounts m_counted;      //!< counts that m_monitor has
    uint64_t m_countedAcked{0};       //!< bytes acknowledged that m_monitor has
    Nanoseconds m_shownRto{0};        //!< RTO that the observer has
    bool m_isWatched{false};          //!< UpdateMonitor() is called
    bool m_showsRtt{false};           //!< ShowRtt() is called
    bool m_isAhead{false};            //!< data go to a host with lookahead, one way
    bool m_logs{false};               //!< m_delivery has what arrives
    bool m_showsBuffers{false};       //!< TellBuffers() is called
    bool m_readsSlowly{false};        //!< ReadSlowly() is called
    bool m_isPooled{false};           //!< the send buffer is of a pool
    SendPool::Member m_member{};      //!< of the pool, where that is so
    uint64_t m_read{0};               //!< bytes that ReadSlowly() has read
    uint64_t m_mostWritten{0};        //!< most bytes that the source writes at a time
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_LINUX_CONNECTION_H
