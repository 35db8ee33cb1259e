/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BYTE_STREAM_H
#define GRIDFTP_BYTE_STREAM_H

#include "gridftp-connection-totals.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <span>

/**
 * @file
 * @ingroup gridftp
 * One endpoint of a TCP connection, as an application without I/O sees it. Applications in core/
 * use these classes; the driver of each engine implements ByteStream: SegmentStream in the segment
 * engine, SocketStream in engine ns3.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How an endpoint lost its connection. */
enum class StreamLoss
{
    REFUSED, //!< no listener accepted it
    FAILED,  //!< reset by the peer, or the retries of a segment were used up
    CLOSED   //!< the peer closed it
};

/**
 * @ingroup gridftp
 * File data that an endpoint sends. Its bytes are counted; they have no content.
 *
 * Contract: the driver calls Write() while IsExhausted() is false and the send buffer has room for
 * a write batch (GetWriteBatch()), and HandleWritten() after each write that was not empty. If
 * Write() returns 0, the driver calls it again at GetNextNs().
 */
class StreamSource
{
  public:
    virtual ~StreamSource() = default;

    /** @param now current simulation time @param room free bytes in the send buffer, at least 1
     * @return bytes to write, at most `room`; 0: nothing is ready before GetNextNs() */
    virtual uint64_t Write(Nanoseconds now, uint64_t room) = 0;

    /** The bytes of the last Write() are in the send buffer. @param now current simulation time */
    virtual void HandleWritten(Nanoseconds /* now */)
    {
    }

    /** @return when the next bytes are ready, ns; meaningful after Write() has returned 0 */
    virtual Nanoseconds GetNextNs() const
    {
        return 0;
    }

    /** @return whether all bytes were written */
    virtual bool IsExhausted() const = 0;
};

/**
 * @ingroup gridftp
 * Receives file data where reading has to wait, for example until storage has written a block. The
 * window of TCP closes meanwhile.
 *
 * Contract: the driver reads at most GetRoom() bytes from the connection, not before GetNextNs(),
 * and passes them to Take().
 */
class StreamSink
{
  public:
    virtual ~StreamSink() = default;

    /** @return when it reads again, ns; a time in the past: it reads now */
    virtual Nanoseconds GetNextNs() const = 0;

    /** @return most bytes of the next read, at least 1 */
    virtual uint64_t GetRoom() const = 0;

    /** Bytes were read. @param now current simulation time @param bytes from 1 to GetRoom() */
    virtual void Take(Nanoseconds now, uint64_t bytes) = 0;
};

/**
 * @ingroup gridftp
 * The application at one endpoint of a connection.
 *
 * Contract: the driver calls these functions until the application calls ByteStream::Close() or
 * ByteStream::Reset(), or until HandleLost(). An application may call any function of its streams
 * in each of them.
 */
class StreamUser
{
  public:
    virtual ~StreamUser() = default;

    /** The handshake is complete at the endpoint that connects. The endpoint that accepts learns it
     * by ListenUser::HandleAccepted(). @param now current simulation time */
    virtual void HandleConnected(Nanoseconds /* now */)
    {
    }

    /** Bytes have arrived in order, where StreamTerms::hasContent. @param now current simulation
     * time @param bytes their content; a message may arrive in several parts */
    virtual void HandleBytes(Nanoseconds /* now */, std::span<const uint8_t> /* bytes */)
    {
    }

    /** Bytes have arrived in order, where StreamTerms::hasContent is false and GetSink() returns
     * null. @param now current simulation time @param bytes how many */
    virtual void HandleCount(Nanoseconds /* now */, uint64_t /* bytes */)
    {
    }

    /** @return what reads the bytes that arrive, where StreamTerms::isPaced; outlives the stream.
     * Null: HandleCount() is called */
    virtual StreamSink* GetSink()
    {
        return nullptr;
    }

    /** The connection is lost; the stream is closed. @param now current simulation time @param loss
     * how */
    virtual void HandleLost(Nanoseconds /* now */, StreamLoss /* loss */)
    {
    }
};

/**
 * @ingroup gridftp
 * One endpoint of a TCP connection. ApplicationHost makes it; it lives as long as its host.
 *
 * Contract: after Close(), Reset() or StreamUser::HandleLost() all calls have no effect, and the
 * user is not called again.
 */
class ByteStream
{
  public:
    virtual ~ByteStream() = default;

    /**
     * Writes a message. Messages of one moment are written one nanosecond apart, so that each is a
     * segment of its own where TCP may send it, as with ns-3's sockets, which send a nanosecond
     * after a write all that was written.
     * @param now current simulation time
     * @param bytes content; the peer sees it where StreamTerms::hasContent
     */
    virtual void Say(Nanoseconds now, std::span<const uint8_t> bytes) = 0;

    /** Drops the messages of Say() that are not written yet. */
    virtual void CancelMessages() = 0;

    /** Begins to send file data, where StreamTerms::sends; once, after the handshake. @param now
     * current simulation time @param source outlives the stream */
    virtual void Send(Nanoseconds now, StreamSource& source) = 0;

    /** Closes the connection after what was written. @param now current simulation time */
    virtual void Close(Nanoseconds now) = 0;

    /** Resets the connection (RFC 9293, section 3.10.5). Data that waits is discarded. @param now
     * current simulation time */
    virtual void Reset(Nanoseconds now) = 0;

    /** @return counts of what this endpoint has sent */
    virtual ConnectionTotals GetTotals() const = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BYTE_STREAM_H
