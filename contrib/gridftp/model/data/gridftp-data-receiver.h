/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_RECEIVER_H
#define GRIDFTP_DATA_RECEIVER_H

#include "gridftp-block-receiver.h"
#include "gridftp-socket-host.h"

#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <memory>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A BlockReceiver on a node of ns-3: the server has one for uploads, the client for downloads.
 *
 * Contract: the owner calls Configure() once, then uses the machine. The callbacks are those of
 * BlockReceiver::Owner.
 */
class DataReceiver : public Object, private BlockReceiver::Owner
{
  public:
    /** The chunk is complete. */
    using CompletedCallback = Callback<void>;

    /** The transfer cannot go on: reply code (425 or 426) and reason. */
    using FailedCallback = Callback<void, int, std::string>;

    /** @return the TypeId */
    static TypeId GetTypeId();

    DataReceiver();
    ~DataReceiver() override;

    /** @param node where the connections end @param tcp of the connections, see CreateTcpSocket()
     * @param completed called when the chunk is complete @param failed called when it cannot go on
     */
    void Configure(Ptr<Node> node, TypeId tcp, CompletedCallback completed, FailedCallback failed);

    /** @return the machine, after Configure() */
    BlockReceiver& GetMachine() const
    {
        return *m_machine;
    }

    /** BlockReceiver::BreakConnection(). @param socket of the connection; no effect where it is not
     * one of this receiver */
    void BreakConnection(Ptr<Socket> socket);

    /**
     * A data connection has been accepted.
     * @param socket the connection
     */
    typedef void (*AcceptedTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;

  private:
    // BlockReceiver::Owner
    void HandleReceived(Nanoseconds now) override;
    void HandleReceiveFailed(Nanoseconds now, const TransferFailure& failure) override;

    /** A connection was accepted. @param socket of it @param terms of this endpoint */
    void HandleSocket(Ptr<Socket> socket, const StreamTerms& terms);

    CompletedCallback m_completed;            //!< owner's
    FailedCallback m_failed;                  //!< owner's
    Ptr<SocketHost> m_sockets;                //!< its connections
    std::unique_ptr<BlockReceiver> m_machine; //!< receives
    TracedCallback<Ptr<Socket>> m_accepted;   //!< a data connection has been accepted
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_RECEIVER_H
