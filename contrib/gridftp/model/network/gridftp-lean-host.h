/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LEAN_HOST_H
#define GRIDFTP_LEAN_HOST_H

#include "gridftp-fixed-routing.h"
#include "gridftp-lean-net-device.h"

#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/tcp-l4-protocol.h"

#include <cstdint>
#include <unordered_map>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Joins the TCP of a host to its one LeanNetDevice: segments for other networks and segments that
 * arrive go past Ipv4L3Protocol and the traffic control layer, with the IP headers that
 * Ipv4L3Protocol would give them. Everything else (other protocols, fragments, segments to the host
 * itself or too large for the link) takes the usual way.
 *
 * The trace sources of the host's Ipv4L3Protocol and raw sockets see nothing of what goes this way.
 */
class LeanHost : public LeanFrameSink
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    LeanHost();
    ~LeanHost() override;

    /**
     * Aggregates itself to a host; called once, when routing and addresses are set.
     * @param node the host
     * @param routing its routing protocol, with a gateway
     */
    void Install(Ptr<Node> node, Ptr<FixedRouting> routing);

    bool TakeFrame(const Ptr<Packet>& frame) override;

  private:
    void DoInitialize() override;
    void DoDispose() override;

    /**
     * Sends a segment.
     * @param segment with its TCP header
     * @param from source address
     * @param to destination address
     * @param protocol of the segment
     * @param route that it takes
     */
    void SendSegment(Ptr<Packet> segment,
                     Ipv4Address from,
                     Ipv4Address to,
                     uint8_t protocol,
                     Ptr<Ipv4Route> route);

    Ptr<Ipv4L3Protocol> m_ipv4;                              //!< the usual way
    Ptr<TcpL4Protocol> m_tcp;                                //!< what it serves
    Ptr<FixedRouting> m_routing;                             //!< knows the gateway
    Ptr<LeanNetDevice> m_device;                             //!< the link
    Ptr<Ipv4Interface> m_interface;                          //!< what IP calls the link
    Ipv4Address m_address;                                   //!< of the host
    uint8_t m_ttl{64};                                       //!< as Ipv4L3Protocol's DefaultTtl
    bool m_checksums{false};                                 //!< whether IP headers carry one
    std::unordered_map<uint32_t, uint16_t> m_identification; //!< next one, by destination
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LEAN_HOST_H
