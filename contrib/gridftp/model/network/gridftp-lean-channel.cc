/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-lean-channel.h"

#include "gridftp-lean-net-device.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(LeanChannel);

TypeId
LeanChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::LeanChannel")
            .SetParent<Channel>()
            .SetGroupName("GridFtp")
            .AddConstructor<LeanChannel>()
            .AddAttribute(
                "Delay",
                "Propagation delay, in both directions unless SetReverseDelay() sets another one.",
                TimeValue(Time()),
                MakeTimeAccessor(&LeanChannel::m_delay),
                MakeTimeChecker(Time()));
    return tid;
}

std::size_t
LeanChannel::GetNDevices() const
{
    return m_devices[0] ? m_devices.size() : 0;
}

Ptr<NetDevice>
LeanChannel::GetDevice(std::size_t i) const
{
    return m_devices[i];
}

void
LeanChannel::Connect(Ptr<LeanNetDevice> a, Ptr<LeanNetDevice> b)
{
    m_devices = {a, b};
    a->Attach(this, b, 0);
    b->Attach(this, a, 1);
}

void
LeanChannel::SetReverseDelay(const Time& delay)
{
    m_reverseDelay = delay;
}

void
LeanChannel::DoDispose()
{
    m_devices = {};
    Channel::DoDispose();
}

} // namespace ns3::gridftp
