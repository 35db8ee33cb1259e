/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-storage-kind.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** @ingroup gridftp @brief How fast all nodes together read or write, bit/s. */
constexpr StorageParameter STORAGE_TOTAL{.name = "total-rate",
                                         .key = "total_rate_bps",
                                         .defaultText = "0Mbps",
                                         .help = "rate of all nodes together",
                                         .dimension = Dimension::RATE,
                                         .maximum = 1'000'000'000'000'000,
                                         .isRequired = true};

/**
 * @ingroup gridftp
 * What all nodes together lose where a request, of whichever node, does not go on where the last
 * one ended: the heads of disks that serve several files, or parts of one, move between them. Of
 * many disks that work side by side it is the share that one seek has of them.
 */
constexpr StorageParameter STORAGE_TOTAL_SEEK{.name = "total-seek",
                                              .key = "total_seek_s",
                                              .defaultText = "0ms",
                                              .help = "time of each seek of all nodes together",
                                              .dimension = Dimension::TIME,
                                              .maximum = 1'000'000'000'000};

/**
 * A file system that the nodes of an end share, as GPFS in the paper (Section 6.3, Figure 11): each
 * of them has what a disk has, and all together no more than the total. What is shared takes the
 * bytes of all requests one after the other, in the order in which they are asked, at the total
 * rate, and may lose time where operations take turns; a node is done when both are. One node with
 * no less of a total is a disk.
 */
class ParallelModel final : public StorageModel
{
  public:
    /** @param values of its parameters */
    explicit ParallelModel(const NamedValues& values)
        : m_rateBps(static_cast<uint64_t>(STORAGE_RATE.Of(values))),
          m_totalBps(static_cast<uint64_t>(STORAGE_TOTAL.Of(values))),
          m_latencyNs(STORAGE_LATENCY.Of(values)),
          m_seekNs(STORAGE_SEEK.Of(values)),
          m_totalSeekNs(STORAGE_TOTAL_SEEK.Of(values))
    {
    }

    int64_t Serve(const StorageRequest& request) override
    {
        const int64_t sharedNs = std::max(request.askedNs, m_sharedFreeNs);
        const int64_t shareNs = (request.offset == m_sharedNext ? 0 : m_totalSeekNs) +
                                GetStorageNs(request.bytes, m_totalBps);
        m_sharedNext = request.offset + request.bytes;
        m_sharedFreeNs = sharedNs + std::min(shareNs, LONGEST_STORAGE_NS - sharedNs);
        const int64_t ownNs =
            m_latencyNs + (request.seeks ? m_seekNs : 0) + GetStorageNs(request.bytes, m_rateBps);
        return std::max(ownNs, m_sharedFreeNs - request.startNs);
    }

  private:
    uint64_t m_rateBps;        //!< of a node, bit/s
    uint64_t m_totalBps;       //!< of all of them, bit/s
    int64_t m_latencyNs;       //!< of each request, ns
    int64_t m_seekNs;          //!< of each seek, ns
    int64_t m_totalSeekNs;     //!< what all of them lose by each seek, ns
    uint64_t m_sharedNext{0};  //!< byte of the file behind the last request of any node
    int64_t m_sharedFreeNs{0}; //!< when what is shared has served all requests
};

} // namespace

StorageKind
DeclareParallelStorage()
{
    return {
        .name = "parallel",
        .help = "a file system that the nodes of an endpoint share, each node like a disk",
        .parameters =
            {&STORAGE_RATE, &STORAGE_LATENCY, &STORAGE_SEEK, &STORAGE_TOTAL, &STORAGE_TOTAL_SEEK},
        .make = [](const NamedValues& values, bool /* writes */) -> std::unique_ptr<StorageModel> {
            return std::make_unique<ParallelModel>(values);
        },
    };
}

} // namespace ns3::gridftp
