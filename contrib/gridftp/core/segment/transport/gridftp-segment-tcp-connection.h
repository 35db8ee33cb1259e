/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_TCP_CONNECTION_H
#define GRIDFTP_SEGMENT_TCP_CONNECTION_H

#include "gridftp-nanoseconds.h"
#include "gridftp-receive-buffer.h"
#include "gridftp-result.h"
#include "gridftp-segment-connection-terms.h"
#include "gridftp-segment-packet.h"
#include "gridftp-segment-send-buffer.h"
#include "gridftp-segment-sender.h"
#include "gridftp-segment-state.h"

#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The sender of a connection at one moment, for results and traces. */
struct SenderView
{
    uint64_t cwndBytes{0};                 //!< congestion window
    std::optional<uint64_t> ssthreshBytes; //!< slow start threshold, where it is set
    uint64_t flightBytes{0};               //!< in flight, as the sender estimates it
    uint64_t acknowledgedBytes{0};         //!< acknowledged, of the stream
    CongestionState state{};               //!< state of loss recovery
    int64_t smoothedRttNs{0};              //!< SRTT; 0 before the first sample
};

/**
 * @ingroup gridftp
 * A TCP connection of the segment engine, both endpoints of it, as its applications use it. What
 * its hosts' TCP does is a matter of the stack: ClassicConnection follows ns-3, LinuxConnection the
 * kernel.
 *
 * Contract: Make() adds one to a FlowTable. The endpoint that connects (ACTIVE) calls Connect();
 * Begin() and Write() may come before. Renew() makes another connection of the object, where
 * MayRenew(); packets of the old one may still be on their way.
 */
class TcpConnection : public TcpConnectionTerms
{
  public:
    /** @param flows table to which it is added, its owner @param use what it is @return a new one,
     * of the stack that use.tcp has */
    static TcpConnection& Make(FlowTable& flows, const Use& use);

    TcpConnection(const TcpConnection&) = delete;
    TcpConnection& operator=(const TcpConnection&) = delete;
    virtual ~TcpConnection() = default;

    /** Becomes a new connection, which is open but not connected. @param use what it is */
    virtual void Renew(const Use& use) = 0;

    /** Connects. @param now current time */
    virtual void Connect(Nanoseconds now) = 0;

    /** Begins to send from a source, at the endpoint that has it. @param source what @param now
     * current time */
    virtual void Begin(ByteSource& source, Nanoseconds now) = 0;

    /** An application writes once. @param from whose @param now current time @param bytes at least
     * 1
     */
    virtual void Write(End from, Nanoseconds now, uint64_t bytes) = 0;

    /** Sends nothing more of the source. */
    virtual void EndSource() = 0;

    /** The endpoint that connects closes, with a FIN where connected. @param now current time */
    virtual void Close(Nanoseconds now) = 0;

    /** The endpoint that connects closes as soon as its application has read. */
    virtual void CloseAfterReading() = 0;

    /** The endpoint that accepts closes. @param now current time */
    virtual void ClosePassive(Nanoseconds now) = 0;

    /** Both endpoints vanish without a packet. */
    virtual void Stop() = 0;

    /** Both applications end at once. @param now current time */
    virtual void Abort(Nanoseconds now) = 0;

    /** The application of one endpoint resets the connection (RFC 793, Section 3.4). @param end
     * which @param now current time */
    virtual void Reset(End end, Nanoseconds now) = 0;

    /** The endpoint that connects says that it will send no more. @param now current time */
    virtual void Leave(Nanoseconds now) = 0;

    /** The application of the endpoint without the source reads again, see ByteSink::GetNextNs().
     * @param now current time */
    virtual void ReadOn(Nanoseconds /* now */)
    {
    }

    /** @param now current time @param bytes least size of the send buffer of the endpoint that
     * connects; no effect where TCP decides that */
    virtual void GrowSendBuffer(Nanoseconds /* now */, uint64_t /* bytes */)
    {
    }

    /** @param now current time @param bytes size of the receive buffer of the endpoint without the
     * source; no effect where TCP decides that */
    virtual void ResizeWindow(Nanoseconds /* now */, uint64_t /* bytes */)
    {
    }

