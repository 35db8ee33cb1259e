/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MIDDLEBOX_MODEL_H
#define GRIDFTP_MIDDLEBOX_MODEL_H

#include "gridftp-middlebox.h"

#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The control connections of a session in a middlebox that forgets idle connections: it discards
 * what arrives of them at the client's or the server's host, see MiddleboxEntry.
 *
 * Contract: Install() once for each of the two hosts, after their devices are there. Each
 * connection, distinguished by the client's address and port, has an entry from its first packet
 * on.
 */
class MiddleboxModel : public ErrorModel
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @param server where the connections lead to @param rules of the middlebox */
    void Configure(const InetSocketAddress& server, const std::vector<IdleRule>& rules);

    /** Discards what arrives at a host. @param node the host; what its devices lose, they lose
     * first */
    void Install(Ptr<Node> node);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    Ipv4Address m_address;                                                //!< of the server
    uint16_t m_port{0};                                                   //!< of the server
    std::vector<IdleRule> m_rules;                                        //!< of the middlebox
    std::map<std::pair<Ipv4Address, uint16_t>, MiddleboxEntry> m_entries; //!< by client
};

} // namespace ns3::gridftp

#endif // GRIDFTP_MIDDLEBOX_MODEL_H
