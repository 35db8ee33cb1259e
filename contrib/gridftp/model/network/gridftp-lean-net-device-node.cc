/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a node knows of its device: what every NetDevice has, and a link between two makes plain.

#include "gridftp-lean-channel.h"
#include "gridftp-lean-net-device.h"

namespace ns3::gridftp
{

void
LeanNetDevice::SetIfIndex(uint32_t index)
{
    m_index = index;
}

uint32_t
LeanNetDevice::GetIfIndex() const
{
    return m_index;
}

Ptr<Channel>
LeanNetDevice::GetChannel() const
{
    return m_channel;
}

void
LeanNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
LeanNetDevice::GetAddress() const
{
    return m_address;
}

bool
LeanNetDevice::SetMtu(uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
LeanNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
LeanNetDevice::IsLinkUp() const
{
    return m_channel != nullptr;
}

void
LeanNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
LeanNetDevice::IsBroadcast() const
{
    return true;
}

Address
LeanNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
LeanNetDevice::IsMulticast() const
{
    return true;
}

Address
LeanNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
LeanNetDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
LeanNetDevice::IsBridge() const
{
    return false;
}

bool
LeanNetDevice::IsPointToPoint() const
{
    return true;
}

bool
LeanNetDevice::SendFrom(Ptr<Packet> /* packet */,
                        const Address& /* from */,
                        const Address& /* to */,
                        uint16_t /* protocol */)
{
    return false;
}

Ptr<Node>
LeanNetDevice::GetNode() const
{
    return m_node;
}

void
LeanNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
LeanNetDevice::NeedsArp() const
{
    return false;
}

void
LeanNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
LeanNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
LeanNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3::gridftp
