/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-tcp.h"

#include <algorithm>

namespace ns3::gridftp
{

SegmentTcp
MakeSegmentTcp(const Scenario& scenario, const std::string& tcp, int64_t window)
{
    // RFC 7323: the least shift with which the window fits into 16 bits, at most 14
    constexpr uint64_t LARGEST = 65535;
    constexpr uint32_t MOST_SHIFT = 14;
    const auto bytes = static_cast<uint64_t>(window);
    uint32_t shift = 0;
    while (shift < MOST_SHIFT && (bytes >> shift) > LARGEST)
    {
        ++shift;
    }
    SegmentTcp settings;
    settings.control = FindCongestionControl(tcp);
    settings.segmentBytes = static_cast<uint32_t>(GetSegmentBytes(scenario));
    settings.initialSegments = static_cast<uint32_t>(scenario.tcp.initialWindow);
    settings.delayedAck = static_cast<uint32_t>(scenario.tcp.delayedAck);
    settings.minRtoNs = scenario.tcp.minRto;
    settings.firstWindow = std::min(bytes, LARGEST);
    settings.window = std::min(bytes >> shift, LARGEST) << shift;
    settings.buffer = {2 * bytes, std::max<uint64_t>(1, bytes / 2)};
    return settings;
}

} // namespace ns3::gridftp
