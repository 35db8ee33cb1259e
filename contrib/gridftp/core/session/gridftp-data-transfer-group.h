/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_GROUP_H
#define GRIDFTP_DATA_TRANSFER_GROUP_H

#include "gridftp-local-data-transfer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The protocol interpreter that uses a DataTransferGroup.
 *
 * Contract: the group calls it, perhaps inside the functions of the group.
 */
class DataTransferUser
{
  public:
    virtual ~DataTransferUser() = default;

    /** Answers Listen(). @param now current simulation time @param listeners where the stripes
     * listen, one each; empty: one of them cannot */
    virtual void HandleListening(Nanoseconds now, const std::vector<HostPort>& listeners) = 0;

    /** Answers Receive() or Send(): all stripes are ready. @param now current simulation time */
    virtual void HandleReady(Nanoseconds /* now */)
    {
    }

    /** A marker interval has passed while a stripe receives. @param now current simulation time
     * @param stripe which @param bytes that it has stored so far @param endsRound whether each
     * stripe has reported since the last time that this was true */
    virtual void HandleBytes(Nanoseconds /* now */,
                             uint32_t /* stripe */,
                             uint64_t /* bytes */,
                             bool /* endsRound */)
    {
    }

    /** The chunk is complete at all stripes. @param now current simulation time */
    virtual void HandleDone(Nanoseconds now) = 0;

    /** A stripe cannot go on. @param now current simulation time @param failure code of the reply,
     * and why */
    virtual void HandleTransferFailed(Nanoseconds now, const TransferFailure& failure) = 0;
};

/** @ingroup gridftp @brief Data transfer processes on other hosts than their protocol interpreter.
 */
struct RemoteTransfers
{
    std::string tcp{};                 //!< congestion control of the connections to them
    std::vector<HostPort> addresses{}; //!< where they listen, by stripe; none: there is one, on the
                                       //!< host of the protocol interpreter
};

/** @ingroup gridftp @brief The hosts that a session uses. Each has listeners of its own. */
struct ChannelHosts
{
    DataHost& control;  //!< of control connections, timers and CPU
    DataHost& sender;   //!< of data connections on which it sends
    DataHost& receiver; //!< of data connections on which it receives
};

/**
 * @ingroup gridftp
 * The data transfer processes of a protocol interpreter, one for each stripe. It passes each order
 * to all of them, and calls the user when all have answered.
 */
class DataTransferGroup final : private DataTransferOwner
{
  public:
    /** @param hosts of the session; outlive it */
    explicit DataTransferGroup(const ChannelHosts& hosts);
    ~DataTransferGroup() override;

    DataTransferGroup(const DataTransferGroup&) = delete;
    DataTransferGroup& operator=(const DataTransferGroup&) = delete;

    /** @param settings of the one on the host of its user; those on other hosts have their own
     * @param remote those on other hosts, which replace it @param user called; outlives it */
    void Configure(const DataTransferSettings& settings,
                   const RemoteTransfers& remote,
                   DataTransferUser& user);

    /** Releases all connections and timers. @param now current simulation time */
    void Dispose(Nanoseconds now);

    /** @return the one on the host of its user; idle where others replace it */
    LocalDataTransfer& GetLocal()
    {
        return m_local;
    }

    /** @return the one on the host of its user; idle where others replace it */
    const LocalDataTransfer& GetLocal() const
    {
        return m_local;
    }

    /** @return whether HandleListening() or HandleReady() is due */
    bool IsAwaited() const
    {
        return m_awaited > 0;
    }

    /** @return number of stripes */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_transfers.size());
    }

    /** @return bytes of each stripe's part of the chunk that is complete */
    const std::vector<uint64_t>& GetBytes() const
    {
        return m_bytes;
    }

    /** @return of the chunk that is complete, where pairs of stripes have numbers of connections of
     * their own: from Send() to the last acknowledgement of each, ns */
    std::vector<int64_t> GetElapsedNs() const;

    /** @param now current simulation time @return of the file: what they have of the chunk under
     * way, as far as they have reported, with what was held before; the one on the host of its user
     * reports now */
    MarkerRanges FindRanges(Nanoseconds now);

    /** @return bytes of the chunk that were held before */
    uint64_t GetHeldBytes() const
    {
        return CountBytes(m_held);
    }

    /**
     * @name Orders to all of them, see DataTransfer and LocalDataTransfer
     * @{
     */
    void SetReceiveWindow(uint32_t bytes);
    void SetSendWindow(uint32_t bytes);
    void SetProtection(Protection protection);
    void SetModule(const ModuleCall& module, ModuleEnd end, uint64_t fileBytes);
    void Listen(Nanoseconds now, uint32_t own);
    void SetPeers(Nanoseconds now, const std::vector<HostPort>& peers);
    void Receive(Nanoseconds now, const ReceiveOrder& order);
    void Send(Nanoseconds now, const SendOrder& order);
    void Finish(Nanoseconds now, bool keep);
    void End(Nanoseconds now);
    void Abort(Nanoseconds now);
    void Reset(Nanoseconds now);
    void Kill(Nanoseconds now);
    /** @} */

  private:
    // DataTransferOwner
    void HandleListening(Nanoseconds now,
                         uint32_t stripe,
                         const std::optional<HostPort>& listener) override;
    void HandleReady(Nanoseconds now, uint32_t stripe) override;
    void HandleBytes(Nanoseconds now,
                     uint32_t stripe,
                     uint64_t bytes,
                     const MarkerRanges& ranges) override;
    void HandleDone(Nanoseconds now,
                    uint32_t stripe,
                    uint64_t bytes,
                    const std::vector<int64_t>& elapsedNs) override;
    void HandleFailed(Nanoseconds now, uint32_t stripe, const TransferFailure& failure) override;

    /** A chunk begins. @param held of it before */
    void Begin(const MarkerRanges& held);

    /** A stripe has reported. @param stripe which @return whether each of them has, since this was
     * true the last time */
    bool EndsRound(uint32_t stripe);

    /** All are done: calls the user, unless bytes are missing. @param now current simulation time
     */
    void Conclude(Nanoseconds now);

    DataHost& m_control;               //!< of connections to those on other hosts
    DataTransferUser* m_user{nullptr}; //!< called
    LocalDataTransfer m_local;         //!< on the host of its user
    std::vector<std::unique_ptr<DataTransfer>> m_remotes; //!< on other hosts
    std::vector<DataTransfer*> m_transfers;               //!< one for each stripe
    std::vector<HostPort> m_listeners;                    //!< where they listen
    uint32_t m_peers{1};                                  //!< number of stripes that they send to
    std::optional<uint64_t> m_expected;                   //!< bytes of all stripes; none: not known
    std::vector<uint64_t> m_bytes;                        //!< see GetBytes()
    std::vector<std::vector<int64_t>> m_elapsedNs;        //!< see GetElapsedNs(), by stripe
    MarkerRanges m_held;                                  //!< of the chunk before, see ReceiveOrder
    std::vector<MarkerRanges> m_ranges;                   //!< of each stripe, as reported last
    std::vector<bool> m_hasReported;                      //!< which stripes have, in this round
    size_t m_awaited{0};                                  //!< stripes that have not answered
    size_t m_busy{0};                                     //!< stripes that are not done
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_GROUP_H
