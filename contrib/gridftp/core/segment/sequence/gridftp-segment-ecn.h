/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_ECN_H
#define GRIDFTP_SEGMENT_ECN_H

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Explicit congestion notification at one end of a connection (RFC 3168, Section 6.1): which
 * segments queues may mark, when an ACK echoes a mark (ECE), and when a segment reports that cwnd
 * was reduced (CWR).
 *
 * The rules are those of ns-3's TcpSocketBase. Its one state serves the end as a sender and as a
 * receiver, so that where both ends send, an event of one role replaces that of the other:
 *
 * - A mark on a segment that begins behind the last marked one starts the echo. Each ACK without
 *   data echoes, until a segment with CWR comes that is not marked itself. Segments with data never
 *   echo.
 * - An echo counts on an ACK of new data. An ACK without it ends the wait for a segment that could
 *   carry CWR, duplicate ACKs included.
 * - The first new segment behind an echo carries CWR, unless the last segment with CWR is not
 *   acknowledged yet.
 *
 * Contract: ClassicConnection calls HandleMark() and HandleReduction() for what arrives, then
 * TakeEcho() for each ACK without data and HandleSegment() for each segment that leaves, in their
 * order. SegmentSender calls HandleAck(). Bytes are positions in the stream, from 0.
 */
class SegmentEcn
{
  public:
    /** What a segment with data carries. */
    struct Flags
    {
        bool isEct{false};  //!< ECT(0): it is sent for the first time (RFC 3168, Section 6.1.5)
        bool hasCwr{false}; //!< CWR
    };

    /** A segment has come with CE in its IP header. @param start its first byte */
    void HandleMark(uint64_t start)
    {
        if (m_marked <= start)
        {
            m_marked = start + 1;
            m_state = State::CE_RECEIVED;
        }
    }

    /** A segment has come with CWR, behind HandleMark(). */
    void HandleReduction()
    {
        if (m_state != State::CE_RECEIVED)
        {
            m_state = State::IDLE;
        }
    }

    /** An ACK without data is sent. @return whether it carries ECE */
    bool TakeEcho()
    {
        if (m_state != State::CE_RECEIVED && m_state != State::SENDING_ECE)
        {
            return false;
        }
        m_state = State::SENDING_ECE;
        return true;
    }

    /**
     * An ACK has come.
     * @param ack the first byte that the receiver misses
     * @param isNew it acknowledges new data
     * @param hasEcho it carries ECE
     * @return whether the echo counts, so that the sender reduces cwnd once per window
     */
    bool HandleAck(uint64_t ack, bool isNew, bool hasEcho)
    {
        if (isNew && hasEcho)
        {
            m_mayReport = ack >= m_reduced;
            m_state = State::ECE_RECEIVED;
            return true;
        }
        if (m_state == State::ECE_RECEIVED && !hasEcho)
        {
            m_state = State::IDLE;
        }
        return false;
    }

    /** A segment is sent. @param start its first byte @param size bytes @return what it carries */
    Flags HandleSegment(uint64_t start, uint64_t size)
    {
        if (start < m_sent)
        {
            return {};
        }
        m_sent = start + size;
        const bool hasCwr = m_state == State::ECE_RECEIVED && m_mayReport;
        if (hasCwr)
        {
            m_state = State::CWR_SENT;
            m_reduced = start + 1;
        }
        return {.isEct = true, .hasCwr = hasCwr};
    }

  private:
    /** ns-3's TcpSocketState::EcnState_t of a connection that has negotiated ECN. */
    enum class State : uint8_t
    {
        IDLE,         //!< nothing to report
        CE_RECEIVED,  //!< a mark has come, the next ACK echoes it
        SENDING_ECE,  //!< it was echoed; further ACKs do so
        ECE_RECEIVED, //!< an echo has come; the next new segment may carry CWR
        CWR_SENT      //!< a segment with CWR was sent
    };

    State m_state{State::IDLE}; //!< see State
    bool m_mayReport{false};    //!< in ECE_RECEIVED: the next new segment carries CWR
    uint64_t m_marked{0};       //!< behind the first byte of the last marked segment; 0: none
    uint64_t m_reduced{0};      //!< behind the first byte of the last segment with CWR; 0: none
    uint64_t m_sent{0};         //!< first byte never sent
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_ECN_H
