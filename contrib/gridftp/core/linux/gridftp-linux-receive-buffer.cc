/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-receive-buffer.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ns3::gridftp
{

namespace
{

// A received packet in memory (include/linux/skbuff.h, x86-64). The head also has room in front of
// the packet, Ethernet, IP and TCP headers, and the shared info behind it.
constexpr uint64_t SK_BUFF = 256;
constexpr uint64_t SHARED_INFO = 320;
constexpr uint64_t HEADROOM = 64;
constexpr uint64_t HEADERS = 14 + 20 + 32;
constexpr uint64_t CACHE_LINE = 64;

constexpr uint64_t LEAST_SIZE = 2304;             // SOCK_MIN_RCVBUF: the smallest receive buffer
constexpr uint64_t LARGEST_UNSCALED = 65535;      // of the window field
constexpr uint64_t LARGEST_SCALE = 14;            // RFC 7323, Section 2.3
constexpr uint64_t DEFAULT_SEGMENT_SIZE = 536;    // TCP_MSS_DEFAULT
constexpr uint64_t LEAST_SEGMENT_SIZE = 88;       // TCP_MIN_MSS
constexpr uint64_t BASE_HEADER = 20;              // TCP header without options
constexpr uint64_t TIMESTAMP_OPTION = 12;         // with padding
constexpr uint64_t INITIAL_SEGMENTS = 10;         // TCP_INIT_CWND
constexpr uint64_t APPLICATION_WINDOW_SHIFT = 31; // tcp_app_win

} // namespace

LinuxReceiveBuffer::LinuxReceiveBuffer(const LinuxSettings& settings)
    : m_settings(settings),
      m_isFixed(settings.fixedReceiveBuffer > 0),
      m_size(m_isFixed ? std::max(2 * settings.fixedReceiveBuffer, LEAST_SIZE)
                       : settings.receiveBuffer[1]),
      m_mss(settings.mss),
      m_meter(m_size)
{
    SelectInitialWindow(m_mss);
}

uint64_t
LinuxReceiveBuffer::GetSegmentMemory(uint64_t size)
{
    const uint64_t data = (HEADROOM + HEADERS + size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return SK_BUFF + std::bit_ceil(data + SHARED_INFO);
}

void
LinuxReceiveBuffer::SelectInitialWindow(uint64_t mss)
{
    const uint64_t full = GetWindowOf(m_size);
    uint64_t clamp = m_isFixed ? full : LARGEST_UNSCALED << LARGEST_SCALE;
    uint64_t space = std::min(clamp, full);
    m_window = space > mss ? space - space % mss : space;
    space = std::min(std::max(space, m_settings.receiveBuffer[2]), clamp);
    const uint64_t scale =
        space >> 16 == 0 ? 0 : std::min<uint64_t>(std::bit_width(space) - 16, LARGEST_SCALE);
    m_unit = uint64_t{1} << scale;
    m_largest = LARGEST_UNSCALED << scale;
    m_clamp = std::min(LARGEST_UNSCALED << scale, clamp);
    m_threshold = m_window;
}

void
LinuxReceiveBuffer::Open(bool hasTimestamps, bool isServer)
{
    if (hasTimestamps)
    {
        m_mss -= TIMESTAMP_OPTION;
        m_headerSize += TIMESTAMP_OPTION;
    }
    if (isServer)
    {
        SelectInitialWindow(m_mss);
    }
    m_segmentSize =
        std::max(std::min({m_mss, m_window / 2, DEFAULT_SEGMENT_SIZE}), LEAST_SEGMENT_SIZE);
    m_windowStart = 1;
}

void
LinuxReceiveBuffer::Establish(Nanoseconds now, uint64_t read)
{
    m_meter.Open(now);
    m_tunedAt = now;
    m_roundStart = read;
    const uint64_t full = GetWindowOf(m_size);
    if (m_clamp >= full)
    {
        m_clamp = full;
        if (full > 4 * m_mss)
        {
            m_clamp = std::max(full - (full >> APPLICATION_WINDOW_SHIFT), 4 * m_mss);
        }
    }
    if (m_clamp > 2 * m_mss && m_clamp + m_mss > full)
    {
        m_clamp = std::max(2 * m_mss, full - m_mss);
    }
    m_threshold = std::min(m_threshold, m_clamp);
    m_round = std::min({m_threshold, m_window, INITIAL_SEGMENTS * m_mss});
    m_windowEnd = m_windowStart + m_window;
    Refresh();
}

int64_t
LinuxReceiveBuffer::GetMemoryLeaving(uint64_t window) const
{
    return static_cast<int64_t>(m_size) -
           static_cast<int64_t>(((window << 8) + m_ratio - 1) / m_ratio);
}

void
LinuxReceiveBuffer::Refresh()
{
    // What Grow() and Select() need in the usual cases, without multiplications.
    const uint64_t full = std::min(m_clamp, GetWindowOf(m_size));
    const bool isEasy = m_unit > 1 && full > 0;
    m_easyMemory = isEasy ? GetMemoryLeaving(std::max(m_threshold, full >> 1)) : -1;
    m_easyWindow = Align(m_threshold);
    m_growingMemory = m_threshold < m_clamp ? GetMemoryLeaving(m_threshold + 1) : -1;
}

uint64_t
LinuxReceiveBuffer::GetSynWindow() const
{
    return std::min(m_window, LARGEST_UNSCALED);
}

void
LinuxReceiveBuffer::SetClamp(uint64_t window)
{
    const uint64_t clamp = std::max(LEAST_SIZE / 2, window);
    if (clamp < m_clamp)
    {
        m_threshold = std::min(m_threshold, clamp);
    }
    else if (clamp > m_clamp)
    {
        m_threshold = std::max(std::min(m_window, clamp), m_threshold);
    }
    m_clamp = clamp;
}

void
LinuxReceiveBuffer::SetRatio(uint64_t size, uint64_t memory)
{
    const uint64_t ratio = std::clamp<uint64_t>((size << 8) / memory, 1, 255);
    if (ratio != m_ratio)
    {
        m_ratio = ratio;
        SetClamp(GetWindowOf(m_size));
        m_round = std::min(m_round, m_clamp);
        Refresh();
    }
}

LinuxReceiveBuffer::Hint
LinuxReceiveBuffer::MeasureOther(const LinuxSegment& segment, uint64_t memory)
{
    const uint64_t before = m_lastSmallSize;
    m_lastSmallSize = 0;
    uint64_t size = segment.size;
    if (size >= m_segmentSize)
    {
        if (size != m_segmentSize)
        {
            SetRatio(size, memory);
        }
        m_segmentSize = std::min(size, m_mss);
        return segment.Has(LinuxSegment::PSH) ? Hint::PUSHED : Hint::NONE;
    }
    // The size with TCP header does not depend on how many SACK blocks the segment carries.
    const uint64_t options = segment.blocks > 0 ? 4 + 8 * uint64_t{segment.blocks} : 0;
    size += m_headerSize + options;
    const bool isLast = segment.Has(LinuxSegment::PSH) || segment.Has(LinuxSegment::FIN);
    if (size >= DEFAULT_SEGMENT_SIZE + BASE_HEADER ||
        (size >= LEAST_SEGMENT_SIZE + BASE_HEADER && !isLast))
    {
        m_lastSmallSize = size - m_headerSize;
        if (m_lastSmallSize == before)
        {
            m_segmentSize = m_lastSmallSize;
            return Hint::NONE;
        }
    }
    return Hint::SMALL;
}

void
LinuxReceiveBuffer::SetRtt(uint32_t rttUs8)
{
    m_rttUs8 = rttUs8;
    m_roundTrip = static_cast<Nanoseconds>(rttUs8 >> 3) * 1000;
}

void
LinuxReceiveBuffer::AddRtt(uint32_t rttUs, bool isIdle)
{
    if (rttUs == 0)
    {
        return;
    }
    if (m_rttUs8 == 0 || rttUs << 3 < m_rttUs8)
    {
        SetRtt(rttUs << 3);
    }
    else if (isIdle)
    {
        SetRtt(m_rttUs8 - (m_rttUs8 >> 3) + rttUs);
    }
}

void
LinuxReceiveBuffer::FinishRtt(Nanoseconds now, uint64_t next)
{
    if (m_rttStart >= 0)
    {
        const auto sample =
            static_cast<uint32_t>(std::max<Nanoseconds>((now - m_rttStart) / 1000, 1));
        if (m_rttUs8 == 0 || sample << 3 < m_rttUs8)
        {
            SetRtt(sample << 3);
        }
    }
    m_rttStart = now;
    m_rttEnd = next + m_window;
}

uint64_t
LinuxReceiveBuffer::GetSlowGrowth(uint64_t size, uint64_t memory) const
{
    uint64_t used = GetWindowOf(memory) >> 1;
    uint64_t window = GetWindowOf(m_settings.receiveBuffer[2]) >> 1;
    while (m_threshold <= window)
    {
        if (used <= size)
        {
            return 2 * m_segmentSize;
        }
        used >>= 1;
        window >>= 1;
    }
    return 0;
}

bool
LinuxReceiveBuffer::GrowThreshold(const LinuxSegment& segment, uint64_t memory)
{
    const int64_t limit = std::min(static_cast<int64_t>(m_clamp), GetSpace());
    const int64_t room = limit - static_cast<int64_t>(m_threshold);
    if (room <= 0)
    {
        return false;
    }
    const uint64_t size = segment.size;
    uint64_t growth = GetWindowOf(memory) <= size ? 2 * m_mss : GetSlowGrowth(size, memory);
    if (growth == 0)
    {
        return false;
    }
    growth = std::max(growth, 2 * size);
    m_threshold += std::min(static_cast<uint64_t>(room), growth);
    Refresh();
    return true;
}

void
LinuxReceiveBuffer::PushOther(const Run& run)
{
    if (m_run.count > 0)
    {
        m_older.push_back(m_run);
    }
    m_run = run;
}

void
LinuxReceiveBuffer::PopOther(uint64_t bytes)
{
    while (bytes > 0)
    {
        Run& run = m_older.empty() ? m_run : m_older.front();
        const uint64_t count = std::min((m_partial + bytes) / run.size, run.count);
        if (count == 0)
        {
            m_partial += bytes;
            return;
        }
        bytes -= count * run.size - m_partial;
        m_partial = 0;
        m_memory -= count * run.memory;
        run.count -= count;
        if (run.count == 0 && !m_older.empty())
        {
            m_older.pop_front();
        }
    }
}

void
LinuxReceiveBuffer::Resize(Nanoseconds now, uint64_t bytes)
{
    m_size = bytes;
    m_meter.Resize(now, bytes);
}

void
LinuxReceiveBuffer::GrowBuffer(Nanoseconds now, uint64_t round, uint64_t held)
{
    const uint64_t before = m_round;
    m_round = round;
    if (!m_settings.moderatesReceiveBuffer || m_isFixed || before == 0)
    {
        return;
    }
    // The sender's window is one RTT ahead, and may double in slow start.
    uint64_t window = 2 * round;
    window += window * (round - before) / before * 2;
    window += held;
    const uint64_t size = std::min((window << 8) / m_ratio, m_settings.receiveBuffer[2]);
    if (size > m_size)
    {
        Resize(now, size);
        m_clamp = GetWindowOf(size);
        Refresh();
    }
}

void
LinuxReceiveBuffer::Tune(Nanoseconds now,
                         uint64_t next,
                         uint64_t read,
                         uint64_t bytes,
                         uint64_t held)
{
    // The kernel looks behind the first segment that a read copies; data that wait are not read.
    read += std::min(bytes, GetOldest());
    const auto copied =
        static_cast<int64_t>(read - m_roundStart) - static_cast<int64_t>(next - read);
    if (copied > static_cast<int64_t>(m_round))
    {
        GrowBuffer(now, static_cast<uint64_t>(copied), held);
    }
    m_roundStart = read;
    m_tunedAt = now;
}

uint64_t
LinuxReceiveBuffer::SelectOther(bool& mayQuicken) const
{
    const uint64_t allowed = GetWindowOf(m_size);
    const uint64_t full = std::min(m_clamp, allowed);
    const uint64_t mss = std::min(m_segmentSize, full);
    if (mss == 0)
    {
        return 0;
    }
    uint64_t space = static_cast<uint64_t>(std::max<int64_t>(GetSpace(), 0));
    if (space < full >> 1) [[unlikely]]
    {
        mayQuicken = false;
        space &= ~(m_unit - 1);
        if (space < allowed >> 4 || space < mss)
        {
            return 0;
        }
    }
    space = std::min(space, m_threshold);
    if (m_unit > 1) [[likely]]
    {
        return Align(space);
    }
    if (m_window + mss <= space || m_window > space)
    {
        return space - space % mss;
    }
    return mss == full && space > m_window + (full >> 1) ? space : m_window;
}

void
LinuxReceiveBuffer::Clamp(Nanoseconds now)
{
    if (m_size < m_settings.receiveBuffer[2] && !m_isFixed)
    {
        Resize(now, std::min(m_memory, m_settings.receiveBuffer[2]));
    }
    if (m_memory > m_size)
    {
        m_threshold = std::min(m_clamp, 2 * m_mss);
    }
    Refresh();
}

void
LinuxReceiveBuffer::Collapse(uint64_t bytes, uint64_t memory)
{
    uint64_t data = m_run.count * m_run.size;
    uint64_t used = m_run.count * m_run.memory;
    for (const Run& run : m_older)
    {
        data += run.count * run.size;
        used += run.count * run.memory;
    }
    data -= m_partial;
    const uint64_t rest = data % bytes;
    if (data / bytes * memory + (rest > 0 ? memory : 0) >= used)
    {
        return;
    }
    m_memory -= used;
    m_older.clear();
    m_run = {};
    m_partial = 0;
    for (const auto& [size, count] : {std::pair{bytes, data / bytes}, std::pair{rest, uint64_t{1}}})
    {
        if (size > 0 && count > 0)
        {
            Push(size, memory, count);
        }
    }
}

} // namespace ns3::gridftp
