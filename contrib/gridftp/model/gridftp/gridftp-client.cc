/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client.h"

#include "gridftp-option-attribute.h"
#include "gridftp-simulation-time.h"
#include "gridftp-tcp-variant.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpClient");

NS_OBJECT_ENSURE_REGISTERED(Client);

TypeId
Client::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::Client")
            .SetParent<SecuredApplication>()
            .SetGroupName("GridFtp")
            .AddConstructor<Client>()
            .AddAttribute(
                "Remote",
                "Address and control port of the server; third party: of the receiving server.",
                AddressValue(),
                MakeAddressAccessor(&Client::m_remote),
                MakeAddressChecker())
            .AddAttribute("Sender",
                          "Third party: address and control port of the sending server.",
                          AddressValue(),
                          MakeAddressAccessor(&Client::m_sender),
                          MakeAddressChecker())
            .AddAttribute("ControlTcp",
                          "TCP of the control connection: a TypeId that is a TcpSocketBase or a "
                          "TcpCongestionOps.",
                          TypeIdValue(TcpNewReno::GetTypeId()),
                          MakeTypeIdAccessor(&Client::m_controlTcp),
                          MakeTypeIdChecker())
            .AddAttribute("DataTcp",
                          "TCP of the data connections: a TypeId that is a TcpSocketBase or a "
                          "TcpCongestionOps.",
                          TypeIdValue(*FindTcpVariant(GetDefaultText("tcp"))),
                          MakeTypeIdAccessor(&Client::m_dataTcp),
                          MakeTypeIdChecker())
            .AddAttribute("Direction",
                          OptionHelp("direction"),
                          EnumValue(Direction::UPLOAD),
                          MakeEnumAccessor<Direction>(&Client::m_direction),
                          MakeEnumChecker(Direction::UPLOAD,
                                          "upload",
                                          Direction::DOWNLOAD,
                                          "download",
                                          Direction::THIRD_PARTY,
                                          "third-party"))
            .AddAttribute(
                "DataChannels",
                OptionHelp("data-channels"),
                EnumValue(DataChannels::FRESH),
                MakeEnumAccessor<DataChannels>(&Client::m_channels),
                MakeEnumChecker(DataChannels::FRESH, "fresh", DataChannels::CACHED, "cached"))
            .AddAttribute("Pipelining",
                          OptionHelp("pipelining"),
                          OptionUinteger("pipelining"),
                          MakeUintegerAccessor(&Client::m_pipelining),
                          OptionUintegerChecker("pipelining"))
            .AddAttribute("Layout",
                          OptionHelp("layout"),
                          EnumValue(Layout::DYNAMIC),
                          MakeEnumAccessor<Layout>(&Client::m_layout),
                          MakeEnumChecker(Layout::DYNAMIC, "dynamic", Layout::STATIC, "static"))
            .AddAttribute("FileSize",
                          OptionHelp("file-size"),
                          OptionUinteger("file-size"),
                          MakeUintegerAccessor(&Client::m_fileBytes),
                          OptionUintegerChecker("file-size"))
            .AddAttribute("Files",
                          OptionHelp("files"),
                          OptionUinteger("files"),
                          MakeUintegerAccessor(&Client::m_fileCount),
                          OptionUintegerChecker("files"))
            .AddAttribute("RepeatFor",
                          OptionHelp("repeat-for"),
                          OptionTime("repeat-for"),
                          MakeTimeAccessor(&Client::m_repeatFor),
                          OptionTimeChecker("repeat-for"))
            .AddAttribute("ChunkSize",
                          OptionHelp("chunk-size"),
                          OptionUinteger("chunk-size"),
                          MakeUintegerAccessor(&Client::m_chunkBytes),
                          OptionUintegerChecker("chunk-size"))
            .AddAttribute("BlockSize",
                          OptionHelp("block-size"),
                          OptionUinteger("block-size"),
                          MakeUintegerAccessor(&Client::m_blockBytes),
                          OptionUintegerChecker("block-size"))
            .AddAttribute("SendingStripes",
                          "Number of stripes that send the data.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Client::m_senders),
                          MakeUintegerChecker<uint32_t>(1, StripeCounts::MOST))
            .AddAttribute("ReceivingStripes",
                          "Number of stripes that receive the data. If either number is more than "
                          "1, the client sends SPAS and SPOR instead of PASV and PORT.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Client::m_receivers),
                          MakeUintegerChecker<uint32_t>(1, StripeCounts::MOST))
            .AddAttribute("StripeTuning",
                          OptionHelp("stripe-tuning"),
                          EnumValue(StripeTuning::WHOLE),
                          MakeEnumAccessor<StripeTuning>(&Client::m_stripeTuning),
                          MakeEnumChecker(StripeTuning::WHOLE, "whole", StripeTuning::EACH, "each"))
            .AddAttribute("StripeLayout",
                          OptionHelp("stripe-layout"),
                          EnumValue(StripeLayout::BLOCKED),
                          MakeEnumAccessor<StripeLayout>(&Client::m_stripeLayout),
                          MakeEnumChecker(StripeLayout::BLOCKED,
                                          "blocked",
                                          StripeLayout::PARTITIONED,
                                          "partitioned"))
            .AddAttribute("StripeBlock",
                          OptionHelp("stripe-block"),
                          OptionUinteger("stripe-block"),
                          MakeUintegerAccessor(&Client::m_stripeBlock),
                          OptionUintegerChecker("stripe-block"))
            .AddAttribute("RttSamples",
                          OptionHelp("rtt-samples"),
                          OptionUinteger("rtt-samples"),
                          MakeUintegerAccessor(&Client::m_rttSamples),
                          OptionUintegerChecker("rtt-samples"))
            .AddAttribute(
                "TunerWindow",
                OptionHelp("tuner-window"),
                EnumValue(TunerWindow::BUFFER),
                MakeEnumAccessor<TunerWindow>(&Client::m_tunerWindow),
                MakeEnumChecker(TunerWindow::ASKED, "asked", TunerWindow::BUFFER, "buffer"))
            .AddAttribute("StartJitter",
                          OptionHelp("start-jitter"),
                          OptionTime("start-jitter"),
                          MakeTimeAccessor(&Client::m_startJitter),
                          OptionTimeChecker("start-jitter"))
            .AddAttribute("Retries",
                          OptionHelp("retries"),
                          OptionUinteger("retries"),
                          MakeUintegerAccessor(&Client::m_retries),
                          OptionUintegerChecker("retries"))
            .AddAttribute("RetryWait",
                          OptionHelp("retry-wait"),
                          OptionTime("retry-wait"),
                          MakeTimeAccessor(&Client::m_retryWait),
                          OptionTimeChecker("retry-wait"))
            .AddAttribute("RetryWaitMost",
                          OptionHelp("retry-wait-most"),
                          OptionTime("retry-wait-most"),
                          MakeTimeAccessor(&Client::m_retryWaitMost),
                          OptionTimeChecker("retry-wait-most"))
            .AddAttribute("StallTimeout",
                          OptionHelp("stall-timeout"),
                          OptionTime("stall-timeout"),
                          MakeTimeAccessor(&Client::m_stallTimeout),
                          OptionTimeOrZeroChecker("stall-timeout"))
            .AddAttribute("Keepalive",
                          OptionHelp("keepalive"),
                          OptionTime("keepalive"),
                          MakeTimeAccessor(&Client::m_keepalive),
                          OptionTimeChecker("keepalive"))
            .AddAttribute("MinRate",
                          OptionHelp("min-rate"),
                          OptionUinteger("min-rate"),
                          MakeUintegerAccessor(&Client::m_minRate),
                          OptionUintegerChecker("min-rate"))
            .AddAttribute("MinRatePeriod",
                          OptionHelp("min-rate-period"),
                          OptionTime("min-rate-period"),
                          MakeTimeAccessor(&Client::m_minRatePeriod),
                          OptionTimeChecker("min-rate-period"))
            .AddAttribute("Tuner",
                          "Decides the parallelism of each chunk.",
                          PointerValue(),
                          MakePointerAccessor(&Client::m_tuner),
                          MakePointerChecker<Tuner>())
            .AddTraceSource("ChunkStarted",
                            "The first transfer command of a chunk is about to be sent.",
                            MakeTraceSourceAccessor(&Client::m_chunkStarted),
                            "ns3::gridftp::Client::StartedTracedCallback")
            .AddTraceSource("ChunkCompleted",
                            "A chunk is complete and the parallelism adjusted.",
                            MakeTraceSourceAccessor(&Client::m_chunkCompleted),
                            "ns3::gridftp::Client::ChunkTracedCallback")
            .AddTraceSource("DataConnection",
                            "A data connection for sending is about to be opened.",
                            MakeTraceSourceAccessor(&Client::m_connection),
                            "ns3::gridftp::SessionSockets::OpenedTracedCallback")
            .AddTraceSource("DataAccepted",
                            "A data connection for receiving has been accepted.",
                            MakeTraceSourceAccessor(&Client::m_dataAccepted),
                            "ns3::gridftp::SessionSockets::AcceptedTracedCallback")
            .AddTraceSource("Parallelism",
                            "Number of parallel data connections, N.",
                            MakeTraceSourceAccessor(&Client::m_parallelism),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("State",
                            "State of the client.",
                            MakeTraceSourceAccessor(&Client::m_state),
                            "ns3::gridftp::Client::StateTracedCallback");
    return tid;
}

