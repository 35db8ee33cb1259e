/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_CLOCK_H
#define GRIDFTP_LINUX_CLOCK_H

#include "gridftp-nanoseconds.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The clocks of the kernel that a congestion control reads, derived from the simulation time.
 */
class LinuxClock
{
  public:
    /** @param hz clock ticks per second (CONFIG_HZ), at least 1 */
    explicit LinuxClock(uint32_t hz)
        : m_hz(hz),
          m_tick(1'000'000'000 / static_cast<Nanoseconds>(hz))
    {
    }

    /** @return ticks per second */
    uint32_t GetHz() const
    {
        return m_hz;
    }

    /**
     * @param now current simulation time
     * @return tcp_jiffies32: ticks since the start, plus 1, because 0 often means "never"; wraps
     */
    uint32_t GetTicks(Nanoseconds now) const
    {
        return static_cast<uint32_t>(now / m_tick + 1);
    }

    /** @param us a duration, us @return it in ticks, rounded up (usecs_to_jiffies) */
    uint32_t GetTicksOf(uint32_t us) const
    {
        return static_cast<uint32_t>((static_cast<Nanoseconds>(us) * 1000 + m_tick - 1) / m_tick);
    }

    /** @param time a simulation time @return it in us, rounded down (tcp_mstamp) */
    static uint64_t GetMicroseconds(Nanoseconds time)
    {
        return static_cast<uint64_t>(time / 1000);
    }

    /** @param a a clock value @param b another @return whether a is later, across a wrap of 32 bits
     */
    static bool IsAfter(uint32_t a, uint32_t b)
    {
        return static_cast<int32_t>(b - a) < 0;
    }

  private:
    uint32_t m_hz;      //!< ticks per second
    Nanoseconds m_tick; //!< length of a tick
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_CLOCK_H
