/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_PROCESSOR_H
#define GRIDFTP_HOST_PROCESSOR_H

#include "gridftp-block-stages.h"
#include "gridftp-host-cpu.h"
#include "gridftp-scenario.h"
#include "gridftp-session-hosts.h"

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The CPU of a host, aggregated to its node: what the protocol interpreters and data transfer
 * processes there share. A node without one gets it when something first costs CPU time.
 */
class HostProcessor : public Object
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @param node the host @return the CPU of that, made where there is none yet */
    static HostCpu& Of(Ptr<Node> node);

    /** @param node the host @param cpu of it from now on; null: nothing changes */
    static void Set(Ptr<Node> node, const HostCpuPtr& cpu);

    /** Asks for work that may start now. @param node the host @param work what; nothing does not
     * wait for its turn @return how long until it is done */
    static Time Ask(Ptr<Node> node, const CpuWork& work);

  private:
    /** @param node the host @return its own, made where there is none yet */
    static Ptr<HostProcessor> Find(Ptr<Node> node);

    HostCpuPtr m_cpu; //!< null: nothing has asked for it yet
};

/**
 * @ingroup gridftp
 * @param node a host that sends
 * @param buffers of its connections
 * @param offset of a chunk in the file, bytes
 * @return what the blocks of the chunk pass there
 */
BlockStages FindSourceStages(Ptr<Node> node, const BufferSpec& buffers, uint64_t offset);

/**
 * @ingroup gridftp
 * @param node a host that receives
 * @param buffers of its connections
 * @return what blocks pass there, of a chunk at the beginning of the file
 */
BlockStages FindSinkStages(Ptr<Node> node, const BufferSpec& buffers);

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_PROCESSOR_H
