/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fobs.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t SEND_TIMER = 0;  //!< of the next packet
constexpr uint32_t IDLE_TIMER = 1;  //!< of patience
constexpr uint32_t STORE_TIMER = 0; //!< of the other end

constexpr double NS_PER_S = 1e9;
constexpr double LEAST_SHARE = 0.001; //!< of the link's rate, below which it does not slow down
constexpr uint32_t WORD_BITS = 32;    //!< packets that a word of an acknowledgement tells of
constexpr uint32_t MOST_PACKETS = 1 << 30; //!< whose numbers do not look like a report

/** Bytes of a file and how large a packet is. */
PacketFile
MakeFile(uint64_t bytes, const FobsSettings& settings)
{
    return {bytes, settings.payload};
}

} // namespace

// How fast

FobsRate::FobsRate(const FobsSettings& settings, int64_t linkRateBps)
    : m_adapts(settings.control == FobsControl::ON),
      m_tolerated(settings.toleratedLoss),
      m_linkBps(static_cast<double>(linkRateBps)),
      m_rateBps(m_linkBps)
{
}

void
FobsRate::Take(const FobsAck& ack)
{
    if (!m_adapts || ack.highest <= m_highest || ack.received < m_received)
    {
        return; // nothing new, or overtaken by a younger one
    }
    const double sent = ack.highest - m_highest;
    const double loss = std::max(0.0, 1 - (ack.received - m_received) / sent);
    m_highest = ack.highest;
    m_received = ack.received;
    m_rateBps *= loss > m_tolerated ? 1 - loss : 1 + m_tolerated;
    m_rateBps = std::clamp(m_rateBps, LEAST_SHARE * m_linkBps, m_linkBps);
}

Nanoseconds
FobsRate::GetGap(int64_t bytes) const
{
    // At the link's own rate it is the link that makes it wait
    return m_rateBps < m_linkBps
               ? static_cast<Nanoseconds>(static_cast<double>(8 * bytes) * NS_PER_S / m_rateBps)
               : 0;
}

// The end that sends

FobsSender::FobsSender(const ToolTransfer& transfer, ToolPort& port)
    : m_settings(MakeFobsSettings(transfer.values)),
      m_bytes(transfer.bytes),
      m_file(MakeFile(transfer.bytes, m_settings)),
      m_port(&port),
      m_gate(transfer.linkRateBps, m_settings.sendBufferBytes),
      m_mapped(transfer.source, false, transfer.bytes),
      m_rate(m_settings, transfer.linkRateBps),
      m_extraBytes(transfer.linkExtraBytes),
      m_arrived(m_file.GetPackets())
{
}

void
FobsSender::Start(Nanoseconds /* now */)
{
}

void
FobsSender::HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes)
{
    if (m_state == State::DONE)
    {
        return;
    }
    m_read.Add(bytes);
    if (m_state == State::REQUEST)
    {
        if (m_read.Take(FileRequest::REQUEST_BYTES))
        {
            m_port->Say(now, FileRequest::MakeSize(m_bytes));
            m_state = State::SENDS;
            m_port->SetTimer(IDLE_TIMER, now + PATIENCE);
            m_port->SetTimer(SEND_TIMER, m_gate.GetRoom(now));
        }
        return;
    }
    m_state = State::DONE; // the receiver has said its last word, and tells its user
}

void
FobsSender::HandleReport(Nanoseconds /* now */, const ReportDatagram& report)
{
    const auto ack = FobsAck::FromReport(report);
    if (m_state != State::SENDS || !ack || ack->complete > m_file.GetPackets() ||
        ack->first >= m_file.GetPackets())
    {
        return;
    }
    m_acks.push_back(*ack);
}

