/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DUMBBELL_HELPER_H
#define GRIDFTP_DUMBBELL_HELPER_H

#include "gridftp-network-helper.h"
#include "gridftp-scenario.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
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
 * The network of the paper (Ito et al., Fig. 2), with one pair of hosts per session:
 *
 * @verbatim
   client 0 ---+                                  +--- server 0
               |  access          bottleneck      |
   client 1 ---+-- left router ==== right router -+--- server 1
               |   10 Gbps, 10 us  100 Mbps, 10 ms|
   ...                                               ...
   @endverbatim
 *
 * The bottleneck has a DropTail queue of limited length at both ends; the access links never drop.
 * It is MakeDumbbell() of core built by NetworkHelper, with names for its parts.
 */
class DumbbellHelper
{
  public:
    /** What the links are like. */
    struct Links
    {
        DataRate bandwidth;       //!< of the bottleneck
        Time delay;               //!< of the bottleneck, one way
        uint32_t queuePackets{1}; //!< packets waiting at the bottleneck, without the one in service
        DataRate reverseBandwidth{0};    //!< of the bottleneck to the left; 0: that to the right
        Time reverseDelay{-1};           //!< of the bottleneck to the left; below 0: likewise
        uint32_t reverseQueuePackets{0}; //!< as queuePackets to the left; 0: likewise
        DataRate accessBandwidth;        //!< of the access links
        Time accessDelay;                //!< of each access link, one way
        uint32_t packetBytes{1500};      //!< largest IP packet
        double randomLoss{0}; //!< independent loss of packets that cross to the right, [0, 1)
        double reverseRandomLoss{0};    //!< the same to the left
        LinkKind kind{LinkKind::LEAN};  //!< which devices
        std::vector<Time> clientDelays; //!< on top of accessDelay at the client of each pair, one
                                        //!< way; empty: nothing
    };

    /**
     * Builds nodes, links, stacks, addresses and routes.
     * @param links what the links are like
     * @param pairs of hosts, at least 1
     */
    DumbbellHelper(const Links& links, uint32_t pairs);

    /** @return the clients, left */
    const NodeContainer& GetClients() const;

    /** @return the servers, right */
    const NodeContainer& GetServers() const;

    /** @param pair index @return the server's address */
    Ipv4Address GetServerAddress(uint32_t pair) const;

    /** @return the bottleneck's device at the left router: what crosses to the right leaves here */
    Ptr<NetDevice> GetForwardDevice() const;

    /** @return the bottleneck's device at the right router */
    Ptr<NetDevice> GetReverseDevice() const;

    /** @return the queue of GetForwardDevice() */
    Ptr<Queue<Packet>> GetForwardQueue() const;

    /** @return the queue of GetReverseDevice() */
    Ptr<Queue<Packet>> GetReverseQueue() const;

    /**
     * Captures the packets at the hosts, in files PREFIX-client-I.pcap and PREFIX-server-I.pcap.
     * @param prefix of the files
     * @return whether they can be written
     */
    bool EnablePcap(const std::string& prefix) const;

    /**
     * Random draws of the losses.
     * @param stream first stream to use
     * @return how many streams are used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    NetworkHelper m_network; //!< all of it
    NodeContainer m_clients; //!< left hosts
    NodeContainer m_servers; //!< right hosts
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DUMBBELL_HELPER_H
