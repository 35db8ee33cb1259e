/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_RECEIVER_H
#define GRIDFTP_SEGMENT_RECEIVER_H

#include "gridftp-segment-sack-blocks.h"
#include "gridftp-segment-state.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The receiving end of a connection: what has arrived, and when it is acknowledged (RFC 5681,
 * Section 4.2: at once where there is a gap or one is filled, else every so many segments).
 */
class SegmentReceiver
{
  public:
    /** What a segment leads to. */
    enum class Answer
    {
        ACK,  //!< an ACK at once
        LATER //!< an ACK with the next segment, or when the timer expires
    };

    /**
     * @param delayedAck segments per ACK
     * @param hasSack whether it reports what has arrived behind a gap, see GetSackBlocks()
     */
    explicit SegmentReceiver(uint32_t delayedAck, bool hasSack = false)
        : m_hasSack(hasSack),
          m_delayedAck(delayedAck),
          m_unacknowledged(delayedAck) // the first segment is acknowledged at once, as in ns-3
    {
    }

    /** @return first byte that is missing */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /** @return whether bytes are missing before others that are there */
    bool HasGap() const
    {
        return !m_ranges.empty();
    }

    /**
     * @param start first byte of a segment
     * @param size bytes
     * @return whether the segment, its ACK included, is discarded but for an answer: the byte
     *         behind its end, too, is there already (ns-3's TcpSocketBase::IsValidTcpSegment())
     */
    bool IsStale(uint64_t start, uint32_t size) const
    {
        return size > 0 && start + size < m_next;
    }

    /**
     * Receive(), where it can only lead to an ACK at once: nothing is missing and every segment is
     * acknowledged.
     * @param start first byte
     * @param size bytes
     * @return whether it was so; otherwise nothing is done
     */
    bool TryReceive(uint64_t start, uint64_t size)
    {
        const bool inOrder = start == m_next && m_ranges.empty() && m_delayedAck == 1;
        m_next += inOrder ? size : 0;
        return inOrder;
    }

    /**
     * A segment arrives.
     * @param start its first byte
     * @param size bytes, at least 1
     * @return what it leads to
     */
    Answer Receive(uint64_t start, uint32_t size)
    {
        const uint64_t end = start + size;
        if (start == m_next && m_ranges.empty()) [[likely]]
        {
            m_next = end;
            return Count();
        }
        return ReceiveApart(start, end);
    }

    /**
     * An ACK was sent between the arrival of a segment in order, Receive(), and the decision when
     * it is acknowledged.
     * @return what the segment leads to now
     */
    Answer CountAgain()
    {
        return Count();
    }

    /** @return what the SACK option of an ACK reports now; no block where there is no gap */
    const SackBlocks& GetSackBlocks() const
    {
        return m_sack.GetBlocks();
    }

    /** An ACK is sent. */
    void HandleAckSent()
    {
        m_unacknowledged = 0;
    }

    /** @param state gets what is there @param sent first byte that the other end was not told to
     * have arrived */
    void AddState(SegmentState& state, uint64_t sent) const
    {
        state.AddPosition(m_next, sent);
        state.Add(m_unacknowledged);
        for (const Range& range : m_ranges)
        {
            state.AddPosition(range.start, sent);
            state.AddPosition(range.end, sent);
        }
    }

  private:
    /** Bytes behind a gap. */
    struct Range
    {
        uint64_t start; //!< first
        uint64_t end;   //!< first beyond
    };

    /** A segment came in order. @return what it leads to */
    Answer Count()
    {
        return ++m_unacknowledged >= m_delayedAck ? Answer::ACK : Answer::LATER;
    }

    /** A segment comes before, behind or into a gap. @param start first byte @param end beyond
     * @return what it leads to */
    Answer ReceiveApart(uint64_t start, uint64_t end)
    {
        if (m_hasSack) [[unlikely]]
        {
            return ReceiveWithSack(start, end);
        }
        if (end <= m_next)
        {
            return Answer::ACK; // again what is there
        }
        if (start > m_next)
        {
            Keep({start, end});
            return Answer::ACK;
        }
        const uint64_t wholeEnd = m_next + (end - start);
        m_next = end;
        size_t filled = 0;
        while (filled < m_ranges.size() && m_ranges[filled].start <= m_next)
        {
            m_next = m_ranges[filled].end > m_next ? m_ranges[filled].end : m_next;
            ++filled;
        }
        m_ranges.erase(m_ranges.begin(), m_ranges.begin() + static_cast<ptrdiff_t>(filled));
        // ns-3 finds that a gap is filled by what is more than the segment: where it was sent again
        // joined with what had come behind the gap, it does not
        return m_next > wholeEnd || !m_ranges.empty() ? Answer::ACK : Count();
    }

    /** ReceiveApart() where blocks are reported: gridftp-segment-receiver.cc. @param start first
     * byte @param end beyond @return what it leads to */
    Answer ReceiveWithSack(uint64_t start, uint64_t end);

    /** Takes off a segment what is there already, and from what is there the segments within it.
     * @param range the segment, from the first byte missing on; without bytes if all is there */
    void Trim(Range& range);

    /** Sets m_ranges after m_segments has changed. */
    void UpdateRange();

    /** Keeps what came behind a gap. @param range bytes */
    void Keep(Range range)
    {
        size_t first = m_ranges.size(); // most come behind all others
        while (first > 0 && m_ranges[first - 1].end >= range.start)
        {
            --first;
        }
        size_t last = first;
        while (last < m_ranges.size() && m_ranges[last].start <= range.end)
        {
            range.start = m_ranges[last].start < range.start ? m_ranges[last].start : range.start;
            range.end = m_ranges[last].end > range.end ? m_ranges[last].end : range.end;
            ++last;
        }
        if (last == first)
        {
            m_ranges.insert(m_ranges.begin() + static_cast<ptrdiff_t>(first), range);
            return;
        }
        m_ranges[first] = range;
        m_ranges.erase(m_ranges.begin() + static_cast<ptrdiff_t>(first) + 1,
                       m_ranges.begin() + static_cast<ptrdiff_t>(last));
    }

    uint64_t m_next{0}; //!< first byte that is missing
    std::vector<Range>
        m_ranges; //!< behind a gap, in order, none touching another; where blocks are
                  //!< reported, one: from the first segment there to the last one
    std::map<uint64_t, uint64_t> m_segments; //!< where blocks are reported: behind a gap, first
                                             //!< bytes, and the first ones beyond
    SackHistory m_sack;                      //!< see GetSackBlocks()
    bool m_hasSack;                          //!< blocks are reported
    uint32_t m_delayedAck;                   //!< segments per ACK
    uint32_t m_unacknowledged;               //!< segments in order since the last ACK
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_RECEIVER_H
