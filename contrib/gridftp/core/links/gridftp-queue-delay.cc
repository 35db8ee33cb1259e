/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-queue-delay.h"

namespace ns3::gridftp
{

void
QueueDelayMeter::Begin(Nanoseconds now)
{
    m_hasBegun = true;
    while (!m_ahead.IsEmpty() && m_ahead.Front().startNs < now)
    {
        m_ahead.Pop();
    }
}

void
QueueDelayMeter::Mark(Nanoseconds now)
{
    if (!m_hasBegun)
    {
        return;
    }
    if (m_since.GetSum().count > 0)
    {
        m_counted.Add(m_since);
        m_since = {};
    }
    while (!m_ahead.IsEmpty() && m_ahead.Front().startNs <= now)
    {
        m_counted.Add(m_ahead.Front().waitNs);
        m_ahead.Pop();
    }
    m_markNs = now;
}

DelayHistogram
QueueDelayMeter::GetUntil(Nanoseconds now) const
{
    DelayHistogram all = m_counted;
    all.Add(m_since);
    for (size_t i = 0; i < m_ahead.GetSize() && m_ahead.At(i).startNs <= now; ++i)
    {
        all.Add(m_ahead.At(i).waitNs);
    }
    return all;
}

} // namespace ns3::gridftp
