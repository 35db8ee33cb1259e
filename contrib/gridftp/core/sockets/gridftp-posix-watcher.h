/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_WATCHER_H
#define GRIDFTP_POSIX_WATCHER_H

#include "gridftp-nanoseconds.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Owns a file descriptor that a PosixLoop watches.
 *
 * Contract: the loop calls HandleReady() from Run() only, never from within another function of the
 * loop, and never after PosixLoop::Unwatch().
 */
class PosixWatcher
{
  public:
    virtual ~PosixWatcher() = default;

    /** The descriptor is ready. The state may have changed since: another callback may have run in
     * between. @param now current time of the loop @param events of epoll, such as EPOLLIN */
    virtual void HandleReady(Nanoseconds now, uint32_t events) = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_WATCHER_H
