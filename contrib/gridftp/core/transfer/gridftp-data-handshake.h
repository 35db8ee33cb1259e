/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_HANDSHAKE_H
#define GRIDFTP_DATA_HANDSHAKE_H

#include "gridftp-data-stream.h"
#include "gridftp-handshake.h"
#include "gridftp-transfer-events.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One endpoint of the handshake on a data connection, before its first block (DCAU, GFD.20): sends
 * and reads as many bytes as a real one, and waits as long as these take to compute.
 *
 * Contract: its owner has the stream, passes what arrives to Read() and an event of kind COMPUTED
 * to HandleComputed(), and goes on when IsDone().
 */
class DataHandshake
{
  public:
    /** @param settings of the connection @param isAcceptor whether this endpoint accepts @param
     * serial of the connection, for events */
    DataHandshake(const DataSecuritySettings& settings, bool isAcceptor, uint32_t serial)
        : m_security(settings.security),
          m_progress(settings.handshake, isAcceptor),
          m_serial(serial)
    {
    }

    /** The connection is established. @param now current simulation time @param stream this
     * endpoint @param events of its owner */
    void Begin(Nanoseconds now, DataStream& stream, TransferEvents& events)
    {
        Say(now, stream, events);
    }

    /** @return whether all was sent and read */
    bool IsDone() const
    {
        return m_progress.IsDone() && !m_isComputing;
    }

    /** @return bytes of the peer's message that are missing; 0: it is not the peer's turn */
    uint32_t GetMissing() const
    {
        return m_progress.GetMissing();
    }

    /** Bytes have arrived. @param bytes at most GetMissing() @param now current simulation time
     * @param stream this endpoint @param events of its owner */
    void Read(uint32_t bytes, Nanoseconds now, DataStream& stream, TransferEvents& events);

    /** A message is computed. @param now current simulation time @param stream this endpoint */
    void HandleComputed(Nanoseconds now, DataStream& stream);

    /** The connection is closed. */
    void Stop()
    {
        m_isComputing = false;
    }

  private:
    /** Computes and sends the next message, if it is this endpoint's. @param now current
     * simulation time @param stream this endpoint @param events of its owner */
    void Say(Nanoseconds now, DataStream& stream, TransferEvents& events);

    /** Writes the computed message. @param now current simulation time @param stream this endpoint
     */
    void Write(Nanoseconds now, DataStream& stream) const;

    SecuritySpec m_security;      //!< what it costs
    HandshakeProgress m_progress; //!< messages so far
    uint32_t m_serial;            //!< of the connection
    uint32_t m_bytes{0};          //!< of the message that is being computed
    bool m_isComputing{false};    //!< it is
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_HANDSHAKE_H
