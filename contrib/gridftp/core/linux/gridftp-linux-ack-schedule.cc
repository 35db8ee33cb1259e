/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-ack-schedule.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr Nanoseconds INITIAL_RTO = 1000 * LINUX_MS; // TCP_TIMEOUT_INIT
constexpr Nanoseconds LONGEST_ATO = 500 * LINUX_MS; // of a sender that sends without small segments
constexpr uint32_t DUPLICATE_ACKS = 3;              // TCP_FASTRETRANS_THRESH: they leave at once
constexpr uint32_t COMPRESSED_RTT_SHARE = 20;       // a compressed ACK waits for RTT / 20 at most

} // namespace

LinuxAckSchedule::LinuxAckSchedule(const LinuxSettings& settings)
    : m_settings(settings),
      m_tickLength(settings.tick),
      m_halfInterval(settings.minDelayedAck / 2),
      // Less than the shortest RTO (tcp_delack_max).
      m_longest(std::min(settings.maxDelayedAck,
                         std::max(settings.minRto, 2 * settings.tick) - settings.tick)),
      m_acksAll(settings.acknowledgesAll)
{
}

Nanoseconds
LinuxAckSchedule::GetRto() const
{
    if (m_srttUs8 == 0)
    {
        return INITIAL_RTO;
    }
    // The RTO after the first sample; a host that only receives takes no others.
    const Nanoseconds rtt = static_cast<Nanoseconds>(m_srttUs8 >> 3) * 1000;
    return rtt + std::max(m_settings.minRto, 2 * rtt);
}

void
LinuxAckSchedule::AddQuick(uint64_t most, uint64_t window, uint64_t segmentSize)
{
    const uint64_t fits = window / (2 * segmentSize);
    m_quick = std::max(m_quick, std::min(fits == 0 ? 2 : fits, most));
}

void
LinuxAckSchedule::EnterQuickMode(uint64_t most, uint64_t window, uint64_t segmentSize)
{
    AddQuick(most, window, segmentSize);
    m_isInteractive = false;
    m_ato = m_settings.minDelayedAck;
}

void
LinuxAckSchedule::AdaptInterval(Nanoseconds interval, uint64_t window, uint64_t segmentSize)
{
    if (m_ato == 0)
    {
        AddQuick(MOST_QUICK, window, segmentSize);
        m_ato = m_settings.minDelayedAck;
    }
    else if (interval < m_ato)
    {
        m_ato = std::min((m_ato >> 1) + interval, GetRto());
    }
    else if (interval > GetRto())
    {
        // The sender may have restarted from a small window.
        AddQuick(MOST_QUICK, window, segmentSize);
    }
}

Nanoseconds
LinuxAckSchedule::GetLongInterval() const
{
    const bool mayWait = !m_isInteractive && (m_pending & SMALL) == 0;
    Nanoseconds most = mayWait ? LONGEST_ATO : m_settings.maxDelayedAck;
    if (m_srttUs8 > 0)
    {
        const Nanoseconds rtt = static_cast<Nanoseconds>(m_srttUs8 >> 3) * 1000;
        most = std::min(most, std::max(rtt, m_settings.minDelayedAck));
    }
    return std::min(m_ato, most);
}

bool
LinuxAckSchedule::Compress(Nanoseconds now, uint64_t next, uint32_t rttUs8)
{
    if (m_compressed >= m_settings.compressedAcks)
    {
        return true;
    }
    if (m_compressedNext != next)
    {
        m_compressedNext = next;
        m_duplicates = 0;
    }
    if (m_duplicates < DUPLICATE_ACKS)
    {
        ++m_duplicates;
        return true;
    }
    if (++m_compressed > 1)
    {
        return false;
    }
    const uint32_t rtt = m_srttUs8 > 0 && m_srttUs8 < rttUs8 ? m_srttUs8 : rttUs8;
    const Nanoseconds share = static_cast<Nanoseconds>(rtt) * 125 / COMPRESSED_RTT_SHARE;
    m_compressedDeadline =
        now + std::min(m_settings.compressedAckDelay, share) + m_settings.compressedAckSlack;
    return false;
}

bool
LinuxAckSchedule::HandleDeadline(Nanoseconds now)
{
    if (now >= m_compressedDeadline)
    {
        return true;
    }
    if (now < m_deadline)
    {
        return false;
    }
    m_deadline = NEVER;
    if (m_compressed > 0)
    {
        return true;
    }
    if (!IsScheduled())
    {
        return false;
    }
    if (m_isInteractive)
    {
        m_isInteractive = false;
        m_ato = m_settings.minDelayedAck;
    }
    else
    {
        m_ato = std::min(2 * m_ato, GetRto());
    }
    return true;
}

} // namespace ns3::gridftp
