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
SegmentSender::Recovery::Find(std::string_view name)
{
    if (name == "reno")
    {
        return &GetReno();
    }
    return name == "newreno" ? &GetNewReno() : nullptr;
}

} // namespace ns3::gridftp
