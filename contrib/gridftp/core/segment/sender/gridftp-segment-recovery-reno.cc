/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-recovery.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * Loss recovery of RFC 2581, Section 3.2, with the readings that TcpSocketReno states.
 */

namespace ns3::gridftp
{

/** Any ACK of new data ends fast recovery; a sender that was idle starts again slowly. */
class SegmentSender::RenoRecovery final : public Recovery
{
  public:
    uint64_t GetWindow(const SegmentSender& sender) const override;
    void HandleSending(SegmentSender& sender, Nanoseconds now) const override;
    void HandleNewData(SegmentSender& sender,
                       Nanoseconds now,
                       uint64_t oldUna,
                       uint64_t whole) const override;
    void HandleDuplicate(SegmentSender& sender, Nanoseconds now) const override;

  private:
    /** Notes what is in flight before limited transmit sends more. @param sender whose */
    [[gnu::noinline]] static void NoteFlight(SegmentSender& sender);
};

const SegmentSender::Recovery&
SegmentSender::Recovery::GetReno()
{
    static const RenoRecovery reno;
    return reno;
}

uint64_t
SegmentSender::RenoRecovery::GetWindow(const SegmentSender& sender) const
{
    const bool isRecovering = sender.m_state == CongestionState::RECOVERY;
    uint64_t window = isRecovering ? sender.m_inflated : sender.GetCwnd();
    if (sender.m_tcp->hasLimitedTransmit && sender.m_state == CongestionState::OPEN &&
        sender.m_duplicates < DUPLICATES_FOR_LOSS) [[unlikely]]
    {
        window += uint64_t{sender.m_duplicates} * sender.m_tcp->segmentBytes;
    }
    return std::min(sender.m_rwnd, window);
}

void
SegmentSender::RenoRecovery::HandleSending(SegmentSender& sender, Nanoseconds now) const
{
    // RFC 2581, Section 4.1
    if (now - sender.m_lastSentNs <= sender.m_rtoNs || sender.GetFlight() != 0)
    {
        return;
    }
    if (sender.m_state == CongestionState::CWR)
    {
        return; // here ns-3's socket is not TcpSocketReno
    }
    const uint64_t restart =
        static_cast<uint64_t>(sender.m_tcp->initialSegments) * sender.m_tcp->segmentBytes;
    if (sender.GetCwnd() > restart)
    {
        sender.SetCwnd(restart);
    }
}

void
SegmentSender::RenoRecovery::HandleNewData(SegmentSender& sender,
                                           Nanoseconds now,
                                           uint64_t oldUna,
                                           uint64_t /* whole */) const
{
    const uint64_t segment = sender.m_tcp->segmentBytes;
    uint64_t segments = 1;
    sender.m_leftBytes += sender.m_una - oldUna;
    if (sender.m_leftBytes == segment) [[likely]] // spares a division
    {
        sender.m_leftBytes = 0;
    }
    else
    {
        segments = sender.m_leftBytes / segment;
        sender.m_leftBytes %= segment;
    }
    sender.m_duplicates = 0;
    sender.TellOfAck(now);
    const bool isLost = sender.m_board.IsActive() && sender.m_board.GetLostBytes() > 0;
    if (sender.m_state == CongestionState::RECOVERY)
    {
        // Where the recovery interrupted the sending again after a timeout, that goes on
        sender.m_state = isLost ? CongestionState::LOSS : CongestionState::OPEN;
        sender.SetCwnd(sender.GetSsthresh());
    }
    else
    {
        if (!isLost)
        {
            sender.m_state = CongestionState::OPEN;
        }
        sender.Grow(now, segments);
    }
    sender.NewAck(now, true);
}

void
SegmentSender::RenoRecovery::NoteFlight(SegmentSender& sender)
{
    sender.m_flightBefore = sender.GetFlight();
}

void
SegmentSender::RenoRecovery::HandleDuplicate(SegmentSender& sender, Nanoseconds now) const
{
    const uint64_t segment = sender.m_tcp->segmentBytes;
    ++sender.m_duplicates;
    if (sender.m_tcp->hasLimitedTransmit && sender.m_duplicates == 1) [[unlikely]]
    {
        NoteFlight(sender);
    }
    sender.TellOfAck(now);
    if (sender.m_state == CongestionState::RECOVERY)
    {
        sender.m_inflated += segment; // step 3
        return;
    }
    if (sender.m_duplicates != DUPLICATES_FOR_LOSS)
    {
        return;
    }
    sender.m_state = CongestionState::RECOVERY;
    const bool isLimited = sender.m_tcp->hasLimitedTransmit;
    sender.ReduceSsthresh(isLimited ? sender.m_flightBefore : sender.GetFlight());
    sender.SetCwnd(sender.GetSsthresh());
    sender.m_inflated = sender.GetSsthresh() + DUPLICATES_FOR_LOSS * segment;
    sender.FillBoard();
    sender.m_board.MarkHeadLost();
    sender.Transmit(now, sender.m_una, segment);
}

} // namespace ns3::gridftp
