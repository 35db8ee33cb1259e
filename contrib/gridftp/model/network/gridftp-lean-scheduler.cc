/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-lean-scheduler.h"

#include "ns3/assert.h"
#include "ns3/event-impl.h"

#include <algorithm>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(LeanScheduler);

namespace
{
LeanScheduler* g_active = nullptr; //!< ns-3 has one simulator in a process
} // namespace

TypeId
LeanScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::LeanScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<LeanScheduler>();
    return tid;
}

LeanScheduler::LeanScheduler()
{
    g_active = this;
}

LeanScheduler::~LeanScheduler()
{
    if (g_active == this)
    {
        g_active = nullptr;
    }
}

LeanScheduler*
LeanScheduler::GetActive()
{
    return g_active;
}

uint64_t
LeanScheduler::GetRankBeforeLast() const
{
    return m_lastRank - 1;
}

uint64_t
LeanScheduler::GetCurrentRank() const
{
    return m_currentRank;
}

void
LeanScheduler::SetNextRank(uint64_t rank)
{
    m_nextRank = rank;
}

void
LeanScheduler::Insert(const Event& event)
{
    // The simulator numbers events in the order of insertion: even ranks for them, odd ones free.
    m_lastRank = 2 * uint64_t{event.key.m_uid};
    const uint64_t rank = m_nextRank == 0 ? m_lastRank : m_nextRank;
    m_nextRank = 0;
    m_heap.push_back({event.key.m_ts, rank, event.impl, event.key.m_context});
    std::push_heap(m_heap.begin(), m_heap.end(), IsLater());
}

bool
LeanScheduler::IsEmpty() const
{
    return m_heap.empty();
}

Scheduler::Event
LeanScheduler::ToEvent(const Entry& entry)
{
    // By its number the simulator tells which events of this nanosecond are over. For a free rank
    // that is the number before.
    Event event;
    event.impl = entry.impl;
    event.key.m_ts = entry.ts;
    event.key.m_uid = static_cast<uint32_t>(entry.rank / 2);
    event.key.m_context = entry.context;
    return event;
}

Scheduler::Event
LeanScheduler::PeekNext() const
{
    return ToEvent(m_heap.front());
}

Scheduler::Event
LeanScheduler::RemoveNext()
{
    std::pop_heap(m_heap.begin(), m_heap.end(), IsLater());
    const Entry entry = m_heap.back();
    m_heap.pop_back();
    m_currentRank = entry.rank;
    return ToEvent(entry);
}

void
LeanScheduler::Remove(const Event& event)
{
    const auto found = std::find_if(m_heap.begin(), m_heap.end(), [&event](const Entry& entry) {
        return entry.impl == event.impl;
    });
    NS_ASSERT_MSG(found != m_heap.end(), "no such event");
    *found = m_heap.back();
    m_heap.pop_back();
    std::make_heap(m_heap.begin(), m_heap.end(), IsLater());
}

} // namespace ns3::gridftp
