/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TCP_SOCKET_RIGHT_SIZING_H
#define GRIDFTP_TCP_SOCKET_RIGHT_SIZING_H

#include "gridftp-host-memory.h"
#include "gridftp-receive-buffer.h"
#include "gridftp-tcp-socket-guarded.h"
#include "gridftp-trace-rows.h"

#include "ns3/traced-callback.h"

#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief A TCP socket whose buffers may be sized while data flow.
 *
 * Without SetBuffers(), or with settings that size nothing, it is a TcpSocketGuarded, segment for
 * segment. TcpSocketReno derives from it, so that every TCP of this module has it.
 *
 * With buffers that are sized:
 *
 * - The receive buffer is a ReceiveBuffer, sized by its BufferPolicy; the window that ACKs
 *   advertise is its. ns-3's own TcpRxBuffer only bounds it. Window scaling is settled in the
 *   handshake for as large as the buffer may become (RFC 7323, Section 2.2), the SYN offers what
 *   the buffer is.
 * - What the application reads late is told by an ACK of its own as soon as it is worth it
 *   (ReceiveBuffer::IsUpdateDue()). TcpSocketBase never sends one: its sender would wait for its
 * next probe.
 * - An ACK whose window differs from the one before is no duplicate (RFC 5681, Section 2, point
 *   (e)). TcpSocketBase counts it as one.
 * - The send buffer grows with the window that the receiver advertises, to twice the largest,
 * unless it is given, or taken from a SendPool: then it is looked at whenever an ACK comes, before
 * that is processed.
 * - Where nothing is in flight and the receiver's window keeps what is there from being sent, the
 *   sender does something after the retransmission timeout, then after twice that, and so on, up to
 *   60 s. A window that is open, but for less than a segment, is used (RFC 9293, Section
 *   3.8.6.2.1), and what it let through is sent again where it is lost; TcpSocketBase, which waits
 *   for a whole segment's window then, too, would wait for ever. A closed one is probed (Section
 *   3.8.6.1) by the last byte that is acknowledged already, as Linux probes by an old sequence
 *   number; the receiver answers with an ACK and keeps nothing of it. After DataRetries probes
 *   without any answer the connection is given up. The retransmission timer does not run meanwhile
 *   (RFC 6298, Section 5.2). TcpSocketBase probes closed windows only, for ever, by a byte that it
 *   does not count as sent, and lets the timer end in a timeout of nothing.
 */
