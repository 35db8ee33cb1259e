/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-recovery-sack.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * Loss recovery of RFC 6675 as ns-3's TcpSocketBase has it with SACK and TcpClassicRecovery,
 * whatever congestion control is in it.
 */

namespace ns3::gridftp
{

const SegmentSender::Recovery&
SegmentSender::Recovery::GetSack()
{
    return SackRecovery::Get();
}

const SegmentSender::SackRecovery&
SegmentSender::SackRecovery::Get()
{
    static const SackRecovery sack;
    return sack;
}

void
SegmentSender::AcceptSack(Nanoseconds now, uint64_t ack)
{
    const auto reported = m_board.Update(m_blocks);
    m_blocks = {};
    const uint64_t oldUna = m_una;
    m_una = ack;
    const uint64_t delivered = reported.delivered + m_board.Discard(ack);
    if (ack > oldUna)
    {
        Tell(Report::ACKNOWLEDGED);
    }
    if (m_tcp->hasEcn)
    {
        CheckEcho(oldUna);
        if (m_state == CongestionState::CWR)
        {
            return HandleAckInCwr(now, oldUna, delivered, reported.bytes > 0);
        }
    }
    const SackRecovery::Ack facts{.oldUna = oldUna,
                                  .delivered = delivered,
                                  .duplicates = m_duplicates,
                                  .isDuplicate = reported.bytes > 0};
    if (facts.isDuplicate)
    {
        SackRecovery::Get().HandleDuplicate(*this, now);
    }
    if (ack > oldUna)
    {
        SackRecovery::HandleNewAck(*this, now, facts);
    }
    else if (ack < m_sent)
    {
        TellOfAck(now);
    }
}

uint64_t
SegmentSender::SackRecovery::GetWindow(const SegmentSender& sender) const
{
    return std::min(sender.m_rwnd, sender.GetCwnd());
}

void
SegmentSender::SackRecovery::HandleNewData(SegmentSender& sender,
                                           Nanoseconds now,
                                           uint64_t oldUna,
                                           uint64_t whole) const
{
    HandleNewAck(sender, now, {.oldUna = oldUna, .delivered = whole});
}

void
SegmentSender::SackRecovery::HandleDuplicate(SegmentSender& sender, Nanoseconds now) const
{
    if (sender.m_state == CongestionState::LOSS || sender.m_state == CongestionState::RECOVERY)
    {
        return;
    }
    sender.m_state = CongestionState::DISORDER;
    ++sender.m_duplicates;
    if (sender.m_duplicates == DUPLICATES_FOR_LOSS || sender.m_board.IsHeadLost())
    {
        Enter(sender, now);
    }
}

void
SegmentSender::SackRecovery::HandleNewAck(SegmentSender& sender, Nanoseconds now, const Ack& ack)
{
    const uint64_t segments = sender.CountSegments(ack.delivered);
    if (!ack.isDuplicate)
    {
        sender.m_duplicates = 0;
    }
    const bool isPartial = sender.m_una < sender.m_recover;
    if (isPartial && sender.m_state == CongestionState::RECOVERY)
    {
        return HandlePartialAck(sender, now);
    }
    // ns-3 does not report an ACK of fewer segments than there were duplicate ACKs
    if (sender.m_state != CongestionState::DISORDER || segments >= ack.duplicates)
    {
        sender.TellOfAck(now);
    }
    if (isPartial && sender.m_state == CongestionState::LOSS)
    {
        sender.Grow(now, segments);
        return sender.NewAck(now, true);
    }
    HandleFullAck(sender, now, ack, segments);
}

void
SegmentSender::SackRecovery::HandleFullAck(SegmentSender& sender,
                                           Nanoseconds now,
                                           const Ack& ack,
                                           uint64_t segments)
{
    const uint64_t segment = sender.m_tcp->segmentBytes;
    switch (sender.m_state)
    {
    case CongestionState::OPEN:
        break;
    case CongestionState::DISORDER:
        if (ack.isDuplicate)
        {
            return; // still in disorder, where ns-3 takes the ACK for no progress
        }
        break;
    case CongestionState::RECOVERY:
        sender.m_firstPartial = true;
        sender.m_duplicates = 0;
        sender.m_state = CongestionState::OPEN;
        segments = (sender.m_una - ack.oldUna) / segment;
        sender.NewAck(now, true);
        sender.SetCwnd(sender.GetSsthresh());
        break;
    case CongestionState::LOSS:
        sender.m_firstPartial = true;
        segments = (sender.m_una - sender.m_recover) / segment;
        break;
    case CongestionState::CWR:
        break; // see HandleAckInCwr()
    }
    sender.m_state = CongestionState::OPEN;
    sender.Grow(now, segments);
    sender.NewAck(now, true);
}

void
SegmentSender::SackRecovery::HandlePartialAck(SegmentSender& sender, Nanoseconds now)
{
    if (!sender.m_board.IsSentAgain(sender.m_una + sender.m_tcp->segmentBytes))
    {
        SendNext(sender, now);
    }
    sender.TellOfAck(now);
    sender.NewAck(now, sender.m_firstPartial);
    sender.m_firstPartial = false;
}

void
SegmentSender::SackRecovery::SendNext(SegmentSender& sender, Nanoseconds now)
{
    const uint64_t segment = sender.m_tcp->segmentBytes;
    const auto lost = sender.m_board.FindLost();
    const uint64_t unsent = lost ? 0 : sender.GetNewBytes();
    const uint64_t start = lost ? *lost : unsent > 0 ? sender.m_sent : sender.m_una;
    sender.m_againNext = start; // unlike behind what Send() sends
    sender.Transmit(now, start, unsent > 0 ? unsent : segment);
    sender.m_againAt = sender.m_sent;
}

void
SegmentSender::SackRecovery::Enter(SegmentSender& sender, Nanoseconds now)
{
    if (!sender.m_board.IsHeadLost())
    {
        sender.m_board.MarkHeadLost();
    }
    sender.m_recover = sender.m_sent;
    sender.m_state = CongestionState::RECOVERY;
    sender.ReduceSsthresh(sender.GetFlight());
    sender.SetCwnd(sender.GetSsthresh());
    sender.Transmit(now, sender.m_una, sender.m_tcp->segmentBytes);
}

} // namespace ns3::gridftp
