/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_EVENTS_H
#define GRIDFTP_SEGMENT_EVENTS_H

#include "gridftp-event-target.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-alarms.h"
#include "gridftp-segment-state.h"
#include "gridftp-segment-time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What happens in the segment engine otherwise than by a packet's arrival.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Events by their times. */
class EventHeap
{
  public:
    /** An event. */
    struct Event
    {
        int64_t timeNs;      //!< when
        uint64_t order;      //!< which first at equal times
        EventTarget* target; //!< whose
        uint32_t id;         //!< for its use

        /** @param other another @return whether it comes later */
        bool operator>(const Event& other) const
        {
            return timeNs != other.timeNs ? timeNs > other.timeNs : order > other.order;
        }
    };

    /** @param event one more */
    void Push(const Event& event);

    /** @return the first one, which is taken off; there must be one */
    Event Take();

    /** @return the first one; there must be one */
    const Event& GetNext() const
    {
        return m_events.front();
    }

    /** @return when the first one is, ns, or NEVER */
    int64_t GetNextTime() const
    {
        return m_nextNs;
    }

    /** @return all of them, in no order */
    const std::vector<Event>& GetAll() const
    {
        return m_events;
    }

  private:
    std::vector<Event> m_events; //!< a heap
    int64_t m_nextNs{NEVER};     //!< see GetNextTime()
};

/**
 * @ingroup gridftp
 * Events in the order of their times; at equal times as they were made, and before packets that
 * arrive then unless told otherwise. When something is next done at a host that runs ahead
 * (HostClock) can be asked apart.
 */
class EventQueue
{
  public:
    /** @param at when @param target whose; outlives the event @param id for the target's use */
    void Schedule(Nanoseconds at, EventTarget& target, uint32_t id)
    {
        Push(m_plain, {at, BEHIND | m_order++, &target, id});
    }

    /** Schedule() of what a host that runs ahead does then. @param at when @param target whose
     * @param id for its use */
    void ScheduleAhead(Nanoseconds at, EventTarget& target, uint32_t id)
    {
        Push(m_ahead, {at, BEHIND | m_order++, &target, id});
    }

    /** ScheduleAhead(), before all others of the same time. @param at when @param target whose
     * @param id for its use */
    void ScheduleFirst(Nanoseconds at, EventTarget& target, uint32_t id)
    {
        Push(m_ahead, {at, m_order++, &target, id});
    }

    /** Schedule(), behind all others of the same time and behind packets that arrive then, see
     * IsNextLast(). @param at when @param target whose @param id for its use */
    void ScheduleLast(Nanoseconds at, EventTarget& target, uint32_t id)
    {
        Push(m_last, {at, BEHIND | m_order++, &target, id});
    }

    /**
     * Sets a timer, or sets it anew: it expires once, among the packets that arrive then as in
     * ns-3, see IsNextBehind().
     * @param alarm which; outlives the queue's last step
     * @param at when it expires from now on, or NEVER
     * @param madeNs when it is set, which may be ahead of the time; else that is it
     */
    [[gnu::always_inline]] void SetAlarm(Alarm& alarm, Nanoseconds at, int64_t madeNs = 0)
    {
        m_alarms.Set(alarm, {at, std::max(madeNs, m_nowNs), BEHIND | m_order++});
        m_nextNs = std::min(m_otherNs, m_alarms.GetNextTime());
    }

    /** @param begunNs when the transmission of a packet began that arrives when the next event is,
     * which is when ns-3 schedules its arrival @return whether that event comes behind it */
    bool IsNextBehind(Nanoseconds begunNs) const
    {
        return IsNextLast() || (IsNextAlarm() && m_alarms.GetNext().madeNs > begunNs);
    }

    /** @return whether the next one is one of ScheduleLast() */
    bool IsNextLast() const
    {
        return m_ahead.GetNextTime() > m_nextNs && m_plain.GetNextTime() > m_nextNs &&
               m_alarms.GetNextTime() > m_nextNs;
    }

    /** @return whether the next one is an alarm; there must be one */
    bool IsNextAlarm() const
    {
        return m_alarms.GetNextTime() == m_nextNs &&
               (m_otherNs > m_nextNs || IsAlarmBefore(m_ahead, m_plain));
    }

    /** @return the time, ns */
    int64_t GetNow() const
    {
        return m_nowNs;
    }

    /** @param now the time, ns */
    void SetNow(Nanoseconds now)
    {
        m_nowNs = now;
    }

    /** @return when the next one is, ns, or NEVER */
    int64_t GetNextTime() const
    {
        return m_nextNs;
    }

    /** @return when the next one is besides an alarm that expires just now, ns, or NEVER */
    int64_t GetNextOther() const
    {
        return std::min(m_otherNs, m_alarms.GetNextOther());
    }

