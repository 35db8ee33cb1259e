/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-storage-kind.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/**
 * @ingroup gridftp
 * RPCs of a node that may be under way. 16 are what the RPC client of Linux began with
 * (RPC_DEF_SLOT_TABLE), 65536 the most that it has (RPC_MAX_SLOT_TABLE_LIMIT), both in
 * include/linux/sunrpc/xprt.h.
 */
constexpr StorageParameter STORAGE_SLOTS{.name = "slots",
                                         .key = "slots",
                                         .defaultText = "16",
                                         .help = "most RPCs in progress",
                                         .dimension = Dimension::COUNT,
                                         .maximum = 65'536,
                                         .isRequired = true};

/**
 * A file system of another host, as NFS. A node moves a block by RPCs, which it sends as soon as
 * one of its slots is free; their bytes take their time at the rate one after the other, and each
 * RPC the latency behind that: the round trip, and what the server does. The block is done when
 * all of its RPCs are; a node moves one block at a time.
 */
class NfsModel final : public StorageModel
{
  public:
    /** @param values of its parameters */
    explicit NfsModel(const NamedValues& values)
        : m_rateBps(static_cast<uint64_t>(STORAGE_RATE.Of(values))),
          m_latencyNs(STORAGE_LATENCY.Of(values)),
          m_openNs(STORAGE_OPEN.Of(values)),
          m_contentionNs(STORAGE_CONTENTION.Of(values)),
          m_roundBytes(static_cast<uint64_t>(STORAGE_SLOTS.Of(values) * STORAGE_RPC.Of(values)))
    {
        const auto rpcBytes = static_cast<uint64_t>(STORAGE_RPC.Of(values));
        m_roundNs = AddStorageNs(GetStorageNs(rpcBytes, m_rateBps), m_latencyNs);
        m_isFull = GetStorageNs(m_roundBytes - rpcBytes, m_rateBps) >= m_latencyNs;
    }

    int64_t Serve(const StorageRequest& request) override
    {
        const int64_t besides = AddStorageNs(request.opens ? m_openNs : 0,
                                             MultiplyStorageNs(request.others, m_contentionNs));
        return AddStorageNs(besides, Move(request.bytes));
    }

  private:
    /**
     * @param bytes of a block
     * @return how long its RPCs take, ns
     */
    int64_t Move(uint64_t bytes) const
    {
        // Where the first RPC of a round is done before the bytes of its last one are, a slot is
        // always free, and bytes follow each other without a gap. Else all wait for the first one.
        const uint64_t rounds = m_isFull ? 0 : (bytes - 1) / m_roundBytes;
        const uint64_t rest = bytes - rounds * m_roundBytes;
        return AddStorageNs(MultiplyStorageNs(rounds, m_roundNs),
                            AddStorageNs(GetStorageNs(rest, m_rateBps), m_latencyNs));
    }

    uint64_t m_rateBps;     //!< of all RPCs together, bit/s
    int64_t m_latencyNs;    //!< of each RPC, ns
    int64_t m_openNs;       //!< what it takes to open the file, ns
    int64_t m_contentionNs; //!< of each other request, ns
    uint64_t m_roundBytes;  //!< of as many RPCs as there are slots
    int64_t m_roundNs{0};   //!< from one RPC in a slot to the next where these wait, ns
    bool m_isFull{false};   //!< there are slots enough for the rate
};

} // namespace

StorageKind
DeclareNfsStorage()
{
    return {
        .name = "nfs",
        .help = "a file system of another host: each block moves by RPCs",
        .parameters = {&STORAGE_RATE,
                       &STORAGE_LATENCY,
                       &STORAGE_OPEN,
                       &STORAGE_CONTENTION,
                       &STORAGE_RPC,
                       &STORAGE_SLOTS},
        .make = [](const NamedValues& values, bool /* writes */) -> std::unique_ptr<StorageModel> {
            return std::make_unique<NfsModel>(values);
        },
    };
}

} // namespace ns3::gridftp
