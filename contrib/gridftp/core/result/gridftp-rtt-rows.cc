/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-rtt-rows.h"

namespace ns3::gridftp
{

RttState&
RttRows::GetDue(Nanoseconds now, const ConnectionLabel& label)
{
    if (now != m_nowNs)
    {
        End();
        m_nowNs = now;
    }
    const Key key{label.session, label.chunk, label.connection};
    return m_due.try_emplace(key, m_written[key]).first->second;
}

void
RttRows::AddSample(Nanoseconds now,
                   const ConnectionLabel& label,
                   int64_t sampleNs,
                   int64_t smoothedNs)
{
    RttState& state = GetDue(now, label);
    state.sampleNs = sampleNs;
    state.smoothedNs = smoothedNs;
}

void
RttRows::AddRto(Nanoseconds now, const ConnectionLabel& label, int64_t rtoNs)
{
    GetDue(now, label).rtoNs = rtoNs;
}

void
RttRows::End()
{
    for (const auto& [key, state] : m_due)
    {
        RttState& before = m_written[key];
        if (state != before && state.smoothedNs > 0)
        {
            const auto [session, chunk, connection] = key;
            m_rows.AddRtt(m_nowNs, {session, chunk, connection}, state);
        }
        before = state;
        before.sampleNs.reset();
    }
    m_due.clear();
}

} // namespace ns3::gridftp
