/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_STORAGE_H
#define GRIDFTP_HOST_STORAGE_H

#include "gridftp-storage.h"

#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <memory>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What the data transfer processes of a host read files from and write them to, aggregated to its
 * node. A host without one has storage that costs nothing. Several hosts may share a storage; each
 * is a node of it. For receive windows to close while a host writes, the BufferSpec of its
 * applications has to name the sink, too.
 */
class HostStorage : public Object
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @param node the host @return its own, made where there is none yet */
    static Ptr<HostStorage> Of(Ptr<Node> node);

    /**
     * @param storage that it reads from; null: it costs nothing
     * @param node which one of the storage it is
     * @param depth blocks of a connection that may be under way, at least 1
     */
    void SetSource(std::shared_ptr<Storage> storage, uint32_t node, uint32_t depth);

    /** SetSource() for what it writes to. @param storage null: it costs nothing @param node of the
     * storage @param depth blocks of a connection */
    void SetSink(std::shared_ptr<Storage> storage, uint32_t node, uint32_t depth);

    /** @param node a host @param offset of a chunk in the file, bytes @return where its data
     * transfer process reads the chunk */
    static StoragePlace FindSource(Ptr<Node> node, uint64_t offset);

    /** @param node a host @return where its data transfer process writes, with a chunk at the
     * beginning of the file */
    static StoragePlace FindSink(Ptr<Node> node);

  private:
    std::shared_ptr<Storage> m_source; //!< what it reads from, or null
    std::shared_ptr<Storage> m_sink;   //!< what it writes to, or null
    StoragePlace m_from;               //!< where it reads
    StoragePlace m_to;                 //!< where it writes
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_STORAGE_H
