/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOOL_CONTROL_H
#define GRIDFTP_TOOL_CONTROL_H

#include "gridftp-application-host.h"
#include "gridftp-byte-stream.h"
#include "gridftp-event-target.h"
#include "gridftp-scenario.h"
#include "gridftp-tool-end.h"

#include <cstdint>
#include <span>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The TCP connection of one end of a tool that moves a file by datagrams, without I/O: both engines
 * use it. It implements the part of ToolPort that concerns TCP.
 *
 * Contract: the owner calls Start() before ToolEnd::Start(), and Stop() when the transfer is over.
 * The ToolEnd is called between both, never afterwards. One end connects, once; the other accepts.
 */
class ToolControl final : private StreamUser, private ListenUser, private EventTarget
{
  public:
    /** @param host its TCP and clock; outlives it */
    explicit ToolControl(ApplicationHost& host)
        : m_host(&host)
    {
    }

    /** Listens. @param now current simulation time @param port of both ends @param end of the tool;
     * outlives it */
    void Start(Nanoseconds now, uint16_t port, ToolEnd& end);

    /** This host is the server: schedules the faults of a session that reset the connection. @param
     * now current simulation time @param scenario with the faults @param session index */
    void ScheduleResets(Nanoseconds now, const Scenario& scenario, uint32_t session);

    /** See ToolPort::Connect(). @param now current simulation time */
    void Connect(Nanoseconds now);

    /** See ToolPort::Say(). No effect without a connection. @param now current simulation time
     * @param bytes what */
    void Say(Nanoseconds now, std::span<const uint8_t> bytes);

    /** The transfer is over: stops listening and drops messages that are not written. @param now
     * current simulation time @param hasFailed resets the connection; else it stays open, and TCP
     * still sends what was written */
    void Stop(Nanoseconds now, bool hasFailed);

  private:
    // StreamUser
    void HandleConnected(Nanoseconds now) override;
    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void HandleLost(Nanoseconds now, StreamLoss loss) override;

    // ListenUser
    StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) override;

    // EventTarget: a fault
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    ApplicationHost* m_host;       //!< its TCP and clock
    uint16_t m_port{0};            //!< of both ends
    ToolEnd* m_end{nullptr};       //!< of the tool; null before Start() and after Stop()
    ByteStream* m_stream{nullptr}; //!< this endpoint of the connection; null: there is none yet
    bool m_isConnected{false};     //!< the handshake is complete here
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TOOL_CONTROL_H
