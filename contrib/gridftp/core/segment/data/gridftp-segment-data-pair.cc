/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-data-pair.h"

#include <algorithm>

namespace ns3::gridftp
{

SegmentDataPair::SegmentDataPair(const Settings& settings)
    : m_settings(settings),
      m_data(*settings.flows)
{
    const Direction direction = settings.spec->direction;
    if (settings.spec->security.IsDataSecured())
    {
        m_handshake = MakeDataHandshake(IsFromServer(direction), IsToServer(direction));
    }
}

void
SegmentDataPair::Send(Nanoseconds now, const Part& part)
{
    const SessionSpec& spec = *m_settings.spec;
    const uint32_t parallelism = part.parallelism;
    m_chunk = part.chunk;
    m_offset = part.offset;
    m_sourceOpening = part.opening;
    m_firstConnection = part.first;
    m_sentNs = now;
    m_undrained = parallelism;
    m_arrived = 0;
    ++m_sentChunks;
    m_expectedChunks = std::min(m_expectedChunks, m_sentChunks);
    m_data.Close(parallelism, now);
    m_sources.clear();
    m_blocks.clear();
    m_scheduler.emplace(spec.layout,
                        part.ranges,
                        parallelism,
                        static_cast<uint64_t>(spec.blockSize));
    m_hasArrived.assign(parallelism, false);
    const uint32_t kept = std::min(m_kept, parallelism);
    for (uint32_t i = 0; i < parallelism; ++i)
    {
        StartConnection(i, now, i < kept);
    }
    m_kept = parallelism;
}

bool
SegmentDataPair::Expect(uint32_t opening)
{
    ++m_expectedChunks;
    m_sinkOpening = opening;
    if (IsExpected())
    {
        m_hasArrived.assign(m_hasArrived.size(), false);
        return false;
    }
    return m_arrived == m_sources.size();
}

void
SegmentDataPair::StartConnection(uint32_t index, Nanoseconds now, bool isKept)
{
    const int64_t late = isKept ? 0 : m_settings.jitter.Draw(m_chunk, m_firstConnection + index);
    BlockSource& source = m_sources.emplace_back(*m_scheduler, index);
    if (m_settings.spec->retries > 0)
    {
        source.Keep(m_blocks.emplace_back());
    }
    if (m_data.IsOpen(index))
    {
        if (IsSized())
        {
            GetDataSizing(index).Begin(source);
        }
        UseStages(index, source);
        return m_data.Get(index).Begin(source, now);
    }
    TcpConnection& connection = Open(index, now);
    if (auto* sink = GetSink(index))
    {
        sink->Renew(connection);
    }
    UseStages(index, source);
    if (IsSized())
    {
        GetDataSizing(index).Renew(connection);
    }
    if (IsSecured())
    {
        GetSecurity(index).Renew(connection);
    }
    else
    {
        BeginFirst(index, now);
    }
    if (m_isDeaf)
    {
        connection.Reset(TcpConnection::PASSIVE, now); // there is nobody to accept it
    }
    if (late > 0)
    {
        HostClock& clock = *m_settings.path.clocks[TcpConnection::ACTIVE];
        clock.Schedule(now + late, *this, index);
    }
    else
    {
        connection.Connect(now);
    }
}

void
SegmentDataPair::BeginFirst(uint32_t index, Nanoseconds now)
{
    if (IsSized())
    {
        GetDataSizing(index).SkipBack();
        GetDataSizing(index).Begin(m_sources[index]);
    }
    m_data.Get(index).Begin(m_sources[index], now);
}

uint32_t
SegmentDataPair::IndexOf(const TcpConnection& connection) const
{
    const auto& all = m_data.GetAll();
    const uint32_t index = connection.GetUse().label->connection - m_firstConnection;
    if (index < all.size() && all[index] == &connection)
    {
        return index;
    }
    // Kept from a chunk of another N, when the pair's numbers began elsewhere; or replaced since.
    const auto found = std::find(all.begin(), all.end(), &connection);
    return found != all.end() ? static_cast<uint32_t>(found - all.begin()) : index;
}

TcpConnection&
SegmentDataPair::Open(uint32_t index, Nanoseconds now)
{
    ++m_opened;
    const SessionSpec& spec = *m_settings.spec;
    // The receiver of a download or of a third-party transfer has closed fresh ones before the
    // sender does, but not those kept ones that are too many where N falls
    const bool isAnswered =
        spec.direction == Direction::UPLOAD || spec.dataChannels == DataChannels::CACHED;
    const auto ways =
        IsSized() || IsSecured() ? TcpConnection::Ways::BACK : TcpConnection::Ways::ONE;
    // Where packets wait for a CPU, those of a connection that closes hold up others; where packets
    // overtake others, they may come to a connection that has closed
    const bool isCostly =
        m_settings.isVaried || m_settings.closesApart ||
        std::ranges::any_of(m_settings.path.clocks, &HostClock::DoArrivalsMakeEvents);
    const ConnectionLabel label{m_settings.session,
                                m_chunk,
                                m_firstConnection + index,
                                m_settings.pair};
    return m_data.Open(
        index,
        {.tcp = m_settings.tcp,
         .path = m_settings.path,
         .ways = ways,
         .answersFin = isAnswered,
         .meetsFin = spec.stripes.IsStriped(),
         .closesApart = isCostly,
         .hasListener = spec.dataChannels == DataChannels::CACHED,
         .meetsLate = m_settings.isVaried,
         .port = m_port,
         .user = this,
         .label = label,
         .pool = m_settings.pool,
         .sink = GetSink(index),
         .refusals = m_settings.refusals,
         .preamble = SegmentDataSecurity::CountBytes(m_handshake, TcpConnection::ACTIVE)},
        now);
}

void
SegmentDataPair::UseStages(uint32_t index, BlockSource& source)
{
    if (m_settings.source.IsTimed())
    {
        BlockStages stages = m_settings.source;
        stages.storage.offset = m_offset;
        stages.storage.opening = m_sourceOpening;
        source.ReadFrom(stages, m_data.Get(index));
    }
    if (auto* sink = GetSink(index))
    {
        sink->Begin(source, m_offset, m_sinkOpening);
    }
}

SegmentStorageSink*
SegmentDataPair::GetSink(uint32_t index)
{
    if (!m_settings.sink.IsTimed())
    {
        return nullptr;
    }
    while (m_sinks.size() <= index)
    {
        m_sinks.emplace_back(m_settings.sink);
    }
    return &m_sinks[index];
}

void
SegmentDataPair::HandleEvent(Nanoseconds now, uint32_t id)
{
    m_data.Get(id).Connect(now);
}

void
SegmentDataPair::HandleConnected(TcpConnection& connection, Nanoseconds now)
{
    GetSecurity(IndexOf(connection)).HandleConnected(now);
}

void
SegmentDataPair::HandleSecured(TcpConnection& connection, Nanoseconds now)
{
    BeginFirst(IndexOf(connection), now);
}

void
SegmentDataPair::HandleAccepted(TcpConnection& connection, Nanoseconds /* now */)
{
    m_data.HandleAccepted(connection);
}

void
SegmentDataPair::HandleDelivered(TcpConnection& connection, TcpConnection::End to, Nanoseconds now)
{
    const uint32_t index = IndexOf(connection);
    if (to == TcpConnection::ACTIVE)
    {
        if (IsSecured() && !GetSecurity(index).IsDone(to))
        {
            return GetSecurity(index).HandleRead(to, now);
        }
        return IsSized() ? GetDataSizing(index).HandleSizings(now) : void();
    }
    if (auto* sink = GetSink(index); sink && !sink->IsStored(now))
    {
        return;
    }
    m_hasArrived[index] = true;
    if (++m_arrived == m_sources.size())
    {
        m_receiver->HandleArrived(now);
    }
}

void
SegmentDataPair::HandleRead(TcpConnection& connection, Nanoseconds now)
{
    const uint32_t index = IndexOf(connection);
    if (IsSecured() && !GetSecurity(index).IsDone(TcpConnection::PASSIVE))
    {
        GetSecurity(index).HandleRead(TcpConnection::PASSIVE, now);
    }
    else if (IsSized())
    {
        GetDataSizing(index).HandleRead(now);
    }
}

void
SegmentDataPair::HandleDrained(TcpConnection& /* connection */, Nanoseconds now)
{
    if (--m_undrained == 0)
    {
        m_elapsedNs = now - m_sentNs;
        m_sender->HandleDrained(now);
    }
}

void
SegmentDataPair::HandleFailed(TcpConnection& connection,
                              Nanoseconds now,
                              TcpConnection::Failure failure)
{
    m_sender->HandleDataFailed(now,
                               connection.GetUse().label->connection,
                               failure == TcpConnection::Failure::REFUSED);
}

void
SegmentDataPair::HandleReset(TcpConnection& connection, TcpConnection::End to, Nanoseconds now)
{
    const uint32_t index = IndexOf(connection);
    if (to == TcpConnection::ACTIVE)
    {
        m_data.HandleReset(index);
        return HandleFailed(connection, now, TcpConnection::Failure::GAVE_UP);
    }
    if (index < m_dataSizings.size())
    {
        m_dataSizings[index].End();
    }
    m_receiver->HandleDataReset(now, index < m_hasArrived.size() && m_hasArrived[index]);
}

uint64_t
SegmentDataPair::GetRead(Nanoseconds now) const
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m_sources.size() && !IsExpected(); ++i)
    {
        const TcpConnection& connection = m_data.Get(i);
        bytes += m_sources[i].GetPayload(connection.CountOfSource(connection.GetDelivered(now)));
    }
    return bytes;
}

