/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_EVENT_TARGET_H
#define GRIDFTP_EVENT_TARGET_H

#include "gridftp-nanoseconds.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Receives events that were scheduled for it.
 *
 * Contract: an engine calls HandleEvent() once for each scheduled event, unless the simulation ends
 * before. Events cannot be cancelled; a target ignores an event that it no longer needs, and has to
 * live until then.
 */
class EventTarget
{
  public:
    virtual ~EventTarget() = default;

    /**
     * The time of an event has come.
     * @param now current simulation time
     * @param id with which the event was scheduled
     */
    virtual void HandleEvent(Nanoseconds now, uint32_t id) = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_EVENT_TARGET_H
