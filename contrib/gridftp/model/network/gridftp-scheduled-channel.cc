/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scheduled-channel.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(ScheduledChannel);

TypeId
ScheduledChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::ScheduledChannel")
                            .SetParent<PointToPointChannel>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<ScheduledChannel>();
    return tid;
}

void
ScheduledChannel::Join(const std::array<Ptr<PointToPointNetDevice>, 2>& devices,
                       const std::array<LinkSchedule, 2>& schedules)
{
    for (uint32_t i = 0; i < 2; ++i)
    {
        const auto& device = devices[i];
        TimeValue gap;
        device->GetAttribute("InterframeGap", gap);
        m_wires[i].emplace(Wire{PeekPointer(device), ScheduledLink(schedules[i]), gap.Get()});
        device->SetDataRate(DataRate(static_cast<uint64_t>(schedules[i].GetMostRate())));
        device->Attach(this);
        device->TraceConnectWithoutContext("PhyTxBegin",
                                           MakeCallback(&ScheduledChannel::HandleBegin, this, i));
    }
}

void
ScheduledChannel::HandleBegin(uint32_t wire, Ptr<const Packet> packet)
{
    Wire& at = *m_wires[wire];
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const LinkCrossing crossing = at.link.Cross(now, packet->GetSize());
    const DataRate rate(static_cast<uint64_t>(at.link.GetSchedule().GetMostRate()));
    at.arrivalNs = crossing.arrivalNs;
    at.source->SetInterframeGap(NanoSeconds(crossing.endNs - now) -
                                rate.CalculateBytesTxTime(packet->GetSize()) + at.gap);
}

bool
ScheduledChannel::TransmitStart(Ptr<const Packet> packet,
                                Ptr<PointToPointNetDevice> source,
                                Time /* duration */)
{
    const uint32_t wire = source == GetSource(0) ? 0 : 1;
    const auto destination = GetDestination(wire);
    Simulator::ScheduleWithContext(destination->GetNode()->GetId(),
                                   NanoSeconds(m_wires[wire]->arrivalNs) - Simulator::Now(),
                                   &PointToPointNetDevice::Receive,
                                   destination,
                                   packet->Copy());
    return true;
}

void
ScheduledChannel::DoDispose()
{
    m_wires = {};
    PointToPointChannel::DoDispose();
}

} // namespace ns3::gridftp
