/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_REMOTE_H
#define GRIDFTP_DATA_TRANSFER_REMOTE_H

#include "gridftp-control-channel.h"
#include "gridftp-data-transfer.h"
#include "gridftp-dtp-text.h"

#include "ns3/address.h"
#include "ns3/node.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Where a data transfer process is that is apart. */
struct RemoteSettings
{
    Ptr<Node> node;  //!< of its protocol interpreter
    TypeId tcp;      //!< of the connection to it
    Address address; //!< where a DataTransferProcess waits
    uint32_t window; //!< W of data connections, bytes, until it is set
};

/**
 * @ingroup gridftp
 * A data transfer process on another node, as its protocol interpreter sees it: says what is to be
 * done to a DataTransferProcess, over a connection that it opens when there is something to say
 * first, and keeps.
 */
class RemoteDataTransfer : public DataTransfer
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    RemoteDataTransfer();

    /**
     * @param settings where it is
     * @param owner is told; outlives it
     * @param stripe which data transfer process of its owner it is
     */
    void Configure(const RemoteSettings& settings, DataTransferOwner& owner, uint32_t stripe);

    // DataTransfer
    void SetReceiveWindow(uint32_t bytes) override;
    void SetSendWindow(uint32_t bytes) override;
    void Listen(Ipv4Address own) override;
    void SetPeers(const std::vector<HostPort>& peers) override;
    void Receive(const ReceiveOrder& order) override;
    void Send(const SendOrder& order) override;
    void Finish(bool keep) override;
    void End() override;
    void Abort() override;
    void Reset() override;
    void Kill() override;

  protected:
    void DoDispose() override;

  private:
    /** Says something, when the connection is up. @param command what to do */
    void Say(const DtpCommand& command);

    /** Opens the connection. */
    void Connect();

    /** Says a last word, where there is a connection, and closes it. @param verb the word */
    void Close(DtpVerb verb);

    /** A line has come. @param line the line, or why it is none */
    void HandleLine(const TextResult<std::string>& line);

    /** It tells something. @param notice what */
    void HandleNotice(const DtpNotice& notice);

    /** The connection is up. @param socket the socket */
    void HandleConnected(Ptr<Socket> socket);

    /** The connection is refused. @param socket the socket */
    void HandleRefused(Ptr<Socket> socket);

    /** The connection is gone, or what came over it makes no sense. @param reason for a person */
    void HandleLost(std::string reason);

    RemoteSettings m_settings;           //!< where it is
    DataTransferOwner* m_owner{nullptr}; //!< is told
    uint32_t m_stripe{0};                //!< which one of its owner's
    Ptr<ControlChannel> m_channel;       //!< the connection; null where there is none
    bool m_connected{false};             //!< the connection is up
    std::string m_unsaid;                //!< lines to be said then
    std::vector<HostPort> m_peers;       //!< where the receivers listen
    uint32_t m_receiveWindow{0};         //!< W of connections on which it receives, bytes
    uint32_t m_sendWindow{0};            //!< W of connections on which it sends, bytes
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_REMOTE_H
