/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_ACK_SCHEDULE_H
#define GRIDFTP_LINUX_ACK_SCHEDULE_H

#include "gridftp-linux-settings.h"
#include "gridftp-nanoseconds.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * When a LinuxReceiver acknowledges: quick ACKs, the timer of delayed ACKs and its interval (ATO),
 * interactive ("pingpong") connections, and compressed ACKs of data out of order. It follows
 * tcp_event_data_recv(), __tcp_ack_snd_check(), tcp_send_delayed_ack() and
 * tcp_delack_timer_handler().
 *
 * Contract: the LinuxReceiver reports what comes and what leaves, and asks Delay() and Compress()
 * where no reason to acknowledge at once is left. IsScheduled() says whether an ACK is owed.
 */
class LinuxAckSchedule
{
  public:
    /** No deadline. */
    static constexpr Nanoseconds NEVER = std::numeric_limits<Nanoseconds>::max();

    /** The most quick ACKs (TCP_MAX_QUICKACKS). */
    static constexpr uint64_t MOST_QUICK = 16;

    /** @param settings outlive it */
    explicit LinuxAckSchedule(const LinuxSettings& settings);

    /** An ACK is owed. */
    void Schedule()
    {
        m_pending |= SCHEDULED;
    }

    /** The ACK that is owed has to leave at once. */
    void Hurry()
    {
        m_pending |= SCHEDULED | NOW;
    }

    /** As Hurry(); its window is 0, as no memory is left. */
    void ReportFull()
    {
        m_pending |= SCHEDULED | NOW | NO_MEMORY;
    }

    /** The last segment of what the sender has came. */
    void NotePush()
    {
        m_pending |= SMALL;
    }

    /** A segment smaller than usual has come: it may be the last before a pause. */
    void NoteSmallSegment()
    {
        m_pending |= (m_pending & SMALL) != 0 ? SMALL_AGAIN : SMALL;
    }

    /** Data in order have come: adapts the ATO to the interval between segments. @param now current
     * time @param window that was offered, bytes @param segmentSize the sender's segment size,
     * bytes */
    void HandleData(Nanoseconds now, uint64_t window, uint64_t segmentSize)
    {
        const Nanoseconds interval = now - m_receivedAt;
        m_receivedAt = now;
        if (m_ato != 0 && interval <= m_halfInterval) [[likely]]
        {
            m_ato = (m_ato >> 1) + m_halfInterval;
            return;
        }
        AdaptInterval(interval, window, segmentSize);
    }

    /** Acknowledges the next segments at once. @param most how many at most @param window that was
     * offered, bytes @param segmentSize the sender's segment size, bytes */
    void EnterQuickMode(uint64_t most, uint64_t window, uint64_t segmentSize);

    /** The window has grown: the next ACK leaves at once. */
    void AllowOneQuick()
    {
        m_quick |= 1;
    }

    /** The application has fallen behind: no quick ACKs. */
    void EndQuick()
    {
        m_quick = 0;
    }

    /** @return whether an ACK is owed */
    bool IsScheduled() const
    {
        return (m_pending & SCHEDULED) != 0;
    }

    /** @return whether the window has to be 0 */
    bool IsFull() const
    {
        return (m_pending & NO_MEMORY) != 0;
    }

    /** @return whether every ACK leaves at once, or this one has to */
    bool IsUrgent() const
    {
        return m_acksAll || (m_quick > 0 && !m_isInteractive) || (m_pending & NOW) != 0;
    }

    /** @return whether reading the last data is a reason to acknowledge: the sender waits */
    bool HasSmallSegment() const
    {
        return (m_pending & SMALL_AGAIN) != 0 || ((m_pending & SMALL) != 0 && !m_isInteractive);
    }

    /** No reason to acknowledge at once: sets the timer. @param now current time @return whether
     * the ACK leaves nevertheless, as the timer is about to expire */
    bool Delay(Nanoseconds now)
    {
        if (now - m_tick >= m_tickLength)
        {
            m_tick = now - now % m_tickLength;
        }
        const Nanoseconds ato = m_ato <= m_settings.minDelayedAck ? m_ato : GetLongInterval();
        return StartTimer(std::min(ato, m_longest));
    }

    /** As Delay(), with data out of order and SACK: the first ACKs leave at once, the others when
     * the timer expires or there are many. @param now current time @param next position expected
     * @param rttUs8 8 times the RTT of the receiver, us; 0: none @return whether the ACK leaves at
     * once */
    bool Compress(Nanoseconds now, uint64_t next, uint32_t rttUs8);

