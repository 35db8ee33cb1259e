/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-udt-receiver.h"

#include "gridftp-random.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t TOP_BIT = 1U << 31;      //!< of the first packet of a range
constexpr uint32_t LEAST_ROOM = 2;          //!< packets that an ACK announces even if less are free
constexpr uint32_t WRITE_BYTES = 7'280'000; //!< that recvfile() writes at a time, at most

/** The free part of the receive buffer while it holds unread packets. One packet stays empty. */
uint32_t
GetRoom(const UdtSettings& settings, uint32_t unread = 0)
{
    const uint32_t most = settings.buffer - 1;
    return most - std::min(unread, most);
}

} // namespace

UdtReceiver::UdtReceiver(const ToolTransfer& transfer, ToolPort& port)
    : m_settings(MakeUdtSettings(transfer.values)),
      m_bytes(transfer.bytes),
      m_file(transfer.bytes, m_settings.payload),
      m_packets(m_file.GetPackets()),
      m_cookie(static_cast<uint32_t>(KeyedRandom({transfer.randomKey, transfer.bytes})) | 1),
      m_port(&port),
      m_arrived(m_settings.buffer),
      m_sink(transfer.sink)
{
    if (m_sink.IsTimed())
    {
        m_counts.overflows = 0;
    }
}

void
UdtReceiver::Start(Nanoseconds /* now */)
{
}

// Reports

void
UdtReceiver::HandleReport(Nanoseconds now, const ReportDatagram& report)
{
    if (IsWritten(now)) [[unlikely]]
    {
        TakeWritten(now);
    }
    if (m_state == State::DONE)
    {
        return;
    }
    if (report.type == static_cast<uint32_t>(UdtReport::HANDSHAKE))
    {
        Answer(now, report);
    }
    if (m_state != State::OPEN)
    {
        return;
    }
    m_expiry.Hear(now);
    switch (static_cast<UdtReport>(report.type))
    {
    case UdtReport::ACK2:
        TakeAck2(now, report.info);
        break;
    case UdtReport::SHUTDOWN:
        return End(now,
                   m_counts.bytes == m_bytes ? ""
                                             : "the sender has closed the connection after " +
                                                   std::to_string(m_counts.bytes) + " bytes of " +
                                                   std::to_string(m_bytes));
    default:
        break;
    }
    CheckAck(now);
}

void
UdtReceiver::Answer(Nanoseconds now, const ReportDatagram& report)
{
    auto said = UdtHandshake::FromReport(report);
    if (!said)
    {
        return;
    }
    if (said->type == UdtHandshake::REQUEST)
    {
        said->cookie = m_cookie;
        return Say(now, said->ToReport());
    }
    if (said->type != UdtHandshake::CONNECT || said->cookie != m_cookie)
    {
        return;
    }
    const UdtHandshake own;
    if (said->version != own.version || said->kind != own.kind)
    {
        said->type = UdtHandshake::REFUSED;
        return Say(now, said->ToReport());
    }
    if (m_state == State::LISTENING)
    {
        m_state = State::OPEN;
        m_arrivals = UdtArrivals(now);
        m_nextAckNs = now + UDT_SYN_NS;
        m_lastAckNs = now - UDT_SYN_NS;
        m_lastWarningNs = now;
        m_expiry.Hear(now);
        m_port->SetTimer(LOOK_TIMER, m_expiry.GetNextLook());
    }
    said->mss = std::min(said->mss,
                         m_settings.payload + UdtWire::HEADER_BYTES +
                             static_cast<uint32_t>(DATAGRAM_HEADER_BYTES));
    said->flight = m_settings.buffer;
    said->socket = UdtHandshake::RECEIVER_SOCKET;
    Say(now, said->ToReport());
}

void
UdtReceiver::TakeAck2(Nanoseconds now, uint32_t number)
{
    if (number <= m_answered || number > m_ackNumber || m_ackNumber - number >= KEPT_ACKS)
    {
        return; // answered already, never sent, or so long ago that it is forgotten
    }
    m_answered = number;
    const SentAck& sent = m_sentAcks[number % KEPT_ACKS];
    const int64_t us = std::max<int64_t>((now - sent.sentNs) / 1000, 1);
    m_confirmed = std::max(m_confirmed, sent.next);
    if (m_settings.delay == UdtDelay::DECREASE)
    {
        m_trend.Add(us);
        if (m_trend.IsRising() && now - m_lastWarningNs > 2000 * m_roundTrip.GetUs())
        {
            m_lastWarningNs = now;
            Say(now, {.type = static_cast<uint32_t>(UdtReport::DELAY)});
        }
    }
    m_roundTrip.Add(us);
}

// Packets

void
UdtReceiver::HandleData(Nanoseconds now, const DataDatagram& datagram)
{
    if (m_state != State::OPEN || datagram.number >= m_packets ||
        datagram.payload != m_file.GetPayload(datagram.number))
    {
        return; // before there is a connection, or not of this file
    }
    if (IsWritten(now)) [[unlikely]]
    {
        TakeWritten(now);
    }
    m_expiry.Hear(now);
    ++m_sinceAck;
    m_arrivals.Add(now, datagram.number);
    if (datagram.number < m_acked)
    {
        ++m_counts.duplicates;
    }
    else if (datagram.number - m_acked < GetRoom(m_settings, GetUnread()))
    {
        Store(now, datagram);
    }
    else if (m_sink.IsTimed())
    {
        ++*m_counts.overflows;
    }
    CheckAck(now);
}

