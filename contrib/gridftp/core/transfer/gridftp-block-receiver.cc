/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-receiver.h"

#include "gridftp-block-receiver-stream.h"
#include "gridftp-stall-text.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t MOST_RANGES = 100'000; // that do not touch: each needs memory

} // namespace

BlockReceiver::BlockReceiver(DataHost& host, Owner& owner)
    : TransferMachine(host),
      m_owner(&owner)
{
}

BlockReceiver::~BlockReceiver() = default;

uint64_t
BlockReceiver::GetReceiveBuffer() const
{
    const auto open =
        std::ranges::find_if(m_streams, [](const auto& stream) { return stream->IsOpen(); });
    return open == m_streams.end() ? static_cast<uint64_t>(m_buffers.window)
                                   : (*open)->GetBufferSize();
}

void
BlockReceiver::SetReceiveBuffer(uint64_t bytes)
{
    for (const auto& stream : m_streams)
    {
        stream->SetReceiveBuffer(bytes);
    }
}

BufferTally
BlockReceiver::GetBufferTally() const
{
    BufferTally all = m_closedBuffers;
    for (const auto& stream : m_streams)
    {
        stream->Count(all);
    }
    return all;
}

std::optional<uint16_t>
BlockReceiver::Listen(Nanoseconds now)
{
    CloseStreams(now);
    CloseListener();
    const StreamTerms terms{.tcp = m_tcp, .buffers = m_buffers, .isPaced = true};
    const auto port = m_host->ListenForData(now, terms, *this);
    m_isListening = port.has_value();
    return port;
}

void
BlockReceiver::Expect(Nanoseconds now, const ReceiveOrder& order)
{
    m_earlierBytes += GetStoredBytes(now);
    m_isActive = true;
    m_isComplete = false;
    m_closedBytes = 0;
    m_order = order;
    m_opening = m_host->FindSinkStages(m_buffers).storage.Open();
    m_ranges.Clear();
    for (const auto& range : order.held)
    {
        m_ranges.Add(range.begin - order.offset, range.end - range.begin);
    }
    m_stored.clear();
    m_bytes = 0;
    m_endsOfData = 0;
    m_endsNeeded.reset();
    std::erase_if(m_streams, [](const auto& stream) { return !stream->IsOpen(); });
    for (const auto& stream : m_streams)
    {
        stream->NextTransfer(now);
    }
}

void
BlockReceiver::Finish(bool keep)
{
    m_isActive = false;
    m_bufferSizes.clear();
    for (const auto& stream : m_streams)
    {
        if (stream->HasBegun())
        {
            m_bufferSizes.push_back(stream->GetBufferSize());
        }
    }
    if (!keep)
    {
        // The sender closes first; the next Listen() closes what it leaves open
        CloseListener();
    }
}

void
BlockReceiver::Abort(Nanoseconds now)
{
    ReadArrived(now);
    CancelOutcome();
    m_isActive = false;
    CloseStreams(now);
    CloseListener();
}

void
BlockReceiver::Reset(Nanoseconds now)
{
    ReadArrived(now);
    for (const auto& stream : m_streams)
    {
        stream->Reset(now);
    }
    Abort(now);
}

void
BlockReceiver::ReadArrived(Nanoseconds now) const
{
    for (const auto& stream : m_streams)
    {
        stream->ReadArrived(now);
    }
}

uint64_t
BlockReceiver::GetStoredBytes(Nanoseconds now) const
{
    ReadArrived(now);
    if (!m_host->FindSinkStages(m_buffers).IsTimed())
    {
        return m_bytes;
    }
    uint64_t bytes = m_closedBytes;
    for (const auto& stream : m_streams)
    {
        bytes += stream->GetStoredBytes(now);
    }
    return bytes;
}

MarkerRanges
BlockReceiver::GetRanges(Nanoseconds now)
{
    ReadArrived(now);
    for (const auto& stream : m_streams)
    {
        stream->RecordStored(now);
    }
    m_stored = MergeRanges(std::move(m_stored));
    return m_stored;
}

bool
BlockReceiver::IsStoring(Nanoseconds now) const
{
    const StoragePlace place = m_host->FindSinkStages(m_buffers).storage;
    return place.storage && place.storage->IsServing(place.node, now);
}

