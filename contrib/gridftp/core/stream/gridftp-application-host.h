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
 * Both endpoints of a connection have the same `hasContent` and `isPaced`. */
struct StreamTerms
{
    std::string tcp{};      //!< congestion control, as of option --tcp
    BufferSpec buffers{};   //!< socket buffers
    bool hasContent{false}; //!< StreamUser::HandleBytes() gets what arrives; else it is counted
    bool isPaced{false};    //!< the endpoint that does not send reads with a StreamSink
    bool sends{false};      //!< this endpoint calls ByteStream::Send(); at most one of both
    bool holdsSmall{false}; //!< Nagle's algorithm (RFC 896)
    std::optional<ConnectionLabel> label{}; //!< of a data connection, which results count
};

/**
 * @ingroup gridftp
 * The application that listens on a port.
 * Contract: the driver calls it once for each connection, when the handshake is complete there.
 */
class ListenUser
{
  public:
    virtual ~ListenUser() = default;

    /** A connection was accepted. @param now current simulation time @param port on which @param
     * stream this endpoint of it @return who uses it; null: it is reset */
    virtual StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) = 0;
};

/**
 * @ingroup gridftp
 * The host of an application: its TCP and its clock. The peer is the other host of the session.
 *
 * Contract: it outlives the application. References that it is given outlive it.
 */
class ApplicationHost
{
  public:
    virtual ~ApplicationHost() = default;

    /** Opens a connection to the peer. If it is refused at once, HandleLost() is called before this
     * returns. @param now current simulation time @param port of the peer @param terms of this
     * endpoint @param user called from now on @return this endpoint */
    virtual ByteStream& Connect(Nanoseconds now,
                                uint16_t port,
                                const StreamTerms& terms,
                                StreamUser& user) = 0;

    /** Listens. @param now current simulation time @param port on which; 0: any @param terms of
     * this endpoint of each connection @param user called for each connection @return the port */
    virtual uint16_t Listen(Nanoseconds now,
                            uint16_t port,
                            const StreamTerms& terms,
                            ListenUser& user) = 0;

    /** Closes all listeners; connections that were accepted stay. */
    virtual void StopListening() = 0;

    /** Schedules an event, which comes before packets that arrive at the same time. @param now
     * current simulation time @param at when, not before now @param target called @param id for its
     * use */
    virtual void Schedule(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) = 0;

    /** Schedules the end of work of the host, for example of storage. Where a packet arrives at the
     * same time, the engine decides which comes first. Parameters as of Schedule(). */
    virtual void ScheduleWork(Nanoseconds now,
                              Nanoseconds at,
                              EventTarget& target,
                              uint32_t id) = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_APPLICATION_HOST_H
