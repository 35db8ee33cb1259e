/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_MEMORY_H
#define GRIDFTP_HOST_MEMORY_H

#include "gridftp-buffer-settings.h"
#include "gridftp-send-pool.h"

#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief Memory of a host, aggregated to its node: the SendPool that its sockets share.
 */
class HostMemory : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Get the memory of a host; the first one who asks for a pool says how large it is.
     * @param node the host
     * @param settings of a connection, with a send pool
     * @return the memory, with its pool
     */
    static Ptr<HostMemory> Of(Ptr<Node> node, const BufferSettings& settings);

    /**
     * @brief Get what its send buffers share.
     * @return the pool
     */
    SendPool& GetPool();

  private:
    std::optional<SendPool> m_pool; //!< what its send buffers share
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_MEMORY_H
