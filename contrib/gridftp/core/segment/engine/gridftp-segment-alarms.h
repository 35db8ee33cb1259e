/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_ALARMS_H
#define GRIDFTP_SEGMENT_ALARMS_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-time.h"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3::gridftp
{

class EventTarget;

/** @ingroup gridftp @brief A timer that is set anew again and again; see EventQueue::SetAlarm(). */
class Alarm
{
  public:
    /** Nobody's. */
    Alarm() = default;

    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    /** To be called before it is set. @param target whose; outlives this @param id for its use */
    void SetTarget(EventTarget& target, uint32_t id)
    {
        m_target = &target;
        m_id = id;
    }

  private:
    friend class AlarmHeap;

    static constexpr size_t NOWHERE = SIZE_MAX; //!< place of one that was never set

    EventTarget* m_target{nullptr}; //!< whose
    uint32_t m_id{0};               //!< for its use
    size_t m_place{NOWHERE};        //!< in the heap
};

/**
 * @ingroup gridftp
 * Alarms by the times when they expire, all that were ever set: each one knows its place and moves
 * from there. One that expires mostly is set anew at once, so that it leaves the top only then.
 */
class AlarmHeap
{
  public:
    /** When an alarm expires. */
    struct Expiry
    {
        int64_t timeNs; //!< when, or NEVER
        int64_t madeNs; //!< when it was set, ns: which first at equal times
        uint64_t order; //!< which first at equal times of both
    };

    /** @param alarm which outlives this @param expiry when it expires from now on, its order above
     * all before it */
    [[gnu::always_inline]] void Set(Alarm& alarm, const Expiry& expiry)
    {
        if (&alarm == m_expiring) [[likely]]
        {
            m_anew = expiry;
            return;
        }
        Move(alarm, expiry);
    }

    /** @return when the first one expires, ns, or NEVER; while one expires, when that was */
    int64_t GetNextTime() const
    {
        return m_nextNs;
    }

    /** @return when the first one expires besides that which expires just now, ns, or NEVER */
    int64_t GetNextOther() const;

    /** @return the first one's expiry; there must be one */
    const Expiry& GetNext() const
    {
        return m_heap.front().expiry;
    }

    /** Tells the target of the first one, whose time has come; there must be one. */
    void Expire();

  private:
    /** An alarm in the heap. */
    struct Entry
    {
        Expiry expiry; //!< when
        Alarm* alarm;  //!< which

        /** @param other another one @return whether it comes later */
        bool IsLater(const Entry& other) const
        {
            return std::tie(expiry.timeNs, expiry.madeNs, expiry.order) >
                   std::tie(other.expiry.timeNs, other.expiry.madeNs, other.expiry.order);
        }
    };

    /** Set() of one that does not expire just now. @param alarm which @param expiry when */
    void Move(Alarm& alarm, const Expiry& expiry);

    /** @param place of the heap @param entry that is there now */
    void Put(size_t place, const Entry& entry)
    {
        m_heap[place] = entry;
        entry.alarm->m_place = place;
    }

    /** An entry becomes earlier. @param place where it was @param entry it */
    void Rise(size_t place, const Entry& entry);

    /** An entry becomes later. @param place where it was @param entry it */
    void Sink(size_t place, const Entry& entry);

    std::vector<Entry> m_heap;  //!< all that were ever set
    int64_t m_nextNs{NEVER};    //!< see GetNextTime()
    Alarm* m_expiring{nullptr}; //!< whose target is being told, or null
    Expiry m_anew{};            //!< when that one expires next
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_ALARMS_H
