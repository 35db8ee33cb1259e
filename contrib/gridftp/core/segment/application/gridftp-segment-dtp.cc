/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-dtp.h"

#include "gridftp-stripe-plan.h"

#include <ranges>
#include <string>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t NOT_OPENED = 425;
constexpr uint64_t ABORTED = 426;

} // namespace

void
SegmentSendingDtp::Order(Nanoseconds now, const DtpCommand& command)
{
    switch (command.verb)
    {
    case DtpVerb::SEND:
        return Send(now, command.order);
    case DtpVerb::FINISH:
        EndSources();
        return command.closes ? Close(now) : void();
    case DtpVerb::ABORT:
        return Abort(now);
    case DtpVerb::END:
        return m_closesAtEnd ? Close(now) : void();
    default:
        return; // nothing for one that sends
    }
}

void
SegmentSendingDtp::Send(Nanoseconds now, const DtpOrder& order)
{
    if (order.receivers != m_receivers)
    {
        Close(now);
        m_receivers = order.receivers;
    }
    const StripePlan plan({order.senders, static_cast<int64_t>(order.receivers.size())},
                          order.layout,
                          order.blockBytes);
    const auto count = static_cast<uint32_t>(m_pairs.size());
    m_isBusy = true;
    m_undrained = count * order.parallelism;
    const uint32_t chunk = m_chunks++;
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto ranges = plan.GetRanges(order.stripe * count + i, order.offset, order.length);
        m_pairs[i]->Send(now, {chunk, order.offset, ranges, order.parallelism});
    }
    m_user->HandleNotice(m_stripe, now, {DtpEvent::READY, 0, ""});
}

void
SegmentSendingDtp::EndSources()
{
    for (auto* pair : m_pairs)
    {
        pair->EndSources();
    }
}

void
SegmentSendingDtp::Close(Nanoseconds now)
{
    for (auto* pair : std::views::reverse(m_pairs)) // as ns-3's end does, the last one first
    {
        pair->Close(now);
    }
}

void
SegmentSendingDtp::Abort(Nanoseconds now)
{
    m_isBusy = false;
    EndSources();
    for (auto* pair : m_pairs)
    {
        pair->Reset(TcpConnection::ACTIVE, now);
    }
}

void
SegmentSendingDtp::HandleDrained(Nanoseconds now)
{
    if (!m_isBusy || --m_undrained > 0)
    {
        return;
    }
    m_isBusy = false;
    uint64_t bytes = 0;
    for (const auto* pair : m_pairs)
    {
        bytes += pair->GetChunkBytes();
    }
    m_user->HandleNotice(m_stripe, now, {DtpEvent::DONE, bytes, ""});
}

void
SegmentSendingDtp::HandleDataFailed(Nanoseconds now, uint32_t connection, bool isRefused)
{
    Abort(now);
    m_user->HandleNotice(m_stripe,
                         now,
                         {DtpEvent::FAIL,
                          isRefused ? NOT_OPENED : ABORTED,
                          "data connection " + std::to_string(connection) +
                              (isRefused ? " was refused" : " was reset or gave up its retries")});
}

void
SegmentReceivingDtp::Order(Nanoseconds now, const DtpCommand& command)
{
    switch (command.verb)
    {
    case DtpVerb::LISTEN:
        return Listen(now);
    case DtpVerb::RECEIVE:
        return Receive(now);
    case DtpVerb::ABORT:
        return Abort(now);
    case DtpVerb::END:
        return Close(now);
    default:
        return; // what is not closed goes with the next LISTEN
    }
}

void
SegmentReceivingDtp::Listen(Nanoseconds now)
{
    for (auto* pair : m_pairs)
    {
        pair->SetDeaf(false);
        pair->ClosePassive(now);
    }
    const uint64_t port = FIRST_PORT + m_listens++;
    m_user->HandleNotice(m_stripe, now, {DtpEvent::PORT, port, ""});
}

void
SegmentReceivingDtp::Receive(Nanoseconds now)
{
    for (auto* pair : m_pairs)
    {
        pair->Expect();
    }
    m_isBusy = true;
    m_arrived = 0;
    m_user->HandleNotice(m_stripe, now, {DtpEvent::READY, 0, ""});
    if (m_reports)
    {
        ScheduleReport(now + MARKER_INTERVAL_NS);
    }
}

void
SegmentReceivingDtp::Close(Nanoseconds now)
{
    for (auto* pair : m_pairs)
    {
        pair->ClosePassive(now);
    }
}

void
SegmentReceivingDtp::Abort(Nanoseconds now)
{
    m_isBusy = false;
    m_reportDueNs = NEVER;
    for (auto* pair : m_pairs)
    {
        pair->EndDataSizings();
        pair->SetDeaf(true);
        pair->Reset(TcpConnection::PASSIVE, now);
    }
}

void
SegmentReceivingDtp::HandleArrived(Nanoseconds now, uint32_t parallelism)
{
    // As EOF has told; each pair has as many connections
    if (++m_arrived < parallelism * m_pairs.size() || !m_isBusy)
    {
        return;
    }
    m_isBusy = false;
    m_reportDueNs = NEVER;
    uint64_t bytes = 0;
    for (const auto* pair : m_pairs)
    {
        bytes += pair->GetChunkBytes();
    }
    m_user->HandleNotice(m_stripe, now, {DtpEvent::DONE, bytes, ""});
}

void
SegmentReceivingDtp::HandleDataReset(Nanoseconds now, bool hasArrived)
{
    if (!m_isBusy || hasArrived)
    {
        return; // it had nothing left to say
    }
    Abort(now);
    m_user->HandleNotice(m_stripe, now, {DtpEvent::FAIL, ABORTED, "data connection was reset"});
}

uint64_t
SegmentReceivingDtp::GetStored(Nanoseconds now) const
{
    uint64_t bytes = 0;
    for (auto* pair : m_pairs)
    {
        bytes += pair->GetStored(now);
    }
    return bytes;
}

void
SegmentReceivingDtp::ScheduleReport(Nanoseconds at)
{
    m_reportDueNs = at;
    m_pairs.front()->GetReceiverClock().Schedule(at, *this, 0);
}

void
SegmentReceivingDtp::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    if (now != m_reportDueNs)
    {
        return; // of a chunk that is complete
    }
    m_user->HandleNotice(m_stripe, now, {DtpEvent::BYTES, GetStored(now), ""});
    ScheduleReport(now + MARKER_INTERVAL_NS);
}

} // namespace ns3::gridftp
