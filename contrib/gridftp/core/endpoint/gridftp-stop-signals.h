/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STOP_SIGNALS_H
#define GRIDFTP_STOP_SIGNALS_H

#include "gridftp-file-descriptor.h"
#include "gridftp-posix-loop.h"
#include "gridftp-posix-watcher.h"

#include <cstdint>
#include <functional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Ctrl-C (SIGINT), SIGTERM and SIGHUP as an event of a PosixLoop. A second signal ends the process
 * at once. A signal that is ignored stays ignored, as SIGHUP under nohup.
 *
 * Contract: a process has at most one. The loop outlives it.
 */
class StopSignals final : private PosixWatcher
{
  public:
    /** Called once, from the loop. @param now current time */
    using Handler = std::function<void(Nanoseconds now)>;

    /** @param loop of the process @param handler called at the first signal */
    StopSignals(PosixLoop& loop, Handler handler);
    ~StopSignals() override;

    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /** @return the signal that has arrived; 0: none */
    int GetSignal() const;

  private:
    // PosixWatcher
    void HandleReady(Nanoseconds now, uint32_t events) override;

    PosixLoop& m_loop;     //!< of the process
    Handler m_handler;     //!< called at the first signal
    FileDescriptor m_file; //!< to which the signal handler writes
    uint64_t m_watch{0};   //!< serial number of the watch
};

} // namespace ns3::gridftp

#endif // GRIDFTP_STOP_SIGNALS_H
