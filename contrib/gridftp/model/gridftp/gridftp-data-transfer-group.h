/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_GROUP_H
#define GRIDFTP_DATA_TRANSFER_GROUP_H

#include "gridftp-data-transfer-local.h"

#include "ns3/address.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A protocol interpreter, as its data transfer processes see it. */
class DataTransferUser
{
  public:
    virtual ~DataTransferUser() = default;

    /** Listen() is answered. @param listeners where they listen, one per stripe; empty where one
     * of them cannot */
    virtual void HandleListening(const std::vector<HostPort>& listeners) = 0;

    /** Receive() or Send() is answered: all of them are ready. */
    virtual void HandleReady()
    {
    }

    /**
     * Some time of a transfer has passed.
     * @param stripe which one of them
     * @param bytes that it has received so far
     * @param endsRound each of them has told since the last time that this was so
     */
    virtual void HandleBytes(uint32_t /* stripe */, uint64_t /* bytes */, bool /* endsRound */)
    {
    }

    /** All of them are done with the chunk. */
    virtual void HandleDone() = 0;

    /** One of them cannot go on. @param code reply code, 425 or 426 @param reason for a person */
    virtual void HandleTransferFailed(int code, std::string reason) = 0;
};

/** @ingroup gridftp @brief Data transfer processes that are not on the node of their user. */
struct DataTransfersApart
{
    TypeId tcp;                     //!< of the connections to them
    std::vector<Address> addresses; //!< where they wait, by stripe; none: there is one, on the node
};

/**
 * @ingroup gridftp
 * The data transfer processes of a protocol interpreter, one per stripe: it tells all of them what
 * to do, and is told when all of them have done it.
 */
class DataTransferGroup : private DataTransferOwner
{
  public:
    DataTransferGroup();
    ~DataTransferGroup() override;

    DataTransferGroup(const DataTransferGroup&) = delete;
    DataTransferGroup& operator=(const DataTransferGroup&) = delete;

    /**
     * @param settings of the one on the node of its user; those apart have their own
     * @param apart those apart, in its place
     * @param user is told; outlives it
     */
    void Configure(const DataTransferSettings& settings,
                   const DataTransfersApart& apart,
                   DataTransferUser& user);

    /** Lets go of everything. */
    void Dispose();

    /** @return the one on the node of its user, for its counts and traces; idle where others are
     * apart */
    Ptr<LocalDataTransfer> GetLocal() const
    {
        return m_local;
    }

    /** @return whether HandleListening() or HandleReady() has yet to come */
    bool IsAwaited() const
    {
        return m_awaited > 0;
    }

    /** @return how many stripes there are */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_transfers.size());
    }

    /** @return bytes of each stripe's part of the chunk that is done */
    const std::vector<uint64_t>& GetBytes() const
    {
        return m_bytes;
    }

    /** @return of the chunk that is done, where pairs of stripes have numbers of connections of
     * their own: from Send() to the last acknowledgement of each, ns */
    std::vector<int64_t> GetElapsedNs() const;

    /** @return of the file: what they have of the chunk under way, as far as they have told, with
     * what was held before; the one on the node of its user tells now */
    MarkerRanges FindRanges();

    /** @return bytes of the chunk that were held before */
    uint64_t GetHeldBytes() const
    {
        return CountBytes(m_held);
    }

    /**
     * @name What all of them do, see DataTransfer
     * @{
     */
    void SetReceiveWindow(uint32_t bytes);
    void SetSendWindow(uint32_t bytes);
    void SetProtection(Protection protection);
    void SetModule(const ModuleCall& module, ModuleEnd end, uint64_t fileBytes);
    void Listen(Ipv4Address own);
    void SetPeers(const std::vector<HostPort>& peers);
    void Receive(const ReceiveOrder& order);
    void Send(const SendOrder& order);
    void Finish(bool keep);
    void End();
    void Abort();
    void Reset();
    void Kill();
    /** @} */

  private:
    // DataTransferOwner
    void HandleListening(uint32_t stripe, const std::optional<HostPort>& listener) override;
    void HandleReady(uint32_t stripe) override;
    void HandleBytes(uint32_t stripe, uint64_t bytes, const MarkerRanges& ranges) override;
    void HandleDone(uint32_t stripe,
                    uint64_t bytes,
                    const std::vector<int64_t>& elapsedNs) override;
    void HandleFailed(uint32_t stripe, int code, const std::string& reason) override;

    /** A chunk begins. @param held of it before */
    void Begin(const MarkerRanges& held);

    /** A stripe has told. @param stripe which @return whether each of them has, since this was so
     * the last time */
    bool EndsRound(uint32_t stripe);

    /** All are done: tells the user, unless bytes are missing. */
    void Conclude();

    DataTransferUser* m_user{nullptr};             //!< is told
    Ptr<LocalDataTransfer> m_local;                //!< on the node of its user
    std::vector<Ptr<DataTransfer>> m_transfers;    //!< one per stripe
    std::vector<HostPort> m_listeners;             //!< where they listen
    uint32_t m_peers{1};                           //!< to how many stripes they send
    std::optional<uint64_t> m_expected;            //!< bytes of all stripes, where it is known
    std::vector<uint64_t> m_bytes;                 //!< see GetBytes()
    std::vector<std::vector<int64_t>> m_elapsedNs; //!< see GetElapsedNs(), by stripe
    MarkerRanges m_held;                           //!< of the chunk before, see ReceiveOrder
    std::vector<MarkerRanges> m_ranges;            //!< of each stripe, as it told them last
    std::vector<bool> m_hasTold;                   //!< which have, in this round
    size_t m_awaited{0};                           //!< that have not answered
    size_t m_busy{0};                              //!< that are not done
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_GROUP_H
