/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-dumbbell-helper.h"

namespace ns3::gridftp
{

namespace
{

// The data goes from left to right here, so that the bottleneck's two directions are these
constexpr uint32_t FORWARD = 0;
constexpr uint32_t BACKWARD = GetReverse(FORWARD);

Topology
MakePaperNetwork(const DumbbellHelper::Links& links, uint32_t pairs)
{
    PathSpec path{.bandwidth = static_cast<int64_t>(links.bandwidth.GetBitRate()),
                  .delay = links.delay.GetNanoSeconds(),
                  .queue = links.queuePackets,
                  .packetSize = links.packetBytes,
                  .accessBandwidth = static_cast<int64_t>(links.accessBandwidth.GetBitRate()),
                  .accessDelay = links.accessDelay.GetNanoSeconds(),
                  .randomLoss = links.randomLoss,
                  .reverseBandwidth = static_cast<int64_t>(links.reverseBandwidth.GetBitRate()),
                  .reverseDelay = links.reverseDelay.GetNanoSeconds(),
                  .reverseQueue = links.reverseQueuePackets,
                  .reverseRandomLoss = links.reverseRandomLoss};
    ResolveReverse(path);
    std::vector<int64_t> delays(pairs, path.delay);
    for (size_t i = 0; i < delays.size() && i < links.clientDelays.size(); ++i)
    {
        delays[i] += links.clientDelays[i].GetNanoSeconds();
    }
    return MakeDumbbell(path, Direction::UPLOAD, delays);
}

} // namespace

DumbbellHelper::DumbbellHelper(const Links& links, uint32_t pairs)
    : m_network(MakePaperNetwork(links, pairs), links.kind, links.packetBytes)
{
    for (const auto& pair : m_network.GetTopology().pairs)
    {
        m_clients.Add(m_network.GetNode(pair.client));
        m_servers.Add(m_network.GetNode(pair.server));
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
    return m_network.GetNodeAddress(m_network.GetTopology().pairs[pair].server);
}

Ptr<NetDevice>
DumbbellHelper::GetForwardDevice() const
{
    return m_network.GetDevice(FORWARD);
}

Ptr<NetDevice>
DumbbellHelper::GetReverseDevice() const
{
    return m_network.GetDevice(BACKWARD);
}

Ptr<Queue<Packet>>
DumbbellHelper::GetForwardQueue() const
{
    return m_network.GetQueue(FORWARD);
}

Ptr<Queue<Packet>>
DumbbellHelper::GetReverseQueue() const
{
    return m_network.GetQueue(BACKWARD);
}

bool
DumbbellHelper::EnablePcap(const std::string& prefix) const
{
    return m_network.EnablePcap(prefix);
}

int64_t
DumbbellHelper::AssignStreams(int64_t stream)
{
    return m_network.AssignStreams(stream);
}

} // namespace ns3::gridftp
