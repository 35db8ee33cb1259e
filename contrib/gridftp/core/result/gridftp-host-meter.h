/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_METER_H
#define GRIDFTP_HOST_METER_H

#include "gridftp-nanoseconds.h"
#include "gridftp-result.h"
#include "gridftp-session-hosts.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What the hosts of sessions do until a transfer is complete, as the use of links is measured: what
 * is under way then, or comes later, does not count.
 */
class HostMeter
{
  public:
    /** @param hosts of each session; outlives it */
    explicit HostMeter(const std::vector<SessionHosts>& hosts);

    /** A part of a transfer is complete. @param now of the simulation */
    void Mark(Nanoseconds now);

    /** @param result of the scenario, with its sessions; what their hosts did is added, where
     * anything costs CPU time */
    void AddTo(TransferResult& result) const;

  private:
    /** What the hosts of a session have done by then. */
    struct Marked
    {
        size_t second;                    //!< of the simulation, that has begun
        HostResult result;                //!< but for the seconds
        std::vector<HostSecond> sender;   //!< that second so far, by host
        std::vector<HostSecond> receiver; //!< likewise
    };

    /** @param end of a session @param second which @return what its hosts did in it, by host */
    static std::vector<HostSecond> GetSeconds(const EndHosts& end, size_t second);

    /** @param end of a session @param second the last one @param last what its hosts did in that,
     * by host @param result of that end, gets all seconds */
    static void AddSeconds(const EndHosts& end,
                           size_t second,
                           const std::vector<HostSecond>& last,
                           EndHostResult& result);

    const std::vector<SessionHosts>* m_hosts;   //!< of each session
    std::vector<std::optional<Marked>> m_marks; //!< of each session, where they are modelled
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_METER_H
