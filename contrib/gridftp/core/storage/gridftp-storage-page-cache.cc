/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-storage-disk.h"
#include "gridftp-storage-kind.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

namespace ns3::gridftp
{

namespace
{

/** @ingroup gridftp @brief How fast a node copies between memory and the application, bit/s. */
constexpr StorageParameter STORAGE_MEMORY_RATE{.name = "memory-rate",
                                               .key = "memory_rate_bps",
                                               .defaultText = "0Mbps",
                                               .help = "rate of the memory of a node",
                                               .dimension = Dimension::RATE,
                                               .maximum = 1'000'000'000'000'000,
                                               .isRequired = true};

/** @ingroup gridftp @brief Most bytes in memory that are yet to be written to the disk: what
 * vm.dirty_ratio of Linux comes to (Documentation/admin-guide/sysctl/vm.rst). */
constexpr StorageParameter STORAGE_DIRTY{.name = "dirty",
                                         .key = "dirty_bytes",
                                         .defaultText = "0B",
                                         .help = "written bytes that may wait in memory",
                                         .dimension = Dimension::BYTES,
                                         .maximum = 1'000'000'000'000'000};

/** @ingroup gridftp @brief Bytes at the beginning of the file that are in memory when it is read.
 */
constexpr StorageParameter STORAGE_CACHED{.name = "cached",
                                          .key = "cached_bytes",
                                          .defaultText = "0B",
                                          .help = "first bytes of the file that are in memory "
                                                  "when it is read",
                                          .dimension = Dimension::BYTES,
                                          .maximum = 1'000'000'000'000'000};

/** @ingroup gridftp @brief How far the disk may be ahead of what is read. Linux begins with 128 KiB
 * (VM_READAHEAD_PAGES). */
constexpr StorageParameter STORAGE_READ_AHEAD{.name = "read-ahead",
                                              .key = "read_ahead_bytes",
                                              .defaultText = "128KiB",
                                              .help = "bytes that the disk may read ahead",
                                              .dimension = Dimension::BYTES,
                                              .maximum = 1'000'000'000'000'000};

/** A disk at each node behind memory: what both directions have. */
class PageCacheModel : public StorageModel
{
  public:
    /** @param values of its parameters */
    explicit PageCacheModel(const NamedValues& values)
        : m_disk(values),
          m_memoryBps(static_cast<uint64_t>(STORAGE_MEMORY_RATE.Of(values))),
          m_openNs(STORAGE_OPEN.Of(values))
    {
    }

    int64_t Serve(const StorageRequest& request) final
    {
        const int64_t beginNs = AddStorageNs(request.ownNs, request.opens ? m_openNs : 0);
        const int64_t copiedNs = AddStorageNs(beginNs, GetStorageNs(request.bytes, m_memoryBps));
        return std::max(copiedNs, AskDisk(request, beginNs)) - request.ownNs;
    }

  protected:
    /** @return the disk */
    const DiskTimes& GetDisk() const
    {
        return m_disk;
    }

  private:
    /**
     * @param request what a node is asked for
     * @param beginNs when its bytes begin to be copied, on the node's own clock
     * @return when the disk allows them all to be copied, likewise; earlier than that: it always
     *         does
     */
    virtual int64_t AskDisk(const StorageRequest& request, int64_t beginNs) = 0;

    DiskTimes m_disk;     //!< the disk
    uint64_t m_memoryBps; //!< of the memory, bit/s
    int64_t m_openNs;     //!< what it takes to open the file, ns
};

/**
 * Reads. What is not in memory comes from the disk, whose bytes are copied as they come. Behind
 * what it has been asked for it reads on: when it is asked to go on there, it may have worked on
 * that for as long as the bytes of the read-ahead take it.
 */
class PageCacheReads final : public PageCacheModel
{
  public:
    /** @param values of its parameters */
    explicit PageCacheReads(const NamedValues& values)
        : PageCacheModel(values),
          m_cached(static_cast<uint64_t>(STORAGE_CACHED.Of(values))),
          m_aheadNs(GetDisk().OfBytes(static_cast<uint64_t>(STORAGE_READ_AHEAD.Of(values))))
    {
    }

  private:
    /** The disk of a node. */
    struct Disk
    {
        uint64_t next{0};                //!< byte of the file behind what it was asked for
        std::optional<int64_t> doneNs{}; //!< when it has read that; none: it has read nothing yet
    };

    int64_t AskDisk(const StorageRequest& request, int64_t beginNs) override
    {
        const uint64_t end = request.offset + request.bytes;
        if (end <= m_cached)
        {
            return beginNs;
        }
        // What is in memory at the beginning of the file is no reason to seek behind it
        Disk& disk = m_disks.try_emplace(request.node, Disk{.next = m_cached}).first->second;
        const uint64_t offset = std::max(request.offset, m_cached);
        const bool seeks = offset != disk.next;
        const int64_t fromNs =
            disk.doneNs && !seeks ? std::max(*disk.doneNs, beginNs - m_aheadNs) : beginNs;
        disk.next = end;
        disk.doneNs = AddStorageNs(fromNs, GetDisk().Of(end - offset, seeks, request.others));
        return *disk.doneNs;
    }

    uint64_t m_cached;                //!< bytes at the beginning of the file that are in memory
    int64_t m_aheadNs;                //!< how long the disk takes for those it may be ahead, ns
    std::map<uint32_t, Disk> m_disks; //!< by node
};

/**
 * Writes. A block is done when it is in memory, as long as no more than the allowed number of bytes
 * wait there for the disk, which writes them back in the order in which they came, all the time.
 */
class PageCacheWrites final : public PageCacheModel
{
  public:
    /** @param values of its parameters */
    explicit PageCacheWrites(const NamedValues& values)
        : PageCacheModel(values),
          m_dirty(static_cast<uint64_t>(STORAGE_DIRTY.Of(values)))
    {
    }

  private:
    /** Bytes of a request that wait for the disk, counted among all that were written. */
    struct Waiting
    {
        uint64_t begin; //!< bytes before them
        uint64_t end;   //!< bytes, these included
        int64_t doneNs; //!< when the disk has them
    };

    /** The disk of a node. */
    struct Disk
    {
        uint64_t next{0};              //!< byte of the file behind the last request
        uint64_t written{0};           //!< bytes so far
        int64_t freeNs{0};             //!< when it has them all
        std::deque<Waiting> waiting{}; //!< in order
    };

    int64_t AskDisk(const StorageRequest& request, int64_t beginNs) override
    {
        Disk& disk = m_disks[request.node];
        const bool seeks = request.offset != disk.next;
        const uint64_t before = disk.written;
        disk.next = request.offset + request.bytes;
        disk.written += request.bytes;
        disk.freeNs = AddStorageNs(std::max(disk.freeNs, beginNs),
                                   GetDisk().Of(request.bytes, seeks, request.others));
        disk.waiting.push_back({before, disk.written, disk.freeNs});
        // All that came earlier than the bytes that may wait has to be on the disk
        const uint64_t needed = disk.written - std::min(disk.written, m_dirty);
        auto& waiting = disk.waiting;
        while (!waiting.empty() &&
               (waiting.front().doneNs <= beginNs || waiting.front().end < needed))
        {
            waiting.pop_front();
        }
        if (waiting.empty() || needed <= waiting.front().begin)
        {
            return beginNs;
        }
        const Waiting& last = waiting.front();
        return last.doneNs - GetDisk().OfBytes(last.end - needed);
    }

    uint64_t m_dirty;                 //!< bytes that may wait
    std::map<uint32_t, Disk> m_disks; //!< by node
};

} // namespace

StorageKind
DeclarePageCacheStorage()
{
    return {
        .name = "page-cache",
        .help = "a disk behind a page cache at each node, with write-back and read-ahead",
        .parameters = {&STORAGE_RATE,
                       &STORAGE_LATENCY,
                       &STORAGE_SEEK,
                       &STORAGE_OPEN,
                       &STORAGE_CONTENTION,
                       &STORAGE_MEMORY_RATE,
                       &STORAGE_DIRTY,
                       &STORAGE_CACHED,
                       &STORAGE_READ_AHEAD},
        .make = [](const NamedValues& values, bool writes) -> std::unique_ptr<StorageModel> {
            if (writes)
            {
                return std::make_unique<PageCacheWrites>(values);
            }
            return std::make_unique<PageCacheReads>(values);
        },
    };
}

} // namespace ns3::gridftp
