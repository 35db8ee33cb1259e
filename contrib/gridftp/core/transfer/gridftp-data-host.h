/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_HOST_H
#define GRIDFTP_DATA_HOST_H

#include "gridftp-application-host.h"
#include "gridftp-block-stages.h"
#include "gridftp-control-text.h"
#include "gridftp-data-stream.h"
#include "gridftp-host-cpu.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The data transfer process that listens.
 * Contract: as ListenUser.
 */
class DataListenUser
{
  public:
    virtual ~DataListenUser() = default;

    /** A connection was accepted. @param now current simulation time @param stream this endpoint of
     * it @return who uses it; null: the driver resets the connection */
    virtual DataStreamUser* HandleDataAccepted(Nanoseconds now, DataStream& stream) = 0;
};

/**
 * @ingroup gridftp
 * The host of a protocol interpreter or of a data transfer process: its TCP, its clock, its CPU and
 * its storage.
 *
 * Contract: as ApplicationHost, whose Schedule() and StopListening() hold here, too. Each sender,
 * each receiver and each listener for control connections has a DataHost of its own.
 */
class DataHost : public ApplicationHost
{
  public:
    /** Opens a connection, as Connect(), to any host. @param now current simulation time @param to
     * where the peer listens @param terms of this endpoint @param user called from now on @return
     * this endpoint */
    virtual ByteStream& ConnectTo(Nanoseconds now,
                                  const HostPort& to,
                                  const StreamTerms& terms,
                                  StreamUser& user) = 0;

    /** Schedules an event that can be cancelled; see HostAlarm. @param now current simulation time
     * @param at when, not before now @param target called once, with id 0; it has no other alarm */
    virtual void SetAlarm(Nanoseconds now, Nanoseconds at, EventTarget& target) = 0;

    /** Cancels the alarm of a target. @param target that has one */
    virtual void CancelAlarm(EventTarget& target) = 0;

    /** Opens a connection. @param now current simulation time @param to where the receiver listens
     * @param terms of this endpoint @param user called from now on @return this endpoint; null:
     * the host has no free port or no route */
    virtual DataStream* OpenData(Nanoseconds now,
                                 const HostPort& to,
                                 const StreamTerms& terms,
                                 DataStreamUser& user) = 0;

    /** Listens on an ephemeral port. @param now current simulation time @param terms of this
     * endpoint of each connection @param user called for each connection @return the port; none is
     * free: none */
    virtual std::optional<uint16_t> ListenForData(Nanoseconds now,
                                                  const StreamTerms& terms,
                                                  DataListenUser& user) = 0;

    /** Asks the CPU for work. @param now current simulation time @param work what @return when it
     * is done; now: it costs nothing */
    virtual Nanoseconds AskCpu(Nanoseconds now, const CpuWork& work) = 0;

    /** @param buffers of connections that send @param offset of a chunk in the file, bytes
     * @return the stages that its blocks pass before they are sent */
    virtual BlockStages FindSourceStages(const BufferSpec& buffers, uint64_t offset) = 0;

    /** @param buffers of connections that receive @return the stages that blocks pass, of a chunk
     * at the beginning of the file */
    virtual BlockStages FindSinkStages(const BufferSpec& buffers) = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_HOST_H
