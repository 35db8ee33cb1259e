/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-sender-stream.h"

#include <algorithm>

namespace ns3::gridftp
{

BlockSender::Stream::Stream(BlockSender& owner, uint32_t pair, uint32_t number, uint32_t serial)
    : m_owner(owner),
      m_pair(pair),
      m_number(number),
      m_index(owner.GetConnections().GetFirst(owner.GetFirstPair() + pair) + number),
      m_serial(serial),
      m_handshake(owner.m_security, false, serial)
{
}

void
BlockSender::Stream::Open(Nanoseconds now)
{
    const StreamTerms terms{
        .tcp = m_owner.m_tcp,
        .buffers = m_owner.m_buffers,
        .isPaced = true,
        .sends = true,
        .label = ConnectionLabel{.chunk = static_cast<uint32_t>(m_owner.m_order.chunk),
                                 .connection = m_index,
                                 .pair = m_owner.GetFirstPair() + m_pair}};
    m_handshake = DataHandshake(m_owner.m_security, false, m_serial);
    m_stream = m_owner.m_host->OpenData(now, m_owner.m_peers[GetReceiver()], terms, *this);
    if (!m_stream)
    {
        m_owner.ScheduleOutcome(
            now,
            TransferFailure{425, "cannot open data connection " + std::to_string(m_index)});
        return;
    }
    m_isOpen = true;
    m_buffers = MakeBufferSettings(terms.buffers, m_stream->GetSegmentBytes());
}

void
BlockSender::Stream::Begin(Nanoseconds now)
{
    m_isActive = true;
    m_hasEnded = false;
    m_isSending = false;
    m_feed.reset();
    auto stages = m_owner.m_host->FindSourceStages(m_owner.m_buffers, m_owner.m_order.offset);
    stages.storage.opening = m_owner.m_opening;
    if (stages.IsTimed())
    {
        m_feed.emplace(m_owner.m_schedulers[m_pair], m_number, stages);
    }
    Send(now);
}

void
BlockSender::Stream::Send(Nanoseconds now)
{
    if (m_isConnected && m_isActive && !m_isSending && m_handshake.IsDone())
    {
        m_isSending = true;
        m_stream->SendPieces(now, *this);
    }
}

void
BlockSender::Stream::Close(Nanoseconds now)
{
    if (m_isOpen)
    {
        m_isOpen = false;
        m_handshake.Stop();
        m_stream->Close(now);
    }
}

void
BlockSender::Stream::Reset(Nanoseconds now)
{
    if (m_isOpen)
    {
        m_isOpen = false;
        m_handshake.Stop();
        m_stream->Reset(now);
    }
}

void
BlockSender::Stream::Break(Nanoseconds now)
{
    Reset(now);
    m_isConnected = false;
    Fail(now, 426, " was reset or gave up its retries");
}

void
BlockSender::Stream::GrowSendBuffer(Nanoseconds now, uint64_t bytes)
{
    if (m_isOpen)
    {
        m_stream->GrowSendBuffer(now, bytes);
    }
}

void
BlockSender::Stream::Fail(Nanoseconds now, int code, const std::string& what)
{
    m_owner.ScheduleOutcome(
        now,
        TransferFailure{code, "data connection " + std::to_string(m_index) + what});
}

// The connection

void
BlockSender::Stream::HandleConnected(Nanoseconds now)
{
    m_isConnected = true;
    if (!m_handshake.IsDone())
    {
        m_handshake.Begin(now, *m_stream, m_owner.m_events);
    }
    Send(now);
}

void
BlockSender::Stream::HandleComputed(Nanoseconds now)
{
    if (m_isOpen)
    {
        m_handshake.HandleComputed(now, *m_stream);
        Send(now);
    }
}

void
BlockSender::Stream::HandleDrained(Nanoseconds now)
{
    if (m_isActive)
    {
        m_owner.HandleDrained(now, m_pair);
    }
}

void
BlockSender::Stream::HandlePeerClosed(Nanoseconds now)
{
    if (m_isActive)
    {
        Fail(now, 426, " was closed by the peer");
    }
}

void
BlockSender::Stream::HandleLost(Nanoseconds now, StreamLoss loss)
{
    const bool isRefused = loss == StreamLoss::REFUSED;
    Fail(now,
         isRefused ? 425 : 426,
         isRefused ? " was refused" : " was reset or gave up its retries");
}

// What it sends

StreamPiece
BlockSender::Stream::WritePiece(Nanoseconds now, uint64_t room)
{
    if (m_nextNs > now)
    {
        return {};
    }
    if (!Refill(now))
    {
        m_nextNs = m_feed->GetNextNs();
        return {};
    }
    const uint64_t most = m_buffers.writeRate > 0 ? std::min(room, m_buffers.segmentBytes) : room;
    const auto header = std::span(m_header).subspan(m_headerWritten);
    m_piece.content = header.first(std::min<uint64_t>(header.size(), most));
    m_piece.payload = std::min(most - m_piece.content.size(), m_payload);
    m_piece.place = m_place;
    return m_piece;
}

void
BlockSender::Stream::HandleWritten(Nanoseconds now)
{
    m_headerWritten += static_cast<uint32_t>(m_piece.content.size());
    m_payload -= m_piece.payload;
    m_place += m_piece.payload;
    Fetch(now);
    if (m_buffers.writeRate > 0)
    {
        m_nextNs = now + GetWorkNs(m_piece.GetSize(), m_buffers.writeRate);
    }
}

Nanoseconds
BlockSender::Stream::GetNextNs() const
{
    return m_nextNs;
}

bool
BlockSender::Stream::IsExhausted() const
{
    return !m_isActive || (m_hasEnded && IsBlockWritten());
}

void
BlockSender::Stream::Fetch(Nanoseconds now)
{
    if (m_feed && IsBlockWritten())
    {
        m_feed->Fetch(now);
    }
}

bool
BlockSender::Stream::Refill(Nanoseconds now)
{
    if (!IsBlockWritten())
    {
        return true;
    }
    Fetch(now);
    if (m_feed && m_feed->GetNextNs() > now)
    {
        return false;
    }
    const Block block = m_feed ? m_feed->Take() : m_owner.m_schedulers[m_pair].Next(m_number);
    m_hasEnded = block.length == 0;
    m_header = MakeHeader(block).ToBytes();
    m_headerWritten = 0;
    m_payload = block.length;
    m_place = m_owner.m_order.offset + block.offset;
    return true;
}

ModeEHeader
BlockSender::Stream::MakeHeader(const Block& block)
{
    auto header = ModeEHeader::Data(block.offset, block.length);
    if (block.length == 0)
    {
        const StripePlan& plan = m_owner.m_plan;
        const bool endsFile =
            m_number == 0 && plan.GetFirstSender(GetReceiver()) == m_owner.m_order.stripe;
        const uint64_t ends = m_owner.GetConnections().GetEnds(plan, GetReceiver());
        header = endsFile ? ModeEHeader::EndOfDataAndFile(ends) : ModeEHeader::EndOfData();
    }
    if (m_sizingsOwed > 0)
    {
        --m_sizingsOwed;
        header = header.Acknowledging();
    }
    return header;
}

// What it reads

PieceSink&
BlockSender::Stream::GetPieceSink()
{
    return *this;
}

bool
BlockSender::Stream::IsReading() const
{
    return m_handshake.IsDone() ? m_buffers.GetChannel() == SizingChannel::DATA
                                : m_handshake.GetMissing() > 0;
}

Nanoseconds
BlockSender::Stream::GetNextReadNs(Nanoseconds now)
{
    return now;
}

uint64_t
BlockSender::Stream::GetRoom() const
{
    return m_handshake.IsDone() ? UINT32_MAX : m_handshake.GetMissing();
}

void
BlockSender::Stream::TakePiece(Nanoseconds now, const ArrivedBytes& bytes)
{
    if (!m_handshake.IsDone())
    {
        m_handshake.Read(static_cast<uint32_t>(bytes.GetSize()), now, *m_stream, m_owner.m_events);
        return Send(now);
    }
    for (const auto& message : m_sizings.Feed(bytes))
    {
        ++m_sizingsOwed;
        m_stream->GrowSendBuffer(now, GetSendBufferAskedFor(m_buffers, message));
    }
    if (!m_sizings.GetError().empty())
    {
        Fail(now, 426, ": " + m_sizings.GetError());
    }
}

} // namespace ns3::gridftp