uint64_t
SegmentDataPair::GetStored(Nanoseconds now)
{
    if (!m_settings.sink.IsTimed())
    {
        return GetRead(now);
    }
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m_sources.size() && !IsExpected(); ++i)
    {
        bytes += GetSink(i)->GetStored(now);
    }
    return bytes;
}

uint64_t
SegmentDataPair::GetStoredOf(uint32_t index, Nanoseconds now)
{
    if (m_settings.sink.IsTimed())
    {
        return GetSink(index)->GetStored(now);
    }
    const TcpConnection& connection = m_data.Get(index);
    return m_sources[index].GetPayload(connection.CountOfSource(connection.GetDelivered(now)));
}

void
SegmentDataPair::AddStored(Nanoseconds now, MarkerRanges& ranges)
{
    for (uint32_t i = 0; i < m_blocks.size() && !IsExpected(); ++i)
    {
        uint64_t left = GetStoredOf(i, now);
        for (const Block& block : m_blocks[i])
        {
            const uint64_t bytes = std::min(left, block.length);
            const uint64_t begin = m_offset + block.offset;
            ranges.push_back({begin, begin + bytes});
            left -= bytes;
        }
    }
}

void
SegmentDataPair::ResetOne(TcpConnection::End end, uint32_t connection, Nanoseconds now)
{
    const uint32_t index = connection - m_firstConnection;
    if (connection < m_firstConnection || index >= m_sources.size() ||
        !m_data.ResetOne(index, end, now))
    {
        return;
    }
    if (end == TcpConnection::ACTIVE)
    {
        return m_sender->HandleDataFailed(now, connection, false);
    }
    m_receiver->HandleDataReset(now, index < m_hasArrived.size() && m_hasArrived[index]);
}

SegmentDataSecurity&
SegmentDataPair::GetSecurity(uint32_t index)
{
    SegmentDataSecurity::User& user = *this;
    while (m_securities.size() <= index)
    {
        m_securities.emplace_back(
            SegmentDataSecurity::Settings{.security = &m_settings.spec->security,
                                          .messages = &m_handshake,
                                          .cpus = {m_settings.source.cpu, m_settings.sink.cpu}},
            user);
    }
    return m_securities[index];
}

SegmentDataSizing&
SegmentDataPair::GetDataSizing(uint32_t index)
{
    while (m_dataSizings.size() <= index)
    {
        m_dataSizings.emplace_back(m_settings.tcp->buffers);
    }
    return m_dataSizings[index];
}

void
SegmentDataPair::EndDataSizings()
{
    for (auto& sizing : m_dataSizings)
    {
        sizing.End();
    }
}

BufferTally
SegmentDataPair::GetBuffers() const
{
    BufferTally buffers = m_data.GetBuffers();
    for (const auto& sizing : m_dataSizings)
    {
        buffers.Add(sizing.GetMeasured());
    }
    return buffers;
}

} // namespace ns3::gridftp
