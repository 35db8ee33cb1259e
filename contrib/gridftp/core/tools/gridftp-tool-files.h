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
 * The file of a session whose tool is not GridFTP, at both of its hosts: what a read or a write
 * takes there. The storages are those that GridFTP has.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The storages of a session with a tool, and the cores of its hosts that blocks of the file pass.
 *
 * Contract: each engine makes one for a session, before the tool's ends, and keeps it for as long
 * as they live. Each end, or each process of an end, takes its stages with Open().
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
