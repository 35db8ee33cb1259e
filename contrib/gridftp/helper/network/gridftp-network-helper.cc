/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-network-helper.h"

#include "gridftp-active-packet-queue.h"
#include "gridftp-assigned-numbers.h"
#include "gridftp-host-gate.h"
#include "gridftp-lean-net-device.h"
#include "gridftp-link-devices.h"
#include "gridftp-network-routes.h"
#include "gridftp-random-loss-model.h"
#include "gridftp-red-queue.h"

#include "ns3/ipv4-address-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/trace-helper.h"

#include <array>
#include <fstream>

namespace ns3::gridftp
{

NetworkHelper::NetworkHelper(const Topology& topology, LinkKind kind, uint32_t packetBytes)
    : m_topology(topology),
      m_nodes(topology.nodes.size()),
      m_devices(topology.links.size())
{
    CreateNodes();
    InstallStacks(m_topology, m_nodes, kind);
    for (uint32_t link = 0; link < m_devices.size(); link += 2)
    {
        Connect(link, kind, packetBytes);
    }
    InstallRoutes(m_topology, m_devices);
    if (kind == LinkKind::LEAN)
    {
        InstallShortWays(m_topology, m_devices);
    }
}

void
NetworkHelper::CreateNodes()
{
    const auto create = [this](uint32_t node) {
        if (!m_nodes[node])
        {
            m_nodes[node] = CreateObject<Node>();
        }
    };
    for (const auto& pair : m_topology.pairs)
    {
        create(pair.client);
    }
    for (const auto& pair : m_topology.pairs)
    {
        create(pair.server);
    }
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        create(node);
    }
}

void
NetworkHelper::Connect(uint32_t link, LinkKind kind, uint32_t packetBytes)
{
    const auto endOf = [this](uint32_t direction) {
        const LinkSpec& spec = m_topology.links[direction];
        const auto loss = MakeRandomLoss(m_topology,
                                         direction,
                                         RngSeedManager::GetSeed(),
                                         RngSeedManager::GetRun());
        const auto red =
            MakeRed(m_topology, direction, RngSeedManager::GetSeed(), RngSeedManager::GetRun());
        const auto variation = MakeDelayVariation(m_topology,
                                                  direction,
                                                  RngSeedManager::GetSeed(),
                                                  RngSeedManager::GetRun());
        const bool isMeasured =
            direction == m_topology.measured ||
            (m_topology.measuresReverse && direction == GetReverse(m_topology.measured));
        const auto makeActive = [this, direction] {
            return MakeActiveQueue(m_topology,
                                   direction,
                                   RngSeedManager::GetSeed(),
                                   RngSeedManager::GetRun());
        };
        return LinkEnd{m_nodes[spec.from], &spec, isMeasured, loss, red, makeActive, variation};
    };
    // In the order of the ends' addresses, see GetAddress()
    const bool ascending = m_topology.links[link].from < m_topology.links[link].to;
    const uint32_t first = ascending ? link : GetReverse(link);
    const auto devices = InstallLink(kind,
                                     {packetBytes, m_topology.headerBytes},
                                     {endOf(first), endOf(GetReverse(first))});
    m_devices[first] = devices[0];
    m_devices[GetReverse(first)] = devices[1];
    NetDeviceContainer ends(devices[0]);
    ends.Add(devices[1]);
    Ipv4AddressHelper addresses(Ipv4Address(FIRST_SUBNET + SUBNET_SIZE * (link / 2)),
                                Ipv4Mask(~(SUBNET_SIZE - 1)));
    addresses.Assign(ends);
}

void
NetworkHelper::InstallHosts(const std::vector<HostPtr>& hosts) const
{
    for (uint32_t node = 0; node < hosts.size(); ++node)
    {
        if (hosts[node])
        {
            const auto device = m_devices[FindLinksFrom(m_topology, node).front()];
            CreateObject<HostGate>()->Install(DynamicCast<LeanNetDevice>(device), hosts[node]);
        }
    }
}

const Topology&
NetworkHelper::GetTopology() const
{
    return m_topology;
}

Ptr<Node>
NetworkHelper::GetNode(uint32_t node) const
{
    return m_nodes[node];
}

Ipv4Address
NetworkHelper::GetNodeAddress(uint32_t node) const
{
    return Ipv4Address(gridftp::GetNodeAddress(m_topology, node));
}

Ptr<NetDevice>
NetworkHelper::GetDevice(uint32_t link) const
{
    return m_devices[link];
}

Ptr<Queue<Packet>>
NetworkHelper::GetQueue(uint32_t link) const
{
    return GetQueueOf(m_devices[link]);
}

uint64_t
NetworkHelper::GetLimitDrops(uint32_t link) const
{
    const auto device = DynamicCast<LeanNetDevice>(m_devices[link]);
    return device ? device->GetLimitDrops() : 0;
}

bool
NetworkHelper::EnablePcap(const std::string& prefix) const
{
    PcapHelper pcap;
    const auto capture = [&](uint32_t node, const std::string& name) {
        if (!std::ofstream(name))
        {
            return false; // ns-3 would end the process
        }
        // An enum in ns-3.44, a number in ns-3's development tree
        constexpr auto linkType = static_cast<PcapHelper::DataLinkType>(LINK_TYPE_PPP);
        const auto file = pcap.CreateFile(name, std::ios::out, linkType);
        const auto device = m_devices[FindLinksFrom(m_topology, node).front()];
        pcap.HookDefaultSink(device, "PromiscSniffer", file);
        return true;
    };
    const auto captureStripes = [&](const std::vector<uint32_t>& nodes, const std::string& name) {
        for (size_t i = 0; nodes.size() > 1 && i < nodes.size(); ++i)
        {
            if (!capture(nodes[i], name + "-stripe-" + std::to_string(i) + ".pcap"))
            {
                return false;
            }
        }
        return true;
    };
    for (size_t i = 0; i < m_topology.pairs.size(); ++i)
    {
        const HostPair& pair = m_topology.pairs[i];
        const bool isThirdParty = pair.sender != HostPair::NONE;
        const std::string end = "-" + std::to_string(i) + ".pcap";
        if (!capture(pair.client, prefix + "-client" + end) ||
            !capture(pair.server, prefix + (isThirdParty ? "-receiver" : "-server") + end) ||
            (isThirdParty && !capture(pair.sender, prefix + "-sender" + end)) ||
            !captureStripes(pair.senders, prefix + "-sender-" + std::to_string(i)) ||
            !captureStripes(pair.receivers, prefix + "-receiver-" + std::to_string(i)))
        {
            return false;
        }
    }
    return true;
}

int64_t
NetworkHelper::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& device : m_devices)
    {
        PointerValue pointer;
        device->GetAttribute("ReceiveErrorModel", pointer);
        if (const auto model = pointer.Get<RandomLossModel>())
        {
            used += model->AssignStreams(stream + used);
        }
        if (const auto lean = DynamicCast<LeanNetDevice>(device))
        {
            used += lean->AssignStreams(stream + used);
        }
        if (const auto queue = DynamicCast<RedQueue>(GetQueueOf(device)))
        {
            used += queue->AssignStreams(stream + used);
        }
        if (const auto queue = DynamicCast<ActivePacketQueue>(GetQueueOf(device)))
        {
            used += queue->AssignStreams(stream + used);
        }
    }
    return used;
}

} // namespace ns3::gridftp
