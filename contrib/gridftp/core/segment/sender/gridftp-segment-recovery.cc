/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-recovery.h"

namespace ns3::gridftp
{

void
SegmentSender::Recovery::HandleSending(SegmentSender& /* sender */, Nanoseconds /* now */) const
{
}

const SegmentSender::Recovery*
SegmentSender::Recovery::Find(const SegmentTcp& tcp)
{
    if (tcp.hasSack)
    {
        return &GetSack();
    }
    if (tcp.control->recovery == "reno")
    {
        return &GetReno();
    }
    return tcp.control->recovery == "newreno" ? &GetNewReno() : nullptr;
}

} // namespace ns3::gridftp
