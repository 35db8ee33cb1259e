/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-packet-log.h"

#include <algorithm>

namespace ns3::gridftp
{

void
PacketLog::HandlePacket(const PacketStay& stay, const std::optional<ConnectionLabel>& label)
{
    if (stay.IsOpen())
    {
        m_waiting.push_back({stay, label});
        return;
    }
    const auto isEnded = [&stay](const Entry& entry) { return entry.stay.IsEndedBy(stay); };
    const auto found = std::find_if(m_waiting.begin(), m_waiting.end(), isEnded);
    if (found != m_waiting.end())
    {
        m_waiting.erase(found);
        if (stay.beginNs == stay.endNs)
        {
            return; // it has not waited
        }
    }
    if (m_entries.size() == MOST)
    {
        Forget(stay.beginNs);
        if (m_entries.size() > MOST / 2)
        {
            m_entries.erase(m_entries.begin(), m_entries.begin() + MOST / 2);
        }
    }
    m_entries.push_back({stay, label});
}

void
PacketLog::Forget(int64_t sinceNs)
{
    std::erase_if(m_entries, [sinceNs](const Entry& entry) { return entry.stay.endNs < sinceNs; });
}

} // namespace ns3::gridftp
