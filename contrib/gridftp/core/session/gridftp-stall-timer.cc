/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stall-timer.h"

#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t READINGS = 2; // within the limit

} // namespace

void
StallTimer::Configure(DataHost& host, Nanoseconds limit, Probe probe, Handler handler)
{
    m_limit = limit;
    m_probe = std::move(probe);
    m_handler = std::move(handler);
    m_alarm.Bind(host, [this](Nanoseconds now) { Check(now); });
}

void
StallTimer::Start(Nanoseconds now)
{
    Stop();
    m_last = m_probe(now);
    m_unchanged = 0;
    Schedule(now);
}

void
StallTimer::Stop()
{
    m_alarm.Cancel();
}

void
StallTimer::Schedule(Nanoseconds now)
{
    if (m_limit > 0)
    {
        m_alarm.Set(now, now + m_limit / READINGS);
    }
}

void
StallTimer::Check(Nanoseconds now)
{
    const uint64_t counter = m_probe(now);
    m_unchanged = counter == std::exchange(m_last, counter) ? m_unchanged + 1 : 0;
    if (m_unchanged == READINGS)
    {
        const Handler handler = m_handler; // the owner may begin another wait inside
        return handler(now);
    }
    Schedule(now);
}

} // namespace ns3::gridftp
