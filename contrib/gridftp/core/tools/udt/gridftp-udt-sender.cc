/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-udt-sender.h"

#include "gridftp-udt-arrivals.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t TOP_BIT = 1U << 31;           //!< of the first packet of a range
constexpr int64_t LONGEST_RTT_US = 60'000'000;   //!< no network's round-trip time is longer
constexpr uint32_t LARGEST_NUMBER = TOP_BIT - 1; //!< the program reads what is more as negative

/** The program counts in whole microseconds. */
uint32_t
GetStamp(Nanoseconds sinceOpen)
{
    return static_cast<uint32_t>(sinceOpen / 1000) & ~UdtWire::END_OF_BLOCK;
}

/** A smoothed number of the path, as UDT smooths it. */
int64_t
Smooth(int64_t old, uint32_t sample)
{
    return sample == 0 || sample > LARGEST_NUMBER ? old : (old * 7 + sample) / 8;
}

} // namespace

UdtSender::UdtSender(const ToolTransfer& transfer, ToolPort& port)
    : m_settings(MakeUdtSettings(transfer.values)),
      m_key(transfer.randomKey),
      m_file(transfer.bytes, m_settings.payload),
      m_packetsOfFile((transfer.bytes + m_settings.payload - 1) / m_settings.payload),
      m_packets(m_file.GetPackets()),
      m_extraBytes(transfer.linkExtraBytes + UdtWire::HEADER_BYTES),
      m_port(&port),
      m_gate(transfer.linkRateBps, m_settings.sendBufferBytes),
      m_pacer(m_settings.pacing, m_settings.tickNs),
      m_lost(m_settings.buffer),
      m_source(transfer.source),
      m_loaded(m_source.IsTimed() ? 0 : m_packets)
{
}

// Handshake

void
UdtSender::Start(Nanoseconds now)
{
    m_openNs = now;
    if (m_packetsOfFile >= UdtWire::NUMBERS)
    {
        return End(now,
                   "the file has " + std::to_string(m_packetsOfFile) +
                       " packets; allowed: less than " + std::to_string(UdtWire::NUMBERS));
    }
    m_state = State::ASKING;
    m_request = {.mss = m_settings.payload + UdtWire::HEADER_BYTES +
                        static_cast<uint32_t>(DATAGRAM_HEADER_BYTES),
                 .flight = m_settings.buffer,
                 .type = UdtHandshake::REQUEST,
                 .socket = UdtHandshake::SENDER_SOCKET};
    Ask(now);
}

void
UdtSender::Ask(Nanoseconds now)
{
    Say(now, m_request.ToReport());
    m_port->SetTimer(LOOK_TIMER, std::min(now + REQUEST_EVERY_NS, m_openNs + GIVE_UP_NS));
}

void
UdtSender::TakeAnswer(Nanoseconds now, const ReportDatagram& report)
{
    const auto said = UdtHandshake::FromReport(report);
    if (!said)
    {
        return;
    }
    switch (said->type)
    {
    case UdtHandshake::REQUEST:
        m_request.type = UdtHandshake::CONNECT;
        m_request.cookie = said->cookie;
        return Ask(now);
    case UdtHandshake::CONNECT:
        return Open(now, *said);
    case UdtHandshake::REFUSED:
        return End(now, "the receiver refuses the connection");
    default:
        return;
    }
}

void
UdtSender::Open(Nanoseconds now, const UdtHandshake& said)
{
    if (said.first != m_request.first)
    {
        return End(now, "the receiver connects from packet " + std::to_string(said.first) + " on");
    }
    if (said.mss != m_request.mss)
    {
        return End(now,
                   "the receiver takes packets of " + std::to_string(said.mss) + " bytes, not " +
                       std::to_string(m_request.mss));
    }
    m_state = State::SENDING;
    m_flow = said.flight;
    m_control.emplace(m_settings, said.flight, m_key, now);
    m_expiry.Hear(now);
    m_port->SetTimer(LOOK_TIMER, m_expiry.GetNextLook());
    if (m_packets == 0)
    {
        Say(now, {.type = static_cast<uint32_t>(UdtReport::SHUTDOWN)});
        return End(now, "");
    }
    ReadOn(now);
    SetLimit();
    SendDue(now);
}

// Timers

void
UdtSender::HandleTimer(Nanoseconds now, uint32_t timer)
{
    if (IsBlockThere(now)) [[unlikely]]
    {
        TakeBlock(now);
    }
    if (timer == READ_TIMER)
    {
        return;
    }
    if (timer == SEND_TIMER)
    {
        if (m_state == State::SENDING && m_isScheduled)
        {
            SendDue(now);
        }
        return;
    }
    if (m_state == State::ASKING)
    {
        return now >= m_openNs + GIVE_UP_NS
                   ? End(now, "no connection within 3 s of the first request")
                   : Ask(now);
    }
    if (m_state != State::SENDING)
    {
        return;
    }
    if (now >= m_expiry.GetNextLook())
    {
        switch (m_expiry.Look(now, m_roundTrip.GetBoundNs()))
        {
        case UdtExpiry::Verdict::BROKEN:
            return End(now, "nothing has come from the receiver for 16 expiries and 5 s");
        case UdtExpiry::Verdict::EXPIRED:
            if (m_loaded == m_freed)
            {
                // All that was read is acknowledged: the send buffer is empty
                Say(now, {.type = static_cast<uint32_t>(UdtReport::KEEP_ALIVE)});
                break;
            }
            if (++m_idleExpiries > MOST_IDLE_EXPIRIES)
            {
                return End(now,
                           "nothing new has been acknowledged for " +
                               std::to_string(MOST_IDLE_EXPIRIES) + " expiries");
            }
            Expire(now);
            break;
        case UdtExpiry::Verdict::QUIET:
            break;
        }
    }
    m_port->SetTimer(LOOK_TIMER, m_expiry.GetNextLook());
}

