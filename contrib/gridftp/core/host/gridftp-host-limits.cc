/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-limits.h"

#include "gridftp-buffer-policy.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** Buffers that a policy moves. @param least a window is at least that */
void
LimitMoving(BufferSpec& buffers, int64_t least)
{
    const HostSpec& receiver = buffers.receiver;
    if (receiver.tcpRmemDefault > 0)
    {
        buffers.window = std::max(least, GetWindowOf(receiver, receiver.tcpRmemDefault));
    }
    if (receiver.tcpRmemMax > 0)
    {
        buffers.most = GetWindowOf(receiver, receiver.tcpRmemMax);
        buffers.window = std::max(least, std::min(buffers.window, buffers.most));
    }
    buffers.most = std::max(buffers.most, buffers.window);
    const int64_t granted = buffers.sender.tcpWmemMax;
    if (granted > 0 && buffers.sendPool == 0)
    {
        buffers.sendBuffer =
            buffers.sendBuffer == 0 ? granted : std::min(granted, buffers.sendBuffer);
    }
}

/** Buffers that are asked for once. @param least a window is at least that */
void
LimitFixed(BufferSpec& buffers, int64_t least)
{
    const int64_t granted = buffers.sender.wmemMax;
    if (granted > 0 && buffers.sendPool == 0)
    {
        const int64_t asked = buffers.sendBuffer == 0 ? 2 * buffers.window : buffers.sendBuffer;
        buffers.sendBuffer = std::min(asked, 2 * granted);
    }
    const HostSpec& receiver = buffers.receiver;
    if (receiver.rmemMax > 0)
    {
        const int64_t buffer = 2 * std::min(buffers.window, receiver.rmemMax);
        buffers.window = std::max(least, GetWindowOf(receiver, buffer));
    }
}

} // namespace

int64_t
GetWindowOf(const HostSpec& spec, int64_t buffer)
{
    return spec.advWinScale > 0 ? buffer - (buffer >> spec.advWinScale)
                                : buffer >> -spec.advWinScale;
}

Scenario
WithHostLimits(Scenario scenario)
{
    const int64_t least = GetSegmentBytes(scenario);
    for (auto& session : scenario.sessions)
    {
        const BufferPolicyKind* policy = FindBufferPolicy(session.buffers.policy);
        (policy && policy->moves ? LimitMoving : LimitFixed)(session.buffers, least);
    }
    return scenario;
}

} // namespace ns3::gridftp
