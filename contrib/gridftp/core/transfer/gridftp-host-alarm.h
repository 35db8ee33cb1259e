/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_ALARM_H
#define GRIDFTP_HOST_ALARM_H

#include "gridftp-data-host.h"
#include "gridftp-event-target.h"
#include "gridftp-nanoseconds.h"

#include <functional>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A timer of a protocol interpreter that can be cancelled. No event is left behind: an event that
 * is only ignored would keep a simulation running until its time.
 *
 * Contract: its owner has it as a member, and calls Bind() before Set(). The host outlives it.
 */
class HostAlarm final : private EventTarget
{
  public:
    /** Called when it expires. It is not set then, and may be set again. @param now current
     * simulation time */
    using Handler = std::function<void(Nanoseconds now)>;

    HostAlarm() = default;

    ~HostAlarm() override
    {
        Cancel();
    }

    HostAlarm(const HostAlarm&) = delete;
    HostAlarm& operator=(const HostAlarm&) = delete;

    /** @param host that schedules it @param handler called when it expires */
    void Bind(DataHost& host, Handler handler)
    {
        m_host = &host;
        m_handler = std::move(handler);
    }

    /** Sets it; an earlier setting is cancelled. @param now current simulation time @param at when
     * it expires, not before now */
    void Set(Nanoseconds now, Nanoseconds at)
    {
        Cancel();
        m_isSet = true;
        m_host->SetAlarm(now, at, *this);
    }

    /** Cancels it, if it is set. */
    void Cancel()
    {
        if (std::exchange(m_isSet, false))
        {
            m_host->CancelAlarm(*this);
        }
    }

    /** @return whether it is set and has not expired */
    bool IsSet() const
    {
        return m_isSet;
    }

  private:
    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t /* id */) override
    {
        m_isSet = false;
        m_handler(now);
    }

    DataHost* m_host{nullptr}; //!< schedules it
    Handler m_handler;         //!< of its owner
    bool m_isSet{false};       //!< see IsSet()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_ALARM_H
