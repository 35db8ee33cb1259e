/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_OUTBOX_H
#define GRIDFTP_POSIX_OUTBOX_H

#include "gridftp-nanoseconds.h"
#include "gridftp-pieces.h"
#include "gridftp-posix-socket.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What a PosixStream writes next: messages, then pieces of a source. It reads the payload of pieces
 * from a file. Its buffer has at most PORTION bytes of pieces, so that the memory of a connection
 * is bounded; messages are copied as a whole.
 *
 * Contract: the stream calls Write() when there is something new to send, when the socket has room
 * after BLOCKED, and at GetNextNs() after WAITING.
 */
class PosixOutbox
{
  public:
    /** Most bytes of pieces in the buffer. A source is asked for more when all are written. */
    static constexpr size_t PORTION = 1 << 18;

    /** Why Write() has returned. */
    enum class State
    {
        BLOCKED, //!< the send buffer of the socket is full, or others have to run, too
        WAITING, //!< there is nothing to write before GetNextNs()
        EMPTY,   //!< all messages, and all of the source, are written
        FAILED   //!< the connection is reset, or the file cannot be read or is too short
    };

    /** Adds a message. It is written before pieces that are not in the buffer yet. @param bytes
     * copied */
    void AddMessage(std::span<const uint8_t> bytes);

    /** @return bytes of messages that are not in the buffer */
    size_t CountWaiting() const
    {
        return m_messages.size();
    }

    /** Drops messages of which nothing is in the buffer. */
    void DropMessages();

    /** Sets what to send. @param source asked until it is exhausted; outlives that @param file
     * descriptor of the file that has the payload, not owned; none: the payload is zeros; -1: there
     * is no file, and a piece with payload fails */
    void Begin(PieceSource& source, std::optional<int> file);

    /** Writes, but not for too long. @param now current time @param socket of the connection
     * @return why it returns */
    State Write(Nanoseconds now, const PosixSocket& socket);

    /** @return whether all messages, and all of the source, are written */
    bool IsEmpty() const
    {
        return !m_source && m_messages.empty() && m_written == m_fill;
    }

    /** @return when the source has data again, after WAITING */
    Nanoseconds GetNextNs() const
    {
        return m_nextNs;
    }

    /** Forgets everything, and frees its memory. */
    void Clear();

  private:
    /** Fills the buffer, all of which was written. @param now current time @return whether a file
     * that is needed could be read */
    bool Gather(Nanoseconds now);

    /** Asks the source for pieces, until the buffer is full or the source has no more. @param now
     * current time @return whether a file that is needed could be read */
    bool GatherPieces(Nanoseconds now);

    /** Appends a piece to the buffer. @param piece at most as large as the room @return whether its
     * payload could be read */
    bool Append(const StreamPiece& piece);

    std::vector<uint8_t> m_messages; //!< not in the buffer yet
    std::vector<uint8_t> m_buffer;   //!< what is being written, and room
    size_t m_fill{0};                //!< bytes in it
    size_t m_written{0};             //!< of these, bytes that are written
    PieceSource* m_source{nullptr};  //!< of pieces; null: nothing is left to send
    std::optional<int> m_file;       //!< see Begin()
    Nanoseconds m_nextNs{0};         //!< see GetNextNs()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_OUTBOX_H