void
FobsSender::HandleTimer(Nanoseconds now, uint32_t timer)
{
    if (timer == SEND_TIMER && m_state == State::SENDS)
    {
        m_port->SetTimer(SEND_TIMER, SendNext(now));
    }
    else if (timer == IDLE_TIMER && m_state == State::SENDS)
    {
        Fail(now, "nothing new has been acknowledged for 30 s");
    }
    else if (timer == IDLE_TIMER && m_state == State::WAITS)
    {
        Fail(now, "all packets are acknowledged, and the receiver has not reported completion");
    }
}

Nanoseconds
FobsSender::SendNext(Nanoseconds now)
{
    if (m_inBatch == 0)
    {
        m_batchBeginNs = now;
        TakeAcks(now);
    }
    const uint32_t packet = FindNext();
    if (packet == m_file.GetPackets())
    {
        m_state = State::WAITS;
        return ToolPort::NOT_AT_ALL;
    }
    const uint32_t payload = m_file.GetPayload(packet);
    if (const auto there = m_mapped.Touch(now, m_file.GetOffset(packet), payload); there > now)
    {
        return there;
    }
    const int64_t bytes = payload + m_extraBytes;
    m_port->SendData(
        now,
        {.number = packet, .stamp = static_cast<uint32_t>(m_counts.packets), .payload = payload});
    m_gate.Take(now, bytes);
    m_next = packet + 1;
    ++m_counts.packets;
    m_counts.retransmissions += m_isFirstRound ? 0 : 1;
    Nanoseconds next = now + m_rate.GetGap(bytes);
    if (++m_inBatch == m_settings.batch)
    {
        m_inBatch = 0;
        next = std::max(next, m_batchBeginNs + m_settings.periodNs);
    }
    return m_gate.GetRoom(next);
}

uint32_t
FobsSender::FindNext()
{
    const uint32_t packet = m_arrived.FindMissing(m_next);
    if (packet < m_file.GetPackets() || m_arrived.GetMissing() == 0)
    {
        return packet;
    }
    m_isFirstRound = false;
    return m_arrived.FindMissing(0);
}

void
FobsSender::TakeAcks(Nanoseconds now)
{
    bool isNew = false;
    for (const auto& ack : m_acks)
    {
        m_rate.Take(ack);
        for (; m_complete < ack.complete; ++m_complete)
        {
            isNew |= m_arrived.Add(m_complete);
        }
        for (uint32_t word = 0; word < ack.arrived.size(); ++word)
        {
            for (uint32_t bit = 0; bit < WORD_BITS; ++bit)
            {
                const uint32_t packet = ack.first + word * WORD_BITS + bit;
                isNew |= (ack.arrived[word] >> bit & 1) && Note(packet);
            }
        }
    }
    m_acks.clear();
    if (isNew)
    {
        m_port->SetTimer(IDLE_TIMER, now + PATIENCE);
    }
}

bool
FobsSender::Note(uint32_t packet)
{
    return packet < m_file.GetPackets() && m_arrived.Add(packet);
}

void
FobsSender::HandleLost(Nanoseconds now)
{
    if (m_state != State::DONE)
    {
        Fail(now, "the control connection was lost");
    }
}

void
FobsSender::Fail(Nanoseconds now, const std::string& reason)
{
    m_state = State::DONE;
    m_port->Finish(now, "fobs, sender: " + reason);
}

// The end that receives

FobsReceiver::FobsReceiver(const ToolTransfer& transfer, ToolPort& port)
    : m_settings(MakeFobsSettings(transfer.values)),
      m_port(&port),
      m_sink(transfer.sink)
{
}

void
FobsReceiver::Start(Nanoseconds now)
{
    m_port->Connect(now);
}

void
FobsReceiver::HandleConnected(Nanoseconds now)
{
    m_port->Say(now, std::vector<uint8_t>(FileRequest::REQUEST_BYTES, 0));
}

