/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-storage-kind.h"

namespace ns3::gridftp
{

namespace
{

/** A disk at each node: each request takes its latency, perhaps a seek, and its bytes' time. */
class DiskModel final : public StorageModel
{
  public:
    /** @param values of its parameters */
    explicit DiskModel(const NamedValues& values)
        : m_rateBps(static_cast<uint64_t>(STORAGE_RATE.Of(values))),
          m_latencyNs(STORAGE_LATENCY.Of(values)),
          m_seekNs(STORAGE_SEEK.Of(values))
    {
    }

    int64_t Serve(const StorageRequest& request) override
    {
        return m_latencyNs + (request.seeks ? m_seekNs : 0) +
               GetStorageNs(request.bytes, m_rateBps);
    }

  private:
    uint64_t m_rateBps;  //!< bit/s
    int64_t m_latencyNs; //!< of each request, ns
    int64_t m_seekNs;    //!< of each seek, ns
};

} // namespace

StorageKind
DeclareDiskStorage()
{
    return {
        .name = "disk",
        .help = "a disk at each node, with a rate, a latency and the time of a seek",
        .parameters = {&STORAGE_RATE, &STORAGE_LATENCY, &STORAGE_SEEK},
        .make = [](const NamedValues& values) -> std::unique_ptr<StorageModel> {
            return std::make_unique<DiskModel>(values);
        },
    };
}

} // namespace ns3::gridftp
