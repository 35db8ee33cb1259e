/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINK_DEVICES_H
#define GRIDFTP_LINK_DEVICES_H

#include "gridftp-topology.h"

#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

/**
 * @file
 * @ingroup gridftp
 * The devices of a link, of either kind.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief An end of a link. */
struct LinkEnd
{
    Ptr<Node> node;                   //!< which node
    const LinkSpec* leaving{nullptr}; //!< the direction that begins here
    bool counted{false};              //!< whether its queue sees every packet, at some cost
    RandomLoss loss;                  //!< of what leaves here
    std::optional<RandomEarlyDetection> red{};                  //!< in front of the queue of that
    std::function<std::unique_ptr<ActiveQueue>()> makeActive{}; //!< makes what is in place of the
                                                                //!< queue of that, or null
    std::optional<DelayVariation> variation{}; //!< of the delay of that; with LinkKind::LEAN
};

/** @ingroup gridftp @brief What the packets of a link are like. */
struct LinkPackets
{
    uint32_t bytes;                         //!< largest IP packet
    int64_t headerBytes{LINK_HEADER_BYTES}; //!< what the link adds to each in time, bytes; of
                                            //!< ns-3's devices always this
};

/**
 * @ingroup gridftp
 * Makes the devices of a link. They have no flow control: with it a device would stop the layer
 * above when its queue is full, and drops would happen there.
 *
 * @param kind of devices
 * @param packets that it carries
 * @param ends of the link; a schedule is in both directions or in none
 * @return their devices, in the same order
 */
std::array<Ptr<NetDevice>, 2> InstallLink(LinkKind kind,
                                          const LinkPackets& packets,
                                          const std::array<LinkEnd, 2>& ends);

/** @ingroup gridftp @param device of a link @return its queue of packets that wait */
Ptr<Queue<Packet>> GetQueueOf(Ptr<NetDevice> device);

} // namespace ns3::gridftp

#endif // GRIDFTP_LINK_DEVICES_H
