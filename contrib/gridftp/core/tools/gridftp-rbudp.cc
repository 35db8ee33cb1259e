/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-rbudp.h"

#include "gridftp-tool-parameters.h"

#include <string>

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t BLAST_TIMER = 0;
constexpr uint32_t STORE_TIMER = 0; //!< of the other end

/** The program counts in whole microseconds and cuts off the rest, so that it sends faster than it
 * was told: 1460 bytes at 700 Mbit/s in 16 us and not 16.69, at 730 Mbit/s. */
Nanoseconds
GetGap(const NamedValues& values)
{
    constexpr int64_t US_PER_S = 1'000'000;
    constexpr Nanoseconds NS_PER_US = 1000;
    const int64_t bits = 8 * TOOL_PAYLOAD.CountOf(values);
    return bits * US_PER_S / TOOL_RATE.CountOf(values) * NS_PER_US;
}

/** Bytes of a file and how large a packet is. */
PacketFile
MakeFile(const ToolTransfer& transfer)
{
    return {transfer.bytes, static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(transfer.values))};
}

} // namespace

std::vector<uint8_t>
RbudpText::MakeMark(uint32_t round)
{
    std::vector<uint8_t> mark;
    for (uint32_t i = 0; i < sizeof(round); ++i)
    {
        mark.push_back(static_cast<uint8_t>(round >> 8 * i)); // in the order of x86
    }
    for (const char byte : {'E', 'E', 'E', '\0'})
    {
        mark.push_back(static_cast<uint8_t>(byte));
    }
    return mark;
}

std::vector<uint8_t>
RbudpText::MakeBitmap(const LossBitmap& arrived)
{
    std::vector<uint8_t> bitmap{static_cast<uint8_t>(arrived.GetMissing() == 0 ? 1 : 0)};
    for (uint32_t i = 0; i + 1 < GetBitmapBytes(arrived.GetPackets()); ++i)
    {
        bitmap.push_back(arrived.GetByte(i));
    }
    return bitmap;
}

// The end that sends

RbudpSender::RbudpSender(const ToolTransfer& transfer, ToolPort& port)
    : m_bytes(transfer.bytes),
      m_file(MakeFile(transfer)),
      m_port(&port),
      m_gate(transfer.linkRateBps, TOOL_SEND_BUFFER.CountOf(transfer.values)),
      m_mapped(transfer.source, false, transfer.bytes),
      m_blast(m_file, GetGap(transfer.values), m_gate, transfer.linkExtraBytes, m_mapped),
      m_arrived(m_file.GetPackets())
{
}

void
RbudpSender::Start(Nanoseconds /* now */)
{
}

void
RbudpSender::HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes)
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
            BeginBlast(now);
        }
        return;
    }
    const auto bitmap = m_read.Take(RbudpText::GetBitmapBytes(m_file.GetPackets()));
    if (!bitmap)
    {
        return;
    }
    if (m_state != State::BITMAP)
    {
        return Fail(now, "a bitmap came before the end of a blast");
    }
    TakeBitmap(now, *bitmap);
}

void
RbudpSender::BeginBlast(Nanoseconds now)
{
    m_state = State::BLAST;
    m_counts.blasts.push_back(m_arrived.GetMissing());
    m_port->SetTimer(BLAST_TIMER, m_blast.Begin(now, m_arrived));
}

void
RbudpSender::HandleTimer(Nanoseconds now, uint32_t /* timer */)
{
    if (m_state != State::BLAST)
    {
        return;
    }
    const uint64_t before = m_blast.GetSent();
    const Nanoseconds next = m_blast.SendUntil(m_port->GetSilence(now), now, m_arrived, *m_port);
    const uint64_t sent = m_blast.GetSent() - before;
    m_counts.packets += sent;
    m_counts.retransmissions += m_round > 0 ? sent : 0;
    if (!m_blast.IsOver())
    {
        return m_port->SetTimer(BLAST_TIMER, next);
    }
    m_state = State::BITMAP;
    m_port->Say(now, RbudpText::MakeMark(m_round));
}

void
RbudpSender::TakeBitmap(Nanoseconds now, std::span<const uint8_t> bitmap)
{
    const uint32_t before = m_arrived.GetMissing();
    LossBitmap arrived(m_file.GetPackets());
    for (uint32_t packet = 0; packet < m_file.GetPackets(); ++packet)
    {
        if (bitmap[1 + packet / 8] >> packet % 8 & 1)
        {
            arrived.Add(packet);
        }
    }
    if (bitmap.front() == 1)
    {
        if (arrived.GetMissing() > 0)
        {
            return Fail(now,
                        "the bitmap says that all packets are there, and that " +
                            std::to_string(arrived.GetMissing()) + " are missing");
        }
        m_state = State::DONE; // the receiver tells its user
        return;
    }
    m_arrived = std::move(arrived);
    if (m_arrived.GetMissing() == 0)
    {
        return Fail(now, "the bitmap names no packet that is missing, and the file is incomplete");
    }
    m_idleBlasts = m_arrived.GetMissing() < before ? 0 : m_idleBlasts + 1;
    if (m_idleBlasts == MOST_IDLE_BLASTS)
    {
        return Fail(now, std::to_string(MOST_IDLE_BLASTS) + " blasts in a row brought nothing new");
    }
    ++m_round;
    BeginBlast(now);
}