void
UdtSender::Expire(Nanoseconds now)
{
    if (m_next > m_acked && m_lost.GetMarked() == 0)
    {
        m_lost.MarkRange(m_acked, m_next - 1);
    }
    m_control->HandleExpiry();
    SendDue(now);
}

// Reports

void
UdtSender::HandleReport(Nanoseconds now, const ReportDatagram& report)
{
    if (m_state == State::ASKING && report.type == static_cast<uint32_t>(UdtReport::HANDSHAKE))
    {
        return TakeAnswer(now, report);
    }
    if (m_state != State::SENDING)
    {
        return;
    }
    if (IsBlockThere(now)) [[unlikely]]
    {
        TakeBlock(now);
    }
    m_expiry.Hear(now);
    m_pacer.Wake(now);
    switch (static_cast<UdtReport>(report.type))
    {
    case UdtReport::ACK:
        TakeAck(now, report);
        break;
    case UdtReport::NAK:
        TakeNak(now, report);
        break;
    case UdtReport::DELAY:
        if (m_next > 0)
        {
            m_control->HandleDelay(m_next - 1);
        }
        break;
    case UdtReport::SHUTDOWN:
        return End(now, "the receiver has closed the connection");
    default:
        break;
    }
    // What was to wait for the thread to wake up need not any longer.
    if (m_state == State::SENDING && m_isScheduled && m_dueNs <= now)
    {
        SendDue(now);
    }
}

void
UdtSender::TakeAck(Nanoseconds now, const ReportDatagram& report)
{
    const size_t words = report.words.size();
    if (words != UdtAck::LIGHT_WORDS && words != UdtAck::SHORT_WORDS && words != UdtAck::FULL_WORDS)
    {
        return;
    }
    if (words != UdtAck::LIGHT_WORDS)
    {
        Say(now, {.type = static_cast<uint32_t>(UdtReport::ACK2), .info = report.info});
    }
    const uint32_t next = report.words[UdtAck::NEXT];
    if (next > m_next)
    {
        return End(now,
                   "the receiver acknowledges " + std::to_string(next) + " packets of " +
                       std::to_string(m_next) + " that were sent");
    }
    if (words != UdtAck::LIGHT_WORDS)
    {
        return TakeFullAck(now, report);
    }
    if (next > m_acked)
    {
        // A sender that waits for the window goes on waiting: light ACKs wake up nobody.
        m_flow -= next - m_acked;
        m_acked = next;
        SetLimit();
    }
}

void
UdtSender::TakeFullAck(Nanoseconds now, const ReportDatagram& report)
{
    const uint32_t next = report.words[UdtAck::NEXT];
    if (next >= m_acked)
    {
        m_flow = report.words[UdtAck::ROOM];
        m_acked = next;
        SetLimit();
    }
    if (next <= m_freed)
    {
        return;
    }
    m_freed = next;
    m_idleExpiries = 0;
    m_lost.MoveTo(next);
    if (next == m_packets)
    {
        Say(now, {.type = static_cast<uint32_t>(UdtReport::SHUTDOWN)});
        return End(now, "");
    }
    ReadOn(now);
    LearnPath(report);
    m_control->HandleAck(now, next, m_counts.packets);
    SetLimit();
    if (!m_isScheduled)
    {
        SendDue(now);
    }
}

void
UdtSender::LearnPath(const ReportDatagram& report)
{
    const int64_t rttUs = report.words[UdtAck::RTT];
    if (rttUs <= LONGEST_RTT_US)
    {
        m_roundTrip.Add(rttUs);
    }
    if (report.words.size() == UdtAck::FULL_WORDS)
    {
        m_speed = Smooth(m_speed, report.words[UdtAck::SPEED]);
        m_capacity = Smooth(m_capacity, report.words[UdtAck::CAPACITY]);
    }
    m_control->SetPath(m_roundTrip.GetUs(), m_speed, m_capacity);
}

UdtSender::Losses
UdtSender::FindLosses(const ReportDatagram& report) const
{
    const auto& words = report.words;
    Losses losses{.isWhole = !words.empty()};
    for (size_t i = 0; i < words.size(); ++i)
    {
        const bool isRange = (words[i] & TOP_BIT) != 0;
        if (isRange && i + 1 == words.size())
        {
            losses.isWhole = false;
            break;
        }
        const uint32_t first = words[i] & ~TOP_BIT;
        const uint32_t last = isRange ? words[++i] : first;
        losses.isOfSent &= first <= last && last < m_next;
        losses.count += last - first + 1;
    }
    return losses;
}

