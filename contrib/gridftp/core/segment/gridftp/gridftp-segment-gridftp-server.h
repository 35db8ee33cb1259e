/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_GRIDFTP_SERVER_H
#define GRIDFTP_SEGMENT_GRIDFTP_SERVER_H

#include "gridftp-data-transfer-service.h"
#include "gridftp-fault-spec.h"
#include "gridftp-host-alarm.h"
#include "gridftp-segment-nodes.h"
#include "gridftp-server-session.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Congestion control of control connections. */
inline constexpr const char* CONTROL_TCP = "newreno";

/**
 * @ingroup gridftp
 * A GridFTP server on a node of the segment engine: listens, and has a ServerSession for each
 * control connection.
 */
class SegmentGridFtpServer final : private ListenUser
{
  public:
    /** @param nodes of the session; outlive it @param node index of its node @param settings of all
     * its sessions @param fileBytes size of each file */
    SegmentGridFtpServer(SegmentNodes& nodes,
                         uint32_t node,
                         const ServerSettings& settings,
                         uint64_t fileBytes);

    /** It listens from now on. @param now current simulation time */
    void Start(Nanoseconds now);

    /** A fault of the server begins; one of a host of its own is not its. @param now current
     * simulation time @param fault which */
    void Strike(Nanoseconds now, const FaultSpec& fault);

    /** @return its sessions, in the order of their connections */
    const std::vector<std::unique_ptr<ServerSession>>& GetSessions() const
    {
        return m_sessions;
    }

  private:
    // ListenUser
    StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) override;

    /** Resets all connections. @param now current simulation time */
    void Reset(Nanoseconds now);

    /** Resets the control connection that is open, or the next one. @param now current simulation
     * time */
    void ResetOnce(Nanoseconds now);

    /** The process dies. @param now current simulation time @param until when it is started again
     */
    void Die(Nanoseconds now, Nanoseconds until);

    Nanoseconds m_failsUntil{0};    //!< it resets connections
    bool m_failsNext{false};        //!< it resets the next one
    Nanoseconds m_silentUntil{0};   //!< see ServerSession::FallSilent()
    Nanoseconds m_refusesUntil{0};  //!< see ServerSession::RefuseClients()
    Nanoseconds m_repliesUntil{0};  //!< see ServerSession::LoseReplies()
    Nanoseconds m_dataDeadUntil{0}; //!< see LocalDataTransfer::Die()
    HostAlarm m_revival;            //!< it listens again

    SegmentNodes* m_nodes;                                  //!< of the session
    uint32_t m_node;                                        //!< index of its node
    UniformFiles m_files;                                   //!< that clients read and write
    ServerSettings m_settings;                              //!< of all its sessions
    DataHost* m_control;                                    //!< of control connections
    std::vector<std::unique_ptr<ServerSession>> m_sessions; //!< see GetSessions()
};

/**
 * @ingroup gridftp
 * A data transfer process on a node of its own: listens, and has a DataTransferService for each
 * protocol interpreter that connects.
 */
class SegmentDataTransferProcess final : private ListenUser
{
  public:
    /** @param nodes of the session; outlive it @param node index of its node @param settings of all
     * its services */
    SegmentDataTransferProcess(SegmentNodes& nodes,
                               uint32_t node,
                               const DataTransferServiceSettings& settings);

    /** It listens from now on. @param now current simulation time */
    void Start(Nanoseconds now);

    /** The process dies. @param now current simulation time @param until when it is started again
     */
    void Die(Nanoseconds now, Nanoseconds until);

    /** @return its services, in the order of their connections */
    const std::vector<std::unique_ptr<DataTransferService>>& GetServices() const
    {
        return m_services;
    }

  private:
    // ListenUser
    StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) override;

    SegmentNodes* m_nodes;                                        //!< of the session
    uint32_t m_node;                                              //!< index of its node
    HostAlarm m_revival;                                          //!< it listens again
    DataTransferServiceSettings m_settings;                       //!< of all its services
    DataHost* m_control;                                          //!< of connections to it
    std::vector<std::unique_ptr<DataTransferService>> m_services; //!< see GetServices()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_GRIDFTP_SERVER_H
