/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-settings.h"

#include <algorithm>

namespace ns3::gridftp
{

uint32_t
BufferSettings::GetShift() const
{
    return GetWindowShift(GetMostWindow());
}

uint64_t
BufferSettings::GetFirstSendBuffer() const
{
    if (sendBuffer > 0)
    {
        return sendBuffer;
    }
    return GetChannel() == SizingChannel::NONE ? GetSendBufferFor(window) : window;
}

BufferSettings
MakeBufferSettings(const BufferSpec& spec, uint64_t segmentBytes)
{
    return {.policy = FindBufferPolicy(spec.policy),
            .window = static_cast<uint64_t>(spec.window),
            .most = static_cast<uint64_t>(spec.most),
            .sendBuffer = static_cast<uint64_t>(spec.sendBuffer),
            .segmentBytes = segmentBytes,
            .readRate = static_cast<uint64_t>(spec.readRate),
            .writeRate = static_cast<uint64_t>(spec.writeRate),
            .intervalNs = spec.interval,
            .rtt = spec.rtt,
            .sendPool = static_cast<uint64_t>(spec.sendPool),
            .hasTimedSource = spec.IsTimed(false),
            .hasTimedSink = spec.IsTimed(true)};
}

uint64_t
GetSendBufferFor(uint64_t window)
{
    return 2 * window;
}

uint64_t
GetWriteBatch(uint64_t sendBuffer)
{
    return std::max<uint64_t>(1, sendBuffer / 4);
}

int64_t
GetWorkNs(uint64_t bytes, uint64_t rateBps)
{
    constexpr uint64_t BIT_NS = 8'000'000'000;
    return static_cast<int64_t>((bytes * BIT_NS + rateBps / 2) / rateBps);
}

uint32_t
GetWindowShift(uint64_t bytes)
{
    constexpr uint32_t MOST_SHIFT = 14;
    uint32_t shift = 0;
    while (shift < MOST_SHIFT && (bytes >> shift) > LARGEST_WINDOW_FIELD)
    {
        ++shift;
    }
    return shift;
}

} // namespace ns3::gridftp
