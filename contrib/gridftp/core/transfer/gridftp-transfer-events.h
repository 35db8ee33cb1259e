/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRANSFER_EVENTS_H
#define GRIDFTP_TRANSFER_EVENTS_H

#include "gridftp-data-host.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The events of a machine with several connections. The target is the machine, since a connection
 * may be gone when its event occurs; the id says which connection the event is of, and what for.
 */
class TransferEvents
{
  public:
    /** What an event is for. */
    enum Kind : uint32_t
    {
        OUTCOME,  //!< the owner learns the outcome
        OPENING,  //!< a connection opens late
        COMPUTED, //!< the CPU has computed a message of the handshake
        STORED,   //!< all of a connection's data is stored
        ALARM,    //!< the receiver decides about its buffer
        FOREIGN,  //!< a foreign host closes its connection
        KINDS     //!< their number
    };

    /** @param host of the machine; outlives it @param target the machine */
    TransferEvents(DataHost& host, EventTarget& target)
        : m_host(&host),
          m_target(&target)
    {
    }

    /** @return host of the machine */
    DataHost& GetHost() const
    {
        return *m_host;
    }

    /** @param now current simulation time @param at when, not before now @param kind what for
     * @param serial of the connection */
    void Schedule(Nanoseconds now, Nanoseconds at, Kind kind, uint32_t serial)
    {
        m_host->Schedule(now, at, *m_target, serial * KINDS + kind);
    }

    /** @param id of an event @return what it is for */
    static Kind GetKind(uint32_t id)
    {
        return static_cast<Kind>(id % KINDS);
    }

    /** @param id of an event @return serial number of its connection */
    static uint32_t GetSerial(uint32_t id)
    {
        return id / KINDS;
    }

  private:
    DataHost* m_host;      //!< schedules
    EventTarget* m_target; //!< the machine
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TRANSFER_EVENTS_H
