/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-rows.h"

namespace ns3::gridftp
{

BufferRows::Key
BufferRows::KeyOf(const ConnectionLabel& label)
{
    return {label.session, label.chunk, label.connection};
}

void
BufferRows::AddReceive(Nanoseconds now,
                       Nanoseconds at,
                       const ConnectionLabel& label,
                       const ReceiveBufferState& state)
{
    WriteBefore(now);
    m_due[{at, KeyOf(label)}].receive = state;
}

void
BufferRows::AddSend(Nanoseconds now, const ConnectionLabel& label, const SendBufferState& state)
{
    WriteBefore(now);
    m_due[{now, KeyOf(label)}].send = state;
}

void
BufferRows::End(Nanoseconds last)
{
    WriteBefore(last + 1);
    m_due.clear();
}

void
BufferRows::WriteBefore(Nanoseconds now)
{
    while (!m_due.empty() && m_due.begin()->first.first < now)
    {
        const auto [at, key] = m_due.begin()->first;
        const BufferState change = m_due.begin()->second;
        m_due.erase(m_due.begin());
        BufferState& state = m_written[key];
        const BufferState before = state;
        state.receive = change.receive ? change.receive : state.receive;
        state.send = change.send ? change.send : state.send;
        if (state != before)
        {
            const auto [session, chunk, connection] = key;
            m_rows.AddBuffers(at, {session, chunk, connection}, state);
        }
    }
}

} // namespace ns3::gridftp
