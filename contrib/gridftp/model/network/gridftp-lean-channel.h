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
#include <optional>

namespace ns3::gridftp
{

class LeanNetDevice;

/**
 * @ingroup gridftp
 * What joins two LeanNetDevices: a propagation delay in each direction.
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

    /** @param delay of propagation from the second device to the first, in place of Delay */
    void SetReverseDelay(const Time& delay);

    /** @param from index of the device that sends, as of GetDevice() @return the propagation delay
     * to the other one */
    Time GetDelay(std::size_t from) const
    {
        return from == 1 ? m_reverseDelay.value_or(m_delay) : m_delay;
    }

  private:
    void DoDispose() override;

    Time m_delay;                                //!< propagation, from the first device
    std::optional<Time> m_reverseDelay;          //!< from the second one; none: the same
    std::array<Ptr<LeanNetDevice>, 2> m_devices; //!< the ends
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LEAN_CHANNEL_H
