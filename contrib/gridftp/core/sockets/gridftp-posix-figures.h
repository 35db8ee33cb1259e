/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_FIGURES_H
#define GRIDFTP_POSIX_FIGURES_H

#include "gridftp-buffer-meter.h"
#include "gridftp-buffer-policy.h"
#include "gridftp-buffer-tally.h"
#include "gridftp-connection-totals.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-posix-socket.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What the kernel counts of a connection: also after its socket is closed, when the kernel no
 * longer knows.
 *
 * Contract: the stream calls Open() when the connection is established, Look() now and then while
 * bytes arrive, and Close() before it closes the socket.
 */
class PosixFigures
{
  public:
    /** The connection is established. @param now current time @param socket of it @param buffers of
     * this endpoint; where they are dynamic, the size of the receive buffer is recorded */
    void Open(Nanoseconds now, const PosixSocket& socket, const BufferSpec& buffers)
    {
        const BufferPolicyKind* const policy = FindBufferPolicy(buffers.policy);
        if (policy && policy->moves)
        {
            m_meter.emplace(socket.GetReceiveBuffer());
            m_meter->Open(now);
            m_lookedNs = now;
        }
    }

    /** Records the size of the receive buffer, at most every 10 ms. @param now current time @param
     * socket of the connection */
    void Look(Nanoseconds now, const PosixSocket& socket)
    {
        constexpr Nanoseconds INTERVAL = 10'000'000;
        if (m_meter && socket.IsOpen() && now - m_lookedNs >= INTERVAL)
        {
            m_lookedNs = now;
            m_meter->Resize(now, socket.GetReceiveBuffer());
        }
    }

    /** The socket is about to be closed. @param now current time @param socket of the connection */
    void Close(Nanoseconds now, const PosixSocket& socket)
    {
        m_totals = socket.GetTotals();
        m_sendBuffer = socket.GetSendBuffer();
        m_receiveBuffer = socket.GetReceiveBuffer();
        m_segmentBytes = socket.GetSegmentBytes();
        m_closedNs = now;
    }

    /** @param socket of the connection @return counts of what this endpoint has sent */
    ConnectionTotals GetTotals(const PosixSocket& socket) const
    {
        return socket.IsOpen() ? socket.GetTotals() : m_totals;
    }

    /** @param socket of the connection @return size of the send buffer, bytes */
    uint64_t GetSendBuffer(const PosixSocket& socket) const
    {
        return socket.IsOpen() ? socket.GetSendBuffer() : m_sendBuffer;
    }

    /** @param socket of the connection @return size of the receive buffer, bytes */
    uint64_t GetReceiveBuffer(const PosixSocket& socket) const
    {
        return socket.IsOpen() ? socket.GetReceiveBuffer() : m_receiveBuffer;
    }

    /** @param socket of the connection @return payload of a full segment, bytes */
    uint64_t GetSegmentBytes(const PosixSocket& socket) const
    {
        return socket.IsOpen() ? socket.GetSegmentBytes() : m_segmentBytes;
    }

    /** Counts the receive buffer, where it is dynamic. @param now current time @param socket of the
     * connection @param tally to add it to */
    void Count(Nanoseconds now, const PosixSocket& socket, BufferTally& tally) const
    {
        if (m_meter)
        {
            const Nanoseconds until = socket.IsOpen() ? now : m_closedNs;
            BufferMeter meter = *m_meter;
            meter.Resize(until, GetReceiveBuffer(socket));
            tally.Add(meter.GetUse(until));
        }
    }

  private:
    std::optional<BufferMeter> m_meter; //!< of the receive buffer, where it is dynamic
    Nanoseconds m_lookedNs{0};          //!< when its size was recorded
    Nanoseconds m_closedNs{0};          //!< when the socket was closed
    ConnectionTotals m_totals;          //!< at that time
    uint64_t m_sendBuffer{0};           //!< likewise, bytes
    uint64_t m_receiveBuffer{0};        //!< likewise, bytes
    uint64_t m_segmentBytes{1};         //!< likewise, bytes
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_FIGURES_H
