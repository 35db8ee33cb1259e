/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_RECEIVE_BUFFER_H
#define GRIDFTP_LINUX_RECEIVE_BUFFER_H

#include "gridftp-buffer-meter.h"
#include "gridftp-linux-segment.h"
#include "gridftp-linux-settings.h"
#include "gridftp-nanoseconds.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The receive buffer of a LinuxReceiver and the window that it offers: memory of segments, the
 * share of the buffer that becomes window (Linux 6.6 and later), growth of the window, tuning of
 * the buffer (Dynamic Right-Sizing), and the choice of the next window (RFC 1122, 4.2.3.3). It
 * follows tcp_grow_window(), tcp_rcv_space_adjust(), tcp_measure_rcv_mss() and
 * __tcp_select_window(). Three things are simpler than in the kernel: small segments are not copied
 * into the free memory of the one before them, a full buffer is noticed by each segment (the kernel
 * stores one more where memory is reserved already), and the memory of all sockets together has no
 * limit.
 *
 * Contract: the LinuxReceiver calls Measure(), MeasureRtt(), Push() and Grow() for data that come,
 * Pop() and Tune() when the application reads, Select() for the window of an ACK and Advertise()
 * when the ACK leaves. "Next" is LinuxReassembly::GetNext(); "read" the position behind what the
 * application has read.
 */
class LinuxReceiveBuffer
{
  public:
    /** @param settings outlive it */
    explicit LinuxReceiveBuffer(const LinuxSettings& settings);

    /** The peer's SYN has come. @param hasTimestamps both use timestamps @param isServer whether
     * this host answers with a SYN-ACK; its window is computed anew then */
    void Open(bool hasTimestamps, bool isServer);

    /** The connection is established (tcp_init_buffer_space). @param now current time @param read
     * position behind what was read */
    void Establish(Nanoseconds now, uint64_t read);

    /** @param size bytes of data of a segment @return bytes of memory that it takes (truesize): an
     * sk_buff, and a head with room for headers whose size is a power of two */
    static uint64_t GetSegmentMemory(uint64_t size);

    /** What the size of a segment says. */
    enum class Hint : uint8_t
    {
        NONE,   //!< more data may follow soon
        PUSHED, //!< a full segment that is the last of what the sender has
        SMALL   //!< a small segment, as the last one before a pause is
    };

    /** Estimates the sender's segment size. @param segment with data @param memory that it takes
     * @return what its size says */
    Hint Measure(const LinuxSegment& segment, uint64_t memory)
    {
        if (segment.size == m_segmentSize) [[likely]]
        {
            m_lastSmallSize = 0;
            return segment.Has(LinuxSegment::PSH) ? Hint::PUSHED : Hint::NONE;
        }
        return MeasureOther(segment, memory);
    }

    /** RTT from an echoed timestamp. @param rttUs the sample, us; 0: too short to count @param
     * isIdle whether the application has read all data */
    void AddRtt(uint32_t rttUs, bool isIdle);

    /** RTT from the time in which a window's data come. @param now current time @param next
     * position expected */
    void MeasureRtt(Nanoseconds now, uint64_t next)
    {
        if (next >= m_rttEnd) [[unlikely]]
        {
            FinishRtt(now, next);
        }
    }

    /** Grows the window that may be offered, where the buffer allows it. @param segment has come
     * @param memory that it takes @return whether it grew */
    bool Grow(const LinuxSegment& segment, uint64_t memory)
    {
        return static_cast<int64_t>(m_memory) <= m_growingMemory && GrowThreshold(segment, memory);
    }

    /** Segments in order wait for the application. @param size bytes of each @param memory of each
     * @param count of them */
    void Push(uint64_t size, uint64_t memory, uint64_t count)
    {
        m_memory += memory * count;
        if (m_run.size == size && m_run.memory == memory) [[likely]]
        {
            m_run.count += count;
            return;
        }
        PushOther({size, memory, count});
    }

    /** The application reads. @param bytes of data */
    void Pop(uint64_t bytes)
    {
        if (bytes == m_run.size && m_partial == 0 && m_older.empty()) [[likely]]
        {
            m_memory -= m_run.memory;
            --m_run.count;
            return;
        }
        PopOther(bytes);
    }

    /** Segments out of order take memory. @param bytes of it */
    void Charge(uint64_t bytes)
    {
        m_memory += bytes;
    }

