/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-receiver-stream.h"

#include "gridftp-stall-text.h"

#include <algorithm>

namespace ns3::gridftp
{

BlockReceiver::Stream::Stream(BlockReceiver& owner, DataStream& stream, uint32_t serial)
    : m_owner(owner),
      m_stream(stream),
      m_serial(serial),
      m_segmentBytes(stream.GetSegmentBytes()),
      m_sizer(stream, MakeBufferSettings(owner.m_buffers, m_segmentBytes), owner.m_events, serial),
      m_reader(*this, m_sizer.IsOn()),
      m_handshake(owner.m_security, true, serial),
      m_writes(owner.m_host->FindSinkStages(owner.m_buffers))
{
    m_writes.Begin(owner.m_order.offset, owner.m_opening);
}

void
BlockReceiver::Stream::NextTransfer(Nanoseconds now)
{
    m_reader.NextTransfer();
    m_writes.Begin(m_owner.m_order.offset, m_owner.m_opening);
    m_storing.clear();
    m_hasBegun = false;
    m_stream.Resume(now);
    if (m_isPeerClosed && m_isOpen)
    {
        HandlePeerClosed(now);
    }
}

void
BlockReceiver::Stream::SetReceiveBuffer(uint64_t bytes)
{
    if (m_isOpen)
    {
        m_stream.SetReceiveBuffer(bytes);
    }
}

void
BlockReceiver::Stream::Count(BufferTally& tally) const
{
    if (m_isOpen)
    {
        m_stream.CountBuffer(tally);
        tally.Add(m_sizer.GetMeasured());
    }
}

// The end of the connection

void
BlockReceiver::Stream::Detach()
{
    Count(m_owner.m_closedBuffers);
    m_lastBufferSize = GetBufferSize();
    m_isOpen = false;
    m_isStoring = false;
    m_handshake.Stop();
    m_sizer.End();
}

void
BlockReceiver::Stream::Close(Nanoseconds now)
{
    if (m_isOpen)
    {
        Detach();
        m_stream.Close(now);
    }
}

void
BlockReceiver::Stream::Reset(Nanoseconds now)
{
    if (m_isOpen)
    {
        Detach();
        m_stream.Reset(now);
    }
}

void
BlockReceiver::Stream::Break(Nanoseconds now)
{
    m_owner.ReadArrived(now);
    const bool isEarly = IsNeeded();
    Reset(now);
    if (isEarly)
    {
        m_owner.Fail(now, MakeResetReason());
    }
}

void
BlockReceiver::Stream::HandlePeerClosed(Nanoseconds now)
{
    m_isPeerClosed = !m_owner.m_isActive && m_stream.GetUnread() > 0;
    if (m_isPeerClosed)
    {
        return;
    }
    // A sender that wants fewer connections than for the last chunk just closes some
    const bool isEarly = m_hasBegun && IsNeeded();
    if (isEarly)
    {
        m_owner.ReadArrived(now);
    }
    Close(now);
    if (isEarly)
    {
        m_owner.Fail(now, "data connection closed before its end of data");
    }
    m_owner.CheckStarved(now);
}

void
BlockReceiver::Stream::HandleLost(Nanoseconds now, StreamLoss /* loss */)
{
    m_owner.ReadArrived(now);
    const bool isEarly = IsNeeded();
    Close(now);
    if (isEarly)
    {
        m_owner.Fail(now, MakeResetReason());
    }
}

// Reading

PieceSink&
BlockReceiver::Stream::GetPieceSink()
{
    return *this;
}

bool
BlockReceiver::Stream::IsReading() const
{
    // What arrives before its chunk is announced waits in the connection
    return m_handshake.IsDone() ? m_owner.m_isActive : m_handshake.GetMissing() > 0;
}

Nanoseconds
BlockReceiver::Stream::GetNextReadNs(Nanoseconds now)
{
    if (!m_handshake.IsDone())
    {
        return now;
    }
    if (m_nextNs <= now && m_writes.IsTimed() && m_writes.IsFull(now))
    {
        m_nextNs = m_writes.GetNextNs();
    }
    return m_nextNs;
}

uint64_t
BlockReceiver::Stream::GetRoom() const
{
    if (!m_handshake.IsDone())
    {
        return m_handshake.GetMissing();
    }
    // What is written to storage is read to the end of the block, and no further
    if (m_writes.IsTimed())
    {
        return std::min(m_segmentBytes, m_reader.GetMissing());
    }
    return m_owner.m_buffers.readRate > 0 ? m_segmentBytes : UINT64_MAX;
}

void
BlockReceiver::Stream::TakePiece(Nanoseconds now, const ArrivedBytes& bytes)
{
    if (!m_handshake.IsDone())
    {
        return m_handshake.Read(static_cast<uint32_t>(bytes.GetSize()),
                                now,
                                m_stream,
                                m_owner.m_events);
    }
    if (const auto rate = static_cast<uint64_t>(m_owner.m_buffers.readRate); rate > 0)
    {
        m_nextNs = now + GetWorkNs(bytes.GetSize(), rate);
    }
    m_now = now;
    m_read = &bytes;
    m_hasBegun = true;
    m_sizer.HandleRead(now, bytes.GetSize());
    if (!m_reader.Feed(bytes))
    {
        m_owner.Fail(now, "data connection: " + m_reader.GetError());
    }
}

void
BlockReceiver::Stream::HandleData(uint64_t offset, uint64_t length, uint64_t position)
{
    if (m_owner.m_order.offset > UINT64_MAX - offset)
    {
        return m_owner.Fail(m_now, "the position of a block is beyond any file");
    }
    if (m_owner.m_file &&
        !m_owner.m_file->Store(m_owner.m_order.offset + offset, *m_read, position, length))
    {
        return m_owner.Fail(m_now, "the data cannot be stored");
    }
    m_owner.m_bytes += length;
    if (offset != m_runOffset + m_runLength)
    {
        FlushRun();
        m_runOffset = offset;
    }
    m_runLength += length;
}

void
BlockReceiver::Stream::HandleEndOfFile(uint64_t eodCount)
{
    m_owner.m_endsNeeded = eodCount;
}

void
BlockReceiver::Stream::HandleAcknowledgement()
{
    m_sizer.HandleAcknowledgement(m_now);
}

void
BlockReceiver::Stream::HandleBlock(uint64_t offset, uint64_t length)
{
    if (m_writes.IsTimed())
    {
        m_writes.Write(m_now, offset, length);
        if (m_owner.m_recordsRanges)
        {
            m_storing.push_back({m_writes.GetLastNs(), offset, length});
        }
    }
}

void
BlockReceiver::Stream::HandleEndOfData()
{
    m_sizer.End();
    FlushRun();
    if (m_writes.GetLastNs() > m_now)
    {
        m_isStoring = true;
        return m_owner.m_events.Schedule(m_now,
                                         m_writes.GetLastNs(),
                                         TransferEvents::STORED,
                                         m_serial);
    }
    HandleStored(m_now);
}

void
BlockReceiver::Stream::HandleStored(Nanoseconds now)
{
    m_isStoring = false;
    ++m_owner.m_endsOfData;
    m_owner.CheckComplete(now);
}

void
BlockReceiver::Stream::HandleEvent(Nanoseconds now, TransferEvents::Kind kind)
{
    if (!m_isOpen)
    {
        return;
    }
    if (kind == TransferEvents::ALARM)
    {
        m_sizer.HandleAlarm(now);
    }
    else if (kind == TransferEvents::STORED && m_isStoring && m_writes.GetLastNs() == now)
    {
        HandleStored(now);
    }
    else if (kind == TransferEvents::COMPUTED)
    {
        m_handshake.HandleComputed(now, m_stream);
        m_stream.Resume(now);
    }
}

void
BlockReceiver::Stream::FlushRun()
{
    if (m_runLength > 0)
    {
        m_owner.AddRange(m_now, m_runOffset, m_runLength);
        if (m_owner.m_recordsRanges && !m_writes.IsTimed())
        {
            Record(m_runOffset, m_runLength);
        }
    }
    m_runLength = 0;
}

void
BlockReceiver::Stream::RecordStored(Nanoseconds now)
{
    if (!m_owner.m_recordsRanges)
    {
        return;
    }
    if (!m_writes.IsTimed())
    {
        return Record(m_runOffset, m_runLength); // as far as the run has come
    }
    while (!m_storing.empty() && m_storing.front().doneNs <= now)
    {
        Record(m_storing.front().offset, m_storing.front().length);
        m_storing.pop_front();
    }
}

void
BlockReceiver::Stream::Record(uint64_t offset, uint64_t length)
{
    MarkerRanges& stored = m_owner.m_stored;
    const uint64_t begin = m_owner.m_order.offset + offset;
    if (!stored.empty() && stored.back().begin <= begin && begin <= stored.back().end)
    {
        stored.back().end = std::max(stored.back().end, begin + length);
    }
    else
    {
        stored.push_back({begin, begin + length});
    }
}

} // namespace ns3::gridftp