void
UdtSender::TakeNak(Nanoseconds now, const ReportDatagram& report)
{
    const Losses losses = FindLosses(report);
    if (!losses.isWhole)
    {
        return;
    }
    if (!losses.isOfSent)
    {
        return End(now, "the receiver reports the loss of packets that were not sent");
    }
    const auto& words = report.words;
    for (size_t i = 0; i < words.size(); ++i)
    {
        const uint32_t first = words[i] & ~TOP_BIT;
        const uint32_t last = (words[i] & TOP_BIT) ? words[++i] : first;
        if (last >= m_acked)
        {
            m_lost.MarkRange(std::max(first, m_acked), last);
        }
    }
    if (m_control->HandleLoss(words.front() & ~TOP_BIT, losses.count, m_next - 1))
    {
        m_freezeNs = m_settings.freezeNs;
    }
    SendDue(now);
}

// Packets

void
UdtSender::SetLimit()
{
    const int64_t window = std::min<int64_t>(m_flow, m_control->GetWindow());
    const int64_t limit = std::min(m_acked + window, int64_t{m_freed} + m_settings.buffer);
    m_limit = static_cast<uint32_t>(std::clamp<int64_t>(limit, 0, m_loaded));
}

void
UdtSender::ReadOn(Nanoseconds now)
{
    while (m_reading == 0 && m_loaded < m_packets && m_loaded - m_freed < m_settings.buffer)
    {
        const uint32_t packets = std::min(UdtWire::BLOCK_PACKETS, m_packets - m_loaded);
        const uint64_t begin = m_file.GetOffset(m_loaded);
        const uint32_t last = m_loaded + packets - 1;
        const uint64_t end = m_file.GetOffset(last) + m_file.GetPayload(last);
        m_readyNs = m_source.Read(now, begin, end - begin);
        if (m_readyNs > now)
        {
            m_reading = packets;
            return m_port->SetTimer(READ_TIMER, m_readyNs);
        }
        m_loaded += packets;
    }
}

void
UdtSender::TakeBlock(Nanoseconds now)
{
    m_loaded += std::exchange(m_reading, 0);
    ReadOn(now);
    SetLimit();
    if (m_state == State::SENDING && !m_isScheduled)
    {
        SendDue(now);
    }
}

void
UdtSender::SendDue(Nanoseconds now)
{
    const Nanoseconds heard = m_port->GetSilence(now);
    const Nanoseconds silence = m_reading > 0 ? std::min(heard, m_readyNs) : heard;
    while (HasNext())
    {
        Nanoseconds next = m_gate.GetRoom(now);
        m_dueNs = next; // the thread is in the socket, and goes on as soon as it can
        if (next <= now)
        {
            m_dueNs = SendNext(now);
            const Nanoseconds wake = m_pacer.FindWake(now, m_dueNs);
            next = m_dueNs <= now ? now : std::max(wake, m_gate.GetRoom(wake));
        }
        if (next > now && next >= silence)
        {
            m_isScheduled = true;
            return m_port->SetTimer(SEND_TIMER, next);
        }
        now = next;
    }
    m_isScheduled = false;
    m_pacer.Stop();
}

Nanoseconds
UdtSender::SendNext(Nanoseconds now)
{
    uint32_t number = m_next;
    bool isPair = false;
    if (m_lost.GetMarked() > 0)
    {
        number = m_lost.FindMarked(m_freed, m_next);
        m_lost.Unmark(number);
        ++m_counts.retransmissions;
    }
    else
    {
        ++m_next;
        isPair = number % UdtArrivals::PAIR_EVERY == 0;
    }
    const bool isLast =
        number % UdtWire::BLOCK_PACKETS == UdtWire::BLOCK_PACKETS - 1 || number + 1 == m_packets;
    const uint32_t payload = m_file.GetPayload(number);
    m_port->SendData(now,
                     {.number = number,
                      .stamp = GetStamp(now - m_openNs) | (isLast ? UdtWire::END_OF_BLOCK : 0),
                      .payload = payload});
    m_gate.Take(now, payload + m_extraBytes);
    ++m_counts.packets;
    const Nanoseconds due = m_pacer.Plan(now, m_control->GetPeriodNs(), isPair) + m_freezeNs;
    m_freezeNs = 0;
    return due;
}

void
UdtSender::Say(Nanoseconds now, ReportDatagram report)
{
    ++m_counts.reports;
    m_port->SendReport(now, std::move(report));
}

void
UdtSender::End(Nanoseconds now, const std::string& reason)
{
    m_state = State::DONE;
    m_port->SetTimer(SEND_TIMER, ToolPort::NOT_AT_ALL);
    m_port->SetTimer(LOOK_TIMER, ToolPort::NOT_AT_ALL);
    m_reading = 0;
    m_port->Finish(now, reason.empty() ? "" : "udt, sender: " + reason);
}

} // namespace ns3::gridftp
