/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stall-timer.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t LOOKS = 2; // within the limit
} // namespace

StallTimer::~StallTimer()
{
    Stop();
}

void
StallTimer::Configure(Time limit, Probe probe, Fired fired)
{
    m_limit = limit;
    m_probe = std::move(probe);
    m_fired = std::move(fired);
}

void
StallTimer::Start()
{
    Stop();
    m_last = m_probe();
    m_still = 0;
    Schedule();
}

void
StallTimer::Stop()
{
    Simulator::Remove(m_event); // cancelled, it would keep the simulation going until its time
}

void
StallTimer::Schedule()
{
    if (m_limit.IsStrictlyPositive())
    {
        m_event = Simulator::Schedule(NanoSeconds(m_limit.GetNanoSeconds() / LOOKS),
                                      &StallTimer::Look,
                                      this);
    }
}

void
StallTimer::Look()
{
    const uint64_t now = m_probe();
    m_still = now == std::exchange(m_last, now) ? m_still + 1 : 0;
    if (m_still == LOOKS)
    {
        const auto fired = m_fired; // the owner may begin another wait within
        return fired();
    }
    Schedule();
}

} // namespace ns3::gridftp
