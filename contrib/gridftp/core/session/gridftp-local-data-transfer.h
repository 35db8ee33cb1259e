/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LOCAL_DATA_TRANSFER_H
#define GRIDFTP_LOCAL_DATA_TRANSFER_H

#include "gridftp-block-receiver.h"
#include "gridftp-block-sender.h"
#include "gridftp-data-transfer.h"
#include "gridftp-handshake.h"
#include "gridftp-host-alarm.h"
#include "gridftp-module-text.h"
#include "gridftp-stall-timer.h"
#include "gridftp-start-jitter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Settings of a LocalDataTransfer. */
struct DataTransferSettings
{
    std::string tcp{};               //!< congestion control of data connections
    BufferSpec buffers{};            //!< of data connections
    StartJitter jitter{};            //!< random delay of connections on which it sends
    Nanoseconds markerInterval{0};   //!< between two HandleBytes() while it receives; 0: none
    bool recordsRanges{false};       //!< HandleBytes() gets ranges, too
    Nanoseconds stallTimeout{0};     //!< longest wait for data; 0: no limit
    DataSecuritySettings security{}; //!< of data connections, before their first block
};

/**
 * @ingroup gridftp
 * A data transfer process on the host of its owner: a BlockReceiver and a BlockSender. It does at
 * once what its owner orders.
 *
 * Contract: the owner calls Configure() first. Both hosts outlive it.
 */
class LocalDataTransfer final : public DataTransfer,
                                private BlockSender::Owner,
                                private BlockReceiver::Owner
{
  public:
    /** @param sender host of connections on which it sends @param receiver host of those on which
     * it receives */
    LocalDataTransfer(DataHost& sender, DataHost& receiver);

    /** @param settings of it @param owner called; outlives it @param stripe which data transfer
     * process of its owner it is */
    void Configure(const DataTransferSettings& settings, DataTransferOwner& owner, uint32_t stripe);

    /** @return what sends */
    BlockSender& GetSender()
    {
        return m_sender;
    }

    /** @return what receives */
    BlockReceiver& GetReceiver()
    {
        return m_receiver;
    }

    /** @return what receives */
    const BlockReceiver& GetReceiver() const
    {
        return m_receiver;
    }

    /** The process is killed: its connections and its listener are gone, and it refuses all orders
     * for some time. @param now current simulation time @param until when it works again */
    void Die(Nanoseconds now, Nanoseconds until);

    /** The process was killed before. @param until when it works */
    void StayDead(Nanoseconds until)
    {
        m_deadUntil = until;
    }

    /** @param protection of data channels from now on */
    void SetProtection(Protection protection);

    /** @param module that processes the file from now on; none: the file stays as it is @param end
     * where the module runs @param fileBytes of a file that it sends */
    void SetModule(const ModuleCall& module, ModuleEnd end, uint64_t fileBytes);

    /** @return whether no transfer is under way */
    bool IsIdle() const
    {
        return !m_isBusy;
    }

    /** Releases all connections and timers. @param now current simulation time */
    void Dispose(Nanoseconds now);

    // DataTransfer
    void SetReceiveWindow(uint32_t bytes) override;
    void SetSendWindow(uint32_t bytes) override;
    void Listen(Nanoseconds now, uint32_t own) override;
    void SetPeers(Nanoseconds now, const std::vector<HostPort>& peers) override;
    void Receive(Nanoseconds now, const ReceiveOrder& order) override;
    void Send(Nanoseconds now, const SendOrder& order) override;
    void Finish(Nanoseconds now, bool keep) override;
    void Abort(Nanoseconds now) override;
    void Reset(Nanoseconds now) override;

  private:
    // BlockSender::Owner, BlockReceiver::Owner
    void HandleSent(Nanoseconds now) override;
    void HandleSendFailed(Nanoseconds now, const TransferFailure& failure) override;
    void HandleReceived(Nanoseconds now) override;
    void HandleReceiveFailed(Nanoseconds now, const TransferFailure& failure) override;

    /** @param processing of blocks that it sends and receives from now on */
    void SetProcessing(const ProcessingSpec& processing);

    /** No transfer is under way any more. */
    void Rest();

    /** Reports how much is stored, and sets the alarm for the next report. @param now current
     * simulation time */
    void ReportBytes(Nanoseconds now);

    /** No data have arrived, or been stored, for too long. @param now current simulation time */
    void HandleStalled(Nanoseconds now);

    /** @param now current simulation time @return whether it was killed and does not work again yet
     */
    bool IsDead(Nanoseconds now) const
    {
        return now < m_deadUntil;
    }

    /** The chunk cannot go on. @param now current simulation time @param failure why */
    void Fail(Nanoseconds now, const TransferFailure& failure);

    DataHost& m_host;                    //!< of its timers
    BlockSender m_sender;                //!< sends
    BlockReceiver m_receiver;            //!< receives
    DataTransferOwner* m_owner{nullptr}; //!< called
    uint32_t m_stripe{0};                //!< which one of its owner's
    Nanoseconds m_markerInterval{0};     //!< between two reports
    HostAlarm m_markerAlarm;             //!< of the next report
    StallTimer m_stall;                  //!< limit of its wait for data
    bool m_isBusy{false};                //!< a transfer is under way
    Nanoseconds m_deadUntil{0};          //!< see Die()
    bool m_lostListener{false};          //!< it was killed after its owner called Listen()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LOCAL_DATA_TRANSFER_H
