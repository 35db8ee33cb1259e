/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_REMOTE_DATA_TRANSFER_H
#define GRIDFTP_REMOTE_DATA_TRANSFER_H

#include "gridftp-control-channel.h"
#include "gridftp-data-transfer.h"
#include "gridftp-dtp-text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Where a data transfer process on another host is. */
struct RemoteSettings
{
    std::string tcp;    //!< congestion control of the connection to it
    HostPort address;   //!< where it listens
    uint32_t window{0}; //!< W of data connections, bytes, until it is set
};

/**
 * @ingroup gridftp
 * A data transfer process on another host, as its protocol interpreter uses it. It sends orders to
 * a DataTransferService over a connection that it opens for the first order, and keeps open.
 */
class RemoteDataTransfer final : public DataTransfer
{
  public:
    /** @param host of its protocol interpreter; outlives it @param settings where the process is
     * @param owner called; outlives it @param stripe which data transfer process of its owner it is
     */
    RemoteDataTransfer(DataHost& host,
                       const RemoteSettings& settings,
                       DataTransferOwner& owner,
                       uint32_t stripe);

    // DataTransfer
    void SetReceiveWindow(uint32_t bytes) override;
    void SetSendWindow(uint32_t bytes) override;
    void Listen(Nanoseconds now, uint32_t own) override;
    void SetPeers(Nanoseconds now, const std::vector<HostPort>& peers) override;
    void Receive(Nanoseconds now, const ReceiveOrder& order) override;
    void Send(Nanoseconds now, const SendOrder& order) override;
    void Finish(Nanoseconds now, bool keep) override;
    void End(Nanoseconds now) override;
    void Abort(Nanoseconds now) override;
    void Reset(Nanoseconds now) override;
    void Kill(Nanoseconds now) override;

  private:
    /** Sends an order, when the connection is established. @param now current simulation time
     * @param command the order */
    void Say(Nanoseconds now, const DtpCommand& command);

    /** Opens the connection. @param now current simulation time */
    void Connect(Nanoseconds now);

    /** Sends a last order, if there is a connection, and closes it. @param now current simulation
     * time @param verb the order */
    void Close(Nanoseconds now, DtpVerb verb);

    /** A line has arrived. @param now current simulation time @param line or why it is none */
    void HandleLine(Nanoseconds now, const TextResult<std::string>& line);

    /** The process reports something. @param now current simulation time @param notice what */
    void HandleNotice(Nanoseconds now, const DtpNotice& notice);

    /** The connection is established. @param now current simulation time */
    void HandleConnected(Nanoseconds now);

    /** The connection is lost, or the peer is no data transfer process. @param now current
     * simulation time @param reason for people */
    void Fail(Nanoseconds now, const std::string& reason);

    DataHost& m_host;                          //!< of its protocol interpreter
    RemoteSettings m_settings;                 //!< where the process is
    DataTransferOwner& m_owner;                //!< called
    uint32_t m_stripe;                         //!< which one of its owner's
    std::shared_ptr<ControlChannel> m_channel; //!< the connection; null: none
    bool m_isConnected{false};                 //!< the connection is established
    std::string m_unsent;                      //!< lines to send then
    std::vector<HostPort> m_peers;             //!< where the receivers listen
    uint32_t m_receiveWindow;                  //!< W of connections on which it receives, bytes
    uint32_t m_sendWindow;                     //!< W of connections on which it sends, bytes
};

} // namespace ns3::gridftp

#endif // GRIDFTP_REMOTE_DATA_TRANSFER_H
