/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOOL_FILES_H
#define GRIDFTP_TOOL_FILES_H

#include "gridftp-block-stages.h"
#include "gridftp-host-cpu.h"
#include "gridftp-scenario.h"
#include "gridftp-session-hosts.h"
#include "gridftp-storage.h"

#include <array>
#include <cstddef>
#include <memory>

/**
 * @file
 * @ingroup gridftp
 * The time that reads and writes of the file take at both hosts of a session that uses bbFTP, UDT,
 * RBUDP or FOBS. They use the same classes of storage as sessions of GridFTP.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Holds the storage of both hosts of such a session, and the CPU cores that process each block.
 *
 * Contract: each engine creates one for a session before the tool's sender and receiver, and
 * destroys it after them. Each of their processes calls Open() to get its stages.
 */
class ToolFiles
{
  public:
    /** Reads and writes take no time. */
    ToolFiles() = default;

    /**
     * @param scenario resolved, with its faults
     * @param index of a session whose tool is not GridFTP
     * @param hosts of the session, as both engines make them
     */
    ToolFiles(const Scenario& scenario, size_t index, const SessionHosts& hosts);

    /**
     * A process opens the file; its first request pays for that.
     * @param receives at the host that receives, else at the one that sends
     * @return what its reads or writes pass, one at a time
     */
    BlockStages Open(bool receives) const;

    /** @param receives at the host that receives, else at the one that sends @return the storage
     * there; null where it costs nothing */
    const Storage* GetStorage(bool receives) const
    {
        return m_storages[receives ? 1 : 0].get();
    }

  private:
    std::array<std::shared_ptr<Storage>, 2> m_storages; //!< of the sender and the receiver, or null
    std::array<HostCpuPtr, 2> m_cpus;                   //!< likewise
    std::array<BlockCost, 2> m_costs;                   //!< of a block, likewise
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TOOL_FILES_H
