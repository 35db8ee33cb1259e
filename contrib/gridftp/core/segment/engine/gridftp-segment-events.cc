/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-events.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** Adds the events of one heap, in their order. @param events of it @param state gets them */
void
AddInOrder(std::vector<EventHeap::Event> events, SegmentState& state)
{
    std::ranges::sort(events, std::less<>(), [](const EventHeap::Event& event) {
        return std::pair(event.timeNs, event.order);
    });
    state.Add(events.size());
    for (const EventHeap::Event& event : events)
    {
        state.AddTime(event.timeNs);
        state.AddTarget(*event.target);
        state.Add(event.id);
    }
}

} // namespace

void
EventHeap::Push(const Event& event)
{
    m_events.push_back(event);
    std::push_heap(m_events.begin(), m_events.end(), std::greater<>());
    m_nextNs = m_events.front().timeNs;
}

EventHeap::Event
EventHeap::Take()
{
    std::pop_heap(m_events.begin(), m_events.end(), std::greater<>());
    const Event event = m_events.back();
    m_events.pop_back();
    m_nextNs = m_events.empty() ? NEVER : m_events.front().timeNs;
    return event;
}

void
EventQueue::Push(EventHeap& heap, const EventHeap::Event& event)
{
    heap.Push(event);
    m_otherNs = std::min(m_otherNs, event.timeNs);
    m_nextNs = std::min(m_nextNs, event.timeNs);
}

void
EventQueue::Step()
{
    if (IsNextAlarm())
    {
        return StepAlarm();
    }
    // Where a last one is next, the others may be empty
    EventHeap& next = IsNextLast() ? m_last : IsNextPlain() ? m_plain : m_ahead;
    const auto event = next.Take();
    m_otherNs = std::min({m_ahead.GetNextTime(), m_plain.GetNextTime(), m_last.GetNextTime()});
    m_nextNs = std::min(m_otherNs, m_alarms.GetNextTime());
    m_nowNs = event.timeNs;
    event.target->HandleEvent(event.timeNs, event.id);
}

bool
EventQueue::IsAlarmBefore(const EventHeap& heap, const EventHeap& other) const
{
    const uint64_t order = m_alarms.GetNext().order;
    const auto isBefore = [&](const EventHeap& events) {
        return events.GetNextTime() > m_nextNs || events.GetNext().order > order;
    };
    return isBefore(heap) && isBefore(other);
}

bool
EventQueue::IsNextPlain() const
{
    const int64_t ahead = m_ahead.GetNextTime();
    const int64_t plain = m_plain.GetNextTime();
    return plain < ahead || (plain == ahead && m_ahead.GetNext() > m_plain.GetNext());
}

void
HostClock::Schedule(Nanoseconds at, EventTarget& target, uint32_t id)
{
    if (!m_ahead)
    {
        return m_events->Schedule(at, target, id);
    }
    m_here.Push({at, m_order++, &target, id});
    m_events->ScheduleFirst(at, *this, 0);
}

void
HostClock::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    Reach(now);
}

void
HostClock::Flush(Nanoseconds at)
{
    while (GetNextTime() <= at)
    {
        const auto event = m_here.Take();
        event.target->HandleEvent(event.timeNs, event.id);
    }
}

void
EventQueue::AddState(SegmentState& state) const
{
    if (m_alarms.GetNextTime() != NEVER)
    {
        state.Bar();
    }
    std::vector<EventHeap::Event> events;
    for (const EventHeap* heap : {&m_ahead, &m_plain, &m_last})
    {
        state.Add(heap->GetAll().size());
        events.insert(events.end(), heap->GetAll().begin(), heap->GetAll().end());
    }
    AddInOrder(std::move(events), state);
}

void
HostClock::AddState(SegmentState& state) const
{
    AddInOrder(m_here.GetAll(), state);
}

} // namespace ns3::gridftp
