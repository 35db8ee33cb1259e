/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ONE_WAY_DELAY_CHANNEL_H
#define GRIDFTP_ONE_WAY_DELAY_CHANNEL_H

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/ptr.h"

#include <array>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Joins two of ns-3's point-to-point devices by a link with a propagation delay in each direction;
 * ns-3's own channel has one for both.
 *
 * Contract: InstallLink() makes one for a link of LinkKind::NS3 whose directions differ in their
 * delay, calls Join() once, and nothing else. The attribute Delay of the parent has no effect.
 */
class OneWayDelayChannel : public PointToPointChannel
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /**
     * Joins two devices, in place of Attach(); called once.
     * @param devices at both ends
     * @param delays of propagation from each of them to the other
     */
    void Join(const std::array<Ptr<PointToPointNetDevice>, 2>& devices,
              const std::array<Time, 2>& delays);

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> source,
                       Time duration) override;

  private:
    std::array<Time, 2> m_delays; //!< from each device to the other
};

} // namespace ns3::gridftp

#endif // GRIDFTP_ONE_WAY_DELAY_CHANNEL_H
