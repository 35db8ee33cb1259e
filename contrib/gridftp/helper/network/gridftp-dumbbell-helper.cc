/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-dumbbell-helper.h"

#include "gridftp-fixed-routing.h"
#include "gridftp-lean-channel.h"
#include "gridftp-lean-host.h"
#include "gridftp-lean-net-device.h"
#include "gridftp-lean-router.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/trace-helper.h"
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

Ipv4Address
AssignPair(const NetDeviceContainer& devices, uint32_t network)
{
    Ipv4AddressHelper helper(Ipv4Address(FIRST_NETWORK + NETWORK_SIZE * network), Ipv4Mask(MASK));
    return helper.Assign(devices).GetAddress(1);
}

uint32_t
InterfaceOf(Ptr<NetDevice> device)
{
    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    return static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device));
}

Ipv4Address
AddressOf(Ptr<NetDevice> device)
{
    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    return ipv4->GetAddress(InterfaceOf(device), 0).GetLocal();
}

Ptr<FixedRouting>
RoutingOf(Ptr<NetDevice> device)
{
    return DynamicCast<FixedRouting>(device->GetNode()->GetObject<Ipv4>()->GetRoutingProtocol());
}

/** Gives nodes FixedRouting. */
class FixedRoutingHelper : public Ipv4RoutingHelper
{
  public:
    FixedRoutingHelper* Copy() const override
    {
        return new FixedRoutingHelper(*this);
    }

    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node> /* node */) const override
    {
        return CreateObject<FixedRouting>();
    }
};

/** Installs the IPv4 stack. @param nodes where @param fixed with FixedRouting */
void
InstallStack(const NodeContainer& nodes, bool fixed)
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    if (fixed)
    {
        stack.SetRoutingHelper(FixedRoutingHelper());
    }
    else
    {
        stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    }
    stack.Install(nodes);
}

Ptr<Queue<Packet>>
QueueOf(Ptr<NetDevice> device)
{
    PointerValue queue;
    device->GetAttribute("TxQueue", queue);
    return queue.Get<Queue<Packet>>();
}

