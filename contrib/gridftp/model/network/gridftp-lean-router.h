/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LEAN_ROUTER_H
#define GRIDFTP_LEAN_ROUTER_H

#include "gridftp-lean-net-device.h"

#include "ns3/ipv4-address.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <unordered_map>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Forwards IPv4 packets from device to device, as a node's Ipv4L3Protocol would: the TTL goes down
 * by one and, with checksums on, the header's checksum is made anew. What is not plain (another
 * destination, a TTL that expires, a packet too large for the link) it leaves to the node.
 * Aggregate one to a router and make it the frame sink of its LeanNetDevices.
 *
 * The trace sources of the router's Ipv4L3Protocol see nothing of what goes this way.
 */
class LeanRouter : public LeanFrameSink
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @param destination address of a host @param device where what is for it leaves */
    void AddRoute(Ipv4Address destination, Ptr<LeanNetDevice> device);

    bool TakeFrame(const Ptr<Packet>& frame) override;

  private:
    void DoInitialize() override;
    void DoDispose() override;

    /**
     * @param destination of a packet
     * @param bytes of it, with its IP header
     * @return where it leaves; null: it does not go this way
     */
    Ptr<LeanNetDevice> Find(Ipv4Address destination, uint32_t bytes) const;

    std::unordered_map<uint32_t, Ptr<LeanNetDevice>> m_routes; //!< by destination
    bool m_forwards{true};                                     //!< as the attribute of its Ipv4
    bool m_checksums{false};                                   //!< whether IP headers carry one
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LEAN_ROUTER_H
