/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_INBOX_H
#define GRIDFTP_POSIX_INBOX_H

#include "gridftp-application-host.h"
#include "gridftp-data-stream.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-pieces.h"
#include "gridftp-posix-socket.h"

#include <cstdint>
#include <span>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads what arrives at a PosixStream, at the pace of the application.
 *
 * Contract: the stream calls Read() when the socket has bytes and IsReading() is true, or at
 * GetNextNs() after TIMED. Read() calls the application, which may close the socket.
 */
class PosixInbox
{
  public:
    /** Why Read() has returned. */
    enum class State
    {
        PAUSED, //!< nothing is left, the application does not read, or others have to run, too
        TIMED,  //!< the application reads again at GetNextNs()
        CLOSED, //!< the peer has sent its FIN, and all was read
        FAILED  //!< the connection was reset
    };

    /** @param terms of this endpoint @param buffer for what is read; used by one inbox at a time,
     * outlives it */
    PosixInbox(const StreamTerms& terms, std::span<uint8_t> buffer)
        : m_hasContent(terms.hasContent),
          m_isPaced(terms.isPaced),
          m_buffer(buffer)
    {
    }

    /** @param user reads from now on; null: nobody does @param dataUser the same, of a data
     * connection; else null */
    void SetUser(StreamUser* user, DataStreamUser* dataUser)
    {
        m_user = user;
        m_dataUser = dataUser;
    }

    /** @return whether the application takes bytes now */
    bool IsReading() const;

    /** Reads, but not for too long. @param now current time @param socket of the connection @return
     * why it returns */
    State Read(Nanoseconds now, const PosixSocket& socket);

    /** The time that GetNextNs() returned has come. */
    void EndWait()
    {
        m_isWaiting = false;
    }

    /** The peer has sent its FIN, and nothing is left to read. */
    void End()
    {
        m_isAtEnd = true;
    }

    /** @return when the application reads again, after TIMED */
    Nanoseconds GetNextNs() const
    {
        return m_nextNs;
    }

  private:
    /** @return what reads at its own pace; null: nothing does */
    PieceSink* GetSink() const;

    /** Passes bytes on. @param now current time @param bytes at least 1 @param sink of them; null:
     * the user */
    void Deliver(Nanoseconds now, std::span<const uint8_t> bytes, PieceSink* sink);

    bool m_hasContent;                   //!< see StreamTerms
    bool m_isPaced;                      //!< see StreamTerms
    std::span<uint8_t> m_buffer;         //!< for what is read
    StreamUser* m_user{nullptr};         //!< see SetUser()
    DataStreamUser* m_dataUser{nullptr}; //!< see SetUser()
    bool m_isWaiting{false};             //!< until m_nextNs
    bool m_isAtEnd{false};               //!< see End()
    Nanoseconds m_nextNs{0};             //!< see GetNextNs()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_INBOX_H