Client::Client() = default;

Client::~Client() = default;

void
Client::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_machine)
    {
        m_machine->Dispose(GetSimulationTime());
    }
    for (const auto& attempt : m_attempts)
    {
        attempt->Dispose();
    }
    if (m_control)
    {
        m_control->Dispose();
    }
    m_tuner = nullptr;
    m_senderTotals = SendersCallback();
    SecuredApplication::DoDispose();
}

void
Client::SetDataTransferProcesses(const std::vector<Address>& addresses)
{
    m_stripes.clear();
    for (const Address& address : addresses)
    {
        m_stripes.push_back(MakeHostPort(address));
    }
}

void
Client::SetSenders(SendersCallback count)
{
    m_senderTotals = count;
}

int64_t
Client::AssignStreams(int64_t stream)
{
    // The draws of the start jitter depend on nothing but their key; the stream is part of it.
    m_session = static_cast<uint64_t>(stream);
    return 1;
}

void
Client::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_tuner)
    {
        ObjectFactory factory;
        factory.SetTypeId(Tuner::FindType(GetDefaultText("mode")));
        m_tuner = factory.Create<Tuner>();
    }
    m_control = Create<SocketHost>(GetNode(), Ipv4Address());
    TransferClient::Owner& owner = *this;
    m_machine = std::make_unique<TransferClient>(*m_control, owner);
    m_machine->SetFiles(m_files ? *m_files : MakeFiles());
    m_machine->KillDataTransfer(GetSimulationTime(), m_dataDeadUntil.GetNanoSeconds());
    m_machine->Start(GetSimulationTime(), MakeSettings());
}

