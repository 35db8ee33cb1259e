/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-dumbbell-helper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fstream>

namespace ns3::gridftp
{

namespace
{

constexpr const char* MASK = "255.255.255.252"; // four addresses: network, router, host, broadcast
constexpr uint32_t NETWORK_SIZE = 4;
constexpr uint32_t FIRST_NETWORK = 0x0a000000; // 10.0.0.0

/** SYN segments carry options, so small data packets must not make the MTU smaller than these. */
constexpr uint32_t LEAST_MTU = 1500;

PointToPointHelper
MakeLink(const DataRate& rate, Time delay, uint32_t queuePackets, uint32_t packetBytes)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(rate));
    link.SetDeviceAttribute("Mtu", UintegerValue(std::max(packetBytes, LEAST_MTU)));
    link.SetChannelAttribute("Delay", TimeValue(delay));
    link.SetQueue("ns3::DropTailQueue<Packet>",
                  "MaxSize",
                  QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, queuePackets)));
    // Otherwise the device stops the layer above when its queue is full, and drops happen there.
    link.DisableFlowControl();
    return link;
}

Ipv4Address
AssignPair(const NetDeviceContainer& devices, uint32_t network)
{
    Ipv4AddressHelper helper(Ipv4Address(FIRST_NETWORK + NETWORK_SIZE * network), Ipv4Mask(MASK));
    return helper.Assign(devices).GetAddress(1);
}

void
SetDefaultRoute(Ptr<Node> node, Ipv4Address gateway, Ptr<NetDevice> device)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    const auto routing = Ipv4StaticRoutingHelper().GetStaticRouting(ipv4);
    routing->SetDefaultRoute(gateway, static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device)));
}

void
SetLoss(Ptr<NetDevice> receiver, double probability)
{
    if (probability > 0)
    {
        auto model =
            CreateObjectWithAttributes<RateErrorModel>("ErrorUnit",
                                                       EnumValue(RateErrorModel::ERROR_UNIT_PACKET),
                                                       "ErrorRate",
                                                       DoubleValue(probability));
        receiver->SetAttribute("ReceiveErrorModel", PointerValue(model));
    }
}

} // namespace

DumbbellHelper::DumbbellHelper(const Links& links, uint32_t pairs)
{
    m_clients.Create(pairs);
    m_servers.Create(pairs);
    m_routers.Create(2);
    Ipv4StaticRoutingHelper routing;
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(routing);
    stack.Install(NodeContainer(m_clients, m_servers, m_routers));

    m_bottleneck = MakeLink(links.bandwidth, links.delay, links.queuePackets, links.packetBytes)
                       .Install(m_routers);
    AssignPair(m_bottleneck, 0);
    const auto addressOf = [](Ptr<NetDevice> device) {
        const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
        return ipv4->GetAddress(static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device)), 0)
            .GetLocal();
    };
    SetDefaultRoute(m_routers.Get(0), addressOf(m_bottleneck.Get(1)), m_bottleneck.Get(0));
    SetDefaultRoute(m_routers.Get(1), addressOf(m_bottleneck.Get(0)), m_bottleneck.Get(1));
    for (uint32_t i = 0; i < pairs; ++i)
    {
        Attach(links, m_clients.Get(i), m_routers.Get(0), 1 + 2 * i);
        m_addresses.push_back(Attach(links, m_servers.Get(i), m_routers.Get(1), 2 + 2 * i));
    }
    SetLoss(m_bottleneck.Get(1), links.randomLoss);
    SetLoss(m_bottleneck.Get(0), links.reverseRandomLoss);
}

Ipv4Address
DumbbellHelper::Attach(const Links& links, Ptr<Node> host, Ptr<Node> router, uint32_t network)
{
    // A host does not drop what it has to send, however large its windows are.
    constexpr uint32_t UNLIMITED = 1U << 30;
    const auto devices =
        MakeLink(links.accessBandwidth, links.accessDelay, UNLIMITED, links.packetBytes)
            .Install(router, host);
    const Ipv4Address address = AssignPair(devices, network);
    SetDefaultRoute(host, Ipv4Address(address.Get() - 1), devices.Get(1));
    m_hostDevices.Add(devices.Get(1));
    return address;
}

const NodeContainer&
DumbbellHelper::GetClients() const
{
    return m_clients;
}

const NodeContainer&
DumbbellHelper::GetServers() const
{
    return m_servers;
}

Ipv4Address
DumbbellHelper::GetServerAddress(uint32_t pair) const
{
    return m_addresses[pair];
}

Ptr<PointToPointNetDevice>
DumbbellHelper::GetForwardDevice() const
{
    return DynamicCast<PointToPointNetDevice>(m_bottleneck.Get(0));
}

Ptr<PointToPointNetDevice>
DumbbellHelper::GetReverseDevice() const
{
    return DynamicCast<PointToPointNetDevice>(m_bottleneck.Get(1));
}

bool
DumbbellHelper::EnablePcap(const std::string& prefix) const
{
    PointToPointHelper link;
    for (uint32_t i = 0; i < m_hostDevices.GetN(); ++i)
    {
        const std::string side = i % 2 == 0 ? "-client-" : "-server-";
        const std::string file = prefix + side + std::to_string(i / 2) + ".pcap";
        if (!std::ofstream(file))
        {
            return false; // ns-3 would end the process
        }
        link.EnablePcap(file, m_hostDevices.Get(i), false, true);
    }
    return true;
}

int64_t
DumbbellHelper::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (uint32_t i = 0; i < m_bottleneck.GetN(); ++i)
    {
        PointerValue pointer;
        m_bottleneck.Get(i)->GetAttribute("ReceiveErrorModel", pointer);
        if (const auto model = pointer.Get<RateErrorModel>())
        {
            used += model->AssignStreams(stream + used);
        }
    }
    return used;
}

} // namespace ns3::gridftp