void
UdtReceiver::Store(Nanoseconds now, const DataDatagram& datagram)
{
    const uint32_t number = datagram.number;
    if (!m_arrived.Mark(number))
    {
        ++m_counts.duplicates;
        return;
    }
    m_counts.bytes += datagram.payload;
    if (number > m_end)
    {
        const uint32_t last = number - 1;
        ReportDatagram nak{.type = static_cast<uint32_t>(UdtReport::NAK), .words = {last}};
        if (last != m_end)
        {
            nak.words = {m_end | TOP_BIT, last};
        }
        Say(now, std::move(nak));
    }
    if (datagram.payload != m_settings.payload)
    {
        m_nextAckNs = now; // the end of a message, as the program takes a short packet
    }
    m_end = std::max(m_end, number + 1);
}

// ACKs

void
UdtReceiver::CheckAck(Nanoseconds now)
{
    if (now >= m_nextAckNs)
    {
        SendAck(now);
        m_nextAckNs = now + UDT_SYN_NS;
        m_sinceAck = 0;
        m_nextLight = LIGHT_EVERY;
    }
    else if (m_sinceAck >= m_nextLight)
    {
        m_nextLight += LIGHT_EVERY;
        const uint32_t next = FindNext();
        if (next != m_confirmed)
        {
            Say(now, {.type = static_cast<uint32_t>(UdtReport::ACK), .words = {next}});
        }
    }
}

void
UdtReceiver::SendAck(Nanoseconds now)
{
    const uint32_t next = FindNext();
    if (next == m_confirmed)
    {
        return;
    }
    if (next == m_acked && now - m_lastAckNs < m_roundTrip.GetBoundNs())
    {
        return; // the answer to the last one may still be under way
    }
    // An ACK hands its packets to the application and announces the free buffer in one go, before
    // the application has read them. The sender learns of that space from the next ACK only.
    const uint32_t unread = GetUnread() + next - m_acked;
    m_acked = next;
    m_arrived.MoveTo(next);
    ReportDatagram ack{.type = static_cast<uint32_t>(UdtReport::ACK),
                       .info = ++m_ackNumber,
                       .words = {next,
                                 static_cast<uint32_t>(m_roundTrip.GetUs()),
                                 static_cast<uint32_t>(m_roundTrip.GetVariationUs()),
                                 std::max(GetRoom(m_settings, unread), LEAST_ROOM)}};
    if (now - m_lastAckNs >= UDT_SYN_NS)
    {
        ack.words.push_back(m_arrivals.GetSpeed());
        ack.words.push_back(m_arrivals.GetCapacity());
        m_lastAckNs = now;
    }
    m_sentAcks[m_ackNumber % KEPT_ACKS] = {m_ackNumber, next, now};
    Say(now, std::move(ack));
    WriteOn(now);
}

// The file

void
UdtReceiver::WriteOn(Nanoseconds now)
{
    if (!m_sink.IsTimed() || m_written == m_packets)
    {
        return;
    }
    const uint32_t most = std::max(WRITE_BYTES / m_settings.payload, 1U);
    while (m_writing == 0 && m_written < m_acked)
    {
        const uint32_t packets = std::min(m_acked - m_written, most);
        const uint64_t begin = m_file.GetOffset(m_written);
        const uint32_t last = m_written + packets - 1;
        const uint64_t end = m_file.GetOffset(last) + m_file.GetPayload(last);
        m_writtenNs = m_sink.Write(now, begin, end - begin);
        m_writing = packets;
        if (m_writtenNs > now)
        {
            return m_port->SetTimer(WRITE_TIMER, m_writtenNs);
        }
        m_written += std::exchange(m_writing, 0);
    }
    if (m_written == m_packets)
    {
        m_port->HandleStored(now);
    }
}

void
UdtReceiver::TakeWritten(Nanoseconds now)
{
    m_written += std::exchange(m_writing, 0);
    if (m_written < m_packets)
    {
        return WriteOn(now);
    }
    m_port->HandleStored(now);
}

// The end

void
UdtReceiver::HandleTimer(Nanoseconds now, uint32_t timer)
{
    if (IsWritten(now)) [[unlikely]]
    {
        TakeWritten(now);
    }
    if (timer == WRITE_TIMER || m_state != State::OPEN)
    {
        return;
    }
    if (now >= m_expiry.GetNextLook())
    {
        const auto verdict = m_expiry.Look(now, m_roundTrip.GetBoundNs());
        CheckAck(now);
        if (verdict == UdtExpiry::Verdict::BROKEN)
        {
            // What has come is written all the same, though the end of the connection was lost
            return End(now,
                       m_acked == m_packets && m_sink.IsTimed()
                           ? ""
                           : "nothing has come from the sender for 16 expiries and 5 s");
        }
        if (verdict == UdtExpiry::Verdict::EXPIRED)
        {
            Say(now, {.type = static_cast<uint32_t>(UdtReport::KEEP_ALIVE)});
        }
    }
    m_port->SetTimer(LOOK_TIMER, m_expiry.GetNextLook());
}

void
UdtReceiver::Say(Nanoseconds now, ReportDatagram report)
{
    ++m_counts.reports;
    m_port->SendReport(now, std::move(report));
}

void
UdtReceiver::End(Nanoseconds now, const std::string& reason)
{
    m_state = State::DONE;
    m_port->SetTimer(LOOK_TIMER, ToolPort::NOT_AT_ALL);
    if (!reason.empty())
    {
        m_port->Finish(now, "udt, receiver: " + reason);
    }
}

} // namespace ns3::gridftp
