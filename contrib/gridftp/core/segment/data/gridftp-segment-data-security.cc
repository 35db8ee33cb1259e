/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-data-security.h"

#include <algorithm>

namespace ns3::gridftp
{

void
SegmentDataSecurity::Renew(TcpConnection& connection)
{
    m_connection = &connection;
    m_ends[TcpConnection::ACTIVE] = {.progress = HandshakeProgress(*m_settings.messages, false)};
    m_ends[TcpConnection::PASSIVE] = {.progress = HandshakeProgress(*m_settings.messages, true)};
}

void
SegmentDataSecurity::HandleRead(TcpConnection::End end, Nanoseconds now)
{
    Half& half = m_ends[end];
    const uint64_t come = end == TcpConnection::ACTIVE ? m_connection->GetReceived(end)
                                                       : m_connection->GetDelivered(now);
    const auto bytes =
        static_cast<uint32_t>(std::min<uint64_t>(come - half.read, half.progress.GetMissing()));
    if (bytes > 0)
    {
        half.read += bytes;
        half.progress.Read(bytes);
        Say(end, now);
    }
}

void
SegmentDataSecurity::Say(TcpConnection::End end, Nanoseconds now)
{
    Half& half = m_ends[end];
    const auto message = half.progress.Take();
    if (!message)
    {
        return;
    }
    const Nanoseconds at =
        AskFor(m_settings.cpus[end], now, GetCpuWork(*m_settings.security, message->work));
    if (at <= now)
    {
        return Write(end, now, message->bytes);
    }
    half.bytes = message->bytes;
    half.dueNs = at;
    m_connection->GetUse().path.clocks[end]->Schedule(at, *this, end);
}

void
SegmentDataSecurity::HandleEvent(Nanoseconds now, uint32_t id)
{
    const auto end = static_cast<TcpConnection::End>(id);
    if (m_ends[end].dueNs == now && m_connection->IsThere(end))
    {
        m_ends[end].dueNs = NEVER;
        Write(end, now, m_ends[end].bytes);
    }
}

void
SegmentDataSecurity::Write(TcpConnection::End end, Nanoseconds now, uint32_t bytes)
{
    m_connection->Write(end, now, bytes);
    if (end == TcpConnection::ACTIVE && IsDone(end))
    {
        m_user->HandleSecured(*m_connection, now);
    }
}

uint64_t
SegmentDataSecurity::CountBytes(const Handshake& messages, TcpConnection::End end)
{
    uint64_t bytes = 0;
    for (size_t i = end == TcpConnection::ACTIVE ? 0 : 1; i < messages.size(); i += 2)
    {
        bytes += messages[i].bytes;
    }
    return bytes;
}

} // namespace ns3::gridftp
