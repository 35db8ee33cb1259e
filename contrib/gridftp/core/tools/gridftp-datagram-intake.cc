/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-datagram-intake.h"

namespace ns3::gridftp
{

std::optional<DataDatagram>
DatagramIntake::Next(Nanoseconds now)
{
    if (m_current && m_wakeNs > now)
    {
        return std::nullopt;
    }
    if (!m_current)
    {
        if (m_waiting.empty())
        {
            return std::nullopt;
        }
        m_current = m_waiting.front();
        m_waiting.pop_front();
        m_waitingBytes -= m_current->payload;
    }
    m_wakeNs = m_file.Touch(now, uint64_t{m_current->number} * m_payload, m_current->payload);
    return m_wakeNs > now ? std::nullopt : std::exchange(m_current, std::nullopt);
}

} // namespace ns3::gridftp
