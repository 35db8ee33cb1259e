/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-host.h"

#include "gridftp-control-script.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The control connection of a BbftpHost. */
class BbftpHost::Control final : public StreamUser
{
  public:
    /** @param end the protocol; outlives it */
    explicit Control(BbftpEnd& end)
        : m_end(&end)
    {
    }

    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes) override
    {
        m_end->HandleBytes(now, bytes);
    }

    void HandleLost(Nanoseconds now, StreamLoss loss) override
    {
        m_end->HandleLost(now, loss);
    }

    ByteStream* stream{nullptr}; //!< of this host; null before ApplicationHost::Connect() returns

  private:
    BbftpEnd* m_end; //!< the protocol
};

/**
 * @ingroup gridftp
 * A data connection of a BbftpHost. Where storing a part takes time it is the process that reads
 * the part, and tells the protocol of each block when storage has written it.
 */
class BbftpHost::Data final : public StreamUser, private StreamSink, private EventTarget
{
  public:
    /** @param owner of it @param index of the connection */
    Data(BbftpHost& owner, uint32_t index)
        : m_owner(&owner),
          m_index(index)
    {
        if (owner.IsReceiver())
        {
            if (const BlockStages sink = owner.m_settings.files.Open(true); sink.IsTimed())
            {
                m_writes.emplace(owner.m_end->GetParts(), index, sink);
            }
        }
    }

    /** Sends its part. @param now current simulation time */
    void Send(Nanoseconds now)
    {
        m_reads.emplace(m_owner->m_end->GetParts(), m_index, m_owner->m_settings.files.Open(false));
        stream->Send(now, *m_reads);
    }

    void HandleConnected(Nanoseconds now) override
    {
        isConnected = true;
        m_owner->m_end->HandleDataConnected(now, m_index);
    }

    void HandleCount(Nanoseconds now, uint64_t bytes) override
    {
        m_owner->m_end->HandleData(now, m_index, bytes);
    }

    StreamSink* GetSink() override
    {
        return m_writes ? static_cast<StreamSink*>(this) : nullptr;
    }

    void HandleLost(Nanoseconds now, StreamLoss loss) override
    {
        m_owner->m_end->HandleDataLost(now, m_index, loss);
    }

    ByteStream* stream{nullptr}; //!< of this host; null before ApplicationHost::Connect() returns
    bool isConnected{false};     //!< the handshake is complete

  private:
    // StreamSink
    Nanoseconds GetNextNs() const override
    {
        return m_writes->GetNextNs();
    }

    uint64_t GetRoom() const override
    {
        return m_writes->GetRoom();
    }

    void Take(Nanoseconds now, uint64_t bytes) override
    {
        if (const auto written = m_writes->Take(now, bytes))
        {
            m_writing.push_back(written->wireBytes);
            m_owner->m_host->ScheduleWork(now, written->at, *this, 0);
        }
    }

    // EventTarget: storage has written a block
    void HandleEvent(Nanoseconds now, uint32_t /* id */) override
    {
        const uint64_t bytes = m_writing.front();
        m_writing.pop_front();
        if (m_owner->IsActive())
        {
            m_owner->m_end->HandleData(now, m_index, bytes);
        }
    }

    BbftpHost* m_owner;                  //!< of it
    uint32_t m_index;                    //!< of the connection
    std::optional<BbftpReads> m_reads;   //!< the process that sends the part, once it does
    std::optional<BbftpWrites> m_writes; //!< that receives it, where storing takes time
    std::deque<uint64_t> m_writing;      //!< bytes on the connection of blocks under way to storage
};

BbftpHost::BbftpHost(const BbftpSettings& settings, ApplicationHost& host, BbftpHostUser& user)
    : m_settings(settings),
      m_host(&host),
      m_user(&user)
{
    BbftpPort& port = *this;
    if (settings.role == BbftpRole::CLIENT)
    {
        auto client = std::make_unique<BbftpClient>(settings.transfer, port);
        m_client = client.get();
        m_end = std::move(client);
    }
    else
    {
        m_end = std::make_unique<BbftpServer>(settings.transfer, port);
    }
}

BbftpHost::~BbftpHost() = default;

