/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-tcp.h"

#include "gridftp-segment-packet.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** @return settings of Linux hosts; none: the hosts are of the classic stack */
std::optional<LinuxSettings>
MakeKernel(const Scenario& scenario,
           const TcpSpec& spec,
           const std::string& tcp,
           const BufferSpec& buffers)
{
    if (spec.stack != TcpStack::LINUX)
    {
        return std::nullopt;
    }
    constexpr int64_t BITS = 8;
    LinuxSettings kernel;
    const bool isControl = buffers.policy.empty();
    kernel.congestion =
        isControl ? &GetLinuxCongestionKinds().front() : FindLinuxCongestionKind(tcp);
    kernel.congestionParameters.hystart = spec.hystart == SlowStartExit::HYSTART;
    kernel.congestionParameters.hystartPlus = spec.hystart == SlowStartExit::PLUS;
    kernel.congestionParameters.seed =
        static_cast<uint32_t>(scenario.measure.seed) + static_cast<uint32_t>(scenario.measure.run);
    kernel.mss = static_cast<uint32_t>(scenario.path.packetSize - HEADER_BYTES);
    kernel.initialWindow = static_cast<uint32_t>(spec.initialWindow);
    kernel.minRto = spec.minRto;
    kernel.sack = spec.sack;
    kernel.ecn = spec.ecn;
    kernel.timestamps = spec.timestamps;
    kernel.acknowledgesAll = spec.delayedAck == 1;
    kernel.paces = spec.pacing == Pacing::FQ;
    if (isControl)
    {
        return kernel;
    }
    kernel.maxPacingRate = static_cast<uint64_t>(spec.pacingRate / BITS);
    kernel.paces = kernel.paces || spec.pacingRate > 0;
    const BufferPolicyKind* policy = FindBufferPolicy(buffers.policy);
    if (!policy || !policy->moves)
    {
        kernel.fixedReceiveBuffer = static_cast<uint64_t>(buffers.window);
        kernel.fixedSendBuffer =
            static_cast<uint64_t>(buffers.sendBuffer > 0 ? buffers.sendBuffer : buffers.window);
    }
    const auto choose = [](uint64_t& value, int64_t given) {
        value = given > 0 ? static_cast<uint64_t>(given) : value;
    };
    choose(kernel.receiveBuffer[1], buffers.receiver.tcpRmemDefault);
    choose(kernel.receiveBuffer[2], buffers.receiver.tcpRmemMax);
    choose(kernel.sendBuffer[2], buffers.sender.tcpWmemMax);
    return kernel;
}

} // namespace

SegmentTcp
MakeSegmentTcp(const Scenario& scenario,
               const TcpSpec& host,
               const std::string& tcp,
               const BufferSpec& buffers)
{
    SegmentTcp settings;
    settings.kernel = MakeKernel(scenario, host, tcp, buffers);
    settings.control = FindCongestionControl(tcp);
    settings.segmentBytes =
        static_cast<uint32_t>(SegmentBytesFor(scenario.path.packetSize, host.timestamps));
    settings.initialSegments = static_cast<uint32_t>(host.initialWindow);
    settings.delayedAck = static_cast<uint32_t>(host.delayedAck);
    settings.minRtoNs = host.minRto;
    settings.buffers = MakeBufferSettings(buffers, settings.segmentBytes);
    settings.announcesReads = scenario.tcp.rules.announcesReads && !settings.buffers.AreMoving();
    settings.hasSack = host.sack;
    settings.hasTimestamps = host.timestamps;
    settings.hasLimitedTransmit = host.limitedTransmit && !host.sack;
    settings.hasEcn = host.ecn;
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
