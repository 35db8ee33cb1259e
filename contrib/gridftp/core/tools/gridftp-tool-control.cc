/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tool-control.h"

#include "gridftp-tool-transfer.h"

namespace ns3::gridftp
{

void
ToolControl::Start(Nanoseconds now, uint16_t port, ToolEnd& end)
{
    m_port = port;
    m_end = &end;
    m_host->Listen(now, port, StreamTerms::OfControl(TOOL_CONTROL_WINDOW), *this);
}

void
ToolControl::ScheduleResets(Nanoseconds now, const Scenario& scenario, uint32_t session)
{
    for (const FaultSpec& fault : scenario.faults)
    {
        if (fault.kind == FaultKind::CONTROL_RESET && fault.session == session && fault.at > now)
        {
            m_host->Schedule(now, fault.at, *this, 0);
        }
    }
}

void
ToolControl::Connect(Nanoseconds now)
{
    m_stream = &m_host->Connect(now, m_port, StreamTerms::OfControl(TOOL_CONTROL_WINDOW), *this);
}

void
ToolControl::Say(Nanoseconds now, std::span<const uint8_t> bytes)
{
    if (m_stream)
    {
        m_stream->Say(now, bytes);
    }
}

void
ToolControl::Stop(Nanoseconds now, bool hasFailed)
{
    m_end = nullptr;
    m_host->StopListening();
    if (m_stream)
    {
        m_stream->DropMessages();
        hasFailed ? m_stream->Reset(now) : void();
    }
}

void
ToolControl::HandleConnected(Nanoseconds now)
{
    m_isConnected = true;
    if (m_end)
    {
        m_end->HandleConnected(now);
    }
}

StreamUser*
ToolControl::HandleAccepted(Nanoseconds now, uint16_t /* port */, ByteStream& stream)
{
    if (!m_end || m_stream)
    {
        return nullptr; // it has one peer
    }
    m_stream = &stream;
    HandleConnected(now);
    return this;
}

void
ToolControl::HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes)
{
    if (m_end)
    {
        m_end->HandleBytes(now, bytes);
    }
}

void
ToolControl::HandleLost(Nanoseconds now, StreamLoss /* loss */)
{
    if (m_end)
    {
        m_end->HandleLost(now);
    }
}

void
ToolControl::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    if (m_end && m_isConnected)
    {
        m_end->HandleLost(now);
    }
}

} // namespace ns3::gridftp
