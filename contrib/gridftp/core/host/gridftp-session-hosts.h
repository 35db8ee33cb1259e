/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SESSION_HOSTS_H
#define GRIDFTP_SESSION_HOSTS_H

#include "gridftp-host-cpu.h"
#include "gridftp-scenario.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A host of a session; null: nothing costs CPU time there. */
using HostCpuPtr = std::shared_ptr<HostCpu>;

/**
 * @ingroup gridftp
 * The hosts of one end of a session: that of its protocol interpreter, the head, and those of its
 * data transfer processes, the stripes. With one stripe they are the same.
 */
class EndHosts
{
  public:
    /** Nothing costs CPU time there. */
    EndHosts() = default;

    /** @param stripes how many, at least 1 @param head where its protocol interpreter is */
    EndHosts(int64_t stripes, HostCpuPtr head);

    /** @return where its protocol interpreter is */
    const HostCpuPtr& GetHead() const
    {
        return m_head;
    }

    /** @param index of a stripe @return where its data transfer process is */
    HostCpuPtr GetStripe(size_t index) const
    {
        return m_stripes.empty() ? m_head : m_stripes[index];
    }

    /** @return what all of them were asked for; none where nothing costs CPU time */
    std::optional<CpuWork> GetUse() const;

  private:
    HostCpuPtr m_head;                 //!< see GetHead()
    std::vector<HostCpuPtr> m_stripes; //!< where they are on hosts of their own
};

/** @ingroup gridftp @brief All hosts of a session. */
struct SessionHosts
{
    EndHosts sender;   //!< the end that sends the data
    EndHosts receiver; //!< the end that receives it
    HostCpuPtr client; //!< where the client is: the head of an end, or neither's

    /** @param receives the end that receives, else the one that sends @return that end */
    const EndHosts& GetEnd(bool receives) const
    {
        return receives ? receiver : sender;
    }
};

/** @ingroup gridftp @param session resolved @return whether anything costs CPU time at its hosts */
bool NeedsCpu(const SessionSpec& session);

/** @ingroup gridftp @param scenario resolved @return the host of the first session's server where
 * others have theirs there, too, and any of them needs its CPU; else null */
HostCpuPtr MakeSharedHost(const Scenario& scenario);

/**
 * @ingroup gridftp
 * Makes the hosts of a session; both engines have the same.
 * @param session resolved
 * @param server the host of its server, see MakeSharedHost(); null: it has one of its own
 * @return its hosts
 */
SessionHosts MakeSessionHosts(const SessionSpec& session, HostCpuPtr server);

} // namespace ns3::gridftp

#endif // GRIDFTP_SESSION_HOSTS_H
