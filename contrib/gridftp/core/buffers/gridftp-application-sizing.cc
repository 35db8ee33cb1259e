/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-application-sizing.h"

#include <algorithm>

namespace ns3::gridftp
{

ApplicationSizing::ApplicationSizing(const BufferSettings& settings)
    : m_most(settings.GetMostWindow()),
      m_intervalNs(settings.intervalNs),
      m_which(settings.rtt)
{
}

std::optional<SizingMessage>
ApplicationSizing::Begin(Nanoseconds now, uint64_t bufferBytes)
{
    m_alarmNs = now + m_intervalNs;
    m_readBytes = 0;
    return Tell(now, bufferBytes);
}

ApplicationSizing::Decision
ApplicationSizing::HandleAlarm(Nanoseconds now, uint64_t readBytes, uint64_t bufferBytes)
{
    const auto bytes = static_cast<double>(readBytes - m_readBytes);
    m_readBytes = readBytes;
    m_alarmNs = now + m_intervalNs;
    const double rounds = static_cast<double>(m_rttNs) / static_cast<double>(m_intervalNs);
    const double wanted = std::min(2 * bytes * rounds, static_cast<double>(m_most));
    Decision decision;
    decision.bufferBytes = std::max(bufferBytes, static_cast<uint64_t>(wanted));
    decision.message = Tell(now, decision.bufferBytes);
    return decision;
}

bool
ApplicationSizing::HandleAnswer(Nanoseconds now, uint64_t id)
{
    const auto found = std::ranges::find(m_sent, id, &Sent::id);
    if (found == m_sent.end())
    {
        return false;
    }
    const int64_t rttNs = now - found->sentNs;
    const bool isLeast = m_which == SizingRtt::LEAST && m_rttNs > 0;
    m_rttNs = isLeast ? std::min(m_rttNs, rttNs) : rttNs;
    m_measured.Add({1, m_rttNs});
    m_sent.erase(m_sent.begin(), found + 1); // an answer to a later one answers for them, too
    return true;
}

void
ApplicationSizing::HandleRefusal()
{
    m_refused = true;
    m_sent.clear();
}

std::optional<SizingMessage>
ApplicationSizing::Tell(Nanoseconds now, uint64_t bufferBytes)
{
    const bool isUnanswered = m_rttNs == 0 && IsProbing();
    if (m_refused || isUnanswered)
    {
        return std::nullopt;
    }
    m_sent.push_back({++m_lastId, now});
    return SizingMessage{m_lastId, bufferBytes};
}

} // namespace ns3::gridftp