void
BbftpHost::Start(Nanoseconds now)
{
    m_isStarted = true;
    for (uint32_t i = 0; i < m_settings.faults.size(); ++i)
    {
        if (m_settings.faults[i].at > now)
        {
            m_host->Schedule(now, m_settings.faults[i].at, *this, i);
        }
    }
    if (m_client)
    {
        return m_client->Start(now);
    }
    m_host->Listen(now, m_settings.port, StreamTerms::OfControl(CONTROL_WINDOW), *this);
}

void
BbftpHost::Fail(Nanoseconds now)
{
    if (IsActive())
    {
        m_end->HandleLost(now, StreamLoss::FAILED);
    }
}

void
BbftpHost::Abandon(Nanoseconds now)
{
    m_isAbandoned = true;
    ResetAll(now);
}

void
BbftpHost::ResetAll(Nanoseconds now)
{
    m_host->StopListening();
    if (m_control && m_control->stream)
    {
        m_control->stream->Reset(now);
    }
    for (ByteStream* stream : ListDataStreams())
    {
        stream->Reset(now);
    }
}

std::vector<ByteStream*>
BbftpHost::ListDataStreams() const
{
    std::vector<ByteStream*> streams;
    for (const auto& data : m_data)
    {
        if (data && data->stream)
        {
            streams.push_back(data->stream);
        }
    }
    return streams;
}

ConnectionTotals
BbftpHost::GetTotals() const
{
    ConnectionTotals sum;
    for (const ByteStream* stream : ListDataStreams())
    {
        sum.Add(stream->GetTotals());
    }
    return sum;
}

void
BbftpHost::HandleEvent(Nanoseconds now, uint32_t fault)
{
    const auto& connection = m_settings.faults[fault].connection;
    if (!connection)
    {
        return m_control ? Fail(now) : void();
    }
    if (IsActive() && *connection < m_data.size() && m_data[*connection] &&
        m_data[*connection]->isConnected)
    {
        m_end->HandleDataLost(now, *connection, StreamLoss::FAILED);
    }
}

// Connections

StreamTerms
BbftpHost::MakeDataTerms(uint32_t stream) const
{
    return {.tcp = m_settings.tcp,
            .buffers = m_settings.buffers,
            .isPaced = m_settings.files.Open(true).IsTimed(),
            .sends = !IsReceiver(),
            .label = ConnectionLabel{.session = m_settings.session, .connection = stream}};
}

void
BbftpHost::ConnectControl(Nanoseconds now)
{
    m_control = std::make_unique<Control>(*m_end);
    m_control->stream =
        &m_host->Connect(now, m_settings.port, StreamTerms::OfControl(CONTROL_WINDOW), *m_control);
}

std::vector<uint16_t>
BbftpHost::Listen(Nanoseconds now, uint32_t streams)
{
    for (uint32_t stream = 0; stream < streams; ++stream)
    {
        m_ports.push_back(m_host->Listen(now, 0, MakeDataTerms(stream), *this));
    }
    return m_ports;
}

void
BbftpHost::Connect(Nanoseconds now, uint32_t stream, uint16_t port)
{
    Data& data = *m_data.emplace_back(std::make_unique<Data>(*this, stream));
    data.stream = &m_host->Connect(now, port, MakeDataTerms(stream), data);
}

StreamUser*
BbftpHost::HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream)
{
    if (!IsActive())
    {
        return nullptr;
    }
    if (port == m_settings.port)
    {
        return AcceptControl(now, stream);
    }
    const auto index = static_cast<uint32_t>(std::ranges::find(m_ports, port) - m_ports.begin());
    m_data.resize(m_ports.size());
    if (m_data[index])
    {
        return nullptr; // a part has one connection
    }
    m_data[index] = std::make_unique<Data>(*this, index);
    m_data[index]->stream = &stream;
    m_data[index]->HandleConnected(now);
    return m_data[index].get();
}

StreamUser*
BbftpHost::AcceptControl(Nanoseconds now, ByteStream& stream)
{
    if (m_control)
    {
        return nullptr; // it serves one client
    }
    m_control = std::make_unique<Control>(*m_end);
    m_control->stream = &stream;
    IsOut(m_settings.resets, now) ? m_end->HandleLost(now, StreamLoss::FAILED)
                                  : m_end->HandleAccepted(now);
    return m_control.get();
}

// What the protocol asks for

