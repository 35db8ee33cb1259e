/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_RECEIVER_H
#define GRIDFTP_LINUX_RECEIVER_H

#include "gridftp-linux-segment.h"
#include "gridftp-linux-settings.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <limits>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The receiving half of a LinuxSocket: reassembly, SACK and DSACK blocks (RFC 2018, 2883), delayed,
 * quick and compressed ACKs, timestamps to echo (RFC 7323), the receive buffer and its window,
 * which may tune themselves. It follows the kernel's net/ipv4/tcp_input.c and tcp_output.c.
 *
 * Contract: the LinuxSocket that owns it calls Receive() for each segment with data or FIN, sends
 * what the sender may send then, and calls DecideAck(). When the application reads, it calls
 * Read(). Each of the two says whether an ACK has to leave at once. Fill() completes the header of
 * every segment that leaves, with or without data. Deadlines are checked by the owner, which calls
 * the handler of an expired one.
 */
class LinuxReceiver
{
  public:
    /** No deadline. */
    static constexpr Nanoseconds NEVER = std::numeric_limits<Nanoseconds>::max();

    /** @param settings outlive it */
    explicit LinuxReceiver(const LinuxSettings& settings);

    /** The peer's SYN has come. @param now current time @param syn its segment @param hasSack both
     * permit SACK @param hasTimestamps both use timestamps */
    void Open(Nanoseconds now, const LinuxSegment& syn, bool hasSack, bool hasTimestamps);

    /** A segment with data or FIN has come to an established connection. @param now current time
     * @param segment it @return whether GetNext() has grown */
    bool Receive(Nanoseconds now, const LinuxSegment& segment);

    /** A segment without data or FIN has come. Takes its timestamp. @param now current time @param
     * segment it */
    void ReceiveAck(Nanoseconds now, const LinuxSegment& segment);

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
    void HandleDataSent(Nanoseconds now);

    /** @return when the timer of delayed or compressed ACKs expires, or NEVER */
    Nanoseconds GetDeadline() const;

    /** GetDeadline() is reached. @param now current time @return whether an ACK leaves at once */
    bool HandleDeadline(Nanoseconds now);

    /** @return next position that is expected; the FIN's position plus 1 once it has come */
    uint64_t GetNext() const;

    /** @return bytes in order that the application has not read */
    uint64_t GetReadable() const;

    /** @return whether the FIN has come, and all data before it */
    bool HasFin() const;

    /** @return the receive window as last advertised, less what came since, bytes */
    uint64_t GetWindow() const;

    /** @return size of the receive buffer, bytes of memory (sk_rcvbuf) */
    uint64_t GetBufferSize() const;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_RECEIVER_H
