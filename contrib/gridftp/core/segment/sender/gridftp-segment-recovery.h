/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_RECOVERY_H
#define GRIDFTP_SEGMENT_RECOVERY_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-sender.h"
#include "gridftp-segment-tcp.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Loss recovery of a sender: what it takes for a sign of loss, what it sends again and when, and
 * what may be outstanding meanwhile. It has no state of its own; the sender's is there for it. How
 * far cwnd falls and how it grows again is asked of the sender's congestion control.
 */
class SegmentSender::Recovery
{
  public:
    virtual ~Recovery() = default;

    /** @param sender whose @return what may be outstanding, bytes */
    virtual uint64_t GetWindow(const SegmentSender& sender) const = 0;

    /** A segment is about to be sent. @param sender whose @param now of the simulation */
    virtual void HandleSending(SegmentSender& sender, Nanoseconds now) const;

    /**
     * An ACK of new data has come.
     * @param sender whose
     * @param now of the simulation
     * @param oldUna first byte that was not acknowledged before
     * @param whole bytes of the segments that are acknowledged as a whole by this
     */
    virtual void HandleNewData(SegmentSender& sender,
                               Nanoseconds now,
                               uint64_t oldUna,
                               uint64_t whole) const = 0;

    /** A duplicate ACK has come. @param sender whose @param now of the simulation */
    virtual void HandleDuplicate(SegmentSender& sender, Nanoseconds now) const = 0;

    /**
     * @param tcp with SACK, which has a loss recovery of its own, or without, where that is
     *        CongestionControlKind::recovery: "reno" or "newreno"
     * @return it, or null
     */
    static const Recovery* Find(const SegmentTcp& tcp);

  protected:
    /** Duplicate ACKs that are taken for a loss (RFC 5681, Section 3.2). */
    static constexpr uint32_t DUPLICATES_FOR_LOSS = 3;

    /** @return the one of RFC 2581 */
    static const Recovery& GetReno();

    /** @return the one of RFC 6582 */
    static const Recovery& GetNewReno();

    /** @return the one of RFC 6675 */
    static const Recovery& GetSack();
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_RECOVERY_H
