/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-rate-limiter.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{
constexpr int64_t BYTE_TOKENS = 8'000'000'000; // of 1e-9 bit
} // namespace

RateLimiter::RateLimiter(const RateLimit& limit)
    : m_rateBps(limit.rateBps),
      m_kind(limit.kind),
      m_depth(limit.burstBytes * BYTE_TOKENS),
      m_queuePackets(static_cast<uint64_t>(limit.queuePackets)),
      m_level(m_depth)
{
}

void
RateLimiter::Fill(int64_t nowNs)
{
    const int64_t missing = m_depth - m_level;
    const int64_t elapsed = nowNs - m_filledNs;
    // The product would not fit where it is more than that
    m_level = elapsed > missing / m_rateBps ? m_depth : m_level + elapsed * m_rateBps;
    m_filledNs = nowNs;
}

int64_t
RateLimiter::Pass(int64_t nowNs, int64_t bytes)
{
    while (!m_releases.IsEmpty() && m_releases.Front() <= nowNs)
    {
        m_releases.Pop();
    }
    const int64_t needed = bytes * BYTE_TOKENS;
    const bool isFull = m_kind == LimitKind::SHAPER && m_releases.GetSize() >= m_queuePackets;
    if (needed > m_depth || isFull)
    {
        return Refuse();
    }
    Fill(std::max(nowNs, m_filledNs));
    if (m_level < needed)
    {
        if (m_kind == LimitKind::POLICER)
        {
            return Refuse();
        }
        Fill(m_filledNs + (needed - m_level + m_rateBps - 1) / m_rateBps);
    }
    m_level -= needed;
    if (m_filledNs > nowNs)
    {
        m_releases.Push(m_filledNs);
    }
    return m_filledNs;
}

int64_t
RateLimiter::Refuse()
{
    ++m_drops;
    return REFUSED;
}

} // namespace ns3::gridftp
