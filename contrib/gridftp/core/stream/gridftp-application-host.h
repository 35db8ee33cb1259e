/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_APPLICATION_HOST_H
#define GRIDFTP_APPLICATION_HOST_H

#include "gridftp-byte-stream.h"
#include "gridftp-connection-label.h"
#include "gridftp-event-target.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <optional>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * What an application without I/O asks of its host. The driver of each engine implements it.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief TCP of an endpoint, and what its application does with the connection.
 * Both endpoints have to state the same `hasContent` and `isPaced`; drivers do not compare them. */
struct StreamTerms
{
    std::string tcp{};      //!< congestion control, as of option --tcp
    BufferSpec buffers{};   //!< socket buffers
    bool hasContent{false}; //!< StreamUser::HandleBytes() gets what arrives; else it is counted
    bool isPaced{false};    //!< the receiver of file data reads with StreamUser::GetSink()
    bool sends{false};      //!< this endpoint calls ByteStream::Send(); at most one does
    bool holdsSmall{false}; //!< Nagle's algorithm (RFC 896)
    bool isLines{false}; //!< text in lines, as on a control connection of GridFTP: messages of the
                         //!< same time may share a segment, Close() sends all of them first, and
                         //!< the stream closes before StreamUser::HandleLost()
    std::optional<ConnectionLabel> label{}; //!< of a data connection in results; none: control

    /** @param window of the receiver, bytes @return terms of a control connection */
    static StreamTerms OfControl(int64_t window)
    {
        return {.tcp = "newreno",
                .buffers = {.window = window},
                .hasContent = true,
                .holdsSmall = true};
    }

    /** @param tcp congestion control @param window of the receiver, bytes @return terms of a
     * control connection of GridFTP */
    static StreamTerms OfLines(const std::string& tcp, int64_t window)
    {
        return {.tcp = tcp, .buffers = {.window = window}, .hasContent = true, .isLines = true};
    }
};

/**
 * @ingroup gridftp
 * The application that listens on a port.
 * Contract: the driver calls it once for each connection, when the handshake is complete there. A
 * connection whose handshake was under way at StopListening() may still come.
 */
class ListenUser
{
  public:
    virtual ~ListenUser() = default;

    /** A connection was accepted. @param now current simulation time @param port on which @param
     * stream this endpoint of it @return who uses it; null: the driver resets the connection,
     * which the peer sees as StreamLoss::FAILED */
    virtual StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) = 0;
};

/**
 * @ingroup gridftp
 * The host of an application: its TCP and its clock. The peer is the other host of the session;
 * there is no third host.
 *
 * Contract: the host outlives the application. The application does not cancel events: a target
 * ignores what it no longer needs. A host that is disposed of (engine ns3, at the end of a
 * simulation) calls nothing any more.
 */
class ApplicationHost
{
  public:
    virtual ~ApplicationHost() = default;

    /** Opens a connection to the peer. Engine ns3 may find at once that this is impossible: then it
     * calls HandleLost() before this returns, and the endpoint that it returns is closed. @param
     * now current simulation time @param port of the peer @param terms of this endpoint @param user
     * called from now on @return this endpoint */
    virtual ByteStream& Connect(Nanoseconds now,
                                uint16_t port,
                                const StreamTerms& terms,
                                StreamUser& user) = 0;

    /** Listens. @param now current simulation time @param port on which, free; 0: an ephemeral one
     * @param terms of
     * this endpoint of each connection @param user called for each connection @return the port */
    virtual uint16_t Listen(Nanoseconds now,
                            uint16_t port,
                            const StreamTerms& terms,
                            ListenUser& user) = 0;

    /** Closes all listeners of this host. Connections that were accepted continue. */
    virtual void StopListening() = 0;

    /** Schedules an event. Events of the same time come in the order in which they were scheduled.
     * The segment engine takes them before packets that arrive at that time; ns-3 takes what was
     * scheduled first. @param now current simulation time @param at when, not before now @param
     * target called @param id for its use */
    virtual void Schedule(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) = 0;

    /** Like Schedule(), for the end of work of the host, such as a disk write. The segment engine
     * takes it after packets that arrive at the same time, unless the host runs ahead. */
    virtual void ScheduleWork(Nanoseconds now,
                              Nanoseconds at,
                              EventTarget& target,
                              uint32_t id) = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_APPLICATION_HOST_H
