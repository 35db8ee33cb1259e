/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-sender.h"

/**
 * @file
 * @ingroup gridftp
 * Reno's part of the sender: RFC 2581, Section 3.2, with the readings that TcpSocketReno states.
 */

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t DUPLICATES_FOR_LOSS = 3;
} // namespace

void
SegmentSender::RenoRestartAfterIdle(int64_t now)
{
    if (now - m_lastSentNs <= m_rtoNs || GetFlight() != 0)
    {
        return;
    }
    const uint64_t restart = static_cast<uint64_t>(m_tcp->initialSegments) * m_tcp->segmentBytes;
    if (m_cwnd > restart)
    {
        SetCwnd(restart);
        m_inflated = restart;
    }
}

void
SegmentSender::RenoNewData(int64_t now, uint64_t bytes)
{
    uint64_t segments = 1;
    m_leftBytes += bytes;
    if (m_leftBytes == m_tcp->segmentBytes) [[likely]] // spares a division
    {
        m_leftBytes = 0;
    }
    else
    {
        segments = m_leftBytes / m_tcp->segmentBytes;
        m_leftBytes %= m_tcp->segmentBytes;
    }
    m_duplicates = 0;
    m_recoverActive = m_recoverActive && m_una < m_recover;
    const bool isLost = m_board.IsActive() && m_board.GetLostBytes() > 0;
    if (m_state == CongestionState::RECOVERY)
    {
        // Where the recovery interrupted the sending again after a timeout, that goes on
        m_state = isLost ? CongestionState::LOSS : CongestionState::OPEN;
        SetCwnd(m_ssthresh);
    }
    else
    {
        if (!isLost)
        {
            m_state = CongestionState::OPEN;
        }
        Grow(segments);
    }
    m_inflated = m_cwnd;
    NewAck(now, true);
}

void
SegmentSender::RenoDuplicate(int64_t now)
{
    ++m_duplicates;
    if (m_state == CongestionState::RECOVERY)
    {
        m_inflated += m_tcp->segmentBytes; // step 3
        return;
    }
    if (m_duplicates != DUPLICATES_FOR_LOSS)
    {
        return;
    }
    const uint64_t flight = GetFlight();
    m_state = CongestionState::RECOVERY;
    SetSsthresh(Halve(flight));
    SetCwnd(m_ssthresh);
    m_inflated = m_ssthresh + DUPLICATES_FOR_LOSS * m_tcp->segmentBytes;
    FillBoard();
    m_board.MarkHeadLost();
    Transmit(now, m_una, m_tcp->segmentBytes);
}

} // namespace ns3::gridftp
