/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STORAGE_DISK_H
#define GRIDFTP_STORAGE_DISK_H

#include "gridftp-named-values.h"
#include "gridftp-storage-kind.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a disk takes for a request once the file is open: of a disk alone,
 * and of one behind memory. */
class DiskTimes
{
  public:
    /** @param values of the parameters of a storage with a disk */
    explicit DiskTimes(const NamedValues& values)
        : m_rateBps(static_cast<uint64_t>(STORAGE_RATE.Of(values))),
          m_latencyNs(STORAGE_LATENCY.Of(values)),
          m_seekNs(STORAGE_SEEK.Of(values)),
          m_contentionNs(STORAGE_CONTENTION.Of(values))
    {
    }

    /** @param bytes of any number @return what they alone take, ns */
    int64_t OfBytes(uint64_t bytes) const
    {
        return GetStorageNs(bytes, m_rateBps);
    }

    /** @param bytes to be read or written @param seeks they are not behind the last ones @param
     * others requests that are under way besides @return what they take, ns */
    int64_t Of(uint64_t bytes, bool seeks, uint64_t others) const
    {
        const int64_t besides = AddStorageNs(m_latencyNs + (seeks ? m_seekNs : 0),
                                             MultiplyStorageNs(others, m_contentionNs));
        return AddStorageNs(besides, OfBytes(bytes));
    }

  private:
    uint64_t m_rateBps;     //!< bit/s
    int64_t m_latencyNs;    //!< of each request, ns
    int64_t m_seekNs;       //!< of each seek, ns
    int64_t m_contentionNs; //!< of each other request, ns
};

} // namespace ns3::gridftp

#endif // GRIDFTP_STORAGE_DISK_H
