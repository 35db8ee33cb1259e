/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-recovery.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * Loss recovery of RFC 6582 as ns-3's TcpSocketBase has it without SACK, whatever congestion
 * control is in it: each duplicate ACK counts as a guess at which segment has arrived.
 */

namespace ns3::gridftp
{

/** Fast recovery ends with the ACK of all that was outstanding when it began. */
class SegmentSender::NewRenoRecovery final : public Recovery
{
  public:
    uint64_t GetWindow(const SegmentSender& sender) const override;
    void HandleNewData(SegmentSender& sender,
                       Nanoseconds now,
                       uint64_t oldUna,
                       uint64_t whole) const override;
    void HandleDuplicate(SegmentSender& sender, Nanoseconds now) const override;

  private:
    /**
     * An ACK during fast recovery that does not end it.
     * @param sender whose
     * @param now of the simulation
     */
    static void HandlePartialAck(SegmentSender& sender, Nanoseconds now);

    /**
     * An ACK that ends recovery, if there is one.
     * @param sender whose
     * @param now of the simulation
     * @param oldUna first byte that was not acknowledged before
     * @param segments that count as newly acknowledged where nothing was lost
     */
    static void HandleFullAck(SegmentSender& sender,
                              Nanoseconds now,
                              uint64_t oldUna,
                              uint64_t segments);

    /** Starts fast recovery. @param sender whose @param now of the simulation */
    static void Enter(SegmentSender& sender, Nanoseconds now);
};

const SegmentSender::Recovery&
SegmentSender::Recovery::GetNewReno()
{
    static const NewRenoRecovery newReno;
    return newReno;
}

uint64_t
SegmentSender::NewRenoRecovery::GetWindow(const SegmentSender& sender) const
{
    // ns-3's socket may not send in this state without limited transmit, see TcpSocketGuarded
    const bool isHeld =
        sender.m_state == CongestionState::DISORDER && !sender.m_tcp->hasLimitedTransmit;
    return isHeld ? 0 : std::min(sender.m_rwnd, sender.GetCwnd());
}

void
SegmentSender::NewRenoRecovery::HandleNewData(SegmentSender& sender,
                                              Nanoseconds now,
                                              uint64_t oldUna,
                                              uint64_t whole) const
{
    const uint64_t segments = sender.CountSegments(whole);
    const uint32_t duplicates = sender.m_duplicates;
    sender.m_duplicates = 0;
    const bool isPartial = sender.m_una < sender.m_recover;
    if (isPartial && sender.m_state == CongestionState::RECOVERY)
    {
        return HandlePartialAck(sender, now);
    }
    // ns-3 does not report an ACK of fewer segments than there were duplicate ACKs
    if (sender.m_state != CongestionState::DISORDER || segments >= duplicates)
    {
        sender.TellOfAck(now);
    }
    if (isPartial && sender.m_state == CongestionState::LOSS)
    {
        sender.Grow(now, segments);
        return sender.NewAck(now, true);
    }
    HandleFullAck(sender, now, oldUna, segments);
}

void
SegmentSender::NewRenoRecovery::HandleFullAck(SegmentSender& sender,
                                              Nanoseconds now,
                                              uint64_t oldUna,
                                              uint64_t segments)
{
    const uint64_t segment = sender.m_tcp->segmentBytes;
    const CongestionState left = sender.m_state;
    if (left == CongestionState::RECOVERY)
    {
        sender.m_firstPartial = true;
        segments = (sender.m_una - oldUna) / segment;
    }
    else if (left == CongestionState::LOSS)
    {
        sender.m_firstPartial = true;
        segments = (sender.m_una - sender.m_recover) / segment;
    }
    sender.m_state = CongestionState::OPEN;
    if (left == CongestionState::RECOVERY)
    {
        sender.NewAck(now, true);
        sender.SetCwnd(sender.GetSsthresh());
    }
    sender.Grow(now, segments);
    sender.NewAck(now, true);
}

void
SegmentSender::NewRenoRecovery::HandlePartialAck(SegmentSender& sender, Nanoseconds now)
{
    sender.m_board.MarkHeadLost();
    sender.Transmit(now, sender.m_una, sender.m_tcp->segmentBytes);
    sender.m_againNext = sender.m_una; // unlike behind what Send() sends
    sender.m_againAt = sender.m_sent;
    sender.TellOfAck(now);
    sender.NewAck(now, sender.m_firstPartial);
    sender.m_firstPartial = false;
}

void
SegmentSender::NewRenoRecovery::HandleDuplicate(SegmentSender& sender, Nanoseconds now) const
{
    switch (sender.m_state)
    {
    case CongestionState::LOSS:
        break; // it may come of what was sent again for nothing
    case CongestionState::CWR:
        break; // see HandleAckInCwr()
    case CongestionState::RECOVERY:
        sender.m_board.AddGuess();
        break;
    case CongestionState::OPEN:
    case CongestionState::DISORDER:
        sender.m_state = CongestionState::DISORDER;
        ++sender.m_duplicates;
        // Recovery is over: it is left with m_una at m_recover or beyond
        const bool isThird = sender.m_duplicates == DUPLICATES_FOR_LOSS;
        if (isThird || (sender.m_board.IsActive() && sender.m_board.IsHeadLost()))
        {
            Enter(sender, now);
        }
        else if (sender.m_tcp->hasLimitedTransmit)
        {
            sender.FillBoard();
            sender.m_board.AddGuess(); // makes room for a segment
        }
    }
    sender.TellOfAck(now);
}

void
SegmentSender::NewRenoRecovery::Enter(SegmentSender& sender, Nanoseconds now)
{
    const uint64_t segment = sender.m_tcp->segmentBytes;
    sender.FillBoard();
    sender.m_board.AddGuess();
    sender.m_board.MarkHeadLost();
    sender.m_recover = sender.m_sent;
    sender.m_state = CongestionState::RECOVERY;
    sender.ReduceSsthresh(sender.GetFlight() + segment);
    sender.SetCwnd(sender.GetSsthresh());
    sender.Transmit(now, sender.m_una, segment);
}

} // namespace ns3::gridftp
