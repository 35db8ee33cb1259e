/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BBFTP_HOST_H
#define GRIDFTP_BBFTP_HOST_H

#include "gridftp-application-host.h"
#include "gridftp-assigned-ports.h"
#include "gridftp-bbftp-file.h"
#include "gridftp-bbftp.h"
#include "gridftp-byte-stream.h"
#include "gridftp-connection-monitor.h"
#include "gridftp-event-target.h"
#include "gridftp-outage.h"
#include "gridftp-result.h"
#include "gridftp-tool-files.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * bbFTP at one host: the connections, files and faults of a BbftpEnd, which knows the protocol.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Which end of bbFTP a host runs. */
enum class BbftpRole
{
    CLIENT, //!< opens all connections
    SERVER  //!< accepts them
};

/** @ingroup gridftp @brief A fault of a host: it resets a connection. */
struct BbftpFault
{
    Nanoseconds at{0};                    //!< when
    std::optional<uint32_t> connection{}; //!< index of a data connection; none: the control one
};

/** @ingroup gridftp @brief What bbFTP at one host has to know. */
struct BbftpSettings
{
    BbftpRole role{};                 //!< which end
    BbftpTransfer transfer{};         //!< what is to be moved
    ToolFiles files{};                //!< what reads and writes of the file cost
    std::string tcp{};                //!< congestion control of data connections, as of --tcp
    BufferSpec buffers{};             //!< their socket buffers
    uint16_t port{BBFTP_PORT};        //!< of the server's control connection
    uint32_t session{0};              //!< index of the session, for labels of connections
    Outages resets{};                 //!< when a server resets a control connection at once
    std::vector<BbftpFault> faults{}; //!< established connections that this host resets
};

/** @ingroup gridftp @param scenario resolved @param index of a session whose tool is bbFTP @param
 * role of the host @param files of both hosts @return its settings */
BbftpSettings MakeBbftpSettings(const Scenario& scenario,
                                uint32_t index,
                                BbftpRole role,
                                const ToolFiles& files);

/**
 * @ingroup gridftp
 * The owner of a BbftpHost. It has to implement HandleEnded().
 */
class BbftpHostUser
{
  public:
    virtual ~BbftpHostUser() = default;

    /** The client begins to open data connections. @param now current simulation time */
    virtual void HandleBegun(Nanoseconds /* now */)
    {
    }

    /** The client sees that all parts are done. @param now current simulation time */
    virtual void HandleMoved(Nanoseconds /* now */)
    {
    }

    /** This host is done or has failed, see BbftpHost::GetReason(); called once. @param now current
     * simulation time @param role of the host */
    virtual void HandleEnded(Nanoseconds now, BbftpRole role) = 0;
};

/**
 * @ingroup gridftp
 * bbFTP at one host, without I/O: both engines run it.
 *
 * Contract: the owner calls Start() once. If one host of a session fails, the owner calls Abandon()
 * of the other one.
 */
class BbftpHost final : private BbftpPort, private ListenUser, private EventTarget
{
  public:
    /** @param settings of this host @param host its TCP and clock; outlives it @param user its
     * owner; outlives it */
    BbftpHost(const BbftpSettings& settings, ApplicationHost& host, BbftpHostUser& user);

    ~BbftpHost() override;

    /** The client connects, the server listens. @param now current simulation time */
    void Start(Nanoseconds now);

    /** This host resets its connections: the transfer fails, and HandleEnded() is called. No effect
     * when the transfer is over. @param now current simulation time */
    void Fail(Nanoseconds now);

    /** The other host has failed: resets all connections. The owner is not called again. @param now
     * current simulation time */
    void Abandon(Nanoseconds now);

    /** @return why it has failed; empty: it has not */
    const std::string& GetReason() const
    {
        return m_reason;
    }

    /** @return file bytes that it has received */
    uint64_t GetBytes() const
    {
        return m_end->GetBytes();
    }

    /** @return counts of the data connections, of what this host has sent */
    ConnectionTotals GetTotals() const;

    /** @return of a client: when data moved */
    BbftpSpan GetSpan() const
    {
        return m_client ? m_client->GetSpan() : BbftpSpan();
    }

