/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NETWORK_HELPER_H
#define GRIDFTP_NETWORK_HELPER_H

#include "gridftp-host.h"
#include "gridftp-topology.h"

#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Builds the network that a Topology describes: nodes, links, IPv4 stacks, addresses, routes.
 *
 * Each direction of a link has its rate, its delay, its queue and its random loss. Traffic control
 * is out of the way: no queue disc, and no flow control between device and queue disc, so that
 * drops happen in the DropTail queue and nowhere else. Routes are static, those of FindRoute().
 *
 * The links are LeanNetDevices, with routers and hosts that take the short ways of LeanRouter and
 * LeanHost; or ns-3's point-to-point devices under its own IP and static routing. What comes of the
 * two is the same.
 */
class NetworkHelper
{
  public:
    /**
     * Builds it. ns-3 numbers the nodes in this order: the clients of all pairs, the servers, then
     * those that are in no pair.
     * @param topology what to build
     * @param kind of links
     * @param packetBytes largest IP packet
     */
    NetworkHelper(const Topology& topology, LinkKind kind, uint32_t packetBytes);

    /**
     * Has packets wait for the CPUs of their hosts; with LinkKind::LEAN.
     * @param hosts of each node, or null
     */
    void InstallHosts(const std::vector<HostPtr>& hosts) const;

    /** @return what it was made from */
    const Topology& GetTopology() const;

    /** @param node of the topology @return the node */
    Ptr<Node> GetNode(uint32_t node) const;

    /** @param node of the topology, with a link @return the address at its first link */
    Ipv4Address GetNodeAddress(uint32_t node) const;

    /** @param link of the topology @return the device where this direction begins */
    Ptr<NetDevice> GetDevice(uint32_t link) const;

    /** @param link of the topology @return the queue of this direction */
    Ptr<Queue<Packet>> GetQueue(uint32_t link) const;

    /** @param link of the topology @return packets that the limit in front of this direction has
     * refused */
    uint64_t GetLimitDrops(uint32_t link) const;

    /**
     * Captures the packets at the hosts of all pairs, in files PREFIX-client-I.pcap and
     * PREFIX-server-I.pcap; of a third-party transfer PREFIX-receiver-I.pcap and
     * PREFIX-sender-I.pcap in place of the latter. An end with several stripes has
     * PREFIX-sender-I-stripe-J.pcap or PREFIX-receiver-I-stripe-J.pcap, too.
     * @param prefix of the files
     * @return whether they can be written
     */
    bool EnablePcap(const std::string& prefix) const;

    /**
     * Draws the losses in streams of their own. Without this call they follow from ns-3's seed and
     * run at the construction, as in the segment engine.
     * @param stream first stream to use
     * @return how many streams are used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    /** Makes the nodes. */
    void CreateNodes();

    /**
     * Makes the devices of a link and gives them their addresses.
     * @param link either of its directions
     * @param kind of devices
     * @param packetBytes largest IP packet
     */
    void Connect(uint32_t link, LinkKind kind, uint32_t packetBytes);

    Topology m_topology;                   //!< what it was made from
    std::vector<Ptr<Node>> m_nodes;        //!< as in the topology
    std::vector<Ptr<NetDevice>> m_devices; //!< of each direction of a link, where it begins
};

} // namespace ns3::gridftp

#endif // GRIDFTP_NETWORK_HELPER_H
