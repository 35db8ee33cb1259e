/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-link-devices.h"

#include "gridftp-active-packet-queue.h"
#include "gridftp-lean-channel.h"
#include "gridftp-lean-net-device.h"
#include "gridftp-one-way-delay-channel.h"
#include "gridftp-random-loss-model.h"
#include "gridftp-red-queue.h"
#include "gridftp-scheduled-channel.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

using Devices = std::array<Ptr<NetDevice>, 2>;

/** SYN segments carry options, so small data packets must not make the MTU smaller than these. */
constexpr uint32_t LEAST_MTU = 1500;

/** @param link a direction @return its rate */
DataRateValue
RateOf(const LinkSpec& link)
{
    return DataRate(static_cast<uint64_t>(link.rateBps));
}

/** @param link a direction @return the limit of its queue */
QueueSizeValue
QueueSizeOf(const LinkSpec& link)
{
    // A host does not drop what it has to send, however large its windows are.
    constexpr uint32_t UNLIMITED = 1U << 30;
    return QueueSize(QueueSizeUnit::PACKETS,
                     link.queuePackets == LinkSpec::UNLIMITED
                         ? UNLIMITED
                         : static_cast<uint32_t>(link.queuePackets));
}

/** @param end of a link @param headerBytes of the link @return the queue of what leaves there */
Ptr<Queue<Packet>>
MakeQueue(const LinkEnd& end, int64_t headerBytes)
{
    const LinkSpec& link = *end.leaving;
    if (auto active = end.makeActive ? end.makeActive() : nullptr)
    {
        // The discipline has the limit; it may hold a packet more before it drops others
        const auto queue = CreateObject<ActivePacketQueue>();
        queue->SetMaxSize(
            QueueSize(QueueSizeUnit::PACKETS, static_cast<uint32_t>(link.queuePackets) + 1));
        queue->SetActiveQueue(std::move(active));
        return queue;
    }
    if (!end.red)
    {
        return CreateObjectWithAttributes<DropTailQueue<Packet>>("MaxSize", QueueSizeOf(link));
    }
    const auto queue = CreateObjectWithAttributes<RedQueue>("MaxSize", QueueSizeOf(link));
    queue->SetRed(*end.red,
                  LinkClock(link.rateBps, link.schedule, headerBytes - LINK_HEADER_BYTES));
    return queue;
}

/** @param link a direction @return of propagation */
TimeValue
DelayOf(const LinkSpec& link)
{
    return NanoSeconds(link.delayNs);
}

/** @return ns-3's devices, on a link that changes or has a delay in each direction;
 * PointToPointHelper knows no channel but its own */
Devices
InstallOnOwnChannel(const std::array<LinkEnd, 2>& ends, const UintegerValue& mtu)
{
    std::array<Ptr<PointToPointNetDevice>, 2> devices;
    std::array<LinkSchedule, 2> schedules;
    std::array<Time, 2> delays;
    for (uint32_t i = 0; i < 2; ++i)
    {
        devices[i] = CreateObjectWithAttributes<PointToPointNetDevice>("Mtu", mtu);
        devices[i]->SetAddress(Mac48Address::Allocate());
        ends[i].node->AddDevice(devices[i]);
        devices[i]->SetQueue(MakeQueue(ends[i], LINK_HEADER_BYTES));
        devices[i]->SetAttribute("DataRate", RateOf(*ends[i].leaving));
        schedules[i] = ends[i].leaving->schedule;
        delays[i] = DelayOf(*ends[i].leaving).Get();
    }
    if (schedules[0].IsEmpty())
    {
        CreateObject<OneWayDelayChannel>()->Join(devices, delays);
    }
    else
    {
        CreateObject<ScheduledChannel>()->Join(devices, schedules);
    }
    return {devices[0], devices[1]};
}

/** @return ns-3's devices */
Devices
InstallPointToPoint(const std::array<LinkEnd, 2>& ends, const UintegerValue& mtu)
{
    if (!ends[0].leaving->schedule.IsEmpty() ||
        ends[0].leaving->delayNs != ends[1].leaving->delayNs)
    {
        return InstallOnOwnChannel(ends, mtu);
    }
    PointToPointHelper helper;
    helper.SetDeviceAttribute("Mtu", mtu);
    helper.SetChannelAttribute("Delay", DelayOf(*ends[0].leaving));
    helper.SetQueue("ns3::DropTailQueue<Packet>");
    helper.DisableFlowControl();
    const auto made = helper.Install(ends[0].node, ends[1].node);
    for (uint32_t i = 0; i < 2; ++i)
    {
        made.Get(i)->SetAttribute("DataRate", RateOf(*ends[i].leaving));
        made.Get(i)->SetAttribute("TxQueue", PointerValue(MakeQueue(ends[i], LINK_HEADER_BYTES)));
    }
    return {made.Get(0), made.Get(1)};
}

