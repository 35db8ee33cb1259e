/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STORAGE_KIND_H
#define GRIDFTP_STORAGE_KIND_H

#include "gridftp-named-values.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-quantity.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Kinds of storage, the data access stage of a data transfer process (Allcock et al., "The Globus
 * Striped GridFTP Framework and Server", Section 5.2): how one is declared, and the list of them.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Declares a parameter of a storage. Options for either end of a session with their checks, keys in
 * a result and the fields of the lab follow from this; its value is in StorageSpec::values.
 */
struct StorageParameter
{
    std::string_view name;        //!< as in --source-NAME=VALUE and --sink-NAME=VALUE
    std::string_view key;         //!< as in JSON, with the SI unit, behind source_ or sink_
    std::string_view defaultText; //!< as a person would write it
    std::string_view help;        //!< what it is, a few words
    Dimension dimension{};        //!< what its value counts, in smallest units
    int64_t maximum{0};           //!< largest value; the least is 0
    bool isRequired{false};       //!< 0 is no value for a storage that takes it

    /** @param values of a storage @return its own */
    int64_t Of(const NamedValues& values) const
    {
        return static_cast<int64_t>(values.Get(name));
    }
};

/** @ingroup gridftp @brief How fast a node reads or writes, bit/s. */
inline constexpr StorageParameter STORAGE_RATE{.name = "rate",
                                               .key = "rate_bps",
                                               .defaultText = "0Mbps",
                                               .help = "rate of a node",
                                               .dimension = Dimension::RATE,
                                               .maximum = 1'000'000'000'000'000,
                                               .isRequired = true};

/** @ingroup gridftp @brief What each request costs besides, ns. */
inline constexpr StorageParameter STORAGE_LATENCY{.name = "latency",
                                                  .key = "latency_s",
                                                  .defaultText = "0ms",
                                                  .help = "fixed time of each request or RPC",
                                                  .dimension = Dimension::TIME,
                                                  .maximum = 1'000'000'000'000};

/** @ingroup gridftp @brief What a request costs that does not go on where the last one ended, ns.
 */
inline constexpr StorageParameter STORAGE_SEEK{.name = "seek",
                                               .key = "seek_s",
                                               .defaultText = "0ms",
                                               .help = "time of each seek",
                                               .dimension = Dimension::TIME,
                                               .maximum = 1'000'000'000'000};

/** @ingroup gridftp @brief What it costs to open the file: its metadata, ns. */
inline constexpr StorageParameter STORAGE_OPEN{.name = "open",
                                               .key = "open_s",
                                               .defaultText = "0ms",
                                               .help = "time to open the file",
                                               .dimension = Dimension::TIME,
                                               .maximum = 1'000'000'000'000};

/**
 * @ingroup gridftp
 * What a request costs besides for each other one that is under way when it is asked, ns: a disk
 * with many jobs is slower than with one, as SimGrid's tutorial on disks measures it
 * (docs/source/tuto_disk: a SATA disk reads at two thirds of its rate with 15 jobs).
 */
inline constexpr StorageParameter STORAGE_CONTENTION{.name = "contention",
                                                     .key = "contention_s",
                                                     .defaultText = "0ms",
                                                     .help = "extra time for each other "
                                                             "request in progress",
                                                     .dimension = Dimension::TIME,
                                                     .maximum = 1'000'000'000'000};

/** @ingroup gridftp @brief Most bytes that one RPC moves: rsize and wsize of a mount. */
inline constexpr StorageParameter STORAGE_RPC{.name = "rpc",
                                              .key = "rpc_bytes",
                                              .defaultText = "32KiB",
                                              .help = "most bytes per RPC",
                                              .dimension = Dimension::BYTES,
                                              .maximum = 1'073'741'824,
                                              .isRequired = true};

/** @ingroup gridftp @brief What a node is asked for. */
struct StorageRequest
{
    int64_t askedNs{0}; //!< when
    int64_t startNs{0}; //!< when the node has served all that it was asked for before
    int64_t ownNs{0};   //!< the same on a clock of the node that stands still whenever it does
    uint32_t node{0};   //!< which
    uint64_t offset{0}; //!< of the first byte in the file
    uint64_t bytes{0};  //!< to be read or written
    uint64_t others{0}; //!< requests of this node that are under way when it is asked
    bool seeks{false};  //!< it does not go on where the last one of this node ended
    bool opens{false};  //!< it is the first one since the file was opened
};

/** @ingroup gridftp @brief The longest that anything takes, ns: 146 years. */
inline constexpr int64_t LONGEST_STORAGE_NS = int64_t{1} << 62;

/** @ingroup gridftp @param fromNs at most LONGEST_STORAGE_NS @param ns at least 0 @return their
 * sum; at most LONGEST_STORAGE_NS */
constexpr int64_t
AddStorageNs(int64_t fromNs, int64_t ns)
{
    return fromNs + std::min(ns, LONGEST_STORAGE_NS - fromNs);
}

/** @ingroup gridftp @param count how often @param ns at least 0 @return both multiplied; at most
 * LONGEST_STORAGE_NS */
constexpr int64_t
MultiplyStorageNs(uint64_t count, int64_t ns)
{
    const bool isLong = count > 0 && ns > static_cast<int64_t>(LONGEST_STORAGE_NS / count);
    return isLong ? LONGEST_STORAGE_NS : static_cast<int64_t>(count) * ns;
}

/**
 * @ingroup gridftp
 * How long a storage takes. It decides on that alone: Storage counts and keeps order.
 */
class StorageModel
{
  public:
    virtual ~StorageModel() = default;

    /**
     * A node serves a request. Those of one node come in the order of their times.
     * @param request what it is asked for
     * @return how long it takes from StorageRequest::startNs on, ns
     */
    virtual int64_t Serve(const StorageRequest& request) = 0;
};

/** @ingroup gridftp @brief A storage as its source file declares it. All else follows. */
struct StorageKind
{
    std::string_view name;                             //!< as in --source=NAME and --sink=NAME
    std::string_view help;                             //!< one line
    std::vector<const StorageParameter*> parameters{}; //!< all that it takes

    /** Makes its model for one end of a session; null: it costs nothing, and is not asked. @param
     * values of the parameters @param writes what it is asked for is written, else read @return the
     * model */
    std::unique_ptr<StorageModel> (*make)(const NamedValues& values, bool writes){nullptr};

    /** @param parameter any @return whether this kind takes it */
    bool Takes(const StorageParameter& parameter) const;
};

/** @ingroup gridftp @return all kinds of storage, the default first */
std::span<const StorageKind> GetStorageKinds();

/** @ingroup gridftp @param name as in --source=NAME @return the kind, or null */
const StorageKind* FindStorageKind(std::string_view name);

/** @ingroup gridftp @return the parameters of all kinds, each once */
std::span<const StorageParameter* const> GetStorageParameters();

/**
 * @ingroup gridftp
 * @param bytes of any number
 * @param rateBps bit/s, not 0
 * @return how long they take, ns, rounded to the nearest; at most LONGEST_STORAGE_NS
 */
int64_t GetStorageNs(uint64_t bytes, uint64_t rateBps);

} // namespace ns3::gridftp

#endif // GRIDFTP_STORAGE_KIND_H