    /** @return when the next one of a host that runs ahead is, ns, or NEVER */
    int64_t GetNextAheadTime() const
    {
        return m_ahead.GetNextTime();
    }

    /** The next one's time has come; there must be one. */
    void Step();

    /** Step(), where the next one is an alarm. */
    void StepAlarm()
    {
        m_nowNs = m_nextNs;
        m_alarms.Expire();
        m_nextNs = std::min(m_otherNs, m_alarms.GetNextTime());
    }

    /** @param state gets the events that are to come, of which an alarm is none */
    void AddState(SegmentState& state) const;

  private:
    /** Set in the order of those that come behind the first ones of their time. */
    static constexpr uint64_t BEHIND = uint64_t{1} << 63;

    /** @return whether the next one is a plain one, or one of a host that runs ahead; either has
     * one
     */
    bool IsNextPlain() const;

    /** @param heap one of events @param other another one @return whether the next alarm comes
     * before those of the same time there */
    bool IsAlarmBefore(const EventHeap& heap, const EventHeap& other) const;

    /** @param heap of its kind @param event one more */
    void Push(EventHeap& heap, const EventHeap::Event& event);

    EventHeap m_ahead;        //!< of hosts that run ahead
    EventHeap m_plain;        //!< all others
    EventHeap m_last;         //!< of ScheduleLast()
    AlarmHeap m_alarms;       //!< of SetAlarm()
    int64_t m_otherNs{NEVER}; //!< when the next one is that is no alarm, ns, or NEVER
    int64_t m_nextNs{NEVER};  //!< see GetNextTime()
    int64_t m_nowNs{0};       //!< the time
    uint64_t m_order{0};      //!< of the next event
};

/**
 * @ingroup gridftp
 * Events at one host.
 *
 * A host to which packets come by one link, in order, can be worked out as soon as it is known when
 * they arrive, which may be ahead of the simulation. What is due there before an arrival has to be
 * done before it, so events of such a host wait here, and in the queue only in case that no packet
 * comes. Events of other hosts are plain events of the queue.
 */
class HostClock final : private EventTarget
{
  public:
    /** @param events of the simulation; they outlive it @param ahead whether it may run ahead
     * @param arrivesByEvent whether packets come to it by an event, as after waiting for a CPU */
    HostClock(EventQueue& events, bool ahead, bool arrivesByEvent = false)
        : m_events(&events),
          m_ahead(ahead),
          m_arrivesByEvent(arrivesByEvent)
    {
    }

    /** @return whether the host runs ahead */
    bool IsAhead() const
    {
        return m_ahead;
    }

    /** @return whether packets come to it by an event */
    bool DoArrivalsMakeEvents() const
    {
        return m_arrivesByEvent;
    }

    /** @return the time of the simulation, which the host may be ahead of, ns */
    int64_t GetNow() const
    {
        return m_events->GetNow();
    }

    /** @return EventQueue::GetNextOther() */
    int64_t GetNextOther() const
    {
        return m_events->GetNextOther();
    }

    /** @param at when @param target whose @param id for its use */
    void Schedule(Nanoseconds at, EventTarget& target, uint32_t id);

    /** Schedule() of what FlowTable puts in its order with a packet that arrives at the same time.
     * @param at when @param target whose @param id for its use */
    void ScheduleWork(Nanoseconds at, EventTarget& target, uint32_t id)
    {
        if (m_ahead || m_arrivesByEvent)
        {
            return Schedule(at, target, id);
        }
        m_events->ScheduleLast(at, target, id);
    }

    /** EventQueue::SetAlarm(). The host does not run ahead. @param alarm which @param at when it
     * expires from now on, or NEVER @param madeNs when it is set */
    [[gnu::always_inline]] void SetAlarm(Alarm& alarm, Nanoseconds at, int64_t madeNs = 0)
    {
        m_events->SetAlarm(alarm, at, madeNs);
    }

    /** @return when something is due here that a packet's arrival must not overtake, ns */
    int64_t GetNextTime() const
    {
        return m_here.GetNextTime();
    }

    /** Does what is due before a packet that arrives. @param at when */
    [[gnu::always_inline]] void Reach(Nanoseconds at)
    {
        if (at >= GetNextTime()) [[unlikely]]
        {
            Flush(at);
        }
    }

    /** @param state gets what is due here */
    void AddState(SegmentState& state) const;

  private:
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    /** Does what is due. @param at up to and including this, ns */
    void Flush(Nanoseconds at);

    EventQueue* m_events;  //!< of the simulation
    bool m_ahead;          //!< see IsAhead()
    bool m_arrivesByEvent; //!< see the constructor
    EventHeap m_here;      //!< events of a host that runs ahead
    uint64_t m_order{0};   //!< of the next one
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_EVENTS_H
