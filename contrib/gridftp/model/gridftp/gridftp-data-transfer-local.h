/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_LOCAL_H
#define GRIDFTP_DATA_TRANSFER_LOCAL_H

#include "gridftp-data-transfer.h"
#include "gridftp-module-text.h"
#include "gridftp-stall-timer.h"

#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a data transfer process is given. */
struct DataTransferSettings
{
    Ptr<Node> node;                //!< where its connections begin and end
    TypeId tcp;                    //!< of data connections
    BufferSpec buffers;            //!< of data connections
    StartJitter jitter;            //!< how late those start on which it sends
    Time markerInterval;           //!< between two HandleBytes() while it receives; 0: none
    bool tellsRanges{};            //!< HandleBytes() tells ranges, too
    Time stallTimeout;             //!< the longest that it waits for data; 0: for ever
    DataSecuritySettings security; //!< of data connections, before their first block
    SessionMonitor* monitor{};     //!< of data connections on which it sends; null: none
};

/**
 * @ingroup gridftp
 * A data transfer process at work: receives with a DataReceiver and sends with a DataSender.
 * Whatever it is told it does at once, on the node of who tells it.
 */
class LocalDataTransfer : public DataTransfer
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    LocalDataTransfer();

    /**
     * @param settings for it
     * @param owner is told; outlives it
     * @param stripe which data transfer process of its owner it is
     */
    void Configure(const DataTransferSettings& settings, DataTransferOwner& owner, uint32_t stripe);

    /**
     * Observes its data connections.
     * @param opened called for each that it is about to open, as DataSender's trace source
     * @param accepted called for each that it has accepted, as DataReceiver's trace source
     */
    void Trace(const Callback<void, Ptr<Socket>, uint64_t, uint32_t>& opened,
               const Callback<void, Ptr<Socket>>& accepted);

    /** @return what sends */
    Ptr<DataSender> GetSender() const
    {
        return m_sender;
    }

    /** @return what receives */
    Ptr<DataReceiver> GetReceiver() const
    {
        return m_receiver;
    }

    /**
     * It is killed: its connections and what listens are gone, and it does nothing, until it is
     * there again.
     * @param until when that is
     */
    void Die(Time until);

    /** It has died before it was made. @param until when it is there */
    void StayDead(Time until)
    {
        m_deadUntil = until;
    }

    /** @param protection of data channels from now on */
    void SetProtection(Protection protection);

    /** @param module that makes something else of the file from now on; none: the file goes as it
     * is @param end where it is @param fileBytes of a file that it sends */
    void SetModule(const ModuleCall& module, ModuleEnd end, uint64_t fileBytes);

    // DataTransfer
    void SetReceiveWindow(uint32_t bytes) override;
    void SetSendWindow(uint32_t bytes) override;
    void Listen(Ipv4Address own) override;
    void SetPeers(const std::vector<HostPort>& peers) override;
    void Receive(const ReceiveOrder& order) override;
    void Send(const SendOrder& order) override;
    void Finish(bool keep) override;
    void Abort() override;
    void Reset() override;

  protected:
    void DoDispose() override;

  private:
    /** @param processing of what it sends and receives from now on */
    void SetProcessing(const ProcessingSpec& processing);

    /** No transfer is under way any more. */
    void Rest();

    /** Tells how much has come, and schedules the next time. */
    void TellBytes();

    /** All has been received. */
    void HandleReceived();

    /** All that was sent is acknowledged. */
    void HandleSent();

    /** @return whether it has died, and is not there again */
    bool IsDead() const;

    /** A data connection cannot go on. @param code reply code @param reason for a person */
    void HandleConnectionFailed(int code, std::string reason);

    Ptr<DataSender> m_sender;            //!< sends
    Ptr<DataReceiver> m_receiver;        //!< receives
    DataTransferOwner* m_owner{nullptr}; //!< is told
    uint32_t m_stripe{0};                //!< which one of its owner's
    Time m_markerInterval;               //!< between two TellBytes()
    EventId m_markerEvent;               //!< the next one
    StallTimer m_stall;                  //!< the limit of its wait for data
    bool m_busy{false};                  //!< a transfer is under way
    Time m_deadUntil;                    //!< see Die()
    bool m_hasForgotten{false};          //!< it has died since it was told to listen
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_LOCAL_H
