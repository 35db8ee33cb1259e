/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-blast-sender.h"

namespace ns3::gridftp
{

Nanoseconds
BlastSender::SendNext(Nanoseconds now, const LossBitmap& arrived, ToolPort& port)
{
    const uint32_t packet = arrived.FindMissing(m_next);
    if (packet == m_file->GetPackets())
    {
        return ToolPort::NOT_AT_ALL;
    }
    const uint32_t payload = m_file->GetPayload(packet);
    port.SendData(now, {.number = packet, .payload = payload});
    m_gate->Take(now, payload + m_extraBytes);
    m_next = packet + 1;
    ++m_sent;
    if (arrived.FindMissing(m_next) == m_file->GetPackets())
    {
        return ToolPort::NOT_AT_ALL;
    }
    const auto paced = m_beginNs + static_cast<Nanoseconds>(m_sent) * m_gapNs;
    return m_gate->GetRoom(paced > now ? paced : now);
}

} // namespace ns3::gridftp
