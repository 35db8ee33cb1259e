/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BYTE_STREAM_H
#define GRIDFTP_BYTE_STREAM_H

#include "gridftp-connection-totals.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-pieces.h"

#include <cstdint>
#include <span>

/**
 * @file
 * @ingroup gridftp
 * One endpoint of a TCP connection, as an application without I/O sees it. Applications in core/
 * use these classes; the driver of each engine implements ByteStream: SegmentStreamPair in the
 * segment engine, SocketStream in engine ns3.
 *
 * Lifetimes: a user, a source and a sink have to live until Close(), Reset() or HandleLost() of
 * their stream, else until the simulation ends. They may be destroyed when the callback that runs
 * then has returned.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How a connection ended for an endpoint that did not end it. */
enum class StreamLoss
{
    REFUSED, //!< no listener at the peer, or no answer to any SYN
    FAILED,  //!< reset by the peer, or the retries of a segment were used up
    CLOSED   //!< the peer closed it (engine ns3 alone reports this, see ByteStream::Close())
};

/**
 * @ingroup gridftp
 * File data that an endpoint sends. Its bytes are counted; they have no content.
 *
 * Contract: the driver calls Write() when IsExhausted() is false and at least a write batch of the
 * send buffer is free (GetWriteBatch() of gridftp-buffer-settings.h), for the first time inside
 * ByteStream::Send(). After a write of 1 byte or more it calls HandleWritten(). If Write() returns
 * 0, the driver calls it again at GetNextNs(), which must be later than now.
 */
class StreamSource : public PieceSource
{
  public:
    /** @param now current simulation time @param room free bytes in the send buffer, at least 1
     * @return bytes to write, at most `room`; 0: nothing is ready before GetNextNs() */
    virtual uint64_t Write(Nanoseconds now, uint64_t room) = 0;

    // PieceSource
    StreamPiece WritePiece(Nanoseconds now, uint64_t room) final
    {
        return {.payload = Write(now, room)};
    }
};

/**
 * @ingroup gridftp
 * Reads file data at the pace of the receiver, for example of its storage. Bytes that are not read
 * fill the receive buffer and close the window of TCP.
 *
 * Contract: the driver reads at most GetRoom() bytes from the connection, not before GetNextNs(),
 * and passes them to Take().
 */
class StreamSink : public PieceSink
{
  public:
    /** @return earliest time of the next read; not later than now: the driver reads now */
    virtual Nanoseconds GetNextNs() const = 0;

    /** Bytes were read. @param now current simulation time @param bytes from 1 to GetRoom() */
    virtual void Take(Nanoseconds now, uint64_t bytes) = 0;

    // PieceSink
    Nanoseconds GetNextReadNs(Nanoseconds /* now */) final
    {
        return GetNextNs();
    }

    void TakePiece(Nanoseconds now, const ArrivedBytes& bytes) final
    {
        Take(now, bytes.GetSize());
    }
};

/**
 * @ingroup gridftp
 * The application at one endpoint of a connection.
 *
 * Contract: the driver calls these functions until Close() or Reset() of the stream, or until
 * HandleLost(). Inside them, and inside ListenUser::HandleAccepted() and
 * EventTarget::HandleEvent(), an application may call any function of its streams and its host.
 * Functions of sources and sinks must not close or reset a stream.
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
     * time @param bytes their content, valid until this returns; a message may arrive in several
     * parts */
    virtual void HandleBytes(Nanoseconds /* now */, std::span<const uint8_t> /* bytes */)
    {
    }

    /** Bytes have arrived in order, where StreamTerms::hasContent is false and no sink reads them.
     * @param now current simulation time @param bytes how many */
    virtual void HandleCount(Nanoseconds /* now */, uint64_t /* bytes */)
    {
    }

    /** Called where StreamTerms::isPaced; the answer must not change. @return what reads the bytes
     * that arrive; null: HandleCount() reports them */
    virtual StreamSink* GetSink()
    {
        return nullptr;
    }

    /** The connection ended; the driver closes the stream. @param now current simulation time
     * @param loss how */
    virtual void HandleLost(Nanoseconds /* now */, StreamLoss /* loss */)
    {
    }
};

/**
 * @ingroup gridftp
 * One endpoint of a TCP connection. ApplicationHost makes it and owns it; it lives as long as the
 * host.
 *
 * Contract: after Close(), Reset() or StreamUser::HandleLost(), all calls but GetTotals() have no
 * effect, and the user is not called again.
 */
class ByteStream
{
  public:
    virtual ~ByteStream() = default;

    /**
     * Writes a message, after the handshake. A socket of ns-3 sends one nanosecond after a write,
     * and would send all that was written by then in one segment. Therefore drivers write messages
     * of the same time one nanosecond apart, unless StreamTerms::isLines.
     * @param now current simulation time
     * @param bytes content, at least 1, copied; without StreamTerms::hasContent the peer counts it
     */
    virtual void Say(Nanoseconds now, std::span<const uint8_t> bytes) = 0;

    /** Drops messages of Say() that are not written yet. */
    virtual void DropMessages() = 0;

    /** Begins to send file data, where StreamTerms::sends; once, after the handshake. @param now
     * current simulation time @param source of the data */
    virtual void Send(Nanoseconds now, StreamSource& source) = 0;

    /** Sends a FIN after all that is in the send buffer. Messages that are not written yet are
     * dropped, unless StreamTerms::isLines. Segment engine: only Close() of the endpoint that
     * connected sends a FIN; TCP of the other endpoint answers with its own, without a call of its
     * user. Close() of the endpoint that accepted only ends the calls of its user. @param now
     * current simulation time */
    virtual void Close(Nanoseconds now) = 0;

    /** Sends a RST (RFC 9293, section 3.10.5) and discards all that waits. @param now current
     * simulation time */
    virtual void Reset(Nanoseconds now) = 0;

    /** @return counts of what this endpoint has sent */
    virtual ConnectionTotals GetTotals() const = 0;

    /** @return IPv4 address of this endpoint, host byte order, while the connection is open; 0: it
     * is closed, or the driver is the segment engine, whose packets have no addresses */
    virtual uint32_t GetLocalAddress() const = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BYTE_STREAM_H
