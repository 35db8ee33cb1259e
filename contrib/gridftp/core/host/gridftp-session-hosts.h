/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SESSION_HOSTS_H
#define GRIDFTP_SESSION_HOSTS_H

#include "gridftp-host.h"
#include "gridftp-scenario.h"
#include "gridftp-topology.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

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

    /**
     * @param stripes how many, at least 1
     * @param head where its protocol interpreter is
     * @param session index of the session
     */
    EndHosts(int64_t stripes, HostPtr head, size_t session);

    /** @return the core where its protocol interpreter runs */
    HostCpuPtr GetHead() const
    {
        return GetCore(m_head);
    }

    /** @param index of a stripe @return the core where its data transfer process runs */
    HostCpuPtr GetStripe(size_t index) const
    {
        return GetCore(GetStripeHost(index));
    }

    /** @return the host of its protocol interpreter */
    const HostPtr& GetHeadHost() const
    {
        return m_head;
    }

    /** @param index of a stripe @return the host of its data transfer process */
    const HostPtr& GetStripeHost(size_t index) const
    {
        return m_stripes.empty() ? m_head : m_stripes[index];
    }

    /** @return all of them, the head first; none where nothing costs CPU time */
    std::vector<HostPtr> GetAll() const;

  private:
    /** @param host any, or null @return the core of it where a process of the session runs */
    HostCpuPtr GetCore(const HostPtr& host) const
    {
        return host ? host->GetProcessCore(m_session) : nullptr;
    }

    HostPtr m_head;                 //!< see GetHeadHost()
    std::vector<HostPtr> m_stripes; //!< where they are on hosts of their own
    size_t m_session{0};            //!< index of the session
};

/** @ingroup gridftp @brief All hosts of a session. */
struct SessionHosts
{
    EndHosts sender;   //!< the end that sends the data
    EndHosts receiver; //!< the end that receives it
    EndHosts client;   //!< where the client is: the head of an end, or neither's

    /** @param receives the end that receives, else the one that sends @return that end */
    const EndHosts& GetEnd(bool receives) const
    {
        return receives ? receiver : sender;
    }
};

/** @ingroup gridftp @param session resolved @return whether anything costs CPU time at its hosts,
 * or waits there */
bool NeedsCpu(const SessionSpec& session);

/**
 * @ingroup gridftp
 * Makes the hosts of all sessions; both engines have the same. Sessions with a shared server have
 * that of the first one.
 * @param scenario resolved
 * @return of each session, its hosts
 */
std::vector<SessionHosts> MakeScenarioHosts(const Scenario& scenario);

/**
 * @ingroup gridftp
 * @param scenario resolved
 * @param topology of it
 * @param hosts of each session
 * @return of each node, its host where packets wait there, see HostSpec::HoldsPackets() and
 * PathSpec::hostOverhead; else null
 */
std::vector<HostPtr> FindPacketHosts(const Scenario& scenario,
                                     const Topology& topology,
                                     const std::vector<SessionHosts>& hosts);

} // namespace ns3::gridftp

#endif // GRIDFTP_SESSION_HOSTS_H
