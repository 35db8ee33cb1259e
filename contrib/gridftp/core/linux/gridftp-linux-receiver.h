/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_RECEIVER_H
#define GRIDFTP_LINUX_RECEIVER_H

#include "gridftp-linux-ack-schedule.h"
#include "gridftp-linux-reassembly.h"
#include "gridftp-linux-receive-buffer.h"
#include "gridftp-linux-segment.h"
#include "gridftp-linux-settings.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The receiving half of a LinuxSocket: reassembly, SACK and DSACK blocks (RFC 2018, 2883), delayed,
 * quick and compressed ACKs, timestamps to echo (RFC 7323), the receive buffer and its window,
 * which may tune themselves. It follows the kernel's net/ipv4/tcp_input.c and tcp_output.c
 * (Linux 6.18). Segments arrive one at a time, as without GRO. PAWS is left out: positions never
 * wrap.
 *
 * Contract: the LinuxSocket that owns it calls Receive() for each segment with data or FIN, sends
 * what the sender may send then, and calls DecideAck(); then the application may read, and the
 * owner calls Read(). Each of these two says whether an ACK has to leave at once. Fill() completes
 * the header of every segment that leaves, with or without data. Deadlines are checked by the
 * owner, which calls the handler of an expired one. TSval of a segment that leaves is the current
 * time in ms, plus 1. In FIN_WAIT_1 and FIN_WAIT_2 the owner acknowledges a FIN at once.
 */
class LinuxReceiver
{
  public:
    /** No deadline. */
    static constexpr Nanoseconds NEVER = LinuxAckSchedule::NEVER;

    /** @param settings outlive it */
    explicit LinuxReceiver(const LinuxSettings& settings);

    /** The peer's SYN has come. @param now current time @param syn its segment @param hasSack both
     * permit SACK @param hasTimestamps both use timestamps */
    void Open(Nanoseconds now, const LinuxSegment& syn, bool hasSack, bool hasTimestamps);

    /** A segment with data or FIN has come to an established connection. @param now current time
     * @param segment it @return whether GetNext() has grown */
    bool Receive(Nanoseconds now, const LinuxSegment& segment);

    /** A segment without data or FIN has come. Takes its timestamp. @param now current time @param
     * segment it @return whether an ACK leaves at once: the segment lies outside of the window, as
     * one does that probes a window of 0 */
    bool ReceiveAck(Nanoseconds now, const LinuxSegment& segment);

    /** Behind Receive(), when the sender has sent what it may. @param now current time @param
     * srttUs8 8 times the smoothed RTT of the sender, us; 0: none @return whether an ACK leaves at
     * once; else a deadline may be set */
    bool DecideAck(Nanoseconds now, uint32_t srttUs8);

    /** The application reads. @param now current time @param bytes at most GetReadable() @return
     * whether an ACK leaves at once */
    bool Read(Nanoseconds now, uint64_t bytes);

    /** A segment leaves: sets its `ack`, `window`, `tsEcr` and SACK blocks, ECE; cancels a delayed
     * ACK. @param now current time @param segment to complete */
    void Fill(Nanoseconds now, LinuxSegment& segment);

    /** Data leave (tcp_event_data_sent): the connection may be interactive. @param now current time
     */
    void HandleDataSent(Nanoseconds now)
    {
        m_acks.HandleDataSent(now);
    }

    /** @return when the timer of delayed or compressed ACKs expires, or NEVER */
    Nanoseconds GetDeadline() const
    {
        return m_acks.GetDeadline();
    }

    /** GetDeadline() is reached. @param now current time @return whether an ACK leaves at once */
    bool HandleDeadline(Nanoseconds now)
    {
        return m_acks.HandleDeadline(now);
    }

    /** @return next position that is expected; the FIN's position plus 1 once it has come */
    uint64_t GetNext() const
    {
        return m_data.GetNext();
    }

    /** @return bytes in order that the application has not read */
    uint64_t GetReadable() const
    {
        return m_data.GetNext() - m_read - (m_hasFin ? 1 : 0);
    }

    /** @return whether the FIN has come, and all data before it */
    bool HasFin() const
    {
        return m_hasFin;
    }

    /** @return the receive window as last advertised, less what came since, bytes */
    uint64_t GetWindow() const
    {
        return m_buffer.GetWindow(m_data.GetNext());
    }

    /** @return size of the receive buffer, bytes of memory (sk_rcvbuf) */
    uint64_t GetBufferSize() const
    {
        return m_buffer.GetSize();
    }

    /** @return how large the receive buffer was (sk_rcvbuf), from the handshake until a segment
     * came or left last */
    BufferUse GetBufferUse() const
    {
        return m_isEstablished ? m_buffer.GetUse(m_stamp) : BufferUse();
    }

    /** @return memory, window and RTT */
    const LinuxReceiveBuffer& GetBuffer() const
    {
        return m_buffer;
    }

    /** @return when it acknowledges */
    const LinuxAckSchedule& GetSchedule() const
    {
        return m_acks;
    }

  private:
    void Establish(Nanoseconds now);
    void UpdateTsRecent(const LinuxSegment& segment);
    void TakeTimestamp(Nanoseconds now, const LinuxSegment& segment);
    bool ReceiveOther(Nanoseconds now, const LinuxSegment& segment);
    void Refuse(const LinuxSegment& segment);
    bool Queue(Nanoseconds now, const LinuxSegment& segment, uint64_t memory);
    void TakeReady();
    void TakeFin();
    void Hold(const LinuxSegment& segment);
    bool MakeRoom(const LinuxSegment& segment);
    void Measure(const LinuxSegment& segment, uint64_t memory);
    void HandleData(Nanoseconds now, const LinuxSegment& segment, uint64_t memory);
    void CheckCe(const LinuxSegment& segment);
    void EnterQuickMode(uint64_t most);
    uint64_t SelectWindow();
    uint64_t GetMemory(uint64_t size);

    const LinuxSettings& m_settings;      //!< of the host
    LinuxReassembly m_data;               //!< positions
    LinuxReceiveBuffer m_buffer;          //!< memory and window
    LinuxAckSchedule m_acks;              //!< when to acknowledge
    uint64_t m_read{1};                   //!< position behind what the application has read
    uint64_t m_fin{NO_FIN};               //!< position of the FIN, once it has come
    uint64_t m_memorySize{0};             //!< bytes of data of a segment that takes m_memory
    uint64_t m_memory{0};                 //!< bytes of memory
    Nanoseconds m_stamp{0};               //!< when a segment came or left last
    Nanoseconds m_probedAt{-PROBE_PAUSE}; //!< when it answered a segment without data last
    uint32_t m_tsRecent{0};               //!< TSval to echo
    uint32_t m_tsEcr{0};                  //!< TSecr that an RTT was taken of
    bool m_hasTimestamps{false};          //!< both use them
    bool m_hasEcn{false};                 //!< both use ECN
    bool m_hasSeenEct{false};             //!< an ECN-capable segment came
    bool m_demandsCwr{false};             //!< ACKs carry ECE
    bool m_hasFin{false};                 //!< the FIN has come, and all data before it
    bool m_isEstablished{false};          //!< the handshake is done

    static constexpr uint64_t NO_FIN = std::numeric_limits<uint64_t>::max();
    /** A segment of at least this size lets the window grow, bytes. */
    static constexpr uint32_t LEAST_GROWING_SIZE = 128;

    /** Answers to segments without data are this far apart (tcp_invalid_ratelimit). */
    static constexpr Nanoseconds PROBE_PAUSE = 500 * LINUX_MS;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_RECEIVER_H
