/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINK_CLOCK_H
#define GRIDFTP_LINK_CLOCK_H

#include "gridftp-link-schedule.h"

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * When a link is done with a frame, for those who see it leave its queue. Devices keep that to
 * themselves.
 */
class LinkClock
{
  public:
    /**
     * @param rateBps of the link, bit/s
     * @param schedule of it; empty: its rate does not change
     * @param moreBytes that the link adds to those of a frame, in time
     */
    LinkClock(int64_t rateBps, const LinkSchedule& schedule, int64_t moreBytes);

    /** @param frameBytes of a frame @return those that the link takes time for */
    int64_t GetBytes(uint32_t frameBytes) const;

    /** @param startNs of a transmission @param frameBytes of its frame @return its end, ns */
    int64_t GetEnd(int64_t startNs, uint32_t frameBytes) const;

    /** @return of the link; empty: its rate does not change */
    const LinkSchedule& GetSchedule() const;

  private:
    DataRate m_rate;         //!< of the link
    LinkSchedule m_schedule; //!< of the link
    int64_t m_moreBytes;     //!< than those of a frame
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINK_CLOCK_H