void
RbudpSender::HandleLost(Nanoseconds now)
{
    if (m_state != State::DONE)
    {
        Fail(now, "the control connection was lost");
    }
}

void
RbudpSender::Fail(Nanoseconds now, const std::string& reason)
{
    m_state = State::DONE;
    m_port->Finish(now, "rbudp, sender: " + reason);
}

// The end that receives

RbudpReceiver::RbudpReceiver(const ToolTransfer& transfer, ToolPort& port)
    : m_payload(static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(transfer.values))),
      m_port(&port),
      m_sink(transfer.sink),
      m_roomBytes(TOOL_RECEIVE_BUFFER.CountOf(transfer.values))
{
}

void
RbudpReceiver::Start(Nanoseconds now)
{
    m_port->Connect(now);
}

void
RbudpReceiver::HandleConnected(Nanoseconds now)
{
    m_port->Say(now, std::vector<uint8_t>(FileRequest::REQUEST_BYTES, 0));
}

void
RbudpReceiver::HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes)
{
    if (m_isOver)
    {
        return;
    }
    m_read.Add(bytes);
    if (!m_file)
    {
        const auto said = m_read.Take(FileRequest::SIZE_BYTES);
        if (!said)
        {
            return;
        }
        const uint64_t size = FileRequest::ReadSize(*said);
        if (size == 0 || size / m_payload >= UINT32_MAX)
        {
            return End(now, "the sender reports a file of " + std::to_string(size) + " bytes");
        }
        m_file.emplace(size, m_payload);
        m_arrived.emplace(m_file->GetPackets());
        if (m_sink.IsTimed())
        {
            m_counts.overflows = 0;
            m_intake.emplace(MappedFile(m_sink, true, size), m_payload, m_roomBytes);
        }
    }
    m_intake ? Proceed(now) : TakeMarks(now);
}

void
RbudpReceiver::TakeMarks(Nanoseconds now)
{
    while (const auto mark = m_read.Take(RbudpText::MARK_BYTES))
    {
        if (*mark != RbudpText::MakeMark(m_round))
        {
            return End(now,
                       "the message after blast " + std::to_string(m_round) +
                           " does not mark its end");
        }
        ++m_round;
        m_port->Say(now, RbudpText::MakeBitmap(*m_arrived));
        if (m_arrived->GetMissing() == 0)
        {
            return End(now, "");
        }
    }
}

void
RbudpReceiver::HandleData(Nanoseconds now, const DataDatagram& datagram)
{
    if (m_isOver || !m_file || datagram.number >= m_file->GetPackets() ||
        datagram.payload != m_file->GetPayload(datagram.number))
    {
        return; // of no use: before the size is known, or not of this file
    }
    if (!m_intake)
    {
        return Store(datagram);
    }
    Proceed(now);
    if (!m_isOver)
    {
        *m_counts.overflows += m_intake->Add(datagram) ? 0 : 1;
        Proceed(now);
    }
}

void
RbudpReceiver::HandleTimer(Nanoseconds now, uint32_t /* timer */)
{
    if (!m_isOver && m_intake)
    {
        Proceed(now);
    }
}

void
RbudpReceiver::Proceed(Nanoseconds now)
{
    while (const auto datagram = m_intake->Next(now))
    {
        Store(*datagram);
    }
    const Nanoseconds wake = m_intake->GetWakeNs(now);
    wake > now ? m_port->SetTimer(STORE_TIMER, wake) : TakeMarks(now);
}

void
RbudpReceiver::Store(const DataDatagram& datagram)
{
    if (m_arrived->Add(datagram.number))
    {
        m_counts.bytes += datagram.payload;
    }
    else
    {
        ++m_counts.duplicates;
    }
}

void
RbudpReceiver::HandleLost(Nanoseconds now)
{
    if (!m_isOver)
    {
        End(now, "the control connection was lost");
    }
}

void
RbudpReceiver::End(Nanoseconds now, const std::string& reason)
{
    m_isOver = true;
    m_port->Finish(now, reason.empty() ? "" : "rbudp, receiver: " + reason);
}

} // namespace ns3::gridftp
