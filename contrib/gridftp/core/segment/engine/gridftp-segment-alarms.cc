/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-alarms.h"

#include "gridftp-segment-events.h"

#include <algorithm>

namespace ns3::gridftp
{

void
AlarmHeap::Expire()
{
    Alarm* const alarm = m_heap.front().alarm;
    const Nanoseconds now = m_nextNs;
    m_expiring = alarm;
    m_anew = {.timeNs = NEVER, .madeNs = now, .order = 0};
    // Whatever else is set meanwhile comes behind it: it stays the first one
    alarm->m_target->HandleEvent(now, alarm->m_id);
    m_expiring = nullptr;
    if (m_heap.size() == 1) [[likely]]
    {
        m_heap.front().expiry = m_anew;
        m_nextNs = m_anew.timeNs;
        return;
    }
    Sink(0, {m_anew, alarm});
}

int64_t
AlarmHeap::GetNextOther() const
{
    if (!m_expiring)
    {
        return m_nextNs;
    }
    int64_t next = NEVER;
    for (size_t place = 1; place < std::min<size_t>(m_heap.size(), 3); ++place)
    {
        next = std::min(next, m_heap[place].expiry.timeNs);
    }
    return next;
}

void
AlarmHeap::Move(Alarm& alarm, const Expiry& expiry)
{
    if (alarm.m_place == Alarm::NOWHERE)
    {
        m_heap.push_back({expiry, &alarm});
        return Rise(m_heap.size() - 1, {expiry, &alarm});
    }
    if (m_heap[alarm.m_place].IsLater({expiry, &alarm}))
    {
        return Rise(alarm.m_place, {expiry, &alarm});
    }
    Sink(alarm.m_place, {expiry, &alarm});
}

void
AlarmHeap::Rise(size_t place, const Entry& entry)
{
    while (place > 0 && m_heap[(place - 1) / 2].IsLater(entry))
    {
        Put(place, m_heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    Put(place, entry);
    m_nextNs = m_heap.front().expiry.timeNs;
}

void
AlarmHeap::Sink(size_t place, const Entry& entry)
{
    const size_t size = m_heap.size();
    for (size_t below = 2 * place + 1; below < size; below = 2 * place + 1)
    {
        if (below + 1 < size && m_heap[below].IsLater(m_heap[below + 1]))
        {
            ++below;
        }
        if (!entry.IsLater(m_heap[below]))
        {
            break;
        }
        Put(place, m_heap[below]);
        place = below;
    }
    Put(place, entry);
    m_nextNs = m_heap.front().expiry.timeNs;
}

} // namespace ns3::gridftp
