/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_RECOVERY_SACK_H
#define GRIDFTP_SEGMENT_RECOVERY_SACK_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-recovery.h"
#include "gridftp-segment-sender.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Loss recovery with SACK. An ACK counts as a duplicate if its blocks report anything new, whether
 * or not it acknowledges new data as well.
 *
 * Contract: SegmentSender::AcceptSack() calls HandleDuplicate() for such an ACK, and then, if it
 * acknowledges new data, HandleNewAck(). The scoreboard has the ACK's blocks by then.
 */
class SegmentSender::SackRecovery final : public Recovery
{
  public:
    /** An ACK of new data. */
    struct Ack
    {
        uint64_t oldUna{0};      //!< first byte that was not acknowledged before
        uint64_t delivered{0};   //!< bytes that it acknowledges or reports for the first time
        uint32_t duplicates{0};  //!< duplicate ACKs before it
        bool isDuplicate{false}; //!< its blocks report anything new
    };

    /** @return it; it has no state */
    static const SackRecovery& Get();

    uint64_t GetWindow(const SegmentSender& sender) const override;
    void HandleNewData(SegmentSender& sender,
                       Nanoseconds now,
                       uint64_t oldUna,
                       uint64_t whole) const override;
    void HandleDuplicate(SegmentSender& sender, Nanoseconds now) const override;

    /** An ACK of new data has come. @param sender whose @param now current simulation time @param
     * ack the ACK */
    static void HandleNewAck(SegmentSender& sender, Nanoseconds now, const Ack& ack);

  private:
    /** An ACK of new data that ends recovery, if there is one. @param sender whose @param now
     * current simulation time @param ack the ACK @param segments newly acknowledged, where nothing
     * was lost */
    static void HandleFullAck(SegmentSender& sender,
                              Nanoseconds now,
                              const Ack& ack,
                              uint64_t segments);

    /** An ACK during fast recovery that does not end it. @param sender whose @param now current
     * simulation time */
    static void HandlePartialAck(SegmentSender& sender, Nanoseconds now);

    /** Sends a segment whatever cwnd is, as TcpSocketBase::DoRetransmit() does: the first that is
     * lost, else new data, else the first one in flight. @param sender whose @param now current
     * simulation time */
    static void SendNext(SegmentSender& sender, Nanoseconds now);

    /** Starts fast recovery. @param sender whose @param now current simulation time */
    static void Enter(SegmentSender& sender, Nanoseconds now);
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_RECOVERY_SACK_H
