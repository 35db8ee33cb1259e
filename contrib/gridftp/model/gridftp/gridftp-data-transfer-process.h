/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_PROCESS_H
#define GRIDFTP_DATA_TRANSFER_PROCESS_H

#include "gridftp-data-transfer-service.h"
#include "gridftp-secured-application.h"
#include "gridftp-session-sockets.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A data transfer process (DTP) on a node of its own: one stripe of a client or server, whose
 * protocol interpreter is elsewhere and tells it over a connection what to do (Allcock et al.,
 * Section 5).
 */
class DataTransferProcess : public SecuredApplication, private ListenUser
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    DataTransferProcess();
    ~DataTransferProcess() override;

    /** @return counts over the data connections that it sent on, by receiver, in the order of
     * StripePlan */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** @return receive buffers of data connections on which it received */
    BufferTally GetBufferTally() const;

    /** @return bytes of chunks, complete or not, that it has stored */
    uint64_t GetStoredBytes() const;

    /**
     * It is killed: resets all its connections, and refuses others until it is there again.
     * @param duration after which that is; 0: never
     */
    void Die(Time duration);

    /**
     * A foreign host connects to its data port, if that is open, and closes.
     * @param duration after which it closes; 0: never
     */
    void AcceptForeign(Time duration);

    /**
     * A data connection that it has accepted is reset from within its host.
     * @param socket the connection
     */
    void BreakAccepted(Ptr<Socket> socket);

    /**
     * A data connection that it sends on is reset from within its host.
     * @param connection index among the connections of all stripes
     */
    void BreakOpened(uint32_t connection);

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** Waits for protocol interpreters. */
    void Listen();

    /** It is there again, after Die(). */
    void Revive();

    /** Waits no more. */
    void CloseListener();

    /** The service of a protocol interpreter that has connected. */
    struct Connected
    {
        /** @param node of the process @param control host of the connection @param monitor see
         * SessionSockets */
        Connected(Ptr<Node> node, DataHost& control, SessionMonitor* monitor)
            : sockets(node, monitor),
              service({control, sockets.GetSender(), sockets.GetReceiver()})
        {
        }

        SessionSockets sockets;      //!< of data connections
        DataTransferService service; //!< executes orders
    };

    // ListenUser
    StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) override;

    uint16_t m_port{0};                                 //!< where protocol interpreters arrive
    TypeId m_controlTcp;                                //!< TCP of the connections to them
    TypeId m_dataTcp;                                   //!< TCP of the data connections
    Layout m_layout{};                                  //!< who carries which block
    uint64_t m_blockBytes{0};                           //!< payload of a block
    Time m_startJitter;                                 //!< how late its data connections start
    Time m_markerInterval;                              //!< between two reports of what has come
    bool m_rangeMarkers{false};                         //!< reports tell ranges, too
    Time m_stallTimeout;                                //!< limit of waits for data
    bool m_isDead{false};                               //!< see Die()
    EventId m_revival;                                  //!< the end of that
    uint64_t m_session{0};                              //!< key of the jitter draws
    Ptr<SocketHost> m_control;                          //!< connections of protocol interpreters
    std::vector<std::unique_ptr<Connected>> m_services; //!< one for each of them
    TracedCallback<Ptr<Socket>, uint64_t, uint32_t> m_connection; //!< it opens a data connection
    TracedCallback<Ptr<Socket>> m_dataAccepted;                   //!< it has accepted one
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_PROCESS_H
