/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-sender.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * NewReno's part of the sender: RFC 6582 as ns-3's TcpSocketBase has it without SACK, where each
 * duplicate ACK counts as a guess at which segment has arrived.
 */

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t DUPLICATES_FOR_LOSS = 3;
} // namespace

void
SegmentSender::NewRenoNewData(int64_t now, uint64_t oldUna, uint64_t whole)
{
    const uint64_t segment = m_tcp->segmentBytes;
    uint64_t segments = whole / segment;
    uint64_t bytes = whole - whole % segment;
    m_leftBytes += whole % segment;
    if (m_leftBytes >= segment)
    {
        ++segments;
        bytes += segment;
        m_leftBytes -= segment;
    }
    m_duplicates = 0;
    if (m_una < m_recover && m_state == CongestionState::RECOVERY)
    {
        return NewRenoPartialAck(now, segments, bytes);
    }
    if (m_una < m_recover && m_state == CongestionState::LOSS)
    {
        Grow(segments);
        return NewAck(now, true);
    }
    bool leftRecovery = false;
    if (m_state == CongestionState::RECOVERY)
    {
        m_firstPartial = true;
        segments = (m_una - oldUna) / segment;
        leftRecovery = true;
    }
    else if (m_state == CongestionState::LOSS)
    {
        m_firstPartial = true;
        segments = (m_una - m_recover) / segment;
    }
    m_state = CongestionState::OPEN;
    if (m_una >= m_recover)
    {
        m_recoverActive = false;
    }
    if (leftRecovery)
    {
        NewAck(now, true);
        SetCwnd(m_ssthresh);
    }
    Grow(segments);
    m_inflated = m_cwnd;
    NewAck(now, true);
}

void
SegmentSender::NewRenoPartialAck(int64_t now, uint64_t segments, uint64_t bytes)
{
    m_board.MarkHeadLost();
    if (segments >= 1)
    {
        m_inflated += m_tcp->segmentBytes;
    }
    Transmit(now, m_una, m_tcp->segmentBytes);
    m_inflated -= std::min(m_inflated, bytes);
    NewAck(now, m_firstPartial);
    m_firstPartial = false;
}

void
SegmentSender::NewRenoDuplicate(int64_t now)
{
    switch (m_state)
    {
    case CongestionState::LOSS:
        return; // it may come of what was sent again for nothing
    case CongestionState::RECOVERY:
        m_board.AddGuess();
        m_inflated += m_tcp->segmentBytes;
        return;
    case CongestionState::OPEN:
    case CongestionState::DISORDER:
        m_state = CongestionState::DISORDER;
        ++m_duplicates;
        const bool isThird =
            m_duplicates == DUPLICATES_FOR_LOSS && (m_una >= m_recover || !m_recoverActive);
        if (isThird || (m_board.IsActive() && m_board.IsHeadLost()))
        {
            NewRenoEnterRecovery(now);
        }
    }
}

void
SegmentSender::NewRenoEnterRecovery(int64_t now)
{
    const uint64_t segment = m_tcp->segmentBytes;
    FillBoard();
    m_board.AddGuess();
    m_board.MarkHeadLost();
    m_recover = m_sent;
    m_recoverActive = true;
    m_state = CongestionState::RECOVERY;
    SetSsthresh(Halve(GetFlight() + segment));
    SetCwnd(m_ssthresh);
    m_inflated = m_ssthresh + m_duplicates * segment;
    Transmit(now, m_una, segment);
}

} // namespace ns3::gridftp
