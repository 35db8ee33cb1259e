/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RECEIVE_BUFFER_H
#define GRIDFTP_RECEIVE_BUFFER_H

#include "gridftp-buffer-meter.h"
#include "gridftp-buffer-policy.h"
#include "gridftp-buffer-settings.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-receiver-rtt.h"

#include <cstdint>
#include <memory>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The receive buffer of a connection and the window that it advertises (RFC 9293, Section 3.8.6):
 * what has arrived, what the application has taken, how large the buffer is, and how far the sender
 * may send. Both engines have one for each connection whose window moves.
 *
 * - The right edge of the window never moves back: where the buffer shrinks, or its space does not
 *   fit the shift of the window field, the edge stays until data fill the difference.
 * - It is never scaled away: where a segment fits into the buffer but not into so many units of the
 *   window field, one more unit is offered, as in Linux.
 * - Silly windows are avoided as in 4.4BSD: a window under a segment and under a quarter of the
 * buffer is advertised as none (RFC 9293, Section 3.8.6.2.2), and what the application has taken is
 * told by an ACK of its own once it is two segments or half the buffer.
 */
class ReceiveBuffer
{
  public:
    /**
     * @param settings of the connection
     * @param shift of the window field, as the handshake settles it:
     *        BufferSettings::GetShift(), or 0 without window scaling
     */
    ReceiveBuffer(const BufferSettings& settings, uint32_t shift);

    /** The connection is established. @param now of the simulation @param rttNs of the handshake,
     * 0 where it is not known */
    void Open(Nanoseconds now, int64_t rttNs);

    /** Data have arrived in order. @param now of the simulation @param next first byte missing */
    void HandleArrival(Nanoseconds now, uint64_t next);

    /** The application takes data. @param now of the simulation @param bytes at least 1 */
    void HandleRead(Nanoseconds now, uint64_t bytes);

    /**
     * The application sets the size of the buffer.
     * @param now of the simulation
     * @param bytes at least 1
     */
    void Resize(Nanoseconds now, uint64_t bytes);

    /**
     * An ACK is sent, which moves the edge.
     * @param now of the simulation
     * @return its window field
     */
    uint32_t Advertise(Nanoseconds now);

    /** @return whether the application has taken so much that the sender should hear of it */
    bool IsUpdateDue() const;

    /** @return window field of a SYN, which is not scaled */
    uint32_t GetFirstField() const;

    /** @return shift of the window field behind the handshake */
    uint32_t GetShift() const
    {
        return m_shift;
    }

    /** @return bytes that have arrived and that the application has not taken */
    uint64_t GetUnread() const
    {
        return m_next - m_read;
    }

    /** @return bytes that the application has taken */
    uint64_t GetRead() const
    {
        return m_read;
    }

    /** @return first byte that the sender may not send */
    uint64_t GetEdge() const
    {
        return m_edge;
    }

    /** @return window that the last ACK had, before the first one that of the SYN-ACK, bytes */
    uint64_t GetAdvertised() const
    {
        return m_advertised;
    }

    /** @return its size, bytes */
    uint64_t GetSize() const
    {
        return m_size;
    }

    /** @return upper bound of the round-trip time, ns; 0: none yet */
    int64_t GetRttNs() const
    {
        return m_rtt.Get();
    }

    /** @return how large it was, from Open() until data came, were taken or it was resized last */
    BufferUse GetUse() const
    {
        return m_meter.GetUse(m_lastNs);
    }

  private:
    /** Asks the policy. @param now of the simulation */
    void Decide(Nanoseconds now);

    BufferSettings m_settings;              //!< of the connection
    std::unique_ptr<BufferPolicy> m_policy; //!< sizes it, or null
    uint32_t m_shift;                       //!< of the window field
    uint64_t m_size;                        //!< see GetSize()
    uint64_t m_next{0};                     //!< first byte that is missing
    uint64_t m_read{0};                     //!< bytes that the application has taken
    uint64_t m_edge;                        //!< see GetEdge()
    uint64_t m_advertised;                  //!< see GetAdvertised()
    ReceiverRtt m_rtt;                      //!< of the path
    BufferMeter m_meter;                    //!< how large it was
    int64_t m_lastNs{0};                    //!< when something happened to it last, ns
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RECEIVE_BUFFER_H
