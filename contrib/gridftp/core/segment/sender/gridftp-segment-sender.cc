/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-sender.h"

#include "gridftp-segment-recovery.h"

#include <algorithm>

namespace ns3::gridftp
{

void
SegmentSender::Port::HandleReport(const SegmentSender& /* sender */,
                                  Report /* report */,
                                  int64_t /* value */)
{
}

SegmentSender::SegmentSender(const SegmentTcp& tcp, Port& port, uint32_t id)
    : CongestionWindow(tcp.segmentBytes),
      m_tcp(&tcp),
      m_port(&port),
      m_id(id),
      m_control(tcp.control->make()),
      m_recovery(Recovery::Find(tcp)),
      m_offered(tcp.window),
      m_hasFastPath(!tcp.HasOptions()),
      m_isExtended(tcp.hasSack || tcp.hasEcn),
      m_rtt(tcp.minRtoNs),
      m_buffer(tcp.buffer)
{
    if (tcp.hasSack)
    {
        m_board.ActivateWithSack();
    }
}

void
SegmentSender::HandleWindowChange()
{
    m_port->HandleWindow(*this);
}

CongestionSignals
SegmentSender::GetSignals(Nanoseconds now) const
{
    return {.nowNs = now,
            .smoothedRttNs = m_rtt.HasSample() ? m_rtt.GetSmoothedNs() : 0,
            .acknowledged = m_una,
            .sent = m_sent,
            .isCwndLimited = m_cwndLimited};
}

void
SegmentSender::Grow(Nanoseconds now, uint64_t segments)
{
    if (m_tcp->control->growsAsReno)
    {
        IncreaseAsReno(*this, segments);
    }
    else
    {
        m_control->Increase(*this, GetSignals(now), segments);
    }
}

uint64_t
SegmentSender::CountSegments(uint64_t whole)
{
    const uint64_t segment = m_tcp->segmentBytes;
    uint64_t segments = whole / segment;
    m_leftBytes += whole % segment;
    if (m_leftBytes >= segment)
    {
        ++segments;
        m_leftBytes -= segment;
    }
    return segments;
}

void
SegmentSender::TellOfAck(Nanoseconds now)
{
    if (!m_tcp->control->growsAsReno)
    {
        m_control->HandleAck(*this, GetSignals(now));
    }
}

void
SegmentSender::ReduceSsthresh(uint64_t flight)
{
    SetSsthresh(m_control->GetSsthreshAfterLoss(*this, flight));
}

void
SegmentSender::HandleConnected(Nanoseconds now, int64_t sampleNs)
{
    m_rtt.Add(sampleNs);
    if (sampleNs != 0)
    {
        Tell(Report::SAMPLE, sampleNs);
    }
    SetRto(m_rtt.GetRtoNs());
    m_rwnd = m_tcp->firstWindow;
    SetCwnd(static_cast<uint64_t>(m_tcp->initialSegments) * m_tcp->segmentBytes);
    m_retries = DATA_RETRIES;
    m_lastSentNs = now;
}

void
SegmentSender::SupplyNow()
{
    if (m_buffer.WantsToWrite(m_una))
    {
        m_drained = false;
        m_buffer.Fill(m_una);
        if (m_buffer.IsResting()) [[unlikely]]
        {
            m_port->HandleRest(*this);
        }
    }
    else if (m_buffer.IsDrained(m_una) && !m_drained)
    {
        m_drained = true;
        m_port->HandleDrained(*this);
    }
}

void
SegmentSender::Send(Nanoseconds now)
{
    const uint64_t segment = m_tcp->segmentBytes;
    while (true)
    {
        const uint64_t flight = GetFlight();
        const uint64_t window = m_recovery->GetWindow(*this);
        if (window <= flight)
        {
            return;
        }
        const uint64_t room = window - flight;
        uint64_t next = m_sent;
        uint64_t most = segment;
        auto lost = m_board.IsActive() ? m_board.FindLost() : std::nullopt;
        if (lost)
        {
            next = *lost;
        }
        else
        {
            if (m_buffer.GetWritten() == m_sent || m_sent - m_una >= m_rwnd)
            {
                lost = FindUnreported();
                if (!lost)
                {
                    return;
                }
                next = *lost;
            }
            else
            {
                most = std::min(segment, m_rwnd - (m_sent - m_una));
            }
        }
        const uint64_t available = m_buffer.GetWritten() - next;
        if (IsHeld(next, available)) [[unlikely]]
        {
            return;
        }
        if (available < room)
        {
            Supply();
        }
        if (room < segment && available > room)
        {
            return; // silly window syndrome
        }
        const uint64_t size = Transmit(now, next, std::min(room, most));
        if (lost) [[unlikely]]
        {
            m_againNext = next + size;
            m_againAt = m_sent;
        }
    }
}

uint64_t
SegmentSender::GetNewBytes() const
{
    const uint64_t outstanding = m_sent - m_una;
    const uint64_t room = m_rwnd > outstanding ? m_rwnd - outstanding : 0;
    const uint64_t unsent = m_buffer.GetWritten() - m_sent;
    return unsent == 0 ? 0 : std::min<uint64_t>(m_tcp->segmentBytes, room);
}

uint64_t
SegmentSender::Transmit(Nanoseconds now, uint64_t start, uint64_t bytes)
{
    m_recovery->HandleSending(*this, now);
    uint64_t size = std::min(bytes, m_buffer.GetWritten() - start);
    if (start < m_sent)
    {
        size = m_board.SendAgain(start, static_cast<uint32_t>(std::min(size, m_sent - start)), now);
        ++m_totals.retransmissions;
        Tell(Report::SENT_AGAIN);
        SpoilSample(start, start + size);
    }
    else
    {
        if (m_board.IsActive())
        {
            m_board.Append(start, static_cast<uint32_t>(size), now);
        }
        m_sampledFrom = m_samples.IsEmpty() ? start : m_sampledFrom;
        m_samples.Push({now, Sample::MarkOf(start + size)});
        m_sent += size;
        m_smallEnd = size < m_tcp->segmentBytes ? m_sent : m_smallEnd;
        ++m_totals.segments;
        Tell(Report::SENT);
    }
    m_lastSentNs = now;
    if (!m_tcp->control->growsAsReno)
    {
        m_cwndLimited = GetCwnd() < GetFlight() + m_tcp->segmentBytes;
    }
    if (m_deadlineNs == NEVER)
    {
        StartTimer(now);
    }
    m_port->SendSegment(*this, start, static_cast<uint32_t>(size));
    return size;
}

void
SegmentSender::SpoilSample(uint64_t start, uint64_t end)
{
    if (m_samples.IsEmpty() || start < m_sampledFrom)
    {
        return;
    }
    // The first one that ends behind the segment's first byte; most often the first of all
    size_t first = 0;
    size_t behind = m_samples.GetSize();
    for (size_t i = 0; first < behind; i = first + (behind - first) / 2)
    {
        const bool isBefore = m_samples.At(i).GetEnd() <= start;
        first = isBefore ? i + 1 : first;
        behind = isBefore ? behind : i;
    }
    if (first < m_samples.GetSize())
    {
        m_samples.At(first).mark = Sample::MarkOf(end) | 1;
    }
}

void
SegmentSender::TakeSample(Nanoseconds now, uint64_t ack)
{
    if (m_samples.IsEmpty())
    {
        return;
    }
    const Sample first = m_samples.Front();
    if (ack < first.GetEnd())
    {
        return;
    }
    if (!first.IsAgain() || m_tcp->hasTimestamps)
    {
        const int64_t sampleNs = m_tcp->hasTimestamps ? GetEchoedNs(now) : now - first.sentNs;
        m_rtt.Add(sampleNs);
        if (sampleNs != 0)
        {
            Tell(Report::SAMPLE, sampleNs);
        }
        SetRto(m_rtt.GetRtoNs());
        if (m_heard) [[unlikely]]
        {
            m_heard->push_back({0, sampleNs, m_rtoNs, true});
        }
    }
    do
    {
        m_sampledFrom = m_samples.Front().GetEnd();
        m_samples.Pop();
    } while (!m_samples.IsEmpty() && ack >= m_samples.Front().GetEnd());
}

int64_t
SegmentSender::GetEchoedNs(Nanoseconds now) const
{
    constexpr int64_t MILLISECOND = 1'000'000;
    constexpr int64_t LEAST_NS = 1'000;
    const auto nowMs = static_cast<uint32_t>(now / MILLISECOND);
    return nowMs > m_echoMs ? (nowMs - m_echoMs) * MILLISECOND : LEAST_NS;
}

void
SegmentSender::HandleAck(Nanoseconds now, uint64_t ack)
{
    if (AcceptAck(now, ack, false))
    {
        SendAccepted(now);
    }
}

void
SegmentSender::SampleAck(Nanoseconds now, uint64_t ack)
{
    FillBoard(); // what is sent again later is no longer among the samples
    TakeSample(now, ack);
}

bool
SegmentSender::AcceptAck(Nanoseconds now, uint64_t ack, bool carriesData)
{
    TakeSample(now, ack);
    if (ack < m_una)
    {
        return false;
    }
    const bool isUpdate = m_rwnd != m_offered && m_tcp->buffers.AreMoving();
    m_rwnd = m_offered;
    if (m_isExtended) [[unlikely]]
    {
        m_tcp->hasSack ? AcceptSack(now, ack) : AcceptEcn(now, ack, !carriesData && !isUpdate);
        return true;
    }
    const uint64_t oldUna = m_una;
    uint64_t whole = ack - m_una;
    m_una = ack;
    if (m_heard) [[unlikely]]
    {
        const bool isUsual = m_state == CongestionState::OPEN && !m_board.IsActive();
        m_heard->push_back({whole, 0, m_rtoNs, isUsual && (whole > 0 || ack == m_sent)});
    }
    if (m_board.IsActive())
    {
        whole = m_board.Discard(ack);
    }
    if (ack > oldUna)
    {
        Tell(Report::ACKNOWLEDGED);
        m_recovery->HandleNewData(*this, now, oldUna, whole);
    }
    else if (ack < m_sent && !carriesData && !isUpdate)
    {
        m_recovery->HandleDuplicate(*this, now);
    }
    else if (ack < m_sent)
    {
        TellOfAck(now); // as ns-3 does with every ACK that acknowledges nothing new
    }
    if (m_board.IsActive() && m_board.IsUnmarked() &&
        (m_samples.IsEmpty() ? m_sent == m_una : m_sampledFrom <= m_una))
    {
        m_board.Deactivate();
    }
    return true;
}

void
SegmentSender::FillBoard()
{
    if (m_board.IsActive())
    {
        return;
    }
    m_board.Activate();
    uint64_t next = m_una;
    for (size_t i = 0; i < m_samples.GetSize(); ++i)
    {
        const uint64_t end = m_samples.At(i).GetEnd();
        m_board.Append(next, static_cast<uint32_t>(end - next));
        next = end;
    }
}

void
SegmentSender::HandleTimeout(Nanoseconds now)
{
    m_deadlineNs = NEVER;
    if (m_buffer.GetWritten() == m_una)
    {
        return;
    }
    if (m_retries == 0)
    {
        m_port->HandleGaveUp(*this);
        return;
    }
    --m_retries;
    ++m_totals.timeouts;
    Tell(Report::TIMEOUT);
    const uint64_t flight = GetFlight();
    m_duplicates = 0;
    FillBoard();
    m_board.MarkAllLost();
    m_recover = m_sent;
    SetRto(std::min(2 * m_rtoNs, LARGEST_RTO_NS));
    m_samples.Clear();
    ReduceSsthresh(flight);
    m_control->HandleTimeout(GetSignals(now));
    m_state = CongestionState::LOSS;
    SetCwnd(m_tcp->segmentBytes);
    m_fastPath = false;
    Send(now);
    // A part of a segment that a small window let through, see SendPart(), goes again, too
    const bool isHeld = m_deadlineNs == NEVER && m_tcp->buffers.AreMoving() && m_rwnd > 0;
    if (const auto lost = isHeld ? m_board.FindLost() : std::nullopt)
    {
        Transmit(now, *lost, std::min<uint64_t>(m_rwnd, m_tcp->segmentBytes));
    }
}

bool
SegmentSender::MayRepeatHeard() const
{
    RttEstimator rtt = m_rtt;
    return std::ranges::all_of(*m_heard, [&rtt](const Heard& heard) {
        rtt.Add(heard.sampleNs);
        return heard.isUsual && (heard.sampleNs == 0 || rtt.GetRtoNs() == heard.rtoNs);
    });
}

void
SegmentSender::RepeatHeard(Nanoseconds now)
{
    for (const Heard& heard : *m_heard)
    {
        m_rtt.Add(heard.sampleNs);
        Grow(now, CountSegments(heard.bytes));
    }
    UpdateFastPath();
}

void
SegmentSender::AddState(SegmentState& state) const
{
    if (m_board.IsActive())
    {
        state.Bar();
    }
    if (m_tcp->hasLimitedTransmit)
    {
        state.Add(m_flightBefore);
    }
    if (!m_heard) // else these are what RepeatHeard() changes
    {
        state.Add(GetCwnd());
        state.Add(m_leftBytes);
        m_rtt.AddState(state);
    }
    state.Add(GetSsthresh());
    state.Add(m_sent - m_una);
    state.Add(m_rwnd);
    state.Add(m_offered);
    state.AddPosition(m_againNext, m_una);
    state.Add(m_againAt == m_sent);
    state.Add(m_inflated);
    state.Add(static_cast<uint64_t>(m_state));
    state.Add(m_duplicates);
    state.AddPosition(m_recover, m_una);
    state.Add(m_firstPartial);
    state.Add(m_cwndLimited);
    state.AddPosition(m_smallEnd, m_una);
    state.Add(static_cast<uint64_t>(m_rtoNs));
    state.AddTime(m_deadlineNs);
    state.AddTime(m_queuedNs);
    state.AddTime(m_lastSentNs);
    state.Add(m_retries);
    state.Add(m_drained);
    state.Add(m_samples.GetSize());
    for (size_t i = 0; i < m_samples.GetSize(); ++i)
    {
        const Sample& sample = m_samples.At(i);
        state.AddTime(sample.sentNs);
        state.AddPosition(sample.GetEnd(), m_una);
        state.Add(sample.IsAgain());
    }
    state.AddPosition(m_sampledFrom, m_una);
    m_buffer.AddState(state, m_una);
}

} // namespace ns3::gridftp
