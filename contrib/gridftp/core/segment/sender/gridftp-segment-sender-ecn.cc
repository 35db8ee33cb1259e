/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-recovery.h"
#include "gridftp-segment-sender.h"

/**
 * @file
 * @ingroup gridftp
 * A SegmentSender with ECN (RFC 3168, Section 6.1.2), as ns-3's TcpSocketBase has it with
 * TcpClassicRecovery: an echo reduces cwnd once per window. Until all that was outstanding then is
 * acknowledged and more, cwnd does not grow, and duplicate ACKs lead to no fast retransmit.
 */

namespace ns3::gridftp
{

void
SegmentSender::AcceptEcn(Nanoseconds now, uint64_t ack, bool mayBeDuplicate)
{
    const uint64_t oldUna = m_una;
    m_una = ack;
    const uint64_t whole = m_board.IsActive() ? m_board.Discard(ack) : ack - oldUna;
    if (ack > oldUna)
    {
        Tell(Report::ACKNOWLEDGED);
    }
    CheckEcho(oldUna);
    const bool isDuplicate = mayBeDuplicate && ack == oldUna && ack < m_sent;
    if (m_state == CongestionState::CWR)
    {
        HandleAckInCwr(now, oldUna, whole, isDuplicate);
    }
    else if (ack > oldUna)
    {
        m_recovery->HandleNewData(*this, now, oldUna, whole);
    }
    else if (isDuplicate)
    {
        m_recovery->HandleDuplicate(*this, now);
    }
    else if (ack < m_sent)
    {
        TellOfAck(now);
    }
    if (m_board.IsActive() && m_board.IsUnmarked() &&
        (m_samples.IsEmpty() ? m_sent == m_una : m_sampledFrom <= m_una))
    {
        m_board.Deactivate();
    }
}

void
SegmentSender::CheckEcho(uint64_t oldUna)
{
    if (m_state == CongestionState::CWR && m_una > m_recover)
    {
        m_state = CongestionState::OPEN;
        m_duplicates = 0; // see TcpSocketGuarded
        SetCwnd(GetSsthresh());
    }
    const bool isEcho = m_ecn.HandleAck(m_una, m_una > oldUna, m_hasEcho);
    if (isEcho && m_state != CongestionState::CWR)
    {
        // Whatever state it was in: where that was a recovery, it is over, and segments that are
        // known to be lost are sent again as cwnd allows
        ReduceSsthresh(GetFlight());
        m_state = CongestionState::CWR;
        m_recover = m_sent;
        SetCwnd(GetSsthresh());
    }
}

void
SegmentSender::HandleAckInCwr(Nanoseconds now,
                              uint64_t oldUna,
                              uint64_t delivered,
                              bool isDuplicate)
{
    m_duplicates += isDuplicate ? 1 : 0;
    if (m_una > oldUna)
    {
        CountSegments(delivered);
        m_duplicates = isDuplicate ? m_duplicates : 0;
        TellOfAck(now);
        NewAck(now, true);
    }
    else if (m_una < m_sent)
    {
        TellOfAck(now);
    }
}

} // namespace ns3::gridftp
