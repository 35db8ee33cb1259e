/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LEAN_CHANNEL_H
#define GRIDFTP_LEAN_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <array>
#include <cstddef>

namespace ns3::gridftp
{

class LeanNetDevice;

/**
 * @ingroup gridftp
 * What joins two LeanNetDevices: a propagation delay, the same both ways.
 */
class LeanChannel : public Channel
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /**
     * Joins two devices; called once.
     * @param a a device
     * @param b another
     */
    void Connect(Ptr<LeanNetDevice> a, Ptr<LeanNetDevice> b);

    /** @return the propagation delay */
    Time GetDelay() const
    {
        return m_delay;
    }

  private:
    void DoDispose() override;

    Time m_delay;                                //!< propagation
    std::array<Ptr<LeanNetDevice>, 2> m_devices; //!< the ends
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LEAN_CHANNEL_H