    /** @return what it was made with */
    const BbftpSettings& GetSettings() const
    {
        return m_settings;
    }

    /** @return of a client: number of data connections, N; 0 before both ends have agreed on it */
    uint32_t GetStreams() const
    {
        return m_client ? m_client->GetStreams() : 0;
    }

  private:
    class Control;
    class Data;

    // BbftpPort
    void ConnectControl(Nanoseconds now) override;
    void Say(Nanoseconds now, std::vector<uint8_t> bytes) override;
    std::vector<uint16_t> Listen(Nanoseconds now, uint32_t streams) override;
    void Connect(Nanoseconds now, uint32_t stream, uint16_t port) override;
    void Send(Nanoseconds now, uint32_t stream, uint64_t bytes) override;
    void Answer(Nanoseconds now, uint32_t stream, std::vector<uint8_t> bytes) override;
    void HandleBegun(Nanoseconds now) override;
    void HandleMoved(Nanoseconds now) override;
    void Finish(Nanoseconds now, const std::string& reason) override;

    // ListenUser
    StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) override;

    // EventTarget: a fault
    void HandleEvent(Nanoseconds now, uint32_t fault) override;

    /** @return whether it has started and is not over */
    bool IsActive() const
    {
        return m_isStarted && !m_isAbandoned && !m_end->IsOver();
    }

    /** @return whether this host receives the file */
    bool IsReceiver() const
    {
        return (m_settings.role == BbftpRole::SERVER) == m_settings.transfer.isUpload;
    }

    /** @param now current simulation time @param stream the control connection, accepted @return
     * its user; null: there is one already */
    StreamUser* AcceptControl(Nanoseconds now, ByteStream& stream);

    /** @param stream index of a data connection @return TCP of this endpoint of it */
    StreamTerms MakeDataTerms(uint32_t stream) const;

    /** @return the data connections that this host has opened or accepted, by index */
    std::vector<ByteStream*> ListDataStreams() const;

    /** Resets all connections and stops listening. @param now current simulation time */
    void ResetAll(Nanoseconds now);

    BbftpSettings m_settings;                  //!< of this host
    ApplicationHost* m_host;                   //!< its TCP and clock
    BbftpHostUser* m_user;                     //!< its owner
    std::unique_ptr<BbftpEnd> m_end;           //!< the protocol
    BbftpClient* m_client{nullptr};            //!< the same, of a client; else null
    std::unique_ptr<Control> m_control;        //!< user of the control connection
    std::vector<std::unique_ptr<Data>> m_data; //!< users of the data connections, by index;
                                               //!< null: none yet
    std::vector<uint16_t> m_ports;             //!< of the server's data connections, by index
    std::string m_reason;                      //!< see GetReason()
    bool m_isStarted{false};                   //!< see Start()
    bool m_isAbandoned{false};                 //!< see Abandon()
};

/** @ingroup gridftp @brief How a session of bbFTP has ended. */
struct BbftpOutcome
{
    bool isOver{false};                    //!< it has ended
    std::string reason{};                  //!< why it has failed; empty: it has not
    std::optional<Nanoseconds> failedNs{}; //!< when it has failed
};

/**
 * @ingroup gridftp
 * One host of a session has ended, see BbftpHostUser::HandleEnded(). If it has failed, the other
 * one is abandoned. A server that is done does not end the session; its client does.
 * @param outcome of the session so far, changed if this ends it
 * @param now current simulation time
 * @param ended the host
 * @param other host of the session
 * @return whether this ends the session
 */
bool EndBbftpSession(BbftpOutcome& outcome, Nanoseconds now, BbftpHost& ended, BbftpHost& other);

/** @ingroup gridftp @param session of the scenario @param client of it @param server of it @param
 * outcome of the session @param monitor of its data connections; null: none @return its result */
SessionResult MakeBbftpResult(const SessionSpec& session,
                              const BbftpHost& client,
                              const BbftpHost& server,
                              const BbftpOutcome& outcome,
                              const SessionMonitor* monitor);

} // namespace ns3::gridftp

#endif // GRIDFTP_BBFTP_HOST_H
