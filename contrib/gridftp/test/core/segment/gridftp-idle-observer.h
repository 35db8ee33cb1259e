/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_IDLE_OBSERVER_H
#define GRIDFTP_IDLE_OBSERVER_H

#include "gridftp-segment-traces.h"

#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/// Observes a simulation and ignores queue lengths, windows and drops; tests derive from it.
class IdleObserver : public SegmentObserver
{
  public:
    void HandleLength(Nanoseconds /* now */, uint64_t /* packets */) override
    {
    }

    void HandleWindow(Nanoseconds /* now */,
                      const ConnectionLabel& /* label */,
                      const WindowView& /* window */) override
    {
    }

    void HandleDrop(Nanoseconds /* now */,
                    const std::optional<ConnectionLabel>& /* label */,
                    const std::optional<uint64_t>& /* sequence */) override
    {
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_IDLE_OBSERVER_H
