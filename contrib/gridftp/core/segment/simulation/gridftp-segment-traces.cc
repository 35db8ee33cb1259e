/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-traces.h"

namespace ns3::gridftp
{

void
SegmentTraces::HandleLength(Nanoseconds now, uint64_t packets)
{
    m_rows.AddQueue(now, packets);
}

void
SegmentTraces::HandleWindow(Nanoseconds now, const ConnectionLabel& label, const WindowView& window)
{
    m_rows.AddWindow(now, label, window.cwndBytes, window.ssthreshBytes);
}

void
SegmentTraces::HandleDrop(Nanoseconds now,
                          const std::optional<ConnectionLabel>& label,
                          const std::optional<uint64_t>& sequence)
{
    m_rows.AddDrop(now, label, sequence);
}

bool
SegmentTraces::WantsBuffers() const
{
    return m_wantsBuffers;
}

bool
SegmentTraces::WantsRtt() const
{
    return m_wantsBuffers; // as many rows
}

void
SegmentTraces::HandleRttSample(Nanoseconds now,
                               const ConnectionLabel& label,
                               int64_t sampleNs,
                               int64_t smoothedNs)
{
    m_rtt.AddSample(now, label, sampleNs, smoothedNs);
}

void
SegmentTraces::HandleRto(Nanoseconds now, const ConnectionLabel& label, int64_t rtoNs)
{
    m_rtt.AddRto(now, label, rtoNs);
}

void
SegmentTraces::HandleReceiveBuffer(Nanoseconds now,
                                   Nanoseconds at,
                                   const ConnectionLabel& label,
                                   const ReceiveBufferState& state)
{
    m_buffers.AddReceive(now, at, label, state);
}

void
SegmentTraces::HandleSendBuffer(Nanoseconds now,
                                const ConnectionLabel& label,
                                const SendBufferState& state)
{
    m_buffers.AddSend(now, label, state);
}

} // namespace ns3::gridftp