void
Client::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_machine)
    {
        m_machine->Stop(GetSimulationTime(), "the client was stopped");
    }
}

FileSequence
Client::MakeFiles() const
{
    return FileSequence(
        std::make_shared<FileSupply>(std::vector<uint64_t>(m_fileCount, m_fileBytes),
                                     GetSimulationTime(),
                                     m_repeatFor.GetNanoSeconds()));
}

TransferClientSettings
Client::MakeSettings() const
{
    // The attribute of a socket that was just made is the default of all data connections
    const auto probe = CreateTcpSocket(GetNode(), m_dataTcp);
    return {.session = MakeSessionSettings(),
            .stripes = GetStripes(),
            .stripeTuning = m_stripeTuning,
            .makePolicy = [tuner = m_tuner](int64_t pair) { return tuner->MakePolicy(pair); },
            .chunkBytes = m_chunkBytes,
            .segmentBytes = GetTcpSegmentBytes(probe),
            .tunerWindow = m_tunerWindow,
            .retries = m_retries,
            .retryWait = m_retryWait.GetNanoSeconds(),
            .retryWaitMost = m_retryWaitMost.GetNanoSeconds(),
            .restart = m_restart,
            .monitor = GetMonitor()};
}

ClientSettings
Client::MakeSessionSettings() const
{
    return {.data = {.tcp = m_dataTcp.GetName(),
                     .buffers = GetBuffers(),
                     .jitter = {.seed = RngSeedManager::GetSeed(),
                                .run = RngSeedManager::GetRun(),
                                .session = m_session,
                                .jitterNs = m_startJitter.GetNanoSeconds()},
                     .recordsRanges = m_retries > 0,
                     .stallTimeout = m_stallTimeout.GetNanoSeconds(),
                     .security = GetDataSecurity()},
            .server = MakeHostPort(m_remote),
            .sender = MakeHostPort(m_sender),
            .controlTcp = m_controlTcp.GetName(),
            .direction = m_direction,
            .channels = m_channels,
            .layout = m_layout,
            .blockBytes = m_blockBytes,
            .remote = {m_controlTcp.GetName(), m_stripes},
            .isStriped = GetStripes().IsStriped(),
            .stripeLayout = m_stripeLayout,
            .stripeBlock = m_stripeBlock,
            .rttSamples = m_rttSamples,
            .pipelining = m_pipelining,
            .security = GetSecurity(),
            .keepalive = m_keepalive.GetNanoSeconds(),
            .minRateBps = static_cast<int64_t>(m_minRate),
            .minRatePeriod = m_minRatePeriod.GetNanoSeconds(),
            .resets = m_retries > 0};
}