    /** @return whether an ACK that one ACK will replace, with others, waits for its timer */
    bool IsCompressing() const
    {
        return m_compressed > 0;
    }

    /** An ACK has left, with or without data. */
    void HandleAckSent()
    {
        m_compressed = 0;
        m_compressedDeadline = NEVER;
        if (m_quick > 0 && IsScheduled() && --m_quick == 0) [[unlikely]]
        {
            m_ato = m_settings.minDelayedAck;
        }
        m_pending = 0;
        m_deadline = NEVER;
    }

    /** Data have left (tcp_event_data_sent). @param now current time */
    void HandleDataSent(Nanoseconds now)
    {
        m_isInteractive = m_isInteractive || now - m_receivedAt < m_ato;
    }

    /** The peer sends no more: an answer of the application is likely to carry the ACK. */
    void EnterInteractive()
    {
        m_isInteractive = true;
    }

    /** @return when HandleDeadline() has to be called, or NEVER */
    Nanoseconds GetDeadline() const
    {
        return m_deadline < m_compressedDeadline ? m_deadline : m_compressedDeadline;
    }

    /** GetDeadline() is reached. @param now current time @return whether an ACK leaves */
    bool HandleDeadline(Nanoseconds now);

    /** The connection opens. @param now current time */
    void Open(Nanoseconds now)
    {
        m_receivedAt = now;
    }

    /** @param srttUs8 8 times the smoothed RTT of the sender, us; 0: none */
    void SetSrtt(uint32_t srttUs8)
    {
        m_srttUs8 = srttUs8;
    }

    /** @return interval of delayed ACKs */
    Nanoseconds GetAto() const
    {
        return m_ato;
    }

    /** @return whether the connection is interactive */
    bool IsInteractive() const
    {
        return m_isInteractive;
    }

  private:
    static constexpr uint8_t SCHEDULED = 1;   //!< an ACK is owed
    static constexpr uint8_t SMALL = 2;       //!< a small segment came, or the sender's last
    static constexpr uint8_t SMALL_AGAIN = 4; //!< another one came
    static constexpr uint8_t NOW = 8;         //!< the ACK has to leave at once
    static constexpr uint8_t NO_MEMORY = 16;  //!< the buffer is full

    /** Starts the timer of the delayed ACK, or leaves it as it is. @param ato interval @return
     * whether it is about to expire */
    bool StartTimer(Nanoseconds ato)
    {
        // The kernel counts whole ticks, and a timer expires at the tick behind its time.
        const Nanoseconds start = m_tick + m_tickLength;
        if (m_deadline != NEVER) [[unlikely]]
        {
            const Nanoseconds soon = ato >> 2;
            if (m_deadline <= start + soon - soon % m_tickLength)
            {
                return true;
            }
        }
        m_deadline = std::min(m_deadline, start + ato - ato % m_tickLength);
        m_pending |= SCHEDULED;
        return false;
    }

    Nanoseconds GetLongInterval() const;
    void AdaptInterval(Nanoseconds interval, uint64_t window, uint64_t segmentSize);
    void AddQuick(uint64_t most, uint64_t window, uint64_t segmentSize);
    Nanoseconds GetRto() const;

    const LinuxSettings& m_settings;         //!< of the host
    Nanoseconds m_tickLength{0};             //!< 1 / HZ
    Nanoseconds m_halfInterval{0};           //!< half of the shortest ATO
    Nanoseconds m_longest{0};                //!< longest delay of an ACK
    Nanoseconds m_tick{0};                   //!< time of the last tick that was looked at
    bool m_acksAll{false};                   //!< the route requires it
    bool m_isInteractive{false};             //!< data go both ways ("pingpong")
    uint8_t m_pending{0};                    //!< of the flags above; 0 when an ACK has left
    uint32_t m_srttUs8{0};                   //!< of the sender, us
    uint64_t m_quick{0};                     //!< quick ACKs that are left
    Nanoseconds m_ato{0};                    //!< interval of delayed ACKs; 0 before the first data
    Nanoseconds m_receivedAt{0};             //!< when data came last
    Nanoseconds m_deadline{NEVER};           //!< of the delayed ACK
    Nanoseconds m_compressedDeadline{NEVER}; //!< of compressed ACKs
    uint32_t m_compressed{0};                //!< ACKs that one will replace
    uint32_t m_duplicates{0};                //!< ACKs at once since m_compressedNext
    uint64_t m_compressedNext{0};            //!< next position expected while ACKs are compressed
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_ACK_SCHEDULE_H
