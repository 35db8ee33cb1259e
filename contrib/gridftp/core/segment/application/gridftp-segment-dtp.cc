/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-dtp.h"

#include "gridftp-pair-connections.h"
#include "gridftp-stall-text.h"
#include "gridftp-stripe-plan.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t NOT_OPENED = 425;
constexpr uint64_t ABORTED = 426;

// What an event of a DTP that receives is about
constexpr uint32_t REPORT = 0;
constexpr uint32_t LOOK = 1;
constexpr uint32_t TOLD = 2;
constexpr uint32_t FOREIGN = 3;

/** What a PI hears of a DTP on its host that is dead. */
DtpNotice
MakeDownNotice()
{
    return {DtpEvent::FAIL, NOT_OPENED, "the DTP is down"};
}

/** What it hears when that dies. */
DtpNotice
MakeDeathNotice()
{
    return {DtpEvent::FAIL, ABORTED, "the DTP died"};
}

} // namespace

void
SegmentSendingDtp::Order(Nanoseconds now, const DtpCommand& command)
{
    switch (command.verb)
    {
    case DtpVerb::SEND:
        if (IsOut(m_outages, now))
        {
            return m_user->HandleNotice(m_stripe, now, MakeDownNotice());
        }
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
    m_tellsTimes = !order.pairs.empty();
    m_undrained = count;
    const PairConnections connections(order.parallelism, order.pairs);
    const uint32_t chunk = m_chunks++;
    const uint32_t opening = m_pairs.front()->OpenSource();
    // What its PI says of it leaves before the data
    m_user->HandleNotice(m_stripe, now, {DtpEvent::READY, 0, ""});
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t pair = order.stripe * count + i;
        const auto ranges =
            plan.GetRanges(pair, order.offset, order.length).Without(order.held, order.offset);
        m_pairs[i]->Send(now,
                         {chunk,
                          order.offset,
                          ranges,
                          connections.Of(pair),
                          connections.GetFirst(pair),
                          opening});
    }
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
    m_done.reset();
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
    DtpNotice notice{DtpEvent::DONE, 0, ""};
    for (const auto* pair : m_pairs)
    {
        notice.number += pair->GetChunkBytes();
        if (m_tellsTimes)
        {
            notice.elapsedNs.push_back(pair->GetElapsedNs());
        }
    }
    HostClock& clock = m_pairs.front()->GetSenderClock();
    if (!clock.DoArrivalsMakeEvents())
    {
        return m_user->HandleNotice(m_stripe, now, notice);
    }
    m_done = std::move(notice); // behind what is due, as engine ns3 has it
    clock.Schedule(now, *this, TOLD);
}

void
SegmentSendingDtp::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    if (const auto notice = std::exchange(m_done, std::nullopt))
    {
        m_user->HandleNotice(m_stripe, now, *notice);
    }
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
SegmentSendingDtp::Die(Nanoseconds now, bool tells)
{
    const bool wasBusy = m_isBusy;
    Abort(now);
    if (wasBusy && tells)
    {
        m_user->HandleNotice(m_stripe, now, MakeDeathNotice());
    }
}

void
SegmentReceivingDtp::Order(Nanoseconds now, const DtpCommand& command)
{
    const bool needsLife = command.verb == DtpVerb::LISTEN || command.verb == DtpVerb::RECEIVE;
    if (needsLife &&
        (IsOut(m_beginning.outages, now) || (m_isKilled && command.verb == DtpVerb::RECEIVE)))
    {
        return m_user->HandleNotice(m_stripe, now, MakeDownNotice());
    }
    switch (command.verb)
    {
    case DtpVerb::LISTEN:
        return Listen(now);
    case DtpVerb::RECEIVE:
        return Receive(now, command.held);
    case DtpVerb::FINISH:
        m_isListening = m_isListening && !command.closes;
        return; // what is not closed goes with the next LISTEN
    case DtpVerb::ABORT:
        return Abort(now);
    case DtpVerb::END:
        return Close(now);
    default:
        return;
    }
}

void
SegmentReceivingDtp::Listen(Nanoseconds now)
{
    const uint16_t listening = m_pairs.front()->TakePort();
    for (auto* pair : m_pairs)
    {
        pair->SetDeaf(false);
        pair->ClosePassive(now);
        pair->SetPort(listening);
    }
    m_foreign.clear();
    m_isListening = true;
    m_isKilled = false;
    const uint64_t port = FIRST_PORT + m_ports++;
    m_user->HandleNotice(m_stripe, now, {DtpEvent::PORT, port, ""});
}

