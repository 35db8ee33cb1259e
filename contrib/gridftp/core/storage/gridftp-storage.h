/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STORAGE_H
#define GRIDFTP_STORAGE_H

#include "gridftp-nanoseconds.h"
#include "gridftp-scenario.h"
#include "gridftp-storage-kind.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a storage was asked for. */
struct StorageUse
{
    uint64_t requests{0}; //!< reads or writes
    uint64_t seeks{0};    //!< of these, not where the last one of the node ended
    uint64_t bytes{0};    //!< read or written
    int64_t busyNs{0};    //!< sum of what they took, ns; of several nodes each counts

    bool operator==(const StorageUse&) const = default;
};

/** @ingroup gridftp @brief What a node's device was asked for in a second. */
struct StorageSecond
{
    uint64_t requests{0}; //!< reads or writes
    uint64_t bytes{0};    //!< of these

    bool operator==(const StorageSecond&) const = default;
};

/** @ingroup gridftp @brief The same of each second of a simulation, and of each node. */
using StorageSeconds = std::vector<std::vector<StorageSecond>>;

/**
 * @ingroup gridftp
 * What one end of a session reads from or writes to: one file system, with a device for each node
 * of that end. Both engines have one for each end whose storage is timed.
 *
 * - A device serves one request at a time, in the order in which it is asked.
 * - A request is a seek where it is not for the byte behind the last one of the same device. A
 *   device begins at the beginning of the file, so that a file from one end to the other seeks
 *   nowhere.
 * - The file is opened anew by each transfer command, at each node: the first request after that
 *   pays for it, of whichever data connection.
 * - What a request takes is known when it is asked: nothing that comes later overtakes it. The
 *   server of the Grid Community Toolkit writes one block at a time, too, but of those that wait
 *   the one with the least offset (globus_l_gfs_file_dispatch_write()).
 */
class Storage
{
  public:
    /** An opening that nobody has to pay for. */
    static constexpr uint32_t OPEN{0};

    /** @param kind of storage, with a model @param values of its parameters @param writes it is
     * written to, else read */
    Storage(const StorageKind& kind, const NamedValues& values, bool writes);

    /** A node opens the file. @return the opening, for the requests that follow from it */
    uint32_t Open();

    /**
     * A node is asked for a block. It serves them in the order of the calls.
     * @param node which, from 0
     * @param now when it is asked, which may be later than now
     * @param offset in the file, bytes
     * @param bytes at least 1
     * @param opening of the file at that node, see Open()
     * @return when it is done
     */
    Nanoseconds Ask(uint32_t node,
                    Nanoseconds now,
                    uint64_t offset,
                    uint64_t bytes,
                    uint32_t opening = OPEN);

    /**
     * A node starts and completes nothing for a while: what it serves or has been asked for is done
     * later by what remains of that.
     * @param node which, from 0
     * @param beginNs from when on
     * @param endNs until when
     */
    void Stall(uint32_t node, int64_t beginNs, int64_t endNs);

    /** @return what it was asked for so far */
    const StorageUse& GetUse() const
    {
        return m_use;
    }

    /** The seconds that are kept. */
    static constexpr int64_t MOST_SECONDS = 86'400;

    /** @return by node and second, what was asked for, at most MOST_SECONDS */
    StorageSeconds GetSeconds() const;

    /** @param node which @param now ns @return whether it has requests that it has not served */
    bool IsServing(uint32_t node, int64_t now) const
    {
        return node < m_devices.size() && m_devices[node].freeNs > now;
    }

  private:
    /** A time in which a device stands still. */
    struct Standstill
    {
        int64_t beginNs; //!< from when on
        int64_t endNs;   //!< until when
    };

    /** The device of a node. */
    struct Device
    {
        uint64_t next{0};                 //!< byte of the file behind the last request
        int64_t freeNs{0};                //!< when it has served all requests
        std::deque<int64_t> underWay{};   //!< when each is done that was, when last asked, in order
        std::vector<Standstill> stalls{}; //!< in order, disjoint

        std::vector<StorageSecond> seconds{}; //!< what it was asked for, by second
    };

    /** @param node which @return its device */
    Device& GetDevice(uint32_t node);

    /** @param device which is asked @param now when @param bytes for how many */
    static void Count(Device& device, Nanoseconds now, uint64_t bytes);

    /** @param device which @param startNs when it starts to serve @param ns how long that takes
     * @return when it is done */
    static int64_t FindDone(const Device& device, int64_t startNs, int64_t ns);

    /** @param device which @param untilNs any time @return how long it has stood still by then */
    static int64_t CountStalled(const Device& device, int64_t untilNs);

    std::unique_ptr<StorageModel> m_model; //!< how long requests take
    std::vector<bool> m_isPaid{true};      //!< by opening: it has had its first request
    std::vector<Device> m_devices;         //!< by node
    StorageUse m_use;                      //!< see GetUse()
};

/** @ingroup gridftp @param spec of an end @param writes it is the one that receives @return its
 * storage; null where that costs nothing */
std::shared_ptr<Storage> MakeStorage(const StorageSpec& spec, bool writes = false);

/** @ingroup gridftp @param scenario resolved @return what a shared host of servers reads from, a
 * device for all of them; null where that costs nothing */
std::shared_ptr<Storage> MakeSharedSource(const Scenario& scenario);

/**
 * @ingroup gridftp
 * @param scenario with its faults
 * @param session index of a session
 * @param receives whether it is of the end that receives the data
 * @return what that end reads from or writes to, as MakeStorage(); it stalls as the faults say
 */
std::shared_ptr<Storage> MakeStorage(const Scenario& scenario, size_t session, bool receives);

/** @ingroup gridftp @brief Where a connection's data are read or written. */
struct StoragePlace
{
    Storage* storage{nullptr};       //!< outlives what uses it; null: it costs nothing
    uint32_t node{0};                //!< of the storage
    uint64_t offset{0};              //!< of the chunk in the file, bytes
    uint32_t depth{1};               //!< blocks of a connection that may be under way
    uint32_t opening{Storage::OPEN}; //!< of the file, as the transfer command had it

    /** @return whether it takes time */
    bool IsTimed() const
    {
        return storage != nullptr;
    }

    /** A transfer command has the file opened there. @return the opening */
    uint32_t Open() const
    {
        return storage ? storage->Open() : Storage::OPEN;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_STORAGE_H
