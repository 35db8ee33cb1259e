/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-sender-fast.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * LinuxSender: what leaves, in bursts (net/ipv4/tcp_output.c).
 */

namespace ns3::gridftp
{

[[gnu::always_inline]] inline uint32_t
LinuxSender::GetBurst() const
{
    const uint32_t given = m_hasControl ? m_control->GetTsoSegments(m_window) : 0;
    if (given > 0)
    {
        return given;
    }
    uint64_t bytes = m_window.pacingRate >> 10; // 1 ms of the rate
    const uint32_t shift = m_window.minRttUs >> m_settings.tsoRttLog;
    if (shift < 32)
    {
        bytes += m_settings.tsoBytes >> shift;
    }
    bytes = std::min<uint64_t>(bytes, m_settings.tsoBytes);
    const uint32_t own = m_hasControl ? m_control->GetMinTsoSegments(m_window) : 0;
    const uint32_t least = own > 0 ? own : m_settings.minTsoSegments;
    return std::max(static_cast<uint32_t>(bytes) / m_window.mss, least);
}

[[gnu::always_inline]] inline bool
LinuxSender::ShouldDefer(uint64_t unsent,
                         uint32_t most,
                         uint64_t window,
                         uint32_t limit,
                         bool& isCwndLimited) const
{
    if (m_window.state >= LinuxCaState::RECOVERY ||
        m_window.now - m_window.nextDepartureAt > LINUX_MS)
    {
        return false;
    }
    const uint64_t mss = m_window.mss;
    const uint64_t cwndBytes = limit * mss;
    const uint64_t allowed = std::min(window, cwndBytes);
    const bool isTail = m_written - m_window.sndNxt <= m_settings.tsoBytes;
    if (allowed >= most * mss || (!isTail && allowed >= unsent))
    {
        return false;
    }
    const uint64_t whole = std::min(m_peerWindow, m_window.cwnd * mss);
    if (m_settings.tsoWindowDivisor > 0 && allowed >= whole / m_settings.tsoWindowDivisor)
    {
        return false;
    }
    if (m_queue.IsEmpty())
    {
        return false;
    }
    // The next ACK must be near: within half of the RTT, and within 1 ms
    const Nanoseconds rtt = static_cast<Nanoseconds>(m_window.srttUs8) * 125;
    const Nanoseconds left = m_queue.Front().sentAt + rtt - m_window.now;
    if (left > std::min(rtt / 2, LINUX_MS))
    {
        return false;
    }
    if (cwndBytes < window)
    {
        if (cwndBytes <= unsent)
        {
            isCwndLimited = true;
            return true;
        }
    }
    else if (window <= unsent)
    {
        return true;
    }
    return !m_hasFin;
}

[[gnu::always_inline]] inline void
LinuxSender::NoteRate(LinuxSentSegment& sent, uint32_t segments)
{
    if (m_window.packetsOut == 0)
    {
        m_firstSentAt = m_window.deliveredAt = m_window.now;
    }
    sent.firstSentAt = m_firstSentAt;
    sent.deliveredAt = m_window.deliveredAt;
    sent.delivered = m_window.delivered;
    sent.deliveredCe = static_cast<uint32_t>(m_window.deliveredCe);
    sent.lost = m_window.lost;
    sent.inFlight = m_window.GetInFlight() + segments;
    sent.flags &=
        static_cast<uint8_t>(~(LinuxSentSegment::APP_LIMITED | LinuxSentSegment::COUNTED));
    sent.flags |= m_window.appLimited > 0 ? LinuxSentSegment::APP_LIMITED : 0;
}

[[gnu::always_inline]] inline bool
LinuxSender::IsPaced()
{
    return m_window.needsPacing && WaitsForPacing();
}

[[gnu::always_inline]] inline void
LinuxSender::ValidateCwnd(bool isCwndLimited)
{
    if (m_window.sndUna >= m_usageSeq || isCwndLimited ||
        (!m_window.isCwndLimited && m_window.packetsOut > m_window.maxPacketsOut))
    {
        m_window.isCwndLimited = isCwndLimited;
        m_window.maxPacketsOut = m_window.packetsOut;
        m_usageSeq = m_window.sndNxt;
    }
    if (m_window.MayGrow())
    {
        m_cwndUsed = 0;
        m_cwndStampAt = m_window.now;
        return;
    }
    m_cwndUsed = std::max(m_cwndUsed, m_window.packetsOut);
    if (m_settings.idleRestart && m_window.now - m_cwndStampAt >= m_rto && !m_hasControl)
    {
        ShrinkUnusedCwnd();
    }
}

[[gnu::always_inline]] inline void
LinuxSender::Transmit(const LinuxSentSegment& sent, LinuxSegment& segment, uint8_t flags)
{
    const uint8_t common = segment.flags;
    segment.seq = sent.start;
    segment.size = static_cast<uint32_t>(sent.end - sent.start);
    if (sent.Has(LinuxSentSegment::FIN)) [[unlikely]]
    {
        --segment.size;
        flags |= LinuxSegment::FIN;
    }
    if (sent.end == m_written && segment.size > 0) [[unlikely]]
    {
        flags |= LinuxSegment::PSH;
    }
    segment.flags |= flags;
    m_port.Send(segment);
    segment.flags = common;
}

bool
LinuxSender::SendNew(bool isProbe)
{
    const uint32_t mss = m_window.mss;
    const uint32_t most = GetBurst();
    bool isCwndLimited = false;
    uint32_t sent = 0;
    while (m_window.sndNxt < m_written)
    {
        if (!isProbe && IsPaced())
        {
            break;
        }
        const uint64_t unsent = m_written - m_window.sndNxt - (m_hasFin ? 1 : 0);
        const bool isTail = unsent <= m_settings.tsoBytes;
        const uint32_t inFlight = m_window.GetInFlight();
        // A FIN takes a place, too. Two bursts in flight are better than one
        uint32_t quota = inFlight < m_window.cwnd ? m_window.cwnd - inFlight : 0;
        quota = std::min(quota, std::max(m_window.cwnd / 2, 1U));
        if (quota == 0)
        {
            if (!isProbe)
            {
                break;
            }
            quota = 1;
        }
        const uint64_t windowEnd = m_window.sndUna + m_peerWindow;
        const uint64_t window = windowEnd > m_window.sndNxt ? windowEnd - m_window.sndNxt : 0;
        const uint64_t first = std::min<uint64_t>(unsent, mss);
        if (window < first || (first == 0 && window == 0))
        {
            break;
        }
        if (unsent <= mss)
        {
            const bool isHeld = m_nagle && unsent < mss && !m_hasFin && m_window.packetsOut > 0 &&
                                m_smallEnd > m_window.sndUna && !isProbe;
            if (isHeld)
            {
                break;
            }
        }
        else if (!isProbe && ShouldDefer(std::min<uint64_t>(unsent, m_settings.tsoBytes),
                                         most,
                                         window,
                                         m_window.cwnd - inFlight,
                                         isCwndLimited))
        {
            break;
        }
        uint64_t bytes = std::min<uint64_t>(unsent, window);
        const uint64_t limit = static_cast<uint64_t>(mss) * std::min(quota, isProbe ? 1 : most);
        if (bytes > limit)
        {
            bytes = limit;
        }
        else if (bytes > mss && bytes % mss != 0)
        {
            const bool holdsRest = bytes < unsent || (m_nagle && m_window.packetsOut > 0 &&
                                                      m_smallEnd > m_window.sndUna && !m_hasFin);
            bytes -= holdsRest && isTail ? bytes % mss : 0;
        }
        const bool hasFin = m_hasFin && bytes == unsent;
        sent += static_cast<uint32_t>((bytes + mss - 1) / mss);
        SendBurst(bytes, hasFin);
        if (isProbe)
        {
            break;
        }
    }
    isCwndLimited = isCwndLimited || m_window.GetInFlight() >= m_window.cwnd;
    if (sent > 0 || isCwndLimited)
    {
        ValidateCwnd(isCwndLimited);
    }
    if (sent > 0)
    {
        m_prrOut += IsReducing() ? sent : 0;
        if (!isProbe && ScheduleProbe(false))
        {
            m_rearms = false;
        }
        return false;
    }
    return m_window.packetsOut == 0 && m_window.sndNxt < m_written;
}

void
LinuxSender::SendBurst(uint64_t bytes, bool hasFin)
{
    const uint32_t mss = m_window.mss;
    if (m_window.GetInFlight() == 0)
    {
        m_control->HandleEvent(m_window, LinuxCaEvent::TRANSMISSION_START);
    }
    m_window.lastSentAt = m_window.now;
    const uint64_t whole = bytes;
    LinuxSentSegment model;
    NoteRate(model, static_cast<uint32_t>(std::max<uint64_t>((bytes + mss - 1) / mss, 1)));
    LinuxSegment& segment = m_port.Prepare(bytes > 0);
    segment.isEct = m_hasEcn && bytes > 0;
    do
    {
        const uint64_t size = std::min<uint64_t>(bytes, mss);
        bytes -= size;
        LinuxSentSegment& made = m_queue.Push();
        made.start = m_window.sndNxt;
        made.end = made.start + size;
        made.sentAt = m_window.now;
        made.delivered = model.delivered;
        made.flags |= model.flags;
        if (m_hasControl) // else nobody looks at the rate
        {
            made.firstSentAt = model.firstSentAt;
            made.deliveredAt = model.deliveredAt;
            made.deliveredCe = model.deliveredCe;
            made.lost = model.lost;
            made.inFlight = model.inFlight;
        }
        uint8_t flags = 0;
        if (bytes == 0)
        {
            made.flags |= hasFin ? LinuxSentSegment::FIN : 0;
            made.end += hasFin ? 1 : 0;
            flags |= size < whole ? LinuxSegment::PSH : 0; // Linux sets it at the end of a burst
            m_smallEnd = size < mss ? made.end : m_smallEnd;
        }
        if (m_queuesCwr && segment.isEct) [[unlikely]]
        {
            flags |= LinuxSegment::CWR;
            m_queuesCwr = false;
        }
        m_window.sndNxt = made.end;
        ++m_window.packetsOut;
        m_counts.segments += size > 0 ? 1 : 0;
        Transmit(made, segment, flags);
    } while (bytes > 0);
    if (m_window.needsPacing)
    {
        Pace(whole);
    }
    else
    {
        m_window.nextDepartureAt = m_window.now;
    }
    if (m_timer == Timer::NONE || m_window.packetsOut == 1)
    {
        RearmRto();
    }
}

bool
LinuxSender::Retransmit(uint32_t number)
{
    LinuxSentSegment& sent = m_queue.At(number);
    const uint64_t windowEnd = m_window.sndUna + m_peerWindow;
    if (sent.start >= windowEnd && sent.start != m_window.sndUna)
    {
        return false; // the receiver has taken window back; a window of 0 is probed
    }
    if (sent.start < m_window.sndUna)
    {
        sent.start = m_window.sndUna;
    }
    ++m_counts.retransmissions;
    NoteRate(sent, 1);
    sent.sentAt = m_window.now;
    sent.flags |= LinuxSentSegment::EVER_RETRANSMITTED;
    m_cleanFrom = std::max(m_cleanFrom, sent.end);
    m_queue.MoveToEnd(number);
    m_window.lastSentAt = m_window.now;
    const uint64_t fin = sent.Has(LinuxSentSegment::FIN) ? 1 : 0;
    Transmit(sent, m_port.Prepare(sent.end - sent.start > fin), 0);
    if (m_window.needsPacing)
    {
        Pace(sent.end - sent.start);
    }
    else
    {
        m_window.nextDepartureAt = m_window.now;
    }
    return true;
}

void
LinuxSender::ResendLost()
{
    bool rearms = false;
    const uint32_t begin = m_queue.GetBegin();
    const uint32_t end = m_queue.GetEnd();
    uint32_t number = static_cast<int32_t>(m_resendHint - begin) > 0 ? m_resendHint : begin;
    for (; number != end; ++number)
    {
        m_resendHint = number;
        if (m_window.retransOut >= m_window.lostOut || IsPaced() ||
            m_window.GetInFlight() >= m_window.cwnd)
        {
            break;
        }
        LinuxSentSegment& sent = m_queue.At(number);
        if (!sent.Has(LinuxSentSegment::LOST) ||
            sent.Has(LinuxSentSegment::SACKED | LinuxSentSegment::RETRANSMITTED))
        {
            continue;
        }
        if (!Retransmit(number))
        {
            break;
        }
        NoteRetransmission(sent);
        m_prrOut += IsReducing() ? 1 : 0;
        rearms = rearms || (number == begin && m_timer != Timer::REORDERING);
    }
    if (rearms)
    {
        SetTimer(Timer::RETRANSMISSION, m_rto);
    }
}

void
LinuxSender::NoteRetransmission(LinuxSentSegment& sent)
{
    sent.flags |= LinuxSentSegment::RETRANSMITTED;
    ++m_window.retransOut;
    if (m_retransStampAt < 0)
    {
        m_retransStampAt = m_window.now;
    }
    m_undoRetrans = std::max(m_undoRetrans, 0) + 1;
}

bool
LinuxSender::WaitsForPacing()
{
    if (m_window.nextDepartureAt <= m_window.now)
    {
        return false;
    }
    if (m_paceAt == NEVER)
    {
        m_paceAt = m_window.nextDepartureAt;
        m_port.HandleDeadline();
    }
    return true;
}

void
LinuxSender::Pace(uint64_t bytes)
{
    const Nanoseconds prior = m_window.nextDepartureAt;
    m_window.nextDepartureAt = std::max(m_window.nextDepartureAt, m_window.now);
    if (m_window.pacingRate == 0 || m_window.pacingRate == NO_LIMIT ||
        m_counts.segments < m_settings.initialWindow)
    {
        return; // the first segments of a connection are not paced
    }
    constexpr uint64_t SECOND = 1'000'000'000;
    auto length = static_cast<Nanoseconds>(bytes * SECOND / m_window.pacingRate);
    // Time that passed behind the last permitted moment counts, up to a half
    length -= std::min(length / 2, m_window.nextDepartureAt - prior);
    m_window.nextDepartureAt += length;
}

void
LinuxSender::ShrinkUnusedCwnd()
{
    const bool isBufferFull = GetWritable() == 0; // SOCK_NOSPACE: the buffer is the limit
    if (m_window.state == LinuxCaState::OPEN && !isBufferFull)
    {
        const uint32_t used = std::max(m_cwndUsed, m_settings.initialWindow);
        if (used < m_window.cwnd)
        {
            m_window.ssthresh = GetCurrentSsthresh();
            SetCwnd((m_window.cwnd + used) / 2);
        }
        m_cwndUsed = 0;
    }
    m_cwndStampAt = m_window.now;
}

} // namespace ns3::gridftp
