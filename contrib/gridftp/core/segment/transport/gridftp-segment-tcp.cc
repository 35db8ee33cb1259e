/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-tcp.h"

#include <algorithm>

namespace ns3::gridftp
{

SegmentTcp
MakeSegmentTcp(const Scenario& scenario, const std::string& tcp, const BufferSpec& buffers)
{
    SegmentTcp settings;
    settings.control = FindCongestionControl(tcp);
    settings.segmentBytes = static_cast<uint32_t>(GetSegmentBytes(scenario));
    settings.initialSegments = static_cast<uint32_t>(scenario.tcp.initialWindow);
    settings.delayedAck = static_cast<uint32_t>(scenario.tcp.delayedAck);
    settings.minRtoNs = scenario.tcp.minRto;
    settings.buffers = MakeBufferSettings(buffers, settings.segmentBytes);
    settings.announcesReads = scenario.tcp.rules.announcesReads && !settings.buffers.AreMoving();
    settings.hasSack = scenario.tcp.sack;
    settings.hasTimestamps = scenario.tcp.timestamps;
    settings.hasLimitedTransmit = scenario.tcp.limitedTransmit && !scenario.tcp.sack;
    const uint64_t window = settings.buffers.window;
    const uint32_t shift = settings.buffers.GetShift();
    settings.firstWindow = std::min(window, LARGEST_WINDOW_FIELD);
    settings.window = std::min(window >> shift, LARGEST_WINDOW_FIELD) << shift;
    const uint64_t sendBuffer = settings.buffers.GetFirstSendBuffer();
    settings.buffer = {sendBuffer, GetWriteBatch(sendBuffer)};
    if (settings.buffers.writeRate > 0)
    {
        settings.buffer.most = settings.segmentBytes;
    }
    else if (settings.buffers.hasTimedSource)
    {
        settings.buffer.most = SegmentSendBuffer::AS_IT_COMES;
    }
    return settings;
}

} // namespace ns3::gridftp