    /** Charge() ends. @param bytes of memory */
    void Release(uint64_t bytes)
    {
        m_memory -= bytes;
    }

    /** The application reads, and IsTuneDue(), which is once each RTT: tunes the size of the buffer
     * (tcp_rcv_space_adjust). Before Pop(). @param now time of the last segment @param next
     * position expected @param read position behind what it has read before @param bytes that it
     * reads @param held bytes from `next` to the end of data out of order */
    void Tune(Nanoseconds now, uint64_t next, uint64_t read, uint64_t bytes, uint64_t held);

    /** @param now time of the last segment @return whether Tune() has to be called */
    bool IsTuneDue(Nanoseconds now) const
    {
        return now - m_tunedAt >= m_roundTrip;
    }

    /** Makes the buffer as large as data out of order require. @param now current time @param held
     * bytes from the next position to their end */
    void GrowForHeld(Nanoseconds now, uint64_t held)
    {
        GrowBuffer(now, m_round, held);
    }

    /** @param mayQuicken set to false if the application has fallen behind, so that quick ACKs end
     * @return the window that an ACK could offer, bytes */
    uint64_t Select(bool& mayQuicken) const
    {
        if (static_cast<int64_t>(m_memory) <= m_easyMemory) [[likely]]
        {
            return m_easyWindow;
        }
        return SelectOther(mayQuicken);
    }

    /** An ACK leaves (tcp_select_window). @param next position expected @param window of Select()
     * @param isOut no memory is left: the window is 0 @return the window that its header says,
     * bytes */
    uint64_t Advertise(uint64_t next, uint64_t window, bool isOut)
    {
        m_window = isOut ? 0 : window;
        if (next + window < m_windowEnd && !isOut) [[unlikely]]
        {
            // A window never shrinks.
            m_window = Align(m_windowEnd - next);
        }
        m_windowStart = next;
        m_windowEnd = next + m_window;
        return std::min(m_window, m_largest) & ~(m_unit - 1);
    }

    /** @param next position expected @return what is left of the last window offered, bytes */
    uint64_t GetWindow(uint64_t next) const
    {
        return m_windowEnd > next ? m_windowEnd - next : 0;
    }

    /** @return position behind the last window offered; 0 before the handshake is done */
    uint64_t GetWindowEnd() const
    {
        return m_windowEnd;
    }

    /** @return whether a segment may be stored */
    bool HasMemory() const
    {
        return m_memory <= m_size;
    }

    /** The buffer is full: it grows up to its limit, and the window shrinks if that is not enough
     * (tcp_clamp_window). @param now current time */
    void Clamp(Nanoseconds now);

    /** Compacts segments that wait for the application. @param bytes of data in a unit of memory
     * @param memory bytes of memory of the unit */
    void Collapse(uint64_t bytes, uint64_t memory);

    /** @return window of a SYN, which is not scaled, bytes */
    uint64_t GetSynWindow() const;

    /** @return position at which the last window offered begins (rcv_wup) */
    uint64_t GetWindowStart() const
    {
        return m_windowStart;
    }

    /** @return the last window offered, bytes (rcv_wnd) */
    uint64_t GetOffered() const
    {
        return m_window;
    }

    /** @return the largest window, bytes (window_clamp) */
    uint64_t GetClamp() const
    {
        return m_clamp;
    }

    /** @return the sender's segment size as estimated, bytes (rcv_mss) */
    uint64_t GetSegmentSize() const
    {
        return m_segmentSize;
    }

    /** @return size of the buffer, bytes of memory (sk_rcvbuf) */
    uint64_t GetSize() const
    {
        return m_size;
    }

    /** @param until end of the time @return how large the buffer was from Establish() until then */
    BufferUse GetUse(Nanoseconds until) const
    {
        return m_meter.GetUse(until);
    }

    /** @return bytes of memory in use (sk_rmem_alloc) */
    uint64_t GetMemory() const
    {
        return m_memory;
    }

    /** @return 8 times the RTT that the receiver has estimated, us; 0: none */
    uint32_t GetRttUs8() const
    {
        return m_rttUs8;
    }

  private:
    /** m_roundTrip before the first sample: longer than all. */
    static constexpr Nanoseconds NO_RTT = std::numeric_limits<Nanoseconds>::max() / 2;

