/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LEAN_SCHEDULER_H
#define GRIDFTP_LEAN_SCHEDULER_H

#include "ns3/scheduler.h"

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A scheduler that can insert an event late at the rank that it would have had.
 *
 * Of events at the same nanosecond, ns-3 runs the one first that was inserted first. Where a device
 * leaves out the event that ends a transmission, because nothing waits for it, and finds later that
 * something does, that event must take its place among those of its nanosecond all the same: a
 * queue that is full drops or does not drop by it. So each event has a rank, in the order of
 * insertion, with a free rank before each; LeanNetDevice notes the one before the event that it did
 * insert, and inserts the other one there when it has to.
 *
 * Otherwise a binary heap, as PriorityQueueScheduler.
 */
class LeanScheduler : public Scheduler
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    LeanScheduler();
    ~LeanScheduler() override;

    /** @return the scheduler made last, if it still exists: the simulator's; or null */
    static LeanScheduler* GetActive();

    /** @return the free rank before the event inserted last */
    uint64_t GetRankBeforeLast() const;

    /** @return the rank of the event that runs */
    uint64_t GetCurrentRank() const;

    /** @param rank of the event that is inserted next, from GetRankBeforeLast() */
    void SetNextRank(uint64_t rank);

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

  private:
    /** An event and its place. */
    struct Entry
    {
        uint64_t ts;      //!< time, ns
        uint64_t rank;    //!< among those of the same time
        EventImpl* impl;  //!< the event
        uint32_t context; //!< node that it belongs to
    };

    /** Whether one entry runs after another. */
    struct IsLater
    {
        /** @param a an entry @param b another @return whether a is later */
        bool operator()(const Entry& a, const Entry& b) const
        {
            return a.ts != b.ts ? a.ts > b.ts : a.rank > b.rank;
        }
    };

    /** @param entry of the heap @return what the simulator takes it for */
    static Event ToEvent(const Entry& entry);

    std::vector<Entry> m_heap; //!< the next one first
    uint64_t m_lastRank{0};    //!< of the event inserted last
    uint64_t m_nextRank{0};    //!< of the event inserted next; 0: after all others
    uint64_t m_currentRank{0}; //!< of the event that runs
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LEAN_SCHEDULER_H