    /** @return what it is */
    const Use& GetUse() const
    {
        return m_use;
    }

    /** @return whether the endpoint that connects has not closed it */
    virtual bool IsOpen() const = 0;

    /** @return whether the endpoint that accepts has not closed */
    virtual bool IsOpenAtPassive() const = 0;

    /** Behind the endpoint that accepts nobody listens any more, see Use::hasListener. */
    void StopListening()
    {
        m_use.hasListener = false;
    }

    /** @param now current time @return whether Renew() may be called */
    virtual bool MayRenew(Nanoseconds now) const = 0;

    /** @return whether the endpoint that connects has done so */
    virtual bool IsConnected() const = 0;

    /** @param end which @return whether it is connected, and the connection is open */
    virtual bool IsThere(End end) const = 0;

    /** @return whether the endpoint that accepts has received a SYN, and is open */
    virtual bool IsKnown() const = 0;

    /** @param end which @return when the connection did something there last, by its host's clock
     */
    virtual Nanoseconds GetNow(End end) const = 0;

    /** @param end whose sender @return counts so far */
    virtual ConnectionTotals GetTotals(End end) const = 0;

    /** @param end whose sender @return bytes written so far */
    virtual uint64_t GetWritten(End end) const = 0;

    /** @param end whose receiver @return bytes that have come in order */
    virtual uint64_t GetReceived(End end) const = 0;

    /** @return size of the send buffer of the endpoint that connects, bytes */
    virtual uint64_t GetSendBufferSize() const = 0;

    /** @return largest window that the receive buffer of the endpoint without the source allows,
     * bytes; none where the window is constant */
    virtual std::optional<uint64_t> GetLargestWindow() const
    {
        const ReceiveBuffer* const window = GetWindow();
        return window ? std::optional(window->GetSize()) : std::nullopt;
    }

    /** @return how large that buffer was; none where the window is constant */
    virtual std::optional<BufferUse> GetReceiveBufferUse() const
    {
        const ReceiveBuffer* const window = GetWindow();
        return window ? std::optional(window->GetUse()) : std::nullopt;
    }

    /** @return the sender of the endpoint that has the source */
    virtual SenderView GetSenderView() const = 0;

    /** @return receive buffer of the endpoint without the source; null where its window is
     * constant, and with the Linux stack */
    virtual const ReceiveBuffer* GetWindow() const = 0;

    /** @param packet of it @return the first byte of its data of the source; none: it has none */
    virtual std::optional<uint64_t> FindSequence(SegmentPacket packet) const = 0;

    /** @param now current time @return bytes that the application of the endpoint that accepts has
     * taken */
    virtual uint64_t GetDelivered(Nanoseconds now) const = 0;

    /** @param bytes of the stream @return how many of them are of the source under way */
    virtual uint64_t CountOfSource(uint64_t bytes) const = 0;

    /** Reports its windows, and perhaps its buffers, to the observer of the table from now on. */
    virtual void Observe() = 0;

    /** @return number of it among all connections of the simulation, in the order in which they
     * began: Renew() gives it another one */
    uint64_t GetSerial() const
    {
        return m_serial;
    }

    /** @param state gets all of it */
    virtual void AddState(SegmentState& state) const = 0;

    // For FlowTable

    /** @return whether the endpoint that connects has closed, and not all is said between both */
    virtual bool IsLingering() const
    {
        return false;
    }

    /** @return whether both endpoints have closed, and all is said between them; the endpoints of
     * connections without Use::closesApart do not know that */
    virtual bool HasEnded() const
    {
        return false;
    }

    /** A packet arrives. @param to which endpoint @param at when @param packet it */
    virtual void Receive(End to, Nanoseconds at, SegmentPacket packet) = 0;

    /** A packet does not get through. @param at when @param packet it */
    virtual void HandleDrop(Nanoseconds at, SegmentPacket packet) = 0;

  protected:
    /** @param use what it is */
    explicit TcpConnection(const Use& use)
        : m_use(use)
    {
    }

    Use m_use;            //!< what it is
    uint64_t m_serial{0}; //!< see GetSerial()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_TCP_CONNECTION_H