    /** Equal segments in order. */
    struct Run
    {
        uint64_t size{0};   //!< bytes of data of each
        uint64_t memory{0}; //!< bytes of memory of each
        uint64_t count{0};  //!< how many
    };

    uint64_t GetWindowOf(uint64_t memory) const
    {
        return memory * m_ratio >> 8;
    }

    int64_t GetSpace() const
    {
        return (static_cast<int64_t>(m_size) - static_cast<int64_t>(m_memory)) *
                   static_cast<int64_t>(m_ratio) >>
               8;
    }

    uint64_t Align(uint64_t window) const
    {
        return (window + m_unit - 1) & ~(m_unit - 1);
    }

    /** @return bytes of the oldest segment in order that were not read */
    uint64_t GetOldest() const
    {
        return (m_older.empty() ? m_run.size : m_older.front().size) - m_partial;
    }

    void SelectInitialWindow(uint64_t mss);
    void Refresh();
    int64_t GetMemoryLeaving(uint64_t window) const;
    uint64_t SelectOther(bool& mayQuicken) const;
    bool GrowThreshold(const LinuxSegment& segment, uint64_t memory);
    void SetRtt(uint32_t rttUs8);
    void PushOther(const Run& run);
    Hint MeasureOther(const LinuxSegment& segment, uint64_t memory);
    void SetRatio(uint64_t size, uint64_t memory);
    void SetClamp(uint64_t window);
    uint64_t GetSlowGrowth(uint64_t size, uint64_t memory) const;
    void FinishRtt(Nanoseconds now, uint64_t next);
    void GrowBuffer(Nanoseconds now, uint64_t round, uint64_t held);
    void Resize(Nanoseconds now, uint64_t bytes);
    void PopOther(uint64_t bytes);

    const LinuxSettings& m_settings; //!< of the host
    bool m_isFixed{false};           //!< SO_RCVBUF is set
    uint64_t m_size{0};              //!< bytes of memory (sk_rcvbuf)
    uint64_t m_memory{0};            //!< in use, bytes (sk_rmem_alloc)
    uint64_t m_ratio{128};           //!< window of 256 bytes of memory (scaling_ratio)
    uint64_t m_unit{1};              //!< 2 to the power of the window scale
    uint64_t m_clamp{0};             //!< largest window, bytes (window_clamp)
    uint64_t m_threshold{0};         //!< window that may be offered by now (rcv_ssthresh)
    uint64_t m_window{0};            //!< last window offered (rcv_wnd)
    uint64_t m_windowStart{0};       //!< position where it begins (rcv_wup)
    uint64_t m_windowEnd{0};         //!< position behind it; 0 before the handshake is done
    uint64_t m_largest{0};           //!< window that the header can say
    int64_t m_easyMemory{-1};    //!< with at most so much memory in use the window is m_easyWindow
    uint64_t m_easyWindow{0};    //!< m_threshold, rounded up
    int64_t m_growingMemory{-1}; //!< with at most so much memory in use m_threshold may grow
    uint64_t m_mss{0};           //!< bytes of data of a full segment (advmss)
    uint64_t m_segmentSize{0};   //!< the sender's segment size as estimated (rcv_mss)
    uint64_t m_lastSmallSize{0}; //!< size of the last segment, if it is small (last_seg_size)
    uint64_t m_headerSize{20};   //!< TCP header with timestamps, without SACK, bytes
    uint32_t m_rttUs8{0};        //!< 8 times the RTT (rcv_rtt_est.rtt_us)
    uint64_t m_rttEnd{0};        //!< position that ends a sample (rcv_rtt_est.seq)
    Nanoseconds m_rttStart{-1};  //!< when the sample began; negative: no sample yet
    uint64_t m_round{0};         //!< bytes read in an RTT, at most so far (rcvq_space.space)
    uint64_t m_roundStart{0};    //!< position read when the round began (rcvq_space.seq)
    Nanoseconds m_tunedAt{0};    //!< when the round began (rcvq_space.time)
    Nanoseconds m_roundTrip{NO_RTT}; //!< m_rttUs8 as time
    Run m_run;                       //!< the newest segments in order
    uint64_t m_partial{0};           //!< bytes of the oldest segment that were read
    std::deque<Run> m_older;         //!< segments in order before m_run, oldest first
    BufferMeter m_meter;             //!< of m_size
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_RECEIVE_BUFFER_H
