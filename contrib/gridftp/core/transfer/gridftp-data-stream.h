/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_STREAM_H
#define GRIDFTP_DATA_STREAM_H

#include "gridftp-buffer-tally.h"
#include "gridftp-byte-stream.h"
#include "gridftp-pieces.h"

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * One endpoint of a data connection of GridFTP, for the machines of core/transfer. Engine ns3
 * (SocketStream) and real sockets (PosixStream) implement it; the segment engine has data pairs of
 * its own.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The data transfer process at one endpoint of a data connection.
 *
 * Contract: as StreamUser, which it is for the driver.
 */
class DataStreamUser : public StreamUser
{
  public:
    /** @return what reads the bytes that arrive, always the same */
    virtual PieceSink& GetPieceSink() = 0;

    /** TCP has acknowledged all bytes of the source; once for each SendPieces(), never inside it.
     * The driver does not use the source any more. @param now current simulation time */
    virtual void HandleDrained(Nanoseconds /* now */)
    {
    }

    /** The peer has sent its FIN; GetUnread() returns how much of what arrived before it is not
     * read yet. The stream stays open at this endpoint until Close(). The FIN is no loss, but a RST
     * that follows is. @param now current simulation time */
    virtual void HandlePeerClosed(Nanoseconds now) = 0;
};

/** @ingroup gridftp @brief An endpoint that sends several chunks, and whose buffers change. */
class DataStream : public ByteStream
{
  public:
    /** Begins to send, after the messages that are not written yet. Called for each chunk, when the
     * one before was reported by HandleDrained(). @param now current simulation time @param source
     * of the bytes */
    virtual void SendPieces(Nanoseconds now, PieceSource& source) = 0;

    /** Reads again, after PieceSink::IsReading() was false. @param now current simulation time */
    virtual void Resume(Nanoseconds now) = 0;

    /** @return bytes that have arrived and are not read yet */
    virtual uint64_t GetUnread() const = 0;

    /** @return payload of a full segment, bytes */
    virtual uint64_t GetSegmentBytes() const = 0;

    /** @return size of the send buffer, bytes */
    virtual uint64_t GetSendBuffer() const = 0;

    /** @param now current simulation time @param bytes size of the send buffer from now on; a
     * smaller one than the present one has no effect */
    virtual void GrowSendBuffer(Nanoseconds now, uint64_t bytes) = 0;

    /** @return size of the receive buffer, bytes */
    virtual uint64_t GetReceiveBuffer() const = 0;

    /** @param bytes size of the receive buffer from now on */
    virtual void SetReceiveBuffer(uint64_t bytes) = 0;

    /** Counts the receive buffer. @param tally to add it to */
    virtual void CountBuffer(BufferTally& tally) const = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_STREAM_H
