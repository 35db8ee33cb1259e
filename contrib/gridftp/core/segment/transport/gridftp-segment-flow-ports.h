/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_FLOW_PORTS_H
#define GRIDFTP_SEGMENT_FLOW_PORTS_H

#include "gridftp-fq-codel.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The TCP and UDP ports of flows, for routers that hash flows. Hosts assign ephemeral
 * TCP ports one after the other, as ns-3's do: to each socket that connects, and to each that
 * listens on any port. A port that is still in use after 16,384 others is assigned again, which
 * ns-3 would not do.
 *
 * Contract: FlowTable calls Connect() once for each time that a connection is opened, and
 * TakePort() for each listener, in the order of time.
 */
class FlowPorts
{
  public:
    /** @param node a host @return its next ephemeral TCP port */
    uint16_t TakePort(uint32_t node);

    /** A flow whose two ends have hosts. */
    struct Ends
    {
        std::array<uint32_t, 2> addresses; //!< IPv4 addresses, by end
        std::array<uint16_t, 2> ports;     //!< TCP or UDP ports, by end
    };

    /** A TCP connection is opened. @param flow index @param ends of it */
    void SetConnection(uint32_t flow, const Ends& ends)
    {
        Set(m_connections, flow, ends, TCP);
    }

    /** Datagrams are about to be sent. @param flow index, among those of datagrams @param ends of
     * it
     */
    void SetDatagrams(uint32_t flow, const Ends& ends)
    {
        Set(m_datagrams, flow, ends, UDP);
    }

    /** @param isDatagram which indices flow is of @param flow index @param to the end that a packet
     * goes to @return HashFlow() of the packet */
    uint32_t GetHash(bool isDatagram, uint32_t flow, uint32_t to) const
    {
        const auto& hashes = isDatagram ? m_datagrams : m_connections;
        return flow < hashes.size() ? hashes[flow][to] : 0;
    }

  private:
    static constexpr uint8_t TCP = 6;  //!< in the IPv4 header
    static constexpr uint8_t UDP = 17; //!< in the IPv4 header

    using Hashes = std::vector<std::array<uint32_t, 2>>; //!< by flow, by the end that it goes to

    /** Sets the hashes of a flow. @param hashes of all @param flow index @param ends of it @param
     * protocol of it */
    static void Set(Hashes& hashes, uint32_t flow, const Ends& ends, uint8_t protocol);

    std::map<uint32_t, uint16_t> m_last; //!< the last port assigned, by node
    Hashes m_connections;                //!< of TCP connections
    Hashes m_datagrams;                  //!< of flows of datagrams
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_FLOW_PORTS_H
