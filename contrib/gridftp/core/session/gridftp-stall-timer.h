/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STALL_TIMER_H
#define GRIDFTP_STALL_TIMER_H

#include "gridftp-host-alarm.h"

#include <cstdint>
#include <functional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The limit of a wait. Twice within the limit it reads a counter of progress, and expires when the
 * counter has not changed in two readings in a row: after the limit, or up to half of it later.
 * Progress itself costs nothing.
 *
 * Contract: its owner calls Configure() once, then Start() and Stop() for each wait. The host
 * outlives it.
 */
class StallTimer
{
  public:
    /** @param now current simulation time @return a counter that grows with progress */
    using Probe = std::function<uint64_t(Nanoseconds now)>;

    /** Called once, when there was no progress. The timer has stopped and may be started again.
     * @param now current simulation time */
    using Handler = std::function<void(Nanoseconds now)>;

    /** @param host of it @param limit of the wait, ns; 0: none, and it never expires @param probe
     * reads the counter @param handler called when it expires */
    void Configure(DataHost& host, Nanoseconds limit, Probe probe, Handler handler);

    /** A wait begins, or begins again. @param now current simulation time */
    void Start(Nanoseconds now);

    /** The wait is over. */
    void Stop();

    /** @return limit of the wait, ns */
    Nanoseconds GetLimit() const
    {
        return m_limit;
    }

  private:
    /** Schedules the next reading. @param now current simulation time */
    void Schedule(Nanoseconds now);

    /** Reads the counter. @param now current simulation time */
    void Check(Nanoseconds now);

    Nanoseconds m_limit{0};  //!< of the wait
    Probe m_probe;           //!< reads the counter
    Handler m_handler;       //!< of its owner
    uint64_t m_last{0};      //!< counter at the last reading
    uint32_t m_unchanged{0}; //!< readings in a row without progress
    HostAlarm m_alarm;       //!< of the next reading
};

} // namespace ns3::gridftp

#endif // GRIDFTP_STALL_TIMER_H