/** @return one of our own devices */
Ptr<LeanNetDevice>
InstallLeanDevice(const LinkEnd& end, const UintegerValue& mtu, int64_t headerBytes)
{
    const LinkSpec& link = *end.leaving;
    const auto queue = MakeQueue(end, headerBytes);
    const bool bypass = link.queuePackets == LinkSpec::UNLIMITED && !end.counted;
    const auto device = CreateObjectWithAttributes<LeanNetDevice>("DataRate",
                                                                  RateOf(link),
                                                                  "Mtu",
                                                                  mtu,
                                                                  "LinkHeader",
                                                                  UintegerValue(headerBytes),
                                                                  "TxQueue",
                                                                  PointerValue(queue),
                                                                  "IdleBypass",
                                                                  BooleanValue(bypass));
    if (!link.schedule.IsEmpty())
    {
        device->SetSchedule(link.schedule);
    }
    if (end.variation)
    {
        device->SetVariation(*end.variation);
    }
    if (DynamicCast<ActivePacketQueue>(queue))
    {
        device->AlwaysComplete();
    }
    if (link.limit.IsSet())
    {
        device->SetLimit(link.limit);
    }
    device->SetAddress(Mac48Address::Allocate());
    end.node->AddDevice(device);
    return device;
}

/** @return our own devices */
Devices
InstallLean(const std::array<LinkEnd, 2>& ends, const UintegerValue& mtu, int64_t headerBytes)
{
    const auto first = InstallLeanDevice(ends[0], mtu, headerBytes);
    const auto second = InstallLeanDevice(ends[1], mtu, headerBytes);
    const auto channel =
        CreateObjectWithAttributes<LeanChannel>("Delay", DelayOf(*ends[0].leaving));
    channel->SetReverseDelay(DelayOf(*ends[1].leaving).Get());
    channel->Connect(first, second);
    return {first, second};
}

/** Loses some of what arrives. @param receiver where @param end what leaves the other end */
void
SetLoss(Ptr<NetDevice> receiver, const LinkEnd& end)
{
    if (!end.loss.IsPossible() && end.leaving->outages.empty() && end.leaving->holes.empty())
    {
        return;
    }
    auto model = CreateObject<RandomLossModel>();
    model->SetLoss(end.loss);
    for (const auto& outage : end.leaving->outages)
    {
        model->AddOutage(NanoSeconds(outage.beginNs), NanoSeconds(outage.endNs));
    }
    for (const auto& hole : end.leaving->holes)
    {
        model->AddHole(hole);
    }
    receiver->SetAttribute("ReceiveErrorModel", PointerValue(model));
}

} // namespace

std::array<Ptr<NetDevice>, 2>
InstallLink(LinkKind kind, const LinkPackets& packets, const std::array<LinkEnd, 2>& ends)
{
    NS_ABORT_MSG_UNLESS(ends[0].leaving->schedule.IsEmpty() == ends[1].leaving->schedule.IsEmpty(),
                        "a link changes in both directions or in none");
    NS_ABORT_MSG_UNLESS(kind == LinkKind::LEAN ||
                            !(ends[0].leaving->limit.IsSet() || ends[1].leaving->limit.IsSet()),
                        "ns-3's devices have no limit");
    NS_ABORT_MSG_UNLESS(kind == LinkKind::LEAN || !(ends[0].variation || ends[1].variation),
                        "ns-3's devices have a constant delay");
    const UintegerValue mtu(std::max(packets.bytes, LEAST_MTU));
    const Devices devices = kind == LinkKind::LEAN ? InstallLean(ends, mtu, packets.headerBytes)
                                                   : InstallPointToPoint(ends, mtu);
    for (uint32_t i = 0; i < 2; ++i)
    {
        SetLoss(devices[1 - i], ends[i]);
    }
    return devices;
}

Ptr<Queue<Packet>>
GetQueueOf(Ptr<NetDevice> device)
{
    PointerValue queue;
    device->GetAttribute("TxQueue", queue);
    return queue.Get<Queue<Packet>>();
}

} // namespace ns3::gridftp
