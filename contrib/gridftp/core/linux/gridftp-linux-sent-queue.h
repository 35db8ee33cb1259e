/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_SENT_QUEUE_H
#define GRIDFTP_LINUX_SENT_QUEUE_H

#include "gridftp-nanoseconds.h"
#include "gridftp-ring.h"

#include <cstddef>
#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A segment that was sent and is not acknowledged cumulatively. */
struct LinuxSentSegment
{
    static constexpr uint8_t SACKED = 1;             //!< flag: a SACK block has covered it
    static constexpr uint8_t RETRANSMITTED = 2;      //!< flag: a retransmission is in flight
    static constexpr uint8_t LOST = 4;               //!< flag: marked lost
    static constexpr uint8_t EVER_RETRANSMITTED = 8; //!< flag: it was sent more than once
    static constexpr uint8_t APP_LIMITED = 16; //!< flag: sent while the application was the limit
    static constexpr uint8_t LISTED = 32;      //!< flag: in the list by time
    static constexpr uint8_t COUNTED = 64;     //!< flag: its delivery has given a rate sample
    static constexpr uint8_t FIN = 128;        //!< flag: it ends with a FIN

    uint64_t start{0};          //!< first position
    uint64_t end{0};            //!< first position behind it, FIN included
    Nanoseconds sentAt{0};      //!< when it was sent last
    Nanoseconds firstSentAt{0}; //!< when the flight began that it belongs to (rate samples)
    Nanoseconds deliveredAt{0}; //!< LinuxWindow::deliveredAt when it was sent
    uint64_t delivered{0};      //!< LinuxWindow::delivered when it was sent
    uint32_t previous{0};       //!< number of the segment sent before it; see LinuxSentQueue
    uint32_t next{0};           //!< number of the segment sent after it
    uint64_t lost{0};           //!< LinuxWindow::lost when it was sent
    uint32_t inFlight{0};       //!< in flight when it was sent, itself included
    uint32_t deliveredCe{0};    //!< LinuxWindow::deliveredCe when it was sent
    uint8_t flags{0};           //!< of those above

    /** @param flag one of those above @return whether it is set */
    bool Has(uint8_t flag) const
    {
        return (flags & flag) != 0;
    }

    /** @return whether it was ever retransmitted (the kernel's TCPCB_RETRANS) */
    bool WasRetransmitted() const
    {
        return Has(RETRANSMITTED | EVER_RETRANSMITTED);
    }
};

/**
 * @ingroup gridftp
 * The segments that were sent and are not acknowledged: in the order of the stream, and, for RACK,
 * also as a list in the order in which they were sent last (the kernel's tcp_rtx_queue and
 * tsorted_sent_queue).
 *
 * Contract: LinuxSender owns it. Segments are named by numbers that count up and wrap; a number is
 * valid from Push() to Pop().
 */
class LinuxSentQueue
{
  public:
    /** @return whether it is empty */
    bool IsEmpty() const
    {
        return m_segments.IsEmpty();
    }

    /** @return how many segments there are */
    size_t GetSize() const
    {
        return m_segments.GetSize();
    }

    /** @return number of the first segment */
    uint32_t GetBegin() const
    {
        return static_cast<uint32_t>(m_segments.GetPopCount());
    }

    /** @return number behind the last segment */
    uint32_t GetEnd() const
    {
        return static_cast<uint32_t>(m_segments.GetPushCount());
    }

    /** @param number of a segment @return it */
    LinuxSentSegment& At(uint32_t number)
    {
        return m_segments.At(number - GetBegin());
    }

    /** @param number of a segment @return it */
    const LinuxSentSegment& At(uint32_t number) const
    {
        return m_segments.At(number - GetBegin());
    }

    /** @return the first segment; there must be one */
    LinuxSentSegment& Front()
    {
        return m_segments.Front();
    }

    /** @return the first segment; there must be one */
    const LinuxSentSegment& Front() const
    {
        return m_segments.Front();
    }

    /** @return a new last segment, to be filled, which is the last one by time, too */
    LinuxSentSegment& Push()
    {
        const uint32_t number = GetEnd();
        LinuxSentSegment& made = m_segments.Add();
        made.flags = 0;
        Append(number, made);
        return made;
    }

    /** Takes the first segment off. */
    void Pop()
    {
        LinuxSentSegment& front = m_segments.Front();
        if (front.Has(LinuxSentSegment::LISTED))
        {
            Unlist(GetBegin(), front);
        }
        m_segments.Pop();
    }

    /** A segment was sent again: it becomes the last one by time. @param number of it */
    void MoveToEnd(uint32_t number)
    {
        LinuxSentSegment& segment = At(number);
        if (segment.Has(LinuxSentSegment::LISTED))
        {
            Unlist(number, segment);
        }
        Append(number, segment);
    }

    /** Takes a segment off the list by time, if it is there. @param number of it */
    void Unlist(uint32_t number)
    {
        LinuxSentSegment& segment = At(number);
        if (segment.Has(LinuxSentSegment::LISTED))
        {
            Unlist(number, segment);
        }
    }

    /** @return how many segments the list by time has */
    size_t CountListed() const
    {
        return m_listed;
    }

    /** @return number of the segment sent longest ago; only if CountListed() > 0 */
    uint32_t GetOldest() const
    {
        return m_oldest;
    }

    /** @param position in the stream, not before the first segment @return number of the first
     * segment that ends behind it, or GetEnd() */
    uint32_t Find(uint64_t position) const
    {
        size_t low = 0;
        size_t high = m_segments.GetSize();
        while (low < high)
        {
            const size_t middle = low + (high - low) / 2;
            if (m_segments.At(middle).end > position)
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }
        return GetBegin() + static_cast<uint32_t>(low);
    }

  private:
    /** @param number of a segment that is not in the list by time @param segment it */
    void Append(uint32_t number, LinuxSentSegment& segment)
    {
        if (m_listed++ == 0)
        {
            m_oldest = number;
        }
        else
        {
            At(m_newest).next = number;
            segment.previous = m_newest;
        }
        m_newest = number;
        segment.flags |= LinuxSentSegment::LISTED;
    }

    /** @param number of a segment in the list by time @param segment it */
    void Unlist(uint32_t number, LinuxSentSegment& segment)
    {
        segment.flags &= static_cast<uint8_t>(~LinuxSentSegment::LISTED);
        if (--m_listed == 0)
        {
            return;
        }
        if (number == m_oldest)
        {
            m_oldest = segment.next;
        }
        else if (number == m_newest)
        {
            m_newest = segment.previous;
        }
        else
        {
            At(segment.previous).next = segment.next;
            At(segment.next).previous = segment.previous;
        }
    }

    Ring<LinuxSentSegment> m_segments; //!< in the order of the stream
    size_t m_listed{0};                //!< length of the list by time
    uint32_t m_oldest{0};              //!< first one of the list by time
    uint32_t m_newest{0};              //!< last one of the list by time
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_SENT_QUEUE_H
