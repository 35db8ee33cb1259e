/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-link.h"

/**
 * @file
 * @ingroup gridftp
 * What only some links have.
 */

namespace ns3::gridftp
{

int64_t
DropTailLink::CrossSeen(Nanoseconds now, int64_t bytes, int64_t leadNs)
{
    if (m_limiter)
    {
        const int64_t passed = m_limiter->Pass(now, bytes - m_headerBytes);
        if (passed == RateLimiter::REFUSED)
        {
            return DROPPED;
        }
        now = passed;
    }
    if (m_red && IsDroppedEarly(now, leadNs))
    {
        return Drop(now);
    }
    const int64_t start = Enter<true>(now, m_scheduled ? 0 : m_time.Of(bytes), leadNs);
    if (start == DROPPED)
    {
        return DROPPED;
    }
    if (m_delays && bytes > m_bareBytes)
    {
        m_delays->Add(start, start - now);
    }
    int64_t arrival = m_scheduled ? Transmit(start, bytes) : m_freeNs + m_delayNs;
    if (m_variation)
    {
        arrival = m_variation->Vary(start, m_freeNs, arrival);
    }
    if (m_observer)
    {
        Show(now);
    }
    return LoseBehind(start, arrival, bytes);
}

int64_t
DropTailLink::LoseBehind(int64_t start, int64_t arrival, int64_t bytes)
{
    const bool isLost = IsOut(m_outages, arrival) || IsTooLarge(m_holes, arrival, bytes) ||
                        (m_loss.IsPossible() && IsLostNext(start));
    return isLost ? LOST : arrival;
}

bool
DropTailLink::Enqueue(Nanoseconds now, const QueuedPacket& packet)
{
    Integrate(now);
    const bool isTaken = m_active->Enqueue(now, packet);
    if (!isTaken)
    {
        Drop(now);
    }
    CountActive(now);
    return isTaken;
}

std::optional<DropTailLink::Departure>
DropTailLink::Dequeue(Nanoseconds now, int64_t headerBytes)
{
    Integrate(now);
    const auto packet = m_active->Dequeue(now);
    CountActive(now);
    if (!packet)
    {
        return std::nullopt;
    }
    if (packet->isMarked && m_observer)
    {
        m_observer->HandleMark(now);
    }
    const int64_t bytes = packet->bytes + headerBytes;
    if (m_delays && bytes > m_bareBytes)
    {
        m_delays->Add(now, now - packet->enteredNs);
    }
    // The DropTail queue is empty and the link idle
    const int64_t start = Enter<true>(now, m_scheduled ? 0 : m_time.Of(bytes), 0);
    int64_t arrival = m_scheduled ? Transmit(start, bytes) : m_freeNs + m_delayNs;
    if (m_variation)
    {
        arrival = m_variation->Vary(start, m_freeNs, arrival);
    }
    return Departure{*packet, LoseBehind(start, arrival, bytes)};
}

void
DropTailLink::Integrate(Nanoseconds now)
{
    m_most = GetMost(now); // packets that pass an idle link's queue in no time have not waited
    m_waitedNs = GetWaitedNs(now);
    m_changeNs = now;
}

void
DropTailLink::CountActive(Nanoseconds now)
{
    for (size_t i = 0; i < m_active->GetDropped().size(); ++i)
    {
        Drop(now);
    }
    if (m_observer)
    {
        m_observer->HandleLength(now, m_active->GetLength());
    }
}

bool
DropTailLink::IsDroppedEarly(Nanoseconds now, int64_t leadNs)
{
    Settle(now, leadNs);
    return m_red->IsNextDropped(m_starts.GetSize(), std::max<int64_t>(0, now - m_freeNs));
}

bool
DropTailLink::IsLostNext(int64_t start)
{
    return m_variation ? m_loss.IsLost(start) : m_loss.IsNextLost();
}

int64_t
DropTailLink::Transmit(int64_t start, int64_t bytes)
{
    const LinkCrossing crossing = m_scheduled->Cross(start, bytes);
    m_carried = m_carried + m_scheduled->GetSchedule().GetCapacity(start, crossing.endNs);
    m_startNs = start;
    m_freeNs = crossing.endNs;
    return crossing.arrivalNs;
}

void
DropTailLink::Show(Nanoseconds now)
{
    const bool waits = !m_starts.IsEmpty();
    m_observer->HandleLength(now, waits ? m_starts.GetSize() : 1);
    if (!waits)
    {
        m_observer->HandleLength(now, 0);
    }
}

} // namespace ns3::gridftp
