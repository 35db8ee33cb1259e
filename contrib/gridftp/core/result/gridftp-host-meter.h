/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_METER_H
#define GRIDFTP_HOST_METER_H

#include "gridftp-result.h"
#include "gridftp-session-hosts.h"

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

    /** A part of a transfer is complete. */
    void Mark();

    /** @param result of the scenario, with its sessions; what their hosts did is added, where
     * anything costs CPU time */
    void AddTo(TransferResult& result) const;

  private:
    const std::vector<SessionHosts>* m_hosts;       //!< of each session
    std::vector<std::optional<HostResult>> m_marks; //!< of each session, where they are modelled
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_METER_H
