/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-network.h"
#include "gridftp-segment-state.h"
#include "gridftp-segment-time.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * The state of links and of the packets between them.
 */

namespace ns3::gridftp
{

void
DropTailLink::AddState(SegmentState& state) const
{
    // The state lacks how long each queued packet has waited. The delay meter counts that, so a
    // queue with such packets bars fast-forward
    const auto countWaits = [this](int64_t ns) {
        return m_delays->GetUntil(Nanoseconds(ns)).GetSum().count;
    };
    if (m_barred || (m_delays && countWaits(NEVER) > countWaits(state.GetNow())))
    {
        state.Bar();
    }
    state.AddTime(m_freeNs);
    state.AddTime(m_serviceNs);
    state.Add(m_most);
    const int64_t now = state.GetNow();
    state.Add(m_starts.GetSize());
    for (size_t i = 0; i < m_starts.GetSize(); ++i)
    {
        const size_t later = m_starts.GetSize() - 1 - i;
        const size_t index = (m_starts.GetPushCount() - later - 1) % m_entered.size();
        state.AddTime(m_starts.At(i));
        state.Add(later < m_entered.size() && m_entered[index] > now
                      ? static_cast<uint64_t>(m_entered[index] - now)
                      : 0);
    }
    for (size_t i = 0; i < std::min(m_gapCount, m_gaps.size()); ++i)
    {
        const Gap& gap = m_gaps[(m_gapCount - 1 - i) % m_gaps.size()];
        if (gap.endNs > now)
        {
            state.AddTime(gap.startNs);
            state.AddTime(gap.endNs);
        }
    }
    for (size_t i = 0; i < std::min<size_t>(m_drops, RECENT); ++i)
    {
        const int64_t droppedNs = m_dropTimes[(m_drops - 1 - i) % RECENT];
        if (droppedNs <= now)
        {
            break;
        }
        state.AddTime(droppedNs);
    }
}

void
SegmentNetwork::AddState(SegmentState& state) const
{
    if (!IsFast())
    {
        return state.Bar();
    }
    for (const OpenLink& link : m_open)
    {
        link.AddState(state);
    }
    for (const DropTailLink& link : m_tails)
    {
        link.AddState(state);
    }
    state.Add(m_arrivals.GetSize());
    for (size_t i = 0; i < m_arrivals.GetSize(); ++i)
    {
        state.AddTime(m_arrivals.At(i).timeNs);
        m_handler->AddState(m_arrivals.At(i).packet, state);
    }
}

} // namespace ns3::gridftp
