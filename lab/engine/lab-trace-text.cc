/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-trace-text.h"

namespace ns3::gridftp
{

TraceText::TraceText(Nanoseconds begin, Nanoseconds end)
    : m_begin(begin),
      m_end(end)
{
    for (size_t i = 0; i < m_texts.size(); ++i)
    {
        m_texts.at(i) = TRACE_NAMES.at(i).header;
    }
}

bool
TraceText::IsWanted(Nanoseconds now)
{
    return !m_full && now >= m_begin && now <= m_end;
}

void
TraceText::Write(Trace trace, const std::string& row)
{
    m_texts.at(static_cast<size_t>(trace)) += row;
    m_bytes += row.size();
    m_full = m_bytes > MOST_BYTES;
}

} // namespace ns3::gridftp