void
SegmentReceivingDtp::Receive(Nanoseconds now, const MarkerRanges& held)
{
    m_held = held;
    const uint32_t opening = m_pairs.front()->OpenSink();
    m_isBusy = true;
    m_arrived = 0;
    for (auto* pair : m_pairs)
    {
        m_arrived += pair->Expect(opening) ? 1 : 0;
    }
    m_user->HandleNotice(m_stripe, now, {DtpEvent::READY, 0, ""});
    if (m_reports)
    {
        ScheduleReport(now + MARKER_INTERVAL_NS);
    }
    m_seen = m_idle = 0;
    ScheduleLook(now);
    if (m_arrived == m_pairs.size())
    {
        HandleAllArrived(now); // before the order came
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
    StopReceiving(now);
    ResetAll(now);
}

void
SegmentReceivingDtp::StopReceiving(Nanoseconds now)
{
    m_taken = GetTaken(now);
    m_isBusy = m_isListening = false;
    m_foreign.clear();
    m_done.reset();
    m_reportDueNs = m_lookDueNs = NEVER;
}

void
SegmentReceivingDtp::ResetAll(Nanoseconds now)
{
    for (auto* pair : m_pairs)
    {
        pair->EndDataSizings();
        pair->SetDeaf(true);
        pair->Reset(TcpConnection::PASSIVE, now);
    }
}

void
SegmentReceivingDtp::HandleArrived(Nanoseconds now)
{
    if (++m_arrived == m_pairs.size() && m_isBusy)
    {
        HandleAllArrived(now);
    }
}

void
SegmentReceivingDtp::HandleAllArrived(Nanoseconds now)
{
    m_isBusy = false;
    m_reportDueNs = m_lookDueNs = NEVER;
    uint64_t bytes = 0;
    for (const auto* pair : m_pairs)
    {
        bytes += pair->GetChunkBytes();
    }
    m_taken += bytes;
    m_completeNs = now;
    m_completeBytes = bytes;
    const DtpNotice notice{DtpEvent::DONE, bytes, ""};
    HostClock& clock = m_pairs.front()->GetReceiverClock();
    if (!clock.DoArrivalsMakeEvents())
    {
        return m_user->HandleNotice(m_stripe, now, notice);
    }
    m_done = notice; // behind what is due, as engine ns3 has it
    clock.Schedule(now, *this, TOLD);
}

void
SegmentReceivingDtp::HandleDataReset(Nanoseconds now, bool hasArrived)
{
    if (!m_isBusy || hasArrived)
    {
        return; // it had nothing left to say
    }
    StopReceiving(now);
    m_user->HandleNotice(m_stripe, now, {DtpEvent::FAIL, ABORTED, MakeResetReason()});
    ResetAll(now); // behind what its PI does, which may reset the control connection
}

void
SegmentReceivingDtp::Fail(Nanoseconds now, const DtpNotice& notice)
{
    Abort(now);
    m_user->HandleNotice(m_stripe, now, notice);
}

void
SegmentReceivingDtp::AcceptForeign(int64_t at)
{
    if (m_isListening && at != NEVER)
    {
        m_foreign.push_back(at);
        m_pairs.front()->GetReceiverClock().Schedule(at, *this, FOREIGN);
    }
}

void
SegmentReceivingDtp::CloseForeign(Nanoseconds now)
{
    if (std::erase(m_foreign, int64_t{now}) > 0 && m_isBusy)
    {
        Fail(now, {DtpEvent::FAIL, ABORTED, MakeForeignReason()});
    }
}

std::string
SegmentReceivingDtp::NameStall(Nanoseconds now) const
{
    const bool isServing = m_beginning.sink && m_beginning.sink->IsServing(m_stripe, now);
    return isServing ? MakeStandstillReason(m_beginning.limitNs)
                     : MakeNoDataReason(m_beginning.limitNs);
}

void
SegmentReceivingDtp::Die(Nanoseconds now, bool tells)
{
    const bool wasBusy = m_isBusy;
    m_isKilled = true;
    Abort(now);
    if (wasBusy && tells)
    {
        m_user->HandleNotice(m_stripe, now, MakeDeathNotice());
    }
}

MarkerRanges
SegmentReceivingDtp::GetRanges(Nanoseconds now) const
{
    MarkerRanges ranges;
    for (auto* pair : m_pairs)
    {
        pair->AddStored(now, ranges);
    }
    return ranges;
}

void
SegmentReceivingDtp::ScheduleLook(Nanoseconds now)
{
    if (m_beginning.limitNs != NEVER)
    {
        m_lookDueNs = now + m_beginning.limitNs / 2;
        m_pairs.front()->GetReceiverClock().Schedule(m_lookDueNs, *this, LOOK);
    }
}

void
SegmentReceivingDtp::Look(Nanoseconds now)
{
    uint64_t seen = GetStored(now);
    for (const auto* pair : m_pairs)
    {
        seen += pair->GetRead(now); // of a block that is not stored yet, too
    }
    m_idle = seen > m_seen ? 0 : m_idle + 1;
    m_seen = seen;
    if (m_idle < 2)
    {
        return ScheduleLook(now);
    }
    Fail(now, {DtpEvent::FAIL, ABORTED, NameStall(now)});
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
    m_pairs.front()->GetReceiverClock().Schedule(at, *this, REPORT);
}

void
SegmentReceivingDtp::HandleEvent(Nanoseconds now, uint32_t id)
{
    if (id == LOOK)
    {
        return now == m_lookDueNs ? Look(now) : void();
    }
    if (id == FOREIGN)
    {
        return CloseForeign(now);
    }
    if (id == TOLD)
    {
        const auto notice = std::exchange(m_done, std::nullopt);
        return notice ? m_user->HandleNotice(m_stripe, now, *notice) : void();
    }
    if (now != m_reportDueNs)
    {
        return; // of a chunk that is complete
    }
    DtpNotice notice{DtpEvent::BYTES, GetStored(now), ""};
    if (m_beginning.tellsRanges)
    {
        notice.ranges = GetRanges(now);
        notice.ranges.insert(notice.ranges.end(), m_held.begin(), m_held.end());
        notice.ranges = MergeRanges(std::move(notice.ranges));
    }
    m_user->HandleNotice(m_stripe, now, notice);
    ScheduleReport(now + MARKER_INTERVAL_NS);
}

} // namespace ns3::gridftp
