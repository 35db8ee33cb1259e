/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVER_H
#define GRIDFTP_SERVER_H

#include "gridftp-secured-application.h"
#include "gridftp-server-memory.h"
#include "gridftp-server-protocol-interpreter.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A GridFTP server: listens for control connections and gives each a protocol interpreter of its
 * own, so that clients do not disturb each other.
 */
class Server : public SecuredApplication, private ListenUser
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    Server();
    ~Server() override;

    /** @param addresses of the DataTransferProcesses that it has in place of one on its node, by
     * stripe; before it starts */
    void SetDataTransferProcesses(const std::vector<Address>& addresses);

    /** @return counts over the data connections that it sent on (downloads) */
    ConnectionTotals GetTotals() const;

    /** @return the same by receiver, in the order of StripePlan */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** @return receive buffers of data connections on which it received (uploads) */
    BufferTally GetBufferTally() const;

    /** @return when each control connection was there, in the order in which they were accepted */
    std::vector<ServerSpan> GetSpans() const;

    /** @return control connections accepted so far */
    uint32_t GetAcceptedCount() const;

    /**
     * The server fails: resets its control connections, now and as soon as one is accepted, with
     * the data connections that belong to them.
     */
    void Fail();

    /** It resets its control connections now; without any, the next one that it accepts. */
    void FailOnce();

    /**
     * As Fail(), but that its process is killed: connections are refused, too, until it is there
     * again.
     * @param duration after which that is; 0: never
     */
    void Die(Time duration);

    /** Fail() is over. */
    void Recover();

    /**
     * It executes and answers no commands that come from now on.
     * @param duration of that; 0: for ever
     */
    void FallSilent(Time duration);

    /**
     * Its final replies to transfers do not reach the client from now on.
     * @param duration of that; 0: for ever
     */
    void LoseReplies(Time duration);

    /**
     * A foreign host connects to the data port of the last client, if that is open, and closes.
     * @param duration after which it closes; 0: never
     */
    void AcceptForeign(Time duration);

    /**
     * It refuses clients that authenticate from now on.
     * @param duration of that; 0: for ever
     */
    void RefuseClients(Time duration);

    /**
     * The data transfer process on its own node is killed.
     * @param duration after which it is there again; 0: never
     */
    void KillDataTransfer(Time duration);

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

    /** @return bytes of chunks, complete or not, that it has stored on its own node */
    uint64_t GetStoredBytes() const;

    int64_t AssignStreams(int64_t stream) override;

    /**
     * A control connection has been accepted.
     * @param interpreter what serves it
     */
    typedef void (*AcceptedTracedCallback)(Ptr<ServerProtocolInterpreter> interpreter);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** Waits for control connections. */
    void Listen();

    /** It is there again, after Die(). */
    void Revive();

    /** Waits no more. */
    void CloseListener();

    // ListenUser
    StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) override;

    /** @return settings of each control connection */
    ServerSettings MakeSettings();

    uint16_t m_port{0};                  //!< where control connections arrive
    TypeId m_controlTcp;                 //!< TCP of the control connections
    TypeId m_dataTcp;                    //!< TCP of the data connections
    uint64_t m_fileBytes{0};             //!< size of the file it serves
    Layout m_layout{};                   //!< who carries which block
    uint64_t m_blockBytes{0};            //!< payload of a block
    uint64_t m_stripeBlock{0};           //!< of a blocked layout of stripes
    std::vector<HostPort> m_stripes;     //!< its data transfer processes that are apart
    Time m_startJitter;                  //!< how late its data connections start
    Time m_markerInterval;               //!< between two 112 markers
    uint64_t m_session{0};               //!< key of the jitter draws
    Ptr<SocketHost> m_control;           //!< its control connections
    std::optional<UniformFiles> m_files; //!< that it serves
    bool m_rangeMarkers{false};          //!< with 112 markers it says 111 ones
    Time m_stallTimeout;                 //!< limit of its waits
    Time m_requestCpu;                   //!< CPU time of each transfer command
    bool m_failed{false};                //!< see Fail()
    bool m_failsNext{false};             //!< see FailOnce()
    bool m_isDead{false};                //!< see Die()
    EventId m_revival;                   //!< the end of Die()
    Time m_silentUntil;                  //!< see FallSilent()
    Time m_refusesUntil;                 //!< see RefuseClients()
    Time m_repliesUntil;                 //!< see LoseReplies()
    Time m_dataDeadUntil;                //!< see KillDataTransfer()
    std::vector<Ptr<ServerProtocolInterpreter>> m_interpreters;   //!< one per control connection
    TracedCallback<Ptr<Socket>, uint64_t, uint32_t> m_connection; //!< it opens a data connection
    TracedCallback<Ptr<Socket>> m_dataAccepted;                   //!< it has accepted one
    TracedCallback<Ptr<ServerProtocolInterpreter>> m_accepted;    //!< a connection is accepted
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVER_H
