/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PIECES_H
#define GRIDFTP_PIECES_H

#include "gridftp-arrived-bytes.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <span>

/**
 * @file
 * @ingroup gridftp
 * File data in pieces, some of whose bytes have content: what an application gives to the driver of
 * a stream, and gets from it.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What is written to a connection at once: content, then file data. */
struct StreamPiece
{
    std::span<const uint8_t> content{}; //!< such as a header; valid until HandleWritten()
    uint64_t payload{0};                //!< bytes of file data behind it
    uint64_t place{0};                  //!< position of the payload in the file, bytes; simulations
                                        //!< count the payload and do not read it

    /** @return bytes of both */
    uint64_t GetSize() const
    {
        return content.size() + payload;
    }
};

/**
 * @ingroup gridftp
 * What an endpoint sends.
 *
 * Contract: the driver calls WritePiece() when the connection is established, messages that were
 * written before are sent, IsExhausted() is false and at least a write batch of the send buffer is
 * free (GetWriteBatch() of gridftp-buffer-settings.h). The first call may come inside the call that
 * begins to send. The driver writes the whole piece and then calls HandleWritten(), which alone
 * moves the source forward. If the connection accepts nothing, the driver calls WritePiece() again
 * later, perhaps with other room, and the source returns the same bytes. If WritePiece() returns an
 * empty piece while IsExhausted() is false, the driver calls it again at GetNextNs(), which must be
 * later than now.
 */
class PieceSource
{
  public:
    virtual ~PieceSource() = default;

    /** @param now current simulation time @param room free bytes in the send buffer, at least 1
     * @return what to write, at most `room` bytes; empty: nothing is ready before GetNextNs() */
    virtual StreamPiece WritePiece(Nanoseconds now, uint64_t room) = 0;

    /** The last piece is in the send buffer. @param now current simulation time */
    virtual void HandleWritten(Nanoseconds /* now */)
    {
    }

    /** @return when the next bytes are ready, simulation time; read after an empty piece */
    virtual Nanoseconds GetNextNs() const
    {
        return 0;
    }

    /** @return whether HandleWritten() was called for all bytes */
    virtual bool IsExhausted() const = 0;
};

/**
 * @ingroup gridftp
 * Reads what arrives at the pace of the receiver, for example of its storage. Bytes that are not
 * read fill the receive buffer and close the window of TCP.
 *
 * Contract: before each read the driver asks IsReading(), GetNextReadNs() and GetRoom(), in this
 * order. While IsReading() is false it reads nothing until DataStream::Resume(). It waits until
 * GetNextReadNs(), reads at most GetRoom() bytes from the connection, and passes them to
 * TakePiece().
 */
class PieceSink
{
  public:
    virtual ~PieceSink() = default;

    /** @return whether it reads at all */
    virtual bool IsReading() const
    {
        return true;
    }

    /** @param now current simulation time @return earliest time of the next read; not later than
     * now: the driver reads now */
    virtual Nanoseconds GetNextReadNs(Nanoseconds now) = 0;

    /** @return most bytes of the next read, at least 1 */
    virtual uint64_t GetRoom() const = 0;

    /** Bytes were read. @param now current simulation time @param bytes from 1 to GetRoom(); valid
     * until this returns */
    virtual void TakePiece(Nanoseconds now, const ArrivedBytes& bytes) = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_PIECES_H