void
BbftpHost::Say(Nanoseconds now, std::vector<uint8_t> bytes)
{
    m_control->stream->Say(now, bytes);
}

void
BbftpHost::Send(Nanoseconds now, uint32_t stream, uint64_t /* bytes */)
{
    m_data[stream]->Send(now);
}

void
BbftpHost::Answer(Nanoseconds now, uint32_t stream, std::vector<uint8_t> bytes)
{
    m_data[stream]->stream->Say(now, bytes);
}

void
BbftpHost::HandleBegun(Nanoseconds now)
{
    m_user->HandleBegun(now);
}

void
BbftpHost::HandleMoved(Nanoseconds now)
{
    m_user->HandleMoved(now);
}

void
BbftpHost::Finish(Nanoseconds now, const std::string& reason)
{
    m_reason = reason;
    if (reason.empty())
    {
        // The control connection stays open: the transfer is over
        m_host->StopListening();
        for (ByteStream* stream : ListDataStreams())
        {
            stream->Close(now);
        }
    }
    else
    {
        ResetAll(now);
    }
    if (!m_isAbandoned)
    {
        m_user->HandleEnded(now, m_settings.role);
    }
}

// Of a session

BbftpSettings
MakeBbftpSettings(const Scenario& scenario, uint32_t index, BbftpRole role, const ToolFiles& files)
{
    const SessionSpec& session = scenario.sessions[index];
    const bool isUpload = session.direction == Direction::UPLOAD;
    const bool isClient = role == BbftpRole::CLIENT;
    BbftpSettings settings{.role = role,
                           .transfer = MakeBbftpTransfer(scenario, session),
                           .files = files,
                           .tcp = session.tcp,
                           .buffers = GetBbftpBuffers(scenario, session),
                           .session = index};
    if (!isClient)
    {
        settings.resets = ListOutages(scenario, FaultKind::CONTROL_RESET, {index, isUpload});
    }
    for (const FaultSpec& fault : scenario.faults)
    {
        if (fault.session != index || fault.at <= session.start)
        {
            continue;
        }
        if (fault.kind == FaultKind::CONTROL_RESET && !isClient)
        {
            settings.faults.push_back({.at = fault.at});
        }
        else if (fault.kind == FaultKind::DATA_RESET &&
                 isClient == (fault.server == FaultServer::CLIENT))
        {
            settings.faults.push_back(
                {.at = fault.at, .connection = static_cast<uint32_t>(fault.connection)});
        }
    }
    return settings;
}

bool
EndBbftpSession(BbftpOutcome& outcome, Nanoseconds now, BbftpHost& ended, BbftpHost& other)
{
    const bool hasFailed = !ended.GetReason().empty();
    const bool isClient = ended.GetSettings().role == BbftpRole::CLIENT;
    if (outcome.isOver || (!hasFailed && !isClient))
    {
        return false;
    }
    outcome = {.isOver = true, .reason = ended.GetReason()};
    if (hasFailed)
    {
        outcome.failedNs = now;
        other.Abandon(now);
    }
    return true;
}

SessionResult
MakeBbftpResult(const SessionSpec& session,
                const BbftpHost& client,
                const BbftpHost& server,
                const BbftpOutcome& outcome,
                const SessionMonitor* monitor)
{
    const bool isUpload = client.GetSettings().transfer.isUpload;
    const BbftpHost& sender = isUpload ? client : server;
    const BbftpHost& receiver = isUpload ? server : client;
    const auto window = static_cast<uint64_t>(sender.GetSettings().buffers.window);
    const ToolFiles& files = sender.GetSettings().files;
    SessionResult result;
    result.tool = session.tool;
    result.bytes = receiver.GetBytes();
    result.startNs = client.GetSpan().beginNs;
    result.durationNs = client.GetSpan().GetDurationNs(outcome.failedNs);
    result.tcp = {sender.GetTotals(), window};
    if (monitor)
    {
        result.tcp->detail = monitor->MakeDetail();
    }
    result.buffers = MakeBufferResult({}, window);
    result.storage = MakeStorageResult(files.GetStorage(false), files.GetStorage(true));
    result.parallelism = client.GetStreams();
    result.reason = outcome.isOver ? outcome.reason : "not ended";
    return result;
}

} // namespace ns3::gridftp
