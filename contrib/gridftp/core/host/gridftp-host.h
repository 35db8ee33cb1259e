/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_H
#define GRIDFTP_HOST_H

#include "gridftp-host-cpu.h"
#include "gridftp-host-overhead.h"
#include "gridftp-host-spec.h"
#include "gridftp-nanoseconds.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A core of a host; null: nothing costs CPU time there. */
using HostCpuPtr = std::shared_ptr<HostCpu>;

/** @ingroup gridftp @brief What a host did, as sar tells it (sysstat, "rxpck/s" and others). */
struct HostCounts
{
    uint64_t packetsIn{0};    //!< that came from the network, those refused included
    uint64_t packetsOut{0};   //!< that went out
    uint64_t interrupts{0};   //!< of its network interface
    uint64_t backlogDrops{0}; //!< packets from the network that its backlog refused

    /** @param counts more of them */
    void Add(const HostCounts& counts);

    bool operator==(const HostCounts&) const = default;
};

/** @ingroup gridftp @brief What a host did in a second, as sar samples it. */
struct HostSecond
{
    HostCounts counts;                 //!< packets and interrupts
    std::vector<int64_t> coreBusyNs{}; //!< of each core, how long it was busy

    bool operator==(const HostSecond&) const = default;
};

/**
 * @ingroup gridftp
 * A host of a session: the cores of its CPU, and counts. Both engines have the same for each host
 * where anything costs CPU time or waits.
 *
 * Packets of a connection are handled by one core, by queue of the network interface: connections
 * take queues in turn, the first one the first core. Processes begin at the other end: the first
 * session's runs on the last core. So on two cores a session's process and its packets do not take
 * time from each other; on one they do.
 */
class Host
{
  public:
    /** @param spec what it is like */
    explicit Host(const HostSpec& spec);

    /** @return what it is like */
    const HostSpec& GetSpec() const
    {
        return m_spec;
    }

    /** @return queues of its network interface, at most as many as it has cores */
    size_t GetQueues() const;

    /** @param queue of its network interface @return the core that handles it */
    HostCpu& GetQueueCore(size_t queue)
    {
        return *m_cores[queue];
    }

    /** @param session index of a session @return the core on which its process runs */
    const HostCpuPtr& GetProcessCore(size_t session) const
    {
        return m_cores[m_cores.size() - 1 - session % m_cores.size()];
    }

    /** @return the cores */
    const std::vector<HostCpuPtr>& GetCores() const
    {
        return m_cores;
    }

    /** @return what all cores were asked for so far */
    CpuWork GetUse() const;

    /** Counts one more. @param now of the simulation @param what of the counts */
    void Count(Nanoseconds now, uint64_t HostCounts::* what);

    /** @param overhead random time of each packet that leaves, in addition to CPU work */
    void SetOverhead(const HostOverhead& overhead)
    {
        m_overhead = overhead;
    }

    /** @return random time of each packet that leaves */
    const HostOverhead& GetOverhead() const
    {
        return m_overhead;
    }

    /** @return counts */
    const HostCounts& GetCounts() const
    {
        return m_counts;
    }

    /** @param second of the simulation, from 0 @return what it has done in it; nothing behind
     * HostCpu::MOST_SECONDS */
    HostSecond GetSecond(size_t second) const;

    /** @return seconds of the simulation up to the last one that anything is known of */
    size_t GetSecondCount() const;

  private:
    HostSpec m_spec;                   //!< see GetSpec()
    std::vector<HostCpuPtr> m_cores;   //!< see GetCores()
    HostCounts m_counts;               //!< see GetCounts()
    HostOverhead m_overhead;           //!< see GetOverhead()
    std::vector<HostCounts> m_seconds; //!< the same, by second
};

/** @ingroup gridftp @brief A host; null: nothing costs CPU time there. */
using HostPtr = std::shared_ptr<Host>;

/** @ingroup gridftp @brief What a packet is to the core that handles it. */
struct HandledPacket
{
    int64_t payload;       //!< bytes of data that it carries
    bool interrupts{};     //!< it comes with an interrupt
    bool isOther{};        //!< it is of another connection than the one before it
    bool setsConnection{}; //!< it is the first one of its connection
};

/**
 * @ingroup gridftp
 * What a packet costs between network interface and TCP.
 * @param spec of the host
 * @param packet it
 * @return what it costs
 */
CpuWork GetPacketWork(const HostSpec& spec, const HandledPacket& packet);

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_H
