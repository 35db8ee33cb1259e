/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCHEDULED_CHANNEL_H
#define GRIDFTP_SCHEDULED_CHANNEL_H

#include "gridftp-link-schedule.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Joins two of ns-3's point-to-point devices by a link whose rate and delay change.
 *
 * Such a device takes a packet's transmission time from its rate, and stays busy for its
 * InterframeGap behind that. Both are read after its PhyTxBegin has fired, where this channel sets
 * the gap so that the device is busy until the transmission ends by the schedule; so its rate has
 * to be the schedule's largest. When the packet arrives is the channel's own to say.
 */
class ScheduledChannel : public PointToPointChannel
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /**
     * Joins two devices, in place of Attach(); called once.
     * @param devices the ends
     * @param schedules of the directions that begin there
     */
    void Join(const std::array<Ptr<PointToPointNetDevice>, 2>& devices,
              const std::array<LinkSchedule, 2>& schedules);

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> source,
                       Time duration) override;

  private:
    void DoDispose() override;

    /** A direction. */
    struct Wire
    {
        PointToPointNetDevice* source; //!< where it begins; it holds the channel
        ScheduledLink link;            //!< rate and delay
        Time gap;                      //!< that the device has of its own
        int64_t arrivalNs{0};          //!< when the packet that begins to leave arrives
    };

    /** A packet begins to leave. @param wire index @param packet which */
    void HandleBegin(uint32_t wire, Ptr<const Packet> packet);

    std::array<std::optional<Wire>, 2> m_wires; //!< both directions
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SCHEDULED_CHANNEL_H
