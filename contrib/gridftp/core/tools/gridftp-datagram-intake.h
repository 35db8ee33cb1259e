/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATAGRAM_INTAKE_H
#define GRIDFTP_DATAGRAM_INTAKE_H

#include "gridftp-mapped-file.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-tool-end.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A program that takes one datagram after the other from its UDP socket and stores each in a mapped
 * file. While it waits for the file, datagrams wait in the socket. The socket drops those that it
 * has no room for, and the sender of the datagram does not learn of it: that is how a slow sink
 * shows where no window shuts.
 *
 * Contract: the receiver calls Add() when a datagram comes, and Next() again and again then, and at
 * the time of GetWakeNs(). The result is the same whichever of two calls of one moment is first.
 */
class DatagramIntake
{
  public:
    /**
     * @param file that the program stores in
     * @param payload file bytes of a full datagram
     * @param roomBytes of the socket, file bytes
     */
    DatagramIntake(MappedFile file, uint32_t payload, int64_t roomBytes)
        : m_file(std::move(file)),
          m_payload(payload),
          m_room(static_cast<uint64_t>(roomBytes))
    {
    }

    /** A datagram of the file has come; Next() has returned nothing before, at this time. @param
     * datagram it @return whether the socket had room for it */
    bool Add(const DataDatagram& datagram)
    {
        if (m_waitingBytes + datagram.payload > m_room)
        {
            return false;
        }
        m_waitingBytes += datagram.payload;
        m_waiting.push_back(datagram);
        return true;
    }

    /** @param now of the simulation @return the next datagram, which is stored; none: the program
     * waits for the file, see GetWakeNs(), or has stored all that have come */
    std::optional<DataDatagram> Next(Nanoseconds now);

    /** @param now of the simulation @return when Next() has something to do again without another
     * datagram, ns; now: the program has stored all that have come */
    Nanoseconds GetWakeNs(Nanoseconds now) const
    {
        return m_current ? m_wakeNs : now;
    }

  private:
    MappedFile m_file;                       //!< where datagrams are stored
    uint32_t m_payload;                      //!< of a full one
    uint64_t m_room;                         //!< of the socket
    uint64_t m_waitingBytes{0};              //!< in it
    std::deque<DataDatagram> m_waiting;      //!< in it, in order
    std::optional<DataDatagram> m_current{}; //!< that the program is storing
    Nanoseconds m_wakeNs{0};                 //!< until when it waits with that
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATAGRAM_INTAKE_H
