/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-control.h"

#include <algorithm>

namespace ns3::gridftp
{

void
CongestionControl::HandleOpen(Nanoseconds /* now */)
{
}

void
CongestionControl::HandleAck(CongestionWindow& /* window */, const CongestionSignals& /* signals */)
{
}

uint64_t
CongestionControl::GetSsthreshAfterLoss(const CongestionWindow& window, uint64_t flight)
{
    return std::max<uint64_t>(2 * window.GetSegmentBytes(), flight / 2); // RFC 5681, Eq. (4)
}

void
CongestionControl::HandleTimeout(const CongestionSignals& /* signals */)
{
}

} // namespace ns3::gridftp
