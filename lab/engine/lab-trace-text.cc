/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-trace-text.h"

#include "gridftp-trace-rows.h"

namespace ns3::gridftp
{

TraceText::TraceText(int64_t beginNs, int64_t endNs)
    : m_beginNs(beginNs),
      m_endNs(endNs),
      m_cwnd(CWND_TRACE_HEADER),
      m_queue(QUEUE_TRACE_HEADER),
      m_drops(DROP_TRACE_HEADER)
{
}

bool
TraceText::IsKept(int64_t now)
{
    m_full = m_full || m_cwnd.size() + m_queue.size() + m_drops.size() > MOST_BYTES;
    return !m_full && now >= m_beginNs && now <= m_endNs;
}

void
TraceText::HandleLength(int64_t now, uint64_t packets)
{
    if (IsKept(now))
    {
        m_queue += MakeQueueRow(now, packets);
    }
}

void
TraceText::HandleWindow(int64_t now, const ConnectionLabel& label, const SegmentSender& sender)
{
    if (IsKept(now))
    {
        const bool isSet = sender.GetSsthresh() != SegmentSender::NO_SSTHRESH;
        m_cwnd += MakeWindowRow(now,
                                label,
                                sender.GetCwnd(),
                                isSet ? std::optional(sender.GetSsthresh()) : std::nullopt);
    }
}

void
TraceText::HandleDrop(int64_t now,
                      const std::optional<ConnectionLabel>& label,
                      const std::optional<uint64_t>& sequence)
{
    if (IsKept(now))
    {
        m_drops += MakeDropRow(now, label, sequence);
    }
}

} // namespace ns3::gridftp
