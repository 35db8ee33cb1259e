/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-channel-sizing.h"

#include <algorithm>

namespace ns3::gridftp
{

DataChannelSizing::DataChannelSizing(const BufferSettings& settings)
    : m_settings(settings)
{
}

std::optional<SizingMessage>
DataChannelSizing::Begin(Nanoseconds now, uint64_t bufferBytes)
{
    m_before = GetMeasured();
    m_sizing.emplace(m_settings);
    std::ranges::fill(m_unacknowledged, EARLIER);
    return Admit(m_sizing->Begin(now, bufferBytes));
}

ApplicationSizing::Decision
DataChannelSizing::HandleAlarm(Nanoseconds now, uint64_t readBytes, uint64_t bufferBytes)
{
    auto decision = m_sizing->HandleAlarm(now, readBytes, bufferBytes);
    decision.message = Admit(decision.message);
    return decision;
}

void
DataChannelSizing::HandleAcknowledgement(Nanoseconds now)
{
    if (m_unacknowledged.empty())
    {
        return;
    }
    const uint64_t id = m_unacknowledged.front();
    m_unacknowledged.pop_front();
    if (id != EARLIER)
    {
        m_sizing->HandleAnswer(now, id);
    }
}

void
DataChannelSizing::End()
{
    if (m_sizing)
    {
        m_sizing->End();
    }
}

MeasuredRtt
DataChannelSizing::GetMeasured() const
{
    MeasuredRtt all = m_before;
    if (m_sizing)
    {
        all.Add(m_sizing->GetMeasured());
    }
    return all;
}

std::optional<SizingMessage>
DataChannelSizing::Admit(const std::optional<SizingMessage>& message)
{
    if (!message || m_unacknowledged.size() == MOST_DATA_SIZINGS)
    {
        return std::nullopt;
    }
    m_unacknowledged.push_back(message->id);
    return message;
}

uint64_t
GetSendBufferAskedFor(const BufferSettings& settings, const SizingMessage& message)
{
    return settings.sendBuffer > 0 ? 0 : std::min(message.bytes, settings.GetMostWindow());
}

} // namespace ns3::gridftp
