/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-dtp-group.h"

#include <utility>

namespace ns3::gridftp
{

void
SegmentDtpGroup::Listen(Nanoseconds now, uint32_t window)
{
    m_isAborted = false;
    m_answers = 0;
    OrderAll(now, {.verb = DtpVerb::LISTEN, .window = window});
}

void
SegmentDtpGroup::Receive(Nanoseconds now, const Block& chunk, const MarkerRanges& held)
{
    m_ranges = held;
    m_isAborted = false;
    m_answers = m_done = 0;
    const auto count = static_cast<uint32_t>(m_dtps.size());
    for (uint32_t i = 0; i < count; ++i)
    {
        m_dtps[i]->Order(now,
                         {.verb = DtpVerb::RECEIVE,
                          .offset = chunk.offset,
                          .bytes = chunk.length,
                          .stripe = i,
                          .receivers = count,
                          .held = held});
    }
}

void
SegmentDtpGroup::Send(Nanoseconds now, const DtpOrder& order)
{
    m_isAborted = false;
    m_answers = m_done = 0;
    m_elapsedNs.assign(m_dtps.size(), {});
    DtpCommand command{.verb = DtpVerb::SEND, .order = order};
    for (auto* dtp : m_dtps)
    {
        dtp->Order(now, command);
        ++command.order.stripe;
    }
}

std::vector<int64_t>
SegmentDtpGroup::GetElapsedNs() const
{
    std::vector<int64_t> all;
    for (const auto& stripe : m_elapsedNs)
    {
        all.insert(all.end(), stripe.begin(), stripe.end());
    }
    return all;
}

void
SegmentDtpGroup::Finish(Nanoseconds now, bool closes)
{
    OrderAll(now, {.verb = DtpVerb::FINISH, .closes = closes});
}

void
SegmentDtpGroup::Abort(Nanoseconds now)
{
    if (!m_isAborted)
    {
        m_isAborted = true;
        OrderAll(now, {.verb = DtpVerb::ABORT});
    }
}

void
SegmentDtpGroup::Drop(Nanoseconds now)
{
    m_isAborted = true;
    for (auto* dtp : m_dtps)
    {
        dtp->Drop(now);
    }
}

void
SegmentDtpGroup::End(Nanoseconds now)
{
    OrderAll(now, {.verb = DtpVerb::END});
}

void
SegmentDtpGroup::OrderAll(Nanoseconds now, const DtpCommand& command)
{
    for (auto* dtp : m_dtps)
    {
        dtp->Order(now, command);
    }
}

void
SegmentDtpGroup::HandleNotice(uint32_t stripe, Nanoseconds now, const DtpNotice& notice)
{
    if (m_isAborted)
    {
        return; // said before it knew
    }
    switch (notice.event)
    {
    case DtpEvent::PORT:
        m_addresses[stripe].port = static_cast<uint16_t>(notice.number);
        return IsLastAnswer() ? m_user->HandleListening(*this, now) : void();
    case DtpEvent::READY:
        return IsLastAnswer() ? m_user->HandleReady(*this, now) : void();
    case DtpEvent::BYTES:
        if (!notice.ranges.empty())
        {
            m_ranges.insert(m_ranges.end(), notice.ranges.begin(), notice.ranges.end());
            m_ranges = MergeRanges(std::move(m_ranges));
        }
        return m_user->HandleBytes(*this, now, stripe, notice.number);
    case DtpEvent::DONE:
        m_bytes[stripe] = notice.number;
        m_elapsedNs[stripe] = notice.elapsedNs;
        return ++m_done == m_dtps.size() ? m_user->HandleDone(*this, now) : void();
    case DtpEvent::FAIL:
        IsApart() ? Abort(now) : void();
        m_isAborted = true;
        return m_user->HandleDtpFailed(*this, now, static_cast<int>(notice.number), notice.reason);
    }
}

} // namespace ns3::gridftp