/** Gives a node its default route. */
void
SetDefaultRoute(Ptr<NetDevice> device, Ipv4Address gateway)
{
    if (const auto fixed = RoutingOf(device))
    {
        fixed->SetGateway(gateway, InterfaceOf(device));
        return;
    }
    Ipv4StaticRoutingHelper()
        .GetStaticRouting(device->GetNode()->GetObject<Ipv4>())
        ->SetDefaultRoute(gateway, InterfaceOf(device));
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

/**
 * A link as it is to be made. Neither kind of device has flow control: with it the device would
 * stop the layer above when its queue is full, and drops would happen there.
 */
struct DumbbellHelper::Link
{
    LinkKind kind;         //!< which devices
    DataRate rate;         //!< both ways
    Time delay;            //!< one way
    uint32_t queuePackets; //!< at each end; 0: neither limited nor watched
    uint32_t packetBytes;  //!< largest IP packet

    /** @param a one end @param b the other @return their devices */
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const
    {
        return kind == LinkKind::LEAN ? InstallLean(a, b) : InstallPointToPoint(a, b);
    }

  private:
    /** @return the queue's limit */
    QueueSizeValue GetQueueSize() const
    {
        // A host does not drop what it has to send, however large its windows are.
        constexpr uint32_t UNLIMITED = 1U << 30;
        return QueueSize(QueueSizeUnit::PACKETS, queuePackets == 0 ? UNLIMITED : queuePackets);
    }

    /** @return the largest packet of the devices */
    UintegerValue GetMtu() const
    {
        return std::max(packetBytes, LEAST_MTU);
    }

    /** @param a one end @param b the other @return ns-3's devices */
    NetDeviceContainer InstallPointToPoint(Ptr<Node> a, Ptr<Node> b) const
    {
        PointToPointHelper helper;
        helper.SetDeviceAttribute("DataRate", DataRateValue(rate));
        helper.SetDeviceAttribute("Mtu", GetMtu());
        helper.SetChannelAttribute("Delay", TimeValue(delay));
        helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", GetQueueSize());
        helper.DisableFlowControl();
        return helper.Install(a, b);
    }

    /** @param a one end @param b the other @return our own devices */
    NetDeviceContainer InstallLean(Ptr<Node> a, Ptr<Node> b) const
    {
        NetDeviceContainer devices;
        for (const auto& node : {a, b})
        {
            const auto queue =
                CreateObjectWithAttributes<DropTailQueue<Packet>>("MaxSize", GetQueueSize());
            const auto device =
                CreateObjectWithAttributes<LeanNetDevice>("DataRate",
                                                          DataRateValue(rate),
                                                          "Mtu",
                                                          GetMtu(),
                                                          "TxQueue",
                                                          PointerValue(queue),
                                                          "IdleBypass",
                                                          BooleanValue(queuePackets == 0));
            device->SetAddress(Mac48Address::Allocate());
            node->AddDevice(device);
            devices.Add(device);
        }
        CreateObjectWithAttributes<LeanChannel>("Delay", TimeValue(delay))
            ->Connect(DynamicCast<LeanNetDevice>(devices.Get(0)),
                      DynamicCast<LeanNetDevice>(devices.Get(1)));
        return devices;
    }
};

DumbbellHelper::DumbbellHelper(const Links& links, uint32_t pairs)
{
    m_clients.Create(pairs);
    m_servers.Create(pairs);
    m_routers.Create(2);
    InstallStack(NodeContainer(m_clients, m_servers), links.kind == LinkKind::LEAN);
    InstallStack(m_routers, false);

    const Link bottleneck{links.kind,
                          links.bandwidth,
                          links.delay,
                          links.queuePackets,
                          links.packetBytes};
    m_bottleneck = bottleneck.Install(m_routers.Get(0), m_routers.Get(1));
    AssignPair(m_bottleneck, 0);
    SetDefaultRoute(m_bottleneck.Get(0), AddressOf(m_bottleneck.Get(1)));
    SetDefaultRoute(m_bottleneck.Get(1), AddressOf(m_bottleneck.Get(0)));
    const Link access{links.kind, links.accessBandwidth, links.accessDelay, 0, links.packetBytes};
    for (uint32_t i = 0; i < pairs; ++i)
    {
        Link client = access;
        client.delay += i < links.clientDelays.size() ? links.clientDelays[i] : Time();
        Attach(client, m_clients.Get(i), 0, 1 + 2 * i);
        m_addresses.push_back(Attach(access, m_servers.Get(i), 1, 2 + 2 * i));
    }
    if (links.kind == LinkKind::LEAN)
    {
        InstallShortWays();
    }
    SetLoss(m_bottleneck.Get(1), links.randomLoss);
    SetLoss(m_bottleneck.Get(0), links.reverseRandomLoss);
}

Ipv4Address
DumbbellHelper::Attach(const Link& link, Ptr<Node> host, uint32_t router, uint32_t network)
{
    const auto devices = link.Install(m_routers.Get(router), host);
    const Ipv4Address address = AssignPair(devices, network);
    SetDefaultRoute(devices.Get(1), AddressOf(devices.Get(0)));
    m_routerDevices.Add(devices.Get(0));
    m_hostDevices.Add(devices.Get(1));
    return address;
}

void
DumbbellHelper::InstallShortWays()
{
    const Ptr<LeanRouter> routers[] = {CreateObject<LeanRouter>(), CreateObject<LeanRouter>()};
    for (uint32_t side = 0; side < 2; ++side)
    {
        const auto& router = routers[side];
        m_routers.Get(side)->AggregateObject(router);
        const auto bottleneck = DynamicCast<LeanNetDevice>(m_bottleneck.Get(side));
        bottleneck->SetFrameSink(router);
        for (uint32_t i = 0; i < m_hostDevices.GetN(); ++i)
        {
            const bool here = i % 2 == side;
            const auto access = DynamicCast<LeanNetDevice>(m_routerDevices.Get(i));
            router->AddRoute(AddressOf(m_hostDevices.Get(i)), here ? access : bottleneck);
            if (here)
            {
                access->SetFrameSink(router);
            }
        }
    }
    for (uint32_t i = 0; i < m_hostDevices.GetN(); ++i)
    {
        const auto device = m_hostDevices.Get(i);
        CreateObject<LeanHost>()->Install(device->GetNode(), RoutingOf(device));
    }
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

Ptr<NetDevice>
DumbbellHelper::GetForwardDevice() const
{
    return m_bottleneck.Get(0);
}

Ptr<NetDevice>
DumbbellHelper::GetReverseDevice() const
{
    return m_bottleneck.Get(1);
}

Ptr<Queue<Packet>>
DumbbellHelper::GetForwardQueue() const
{
    return QueueOf(GetForwardDevice());
}

Ptr<Queue<Packet>>
DumbbellHelper::GetReverseQueue() const
{
    return QueueOf(GetReverseDevice());
}

bool
DumbbellHelper::EnablePcap(const std::string& prefix) const
{
    PcapHelper pcap;
    for (uint32_t i = 0; i < m_hostDevices.GetN(); ++i)
    {
        const std::string side = i % 2 == 0 ? "-client-" : "-server-";
        const std::string name = prefix + side + std::to_string(i / 2) + ".pcap";
        if (!std::ofstream(name))
        {
            return false; // ns-3 would end the process
        }
        const auto file = pcap.CreateFile(name, std::ios::out, PcapHelper::DLT_PPP);
        pcap.HookDefaultSink(m_hostDevices.Get(i), "PromiscSniffer", file);
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