void
BlockReceiver::BreakConnection(Nanoseconds now, const DataStream& stream)
{
    for (const auto& own : m_streams)
    {
        if (own->Has(stream))
        {
            return own->Break(now);
        }
    }
}

void
BlockReceiver::AcceptForeign(Nanoseconds now, Nanoseconds closedAt)
{
    if (m_isListening && closedAt > now)
    {
        m_events.Schedule(now, closedAt, TransferEvents::FOREIGN, m_foreign);
    }
}

DataStreamUser*
BlockReceiver::HandleDataAccepted(Nanoseconds /* now */, DataStream& stream)
{
    m_streams.push_back(std::make_unique<Stream>(*this, stream, m_nextSerial++));
    return m_streams.back().get();
}

// Accounting

void
BlockReceiver::AddRange(Nanoseconds now, uint64_t offset, uint64_t length)
{
    if (!m_ranges.Add(offset, length))
    {
        Fail(now,
             "bytes within " + std::to_string(offset) + " and " + std::to_string(offset + length) +
                 " arrived twice");
    }
    else if (m_ranges.GetRangeCount() > MOST_RANGES)
    {
        Fail(now, "more than " + std::to_string(MOST_RANGES) + " gaps");
    }
    else if (m_order.receivers > 1 && offset + length > m_order.bytes.value_or(UINT64_MAX))
    {
        Fail(now,
             "bytes up to " + std::to_string(offset + length) + " arrived of a chunk of " +
                 std::to_string(*m_order.bytes));
    }
}

void
BlockReceiver::CheckComplete(Nanoseconds now)
{
    if (!m_isActive || !m_endsNeeded || m_endsOfData < *m_endsNeeded || IsOutcomeDue())
    {
        return;
    }
    if (m_endsOfData > *m_endsNeeded)
    {
        return Fail(now, "more ends of data than announced");
    }
    const uint64_t wanted = m_order.bytes.value_or(m_ranges.GetBytes());
    if (m_order.receivers == 1 && !m_ranges.IsExactly(0, wanted))
    {
        return Fail(now,
                    std::to_string(m_ranges.GetBytes()) + " of " + std::to_string(wanted) +
                        " bytes arrived in " + std::to_string(m_ranges.GetRangeCount()) +
                        " ranges");
    }
    ScheduleOutcome(now, std::nullopt);
}

void
BlockReceiver::CheckStarved(Nanoseconds now)
{
    const auto isOpen = [](const auto& stream) { return stream->IsOpen(); };
    if (m_endsOfData > 0 && std::ranges::none_of(m_streams, isOpen))
    {
        Fail(now,
             "all data connections closed after " + std::to_string(m_endsOfData) + " of " +
                 (m_endsNeeded ? std::to_string(*m_endsNeeded) : "an unknown number of") +
                 " ends of data");
    }
}

// Events, and what the owner learns

void
BlockReceiver::HandleOwnEvent(Nanoseconds now, TransferEvents::Kind kind, uint32_t serial)
{
    if (kind == TransferEvents::FOREIGN)
    {
        ReadArrived(now);
        return serial == m_foreign && !m_isComplete ? Fail(now, MakeForeignReason()) : void();
    }
    for (const auto& stream : m_streams)
    {
        if (stream->GetSerial() == serial)
        {
            return stream->HandleEvent(now, kind);
        }
    }
}

void
BlockReceiver::ReportOutcome(Nanoseconds now, const std::optional<TransferFailure>& failure)
{
    if (failure)
    {
        return m_owner->HandleReceiveFailed(now, *failure);
    }
    m_isComplete = true;
    m_owner->HandleReceived(now);
}

void
BlockReceiver::Fail(Nanoseconds now, const std::string& reason)
{
    if (m_isActive && !IsOutcomeDue())
    {
        m_isActive = false;
        ScheduleOutcome(now, TransferFailure{426, reason});
    }
}

void
BlockReceiver::CloseStreams(Nanoseconds now)
{
    ++m_foreign; // those before are closed, too
    for (const auto& stream : m_streams)
    {
        m_closedBytes += stream->GetStoredBytes(now);
        stream->RecordStored(now);
        stream->Close(now);
    }
    m_streams.clear();
}

void
BlockReceiver::CloseListener()
{
    if (m_isListening)
    {
        m_isListening = false;
        m_host->StopListening();
    }
}

} // namespace ns3::gridftp