class TcpSocketRightSizing : public TcpSocketGuarded
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TcpSocketRightSizing() = default;
    ~TcpSocketRightSizing() override;

    /**
     * @brief What the sockets of accepted connections are copied with: the settings alone.
     * @param other the socket
     */
    TcpSocketRightSizing(const TcpSocketRightSizing& other);

    TcpSocketRightSizing& operator=(const TcpSocketRightSizing&) = delete;

    /**
     * @brief Set what the buffers are like. Before it connects or listens; connections accepted
     * have the same.
     * @param settings of the connection, with a window of at least one segment
     */
    void SetBuffers(const BufferSettings& settings);

    /**
     * @brief Get the size of the send buffer now.
     * @return bytes
     */
    uint32_t GetSendBuffer() const;

    /**
     * @brief Set the size of the send buffer of a connection, where its buffers move.
     * @param bytes size; what is less than there is changes nothing
     */
    void GrowSendBuffer(uint64_t bytes);

    /**
     * @brief Set the size of the receive buffer of a connection, where its buffers move.
     * @param bytes size, at least 1; the right edge of the window never moves back
     */
    void ResizeReceiveBuffer(uint64_t bytes);

    /**
     * @brief Get the receive buffer of a connection.
     * @return the buffer; null where it does not move, and before the connection is established
     */
    const ReceiveBuffer* GetReceiveBuffer() const;

    /**
     * @brief Get how the buffers of an established connection are now.
     * @return both of them
     */
    BufferState GetBufferState() const;

    /**
     * @brief Signature of the trace source of buffers.
     * @param state of both buffers of the socket
     */
    typedef void (*BuffersTracedCallback)(const BufferState& state);

    /**
     * @brief Whether the packet that is sent now is a probe of the receiver's window.
     * @return true while trace source Tx is fired for one
     */
    bool IsProbing() const;

    // Inherited from Socket
    int Close() override;
    int Send(Ptr<Packet> p, uint32_t flags) override;
    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;
    using TcpSocketBase::Recv;
    using TcpSocketBase::Send;

  protected:
    // Inherited from TcpSocketBase
    Ptr<TcpSocketBase> Fork() override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void ProcessAck(const SequenceNumber32& ackNumber,
                    bool scoreboardUpdated,
                    uint32_t currentDelivered,
                    const SequenceNumber32& oldHeadSequence,
                    bool receivedData) override;
    uint16_t AdvertisedWindowSize(bool scale = true) const override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void PersistTimeout() override;
    void ReTxTimeout() override;

    /**
     * @brief Whether the segment being processed tells of another window than the one before.
     * @return true if so: it is no duplicate ACK
     */
    bool IsWindowUpdate() const;

  private:
    /**
     * @brief Whether its buffers move.
     * @return true if so
     */
    bool IsMoving() const;

    /// @brief Announce the window with an ACK, which echoes marks as any other (RFC 3168, 6.1.3).
    void SendUpdate();

    /// @brief Take up the receive buffer, once the connection is established.
    void Open();

    /// @brief Tell the receive buffer of what has arrived in order.
    void NoteArrival();

    /**
     * @brief Let ns-3's buffer hold all that the window lets through. An edge that does not move
     * back is rounded up to a unit of the window field, with each ACK anew: where the application
     * reads nothing for long, that is more than the buffer by up to a unit for each ACK.
     */
    void KeepPromise();

    /**
     * @brief Let the send buffer follow a window.
     * @param packet with the header that has it
     */
    void FollowWindow(Ptr<const Packet> packet);

    /// @brief Take the send buffer from the host's memory, of a connection that it has opened.
    void JoinPool();

    /// @brief Give it back.
    void LeavePool();

    /// @brief Make the send buffer as large as its share.
    void TakeShare();

    /**
     * @brief Tell the host's memory what may be in flight, as an ACK comes.
     * @param packet with its header
     */
    void FollowPool(Ptr<const Packet> packet);

    /// @brief Fire the trace source of buffers, until either end closes.
    void TraceBuffers() const;

    /// @brief Start to probe the receiver's window, or end it.
    void CheckBlocked();

    /// @brief Use a small window, or probe a closed one.
    void Probe();

    /// @brief Send a probe of a closed window.
    void SendProbe();

    std::optional<BufferSettings> m_settings; //!< of its buffers
    std::optional<ReceiveBuffer> m_buffer;    //!< of an established connection
    SequenceNumber32 m_nextSeen{0};           //!< first sequence number not told to m_buffer
    uint64_t m_arrived{0};                    //!< bytes told to m_buffer
    uint32_t m_windowBefore{0};               //!< receiver's window before the segment
    bool m_receiving{false};                  //!< data are being received, an ACK follows
    bool m_reading{false};                    //!< the base's Recv() is being called
    Ptr<HostMemory> m_memory;                 //!< what its send buffer is taken from, or null
    SendPool::Member m_member{0};             //!< of its pool
    bool m_closing{false};                    //!< its application has closed it
    bool m_probing{false};                    //!< see IsProbing()
    EventId m_probeEvent;                     //!< the next probe
    Time m_probeTimeout;                      //!< how long after the last one
    uint32_t m_probesLeft{0};                 //!< before it gives up
    TracedCallback<const BufferState&> m_buffersTrace; //!< see GetBufferState()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TCP_SOCKET_RIGHT_SIZING_H