// What the machine reports

ChannelHosts
Client::MakeChannels(Nanoseconds /* now */)
{
    m_attempts.push_back(std::make_unique<SessionSockets>(GetNode(), GetMonitor()));
    m_attempts.back()->Trace(
        MakeCallback(&TracedCallback<Ptr<Socket>, uint64_t, uint32_t>::operator(), &m_connection),
        MakeCallback(&TracedCallback<Ptr<Socket>>::operator(), &m_dataAccepted));
    return {*m_control, m_attempts.back()->GetSender(), m_attempts.back()->GetReceiver()};
}

Expected<FileSequence>
Client::FindFiles(Nanoseconds /* now */, std::optional<uint64_t> /* fileBytes */)
{
    return MakeFiles();
}

void
Client::HandleState(Nanoseconds /* now */, ClientState state)
{
    m_state = state;
}

void
Client::HandleParallelism(uint32_t parallelism)
{
    m_parallelism = parallelism;
}

void
Client::HandleChunkStarted(uint64_t index)
{
    m_chunkStarted(index);
}

void
Client::HandleChunkCompleted(Nanoseconds /* now */, const ChunkRecord& record)
{
    m_chunkCompleted(record);
}

std::optional<std::vector<ConnectionTotals>>
Client::CountSenders()
{
    return m_senderTotals.IsNull() ? std::nullopt : std::optional(m_senderTotals());
}

// Results

ClientState
Client::GetState() const
{
    return m_state;
}

const std::string&
Client::GetReason() const
{
    static const std::string none;
    return m_machine ? m_machine->GetReason() : none;
}

SessionResult
Client::GetResult() const
{
    if (m_machine)
    {
        return m_machine->GetResult();
    }
    SessionResult result = MakeGridftpSession({});
    result.tcp = {{}, static_cast<uint64_t>(GetBuffers().window)};
    result.buffers = MakeBufferResult({}, result.tcp->windowBytes);
    result.reason = "nothing more happened";
    return result;
}

std::vector<ConnectionTotals>
Client::GetPairTotals() const
{
    return m_machine ? m_machine->GetPairTotals() : std::vector<ConnectionTotals>();
}

BufferTally
Client::GetBufferTally() const
{
    return m_machine ? m_machine->GetBufferTally() : BufferTally();
}

const std::vector<FileRecord>&
Client::GetFiles() const
{
    static const std::vector<FileRecord> none;
    return m_machine ? m_machine->GetFiles() : none;
}

const std::vector<RestartResult>&
Client::GetRestarts() const
{
    static const std::vector<RestartResult> none;
    return m_machine ? m_machine->GetRestarts() : none;
}

MarkerRanges
Client::FindHeld() const
{
    return m_machine ? m_machine->FindHeld() : m_restart;
}

uint64_t
Client::GetStoredBytes() const
{
    return m_machine ? m_machine->GetStoredBytes(GetSimulationTime()) : 0;
}

// Faults

LocalDataTransfer*
Client::GetDataTransfer() const
{
    ClientSession* const session = m_machine ? m_machine->GetSession() : nullptr;
    return session ? &session->GetDataTransfer() : nullptr;
}

void
Client::KillDataTransfer(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_dataDeadUntil = duration.IsZero() ? Time::Max() : Simulator::Now() + duration;
    if (m_machine)
    {
        m_machine->KillDataTransfer(GetSimulationTime(), m_dataDeadUntil.GetNanoSeconds());
    }
}

void
Client::AcceptForeign(Time duration)
{
    if (LocalDataTransfer* const data = GetDataTransfer())
    {
        data->GetReceiver().AcceptForeign(GetSimulationTime(),
                                          GetSimulationTime() + duration.GetNanoSeconds());
    }
}

void
Client::BreakAccepted(Ptr<Socket> socket)
{
    LocalDataTransfer* const data = GetDataTransfer();
    const DataStream* const stream = data ? m_attempts.back()->FindAccepted(socket) : nullptr;
    if (stream)
    {
        data->GetReceiver().BreakConnection(GetSimulationTime(), *stream);
    }
}

void
Client::BreakOpened(uint32_t connection)
{
    if (LocalDataTransfer* const data = GetDataTransfer())
    {
        data->GetSender().BreakConnection(GetSimulationTime(), connection);
    }
}

} // namespace ns3::gridftp
