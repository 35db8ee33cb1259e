/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-storage-disk.h"

#include "gridftp-storage-kind.h"

namespace ns3::gridftp
{

namespace
{

/** A disk at each node: each request takes its latency, perhaps a seek, and its bytes' time; the
 * first one opens the file, and others that are under way make it slower. */
class DiskModel final : public StorageModel
{
  public:
    /** @param values of its parameters */
    explicit DiskModel(const NamedValues& values)
        : m_disk(values),
          m_openNs(STORAGE_OPEN.Of(values))
    {
    }

    int64_t Serve(const StorageRequest& request) override
    {
        return AddStorageNs(request.opens ? m_openNs : 0,
                            m_disk.Of(request.bytes, request.seeks, request.others));
    }

  private:
    DiskTimes m_disk; //!< the disk
    int64_t m_openNs; //!< what it takes to open the file, ns
};

} // namespace

StorageKind
DeclareDiskStorage()
{
    return {
        .name = "disk",
        .help = "a disk at each node, with a rate, a latency and a seek time",
        .parameters =
            {&STORAGE_RATE, &STORAGE_LATENCY, &STORAGE_SEEK, &STORAGE_OPEN, &STORAGE_CONTENTION},
        .make = [](const NamedValues& values, bool /* writes */) -> std::unique_ptr<StorageModel> {
            return std::make_unique<DiskModel>(values);
        },
    };
}

} // namespace ns3::gridftp
