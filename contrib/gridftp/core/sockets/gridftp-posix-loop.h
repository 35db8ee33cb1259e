/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_LOOP_H
#define GRIDFTP_POSIX_LOOP_H

#include "gridftp-event-target.h"
#include "gridftp-file-descriptor.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-posix-watcher.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The event loop of real sockets: waits for descriptors (epoll, level-triggered) and for timers on
 * the monotonic clock.
 *
 * Time: a timer's callback gets exactly the time for which it was scheduled, however late it runs,
 * since applications compare the two. Timers run in the order of their times, at equal times in the
 * order in which they were scheduled. Those that are due run before a descriptor is reported.
 * Therefore the time that callbacks get never decreases.
 *
 * Contract: the owner of a process makes one loop, then its hosts, and calls Run(). All calls come
 * from one thread. The loop outlives its hosts.
 */
class PosixLoop
{
  public:
    PosixLoop();

    PosixLoop(const PosixLoop&) = delete;
    PosixLoop& operator=(const PosixLoop&) = delete;

    /** @return why the system provides no event loop, one line; empty: it does. With an error, no
     * descriptor can be watched */
    const std::string& GetError() const
    {
        return m_error;
    }

    /** @return within a callback: its time; outside of Run(): the monotonic clock. Nanoseconds
     * since the loop was made */
    Nanoseconds GetNow() const;

    /** Calls an event target once. @param at when; a time before GetNow() counts as GetNow() @param
     * target lives until then, or until Drop() of its owner @param id for its use @param owner for
     * Drop(), any address */
    void Schedule(Nanoseconds at, EventTarget& target, uint32_t id, const void* owner);

    /** Drops the events of an owner, whose targets are not called any more. @param owner as in
     * Schedule() */
    void Drop(const void* owner);

    /** Begins to watch a descriptor. @param file open descriptor @param events of epoll @param
     * watcher called until Unwatch() @return serial number of the watch; 0: the system refuses */
    uint64_t Watch(int file, uint32_t events, PosixWatcher& watcher);

    /** Changes which events are reported. @param file descriptor @param serial of its watch @param
     * events of epoll; errors are always reported */
    void Change(int file, uint64_t serial, uint32_t events);

    /** Ends a watch, before the descriptor is closed. @param file descriptor @param serial of its
     * watch */
    void Unwatch(int file, uint64_t serial);

    /** Runs until Stop() is called, or until there is neither a timer nor a watched descriptor. May
     * be called again afterwards. */
    void Run();

    /** Makes Run() return after the callback that is running. */
    void Stop()
    {
        m_isStopped = true;
    }

    /** @return how many times a watcher was called so far; a count that grows without bytes that
     * move shows a descriptor that is watched in vain */
    uint64_t GetReportCount() const
    {
        return m_reports;
    }

  private:
    /** Something that is scheduled. */
    struct Timer
    {
        EventTarget* target; //!< called
        uint32_t id;         //!< for its use
        const void* owner;   //!< for Drop()
    };

    /** @return monotonic clock, ns since the loop was made */
    Nanoseconds ReadClock() const;

    /** Runs all timers that are due, and moves the time forward. @param until current clock */
    void AdvanceTo(Nanoseconds until);

    /** @return how long epoll may wait for the next timer, ms; -1: as long as it likes */
    int GetTimeoutMs() const;

    FileDescriptor m_epoll;   //!< of the system
    std::string m_error;      //!< see GetError()
    Nanoseconds m_beginNs{0}; //!< clock when the loop was made
    Nanoseconds m_now{0};     //!< time of the current callback
    bool m_isRunning{false};  //!< Run() is under way
    bool m_isStopped{false};  //!< Run() is to return
    uint64_t m_next{1};       //!< next serial number, of timers and watches
    uint64_t m_reports{0};    //!< see GetReportCount()
    std::map<std::pair<Nanoseconds, uint64_t>, Timer> m_timers; //!< by time, then serial number
    std::unordered_map<uint64_t, PosixWatcher*> m_watchers;     //!< by serial number
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_LOOP_H
