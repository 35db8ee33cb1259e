/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-one-way-delay-channel.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(OneWayDelayChannel);

TypeId
OneWayDelayChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::OneWayDelayChannel")
                            .SetParent<PointToPointChannel>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<OneWayDelayChannel>();
    return tid;
}

void
OneWayDelayChannel::Join(const std::array<Ptr<PointToPointNetDevice>, 2>& devices,
                         const std::array<Time, 2>& delays)
{
    m_delays = delays;
    for (const auto& device : devices)
    {
        device->Attach(this);
    }
}

bool
OneWayDelayChannel::TransmitStart(Ptr<const Packet> packet,
                                  Ptr<PointToPointNetDevice> source,
                                  Time duration)
{
    const uint32_t wire = source == GetSource(0) ? 0 : 1;
    const auto destination = GetDestination(wire);
    Simulator::ScheduleWithContext(destination->GetNode()->GetId(),
                                   duration + m_delays[wire],
                                   &PointToPointNetDevice::Receive,
                                   destination,
                                   packet->Copy());
    return true;
}

} // namespace ns3::gridftp
