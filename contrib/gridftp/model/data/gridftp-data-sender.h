/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_SENDER_H
#define GRIDFTP_DATA_SENDER_H

#include "gridftp-block-sender.h"
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
 * A BlockSender on a node of ns-3: the client has one for uploads, the server for downloads.
 *
 * Contract: the owner calls Configure() once, then uses the machine. The callbacks are those of
 * BlockSender::Owner.
 */
class DataSender : public Object, private BlockSender::Owner
{
  public:
    /** Every byte of the chunk is acknowledged. */
    using DrainedCallback = Callback<void>;

    /** The transfer cannot go on: reply code (425 or 426) and reason. */
    using FailedCallback = Callback<void, int, std::string>;

    /** @return the TypeId */
    static TypeId GetTypeId();

    DataSender();
    ~DataSender() override;

    /** @param node where the connections begin @param tcp of the connections, see CreateTcpSocket()
     * @param monitor measures what they send, outlives them; null: nothing does @param drained
     * called when all is acknowledged @param failed called when the transfer cannot go on */
    void Configure(Ptr<Node> node,
                   TypeId tcp,
                   SessionMonitor* monitor,
                   DrainedCallback drained,
                   FailedCallback failed);

    /** @return the machine, after Configure() */
    BlockSender& GetMachine() const
    {
        return *m_machine;
    }

    /**
     * A data connection is about to connect; its socket is bound.
     * @param socket the sending socket
     * @param chunk index of the chunk it is opened for
     * @param connection index among the connections of all stripes
     */
    typedef void (*ConnectionTracedCallback)(Ptr<Socket> socket,
                                             uint64_t chunk,
                                             uint32_t connection);

  protected:
    void DoDispose() override;

  private:
    // BlockSender::Owner
    void HandleSent(Nanoseconds now) override;
    void HandleSendFailed(Nanoseconds now, const TransferFailure& failure) override;

    /** A connection is about to connect. @param socket of it @param terms of this endpoint */
    void HandleSocket(Ptr<Socket> socket, const StreamTerms& terms);

    DrainedCallback m_drained;                                //!< owner's
    FailedCallback m_failed;                                  //!< owner's
    Ptr<SocketHost> m_sockets;                                //!< its connections
    std::unique_ptr<BlockSender> m_machine;                   //!< sends
    TracedCallback<Ptr<Socket>, uint64_t, uint32_t> m_opened; //!< a connection is about to connect
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_SENDER_H