void
FobsReceiver::HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes)
{
    if (m_isOver || m_file)
    {
        return;
    }
    m_read.Add(bytes);
    const auto said = m_read.Take(FileRequest::SIZE_BYTES);
    if (!said)
    {
        return;
    }
    const uint64_t size = FileRequest::ReadSize(*said);
    if (size == 0 || size / m_settings.payload >= MOST_PACKETS)
    {
        return End(now, "the sender reports a file of " + std::to_string(size) + " bytes");
    }
    m_file = MakeFile(size, m_settings);
    m_arrived.emplace(m_file->GetPackets());
    if (m_sink.IsTimed())
    {
        m_counts.overflows = 0;
        m_intake.emplace(MappedFile(m_sink, true, size),
                         m_settings.payload,
                         m_settings.receiveBufferBytes);
    }
}

void
FobsReceiver::HandleData(Nanoseconds now, const DataDatagram& datagram)
{
    const uint32_t number = datagram.number;
    if (m_isOver || !m_file || number >= m_file->GetPackets() ||
        datagram.payload != m_file->GetPayload(number))
    {
        return; // of no use: before the size is known, or not of this file
    }
    if (!m_intake)
    {
        return Store(now, datagram);
    }
    Proceed(now);
    if (!m_isOver)
    {
        *m_counts.overflows += m_intake->Add(datagram) ? 0 : 1;
        Proceed(now);
    }
}

void
FobsReceiver::HandleTimer(Nanoseconds now, uint32_t /* timer */)
{
    if (!m_isOver && m_intake)
    {
        Proceed(now);
    }
}

void
FobsReceiver::Proceed(Nanoseconds now)
{
    while (const auto datagram = m_intake->Next(now))
    {
        Store(now, *datagram);
        if (m_isOver)
        {
            return;
        }
    }
    if (const Nanoseconds wake = m_intake->GetWakeNs(now); wake > now)
    {
        m_port->SetTimer(STORE_TIMER, wake);
    }
}

void
FobsReceiver::Store(Nanoseconds now, const DataDatagram& datagram)
{
    const uint32_t number = datagram.number;
    if (m_waiting > 0 && (number < m_first || number - m_first >= FobsWire::MOST_BITS))
    {
        Acknowledge(now); // no bit for it in the acknowledgement that was begun
    }
    m_first = m_waiting == 0 ? number : m_first;
    m_last = m_waiting == 0 ? number : std::max(m_last, number);
    ++m_waiting;
    ++m_received;
    m_highest = std::max(m_highest, datagram.stamp + 1);
    if (m_arrived->Add(number))
    {
        m_counts.bytes += datagram.payload;
    }
    else
    {
        ++m_counts.duplicates;
    }
    if (m_arrived->GetMissing() == 0)
    {
        m_port->Say(now, std::vector<uint8_t>(LAST_WORD_BYTES, 1));
        return End(now, "");
    }
    if (m_waiting >= m_settings.acknowledge)
    {
        Acknowledge(now);
    }
}

void
FobsReceiver::Acknowledge(Nanoseconds now)
{
    FobsAck ack{.complete = m_arrived->FindMissing(0),
                .first = m_first,
                .received = m_received,
                .highest = m_highest};
    ack.arrived.resize((m_last - m_first) / WORD_BITS + 1, 0);
    for (uint32_t packet = m_first; packet <= m_last; ++packet)
    {
        const uint32_t bit = packet - m_first;
        ack.arrived[bit / WORD_BITS] |= uint32_t{m_arrived->Has(packet)} << bit % WORD_BITS;
    }
    m_waiting = 0;
    ++m_counts.reports;
    m_port->SendReport(now, ack.ToReport());
}

void
FobsReceiver::HandleLost(Nanoseconds now)
{
    if (!m_isOver)
    {
        End(now, "the control connection was lost");
    }
}

void
FobsReceiver::End(Nanoseconds now, const std::string& reason)
{
    m_isOver = true;
    m_port->Finish(now, reason.empty() ? "" : "fobs, receiver: " + reason);
}

} // namespace ns3::gridftp
