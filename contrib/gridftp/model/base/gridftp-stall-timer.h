/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STALL_TIMER_H
#define GRIDFTP_STALL_TIMER_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The limit of a wait: looks, twice within the limit, at how far something has come, and tells when
 * it has been at the same point twice in a row. What makes progress pays nothing for it.
 */
class StallTimer
{
  public:
    /** @return how far it has come: any number that grows with it */
    using Probe = std::function<uint64_t()>;

    /** Nothing has come for the limit, or up to half of it longer. */
    using Fired = std::function<void()>;

    StallTimer() = default;
    ~StallTimer();

    StallTimer(const StallTimer&) = delete;
    StallTimer& operator=(const StallTimer&) = delete;

    /**
     * @param limit of the wait; 0: there is none
     * @param probe asked at each look; monotonic
     * @param fired called once, after which it has stopped
     */
    void Configure(Time limit, Probe probe, Fired fired);

    /** The wait begins, or begins anew. */
    void Start();

    /** The wait is over. */
    void Stop();

    /** @return of the wait */
    Time GetLimit() const
    {
        return m_limit;
    }

  private:
    /** Looks some time later. */
    void Schedule();

    /** Looks. */
    void Look();

    Time m_limit;        //!< of the wait
    Probe m_probe;       //!< how far it has come
    Fired m_fired;       //!< owner's callback
    uint64_t m_last{0};  //!< how far it had come at the last look
    uint32_t m_still{0}; //!< looks in a row that saw no more
    EventId m_event;     //!< the next look
};

} // namespace ns3::gridftp

#endif // GRIDFTP_STALL_TIMER_H
