/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-handshake.h"

#include <vector>

namespace ns3::gridftp
{

void
DataHandshake::Read(uint32_t bytes, Nanoseconds now, DataStream& stream, TransferEvents& events)
{
    m_progress.Read(bytes);
    Say(now, stream, events);
}

void
DataHandshake::Say(Nanoseconds now, DataStream& stream, TransferEvents& events)
{
    const auto message = m_progress.Take();
    if (!message)
    {
        return;
    }
    m_bytes = message->bytes;
    const Nanoseconds at = events.GetHost().AskCpu(now, GetCpuWork(m_security, message->work));
    if (at <= now)
    {
        return Write(now, stream);
    }
    m_isComputing = true;
    events.Schedule(now, at, TransferEvents::COMPUTED, m_serial);
}

void
DataHandshake::HandleComputed(Nanoseconds now, DataStream& stream)
{
    if (m_isComputing)
    {
        m_isComputing = false;
        Write(now, stream);
    }
}

void
DataHandshake::Write(Nanoseconds now, DataStream& stream) const
{
    if (m_bytes > 0) // the last one may have none: all is well
    {
        stream.Say(now, std::vector<uint8_t>(m_bytes));
    }
}

} // namespace ns3::gridftp
