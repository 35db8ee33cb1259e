/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-link-clock.h"

#include "ns3/nstime.h"

namespace ns3::gridftp
{

LinkClock::LinkClock(int64_t rateBps, const LinkSchedule& schedule, int64_t moreBytes)
    : m_rate(static_cast<uint64_t>(rateBps)),
      m_schedule(schedule),
      m_moreBytes(moreBytes)
{
}

int64_t
LinkClock::GetBytes(uint32_t frameBytes) const
{
    return frameBytes + m_moreBytes;
}

int64_t
LinkClock::GetEnd(int64_t startNs, uint32_t frameBytes) const
{
    const int64_t bytes = GetBytes(frameBytes);
    if (!m_schedule.IsEmpty())
    {
        return m_schedule.GetEnd(startNs, bytes);
    }
    return startNs + m_rate.CalculateBytesTxTime(static_cast<uint32_t>(bytes)).GetNanoSeconds();
}

const LinkSchedule&
LinkClock::GetSchedule() const
{
    return m_schedule;
}

} // namespace ns3::gridftp
