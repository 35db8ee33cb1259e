/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONGESTION_RENO_H
#define GRIDFTP_CONGESTION_RENO_H

#include "gridftp-congestion-control.h"

#include <algorithm>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Slow start and congestion avoidance of RFC 5681, Section 3.1, as ns3::TcpNewReno has them: a
 * segment for each ACK, then MSS * MSS / cwnd for each, at least a byte; once for each ACK, however
 * many segments it acknowledges. An ACK with which slow start ends counts in both.
 *
 * @param window to set
 * @param segments newly acknowledged
 */
inline void
IncreaseAsReno(CongestionWindow& window, uint64_t segments)
{
    if (segments == 0)
    {
        return;
    }
    const uint64_t segment = window.GetSegmentBytes();
    uint64_t left = segments;
    if (window.GetCwnd() < window.GetSsthresh())
    {
        window.SetCwnd(window.GetCwnd() + segment);
        --left;
    }
    if (window.GetCwnd() >= window.GetSsthresh() && left > 0)
    {
        // Both fit into 32 bits as long as an increase matters, and the division is quicker there
        const uint64_t cwnd = window.GetCwnd();
        const uint64_t increase =
            cwnd <= CongestionWindow::NO_SSTHRESH
                ? static_cast<uint32_t>(segment * segment) / static_cast<uint32_t>(cwnd)
                : 0;
        window.SetCwnd(cwnd + std::max<uint64_t>(1, increase));
    }
}

} // namespace ns3::gridftp

#endif // GRIDFTP_CONGESTION_RENO_H
