/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-packet-log.h"

namespace ns3::gridftp
{

void
PacketLog::HandlePacket(const PacketStay& stay, const std::optional<ConnectionLabel>& label)
{
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
