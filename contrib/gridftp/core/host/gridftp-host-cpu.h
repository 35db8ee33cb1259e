/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_CPU_H
#define GRIDFTP_HOST_CPU_H

#include "gridftp-nanoseconds.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The CPU of a host, as far as it makes anything wait.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a CPU is busy with. */
enum class CpuUse : uint8_t
{
    DATA,           //!< moving bytes between storage and connections
    PROTECTION,     //!< checksums and encryption of data channels (RFC 2228, PROT)
    MODULES,        //!< making something else of the data
    REQUESTS,       //!< executing transfer commands
    AUTHENTICATION, //!< signing, verifying and making keys, so that both ends trust each other
    CALLS,          //!< system calls that move data between storage, application and connections
    TCP,            //!< TCP and IP, packets in and out
    DRIVER,         //!< the network interface's driver and its interrupts
    FILES,          //!< the file system
    RPC,            //!< remote procedure calls of a network file system
    CHECKSUMS       //!< checksums of files, which are compared at the end (CKSM)
};

/** @ingroup gridftp @brief How many uses there are. */
inline constexpr size_t CPU_USES = 11;

/** @ingroup gridftp @brief The longest that anything takes, ns: 146 years. */
inline constexpr int64_t LONGEST_CPU_NS = int64_t{1} << 62;

/** @ingroup gridftp @brief Time of a CPU, by what it is for. */
class CpuWork
{
  public:
    CpuWork() = default;

    /** @param use what for @param ns how long */
    CpuWork(CpuUse use, int64_t ns)
    {
        Add(use, ns);
    }

    /** More of it. @param use what for @param ns how long, at least 0 */
    void Add(CpuUse use, int64_t ns);

    /** @param work more of it */
    void Add(const CpuWork& work);

    /** @param use what for @return how long, ns */
    int64_t Get(CpuUse use) const
    {
        return m_ns[static_cast<size_t>(use)];
    }

    /** @return all of it, at most LONGEST_CPU_NS, ns */
    int64_t GetSum() const;

    bool operator==(const CpuWork&) const = default;

  private:
    std::array<int64_t, CPU_USES> m_ns{}; //!< by use, each at most LONGEST_CPU_NS
};

/** @ingroup gridftp @brief A CpuUse, as results call it. */
struct CpuUseName
{
    /** Which results have the key. */
    enum class Presence
    {
        ALWAYS,   //!< all where anything costs CPU time
        MODELLED, //!< those with hosts that cost CPU time themselves
        USED      //!< those in which it is not 0
    };

    CpuUse use;           //!< which
    std::string_view key; //!< as in JSON, seconds
    Presence presence;    //!< which results have the key
};

/** @ingroup gridftp @return all uses, in their order */
std::span<const CpuUseName, CPU_USES> GetCpuUses();

/**
 * @ingroup gridftp
 * A core of a host's CPU: one piece of work at a time, in the order in which it is asked. What may
 * only start later, as a block that is still being read from storage, gets its time when it is
 * asked for, too; until then the core does what else there is, as far as that is done by then. Both
 * engines have the same for each host where anything costs CPU time.
 */
class HostCpu
{
  public:
    /**
     * Asks for work.
     * @param now of the simulation, no earlier than before
     * @param from when it may start, at least now
     * @param work what
     * @return when it is done
     */
    Nanoseconds Ask(Nanoseconds now, Nanoseconds from, const CpuWork& work);

    /** Asks for work that may start at once. @param now of the simulation, no earlier than before
     * @param work what @return when it is done */
    Nanoseconds Ask(Nanoseconds now, const CpuWork& work)
    {
        return Ask(now, now, work);
    }

    /** @return all that it was asked for so far */
    const CpuWork& GetUse() const
    {
        return m_use;
    }

    /** Keeps from now on how long it is busy in each second. */
    void KeepSeconds()
    {
        m_keepsSeconds = true;
    }

    /** @return how long it is busy in each second of the simulation, ns; up to now and as far as it
     * is known beforehand, at most MOST_SECONDS */
    const std::vector<int64_t>& GetSeconds() const
    {
        return m_seconds;
    }

    /** The seconds that are kept, the longest day that Gardner et al. look at. */
    static constexpr int64_t MOST_SECONDS = 86'400;

    /** A second, ns. */
    static constexpr int64_t SECOND_NS = 1'000'000'000;

  private:
    /** It is busy. @param beginNs from when on @param endNs until when */
    void KeepBusy(int64_t beginNs, int64_t endNs);

    /** A time in which it is busy. */
    struct Busy
    {
        int64_t beginNs; //!< from when on
        int64_t endNs;   //!< until when
    };

    std::vector<Busy> m_busy;       //!< now and later, in order
    CpuWork m_use;                  //!< see GetUse()
    bool m_keepsSeconds{false};     //!< see KeepSeconds()
    std::vector<int64_t> m_seconds; //!< see GetSeconds()
};

/**
 * @ingroup gridftp
 * Asks for work that may be nothing.
 * @param cpu of the host; null only where the work is nothing
 * @param now of the simulation, no earlier than before
 * @param work what; nothing does not wait for its turn
 * @return when it is done
 */
Nanoseconds AskFor(HostCpu* cpu, Nanoseconds now, const CpuWork& work);

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_CPU_H
