/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_LISTENER_H
#define GRIDFTP_POSIX_LISTENER_H

#include "gridftp-event-target.h"
#include "gridftp-posix-loop.h"
#include "gridftp-posix-socket.h"
#include "gridftp-posix-watcher.h"

#include <cstdint>
#include <memory>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A listening socket of a PosixHost. It accepts connections and passes them to its owner.
 *
 * Contract: made by std::make_shared(), because the owner may drop it in the callback.
 */
class PosixListener final : public std::enable_shared_from_this<PosixListener>,
                            private PosixWatcher,
                            private EventTarget
{
  public:
    /** Who gets the connections. */
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /** A connection was accepted. May close the listener. @param now current time @param
         * listener which accepted @param socket of the connection */
        virtual void HandleSocket(Nanoseconds now,
                                  const PosixListener& listener,
                                  PosixSocket socket) = 0;
    };

    /** @param loop outlives it @param owner called until Close() @param socket bound and listening
     */
    PosixListener(PosixLoop& loop, Owner& owner, PosixSocket socket);

    ~PosixListener() override;

    PosixListener(const PosixListener&) = delete;
    PosixListener& operator=(const PosixListener&) = delete;

    /** @return whether it can accept connections */
    bool IsListening() const
    {
        return m_watch != 0 && m_socket.IsOpen();
    }

    /** Closes the socket. The kernel resets connections that were not accepted. */
    void Close();

  private:
    // PosixWatcher
    void HandleReady(Nanoseconds now, uint32_t events) override;

    // EventTarget: accepts again
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    PosixLoop& m_loop;    //!< event loop
    Owner& m_owner;       //!< called
    PosixSocket m_socket; //!< listening; closed by Close()
    uint64_t m_watch;     //!< serial number; 0: the system refuses to watch it
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_LISTENER_H
