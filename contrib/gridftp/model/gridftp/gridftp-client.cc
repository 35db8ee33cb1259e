/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client.h"

#include "gridftp-option-attribute.h"
#include "gridftp-tcp-variant.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-socket.h"

#include <algorithm>
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
                            "ns3::gridftp::DataSender::ConnectionTracedCallback")
            .AddTraceSource("DataAccepted",
                            "A data connection for receiving has been accepted.",
                            MakeTraceSourceAccessor(&Client::m_dataAccepted),
                            "ns3::gridftp::DataReceiver::AcceptedTracedCallback")
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
    Simulator::Remove(m_nextTry);
    for (const auto& interpreter : ListInterpreters())
    {
        interpreter->Dispose();
    }
    m_earlier.clear();
    m_interpreter = nullptr;
    m_tuner = nullptr;
    m_senderTotals = SendersCallback();
    SecuredApplication::DoDispose();
}

ClientState
Client::GetState() const
{
    return m_state;
}

const std::string&
Client::GetReason() const
{
    return m_reason;
}

SessionResult
Client::GetResult() const
{
    SessionResult result = MakeGridftpSession(m_chunks);
    ConnectionTotals totals;
    for (const auto& pair : GetPairTotals())
    {
        totals.Add(pair);
    }
    result.tcp = {totals, static_cast<uint64_t>(GetBuffers().window)};
    result.buffers = MakeBufferResult(GetBufferTally(), result.tcp->windowBytes);
    if (m_state != ClientState::DONE)
    {
        result.reason = m_state == ClientState::FAILED ? m_reason : "nothing more happened";
    }
    return result;
}

std::vector<ConnectionTotals>
Client::GetPairTotals() const
{
    std::vector<ConnectionTotals> sums;
    for (const auto& interpreter : ListInterpreters())
    {
        AddPairTotals(sums,
                      interpreter->GetDataTransfer()->GetSender()->GetMachine().GetPairTotals());
    }
    return sums;
}

void
Client::SetDataTransferProcesses(const std::vector<Address>& addresses)
{
    m_stripes = addresses;
}

BufferTally
Client::GetBufferTally() const
{
    BufferTally all;
    for (const auto& interpreter : ListInterpreters())
    {
        all.Add(interpreter->GetBufferTally());
    }
    return all;
}

int64_t
Client::AssignStreams(int64_t stream)
{
    // The draws of the start jitter depend on nothing but their key; the stream is part of it.
    m_session = static_cast<uint64_t>(stream);
    return 1;
}

void
Client::SetState(ClientState state)
{
    const ClientState before = m_state;
    const bool isOver = before == ClientState::DONE || before == ClientState::FAILED;
    const bool isNewTry = before == ClientState::WAITING && state == ClientState::LOGGING_IN;
    const bool forward = state == ClientState::FAILED || state == ClientState::WAITING
                             ? !isOver
                             : isNewTry || static_cast<int>(state) == static_cast<int>(before) + 1;
    NS_ABORT_MSG_UNLESS(forward,
                        "client state " << static_cast<int>(before) << " cannot become "
                                        << static_cast<int>(state));
    if (state == ClientState::DONE || state == ClientState::FAILED)
    {
        EndTuning();
    }
    m_state = state;
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
    if (!m_files)
    {
        m_files = MakeFiles();
    }
    if (const auto begun = BeginTuning(); !begun)
    {
        return FailTuning(begun.GetError().message);
    }
    // Set by the sockets' own default, so that every data connection has it.
    UintegerValue segment;
    auto probe = CreateTcpSocket(GetNode(), m_dataTcp);
    probe->GetAttribute("SegmentSize", segment);
    m_segmentBytes = static_cast<uint32_t>(segment.Get());
    m_schedule = RetrySchedule(m_retries,
                               m_retryWait.GetNanoSeconds(),
                               m_retryWaitMost.GetNanoSeconds(),
                               CountBytes(m_restart));
    SkipHeldChunks();
    StartTry();
}

ClientSettings
Client::MakeSettings() const
{
    return {.data = {.node = GetNode(),
                     .tcp = m_dataTcp,
                     .buffers = GetBuffers(),
                     .jitter = {.seed = RngSeedManager::GetSeed(),
                                .run = RngSeedManager::GetRun(),
                                .session = m_session,
                                .jitterNs = m_startJitter.GetNanoSeconds()},
                     .markerInterval = Time(),
                     .tellsRanges = m_retries > 0,
                     .stallTimeout = m_stallTimeout,
                     .security = GetDataSecurity(),
                     .monitor = GetMonitor()},
            .server = m_remote,
            .sender = m_sender,
            .controlTcp = m_controlTcp,
            .direction = m_direction,
            .channels = m_channels,
            .layout = m_layout,
            .blockBytes = m_blockBytes,
            .apart = {m_controlTcp, m_stripes},
            .isStriped = GetStripes().IsStriped(),
            .stripeLayout = m_stripeLayout,
            .stripeBlock = m_stripeBlock,
            .rttSamples = m_rttSamples,
            .pipelining = m_pipelining,
            .security = GetSecurity(),
            .keepalive = m_keepalive,
            .minRateBps = static_cast<int64_t>(m_minRate),
            .minRatePeriod = m_minRatePeriod,
            .resets = m_retries > 0};
}

void
Client::StopApplication()
{
    NS_LOG_FUNCTION(this);
    const ClientState state = m_state;
    if (state == ClientState::DONE || state == ClientState::FAILED || !m_interpreter)
    {
        return;
    }
    Simulator::Remove(m_nextTry);
    m_interpreter->Abort();
    m_reason = "the client was stopped";
    SetState(ClientState::FAILED);
}

void
Client::TransferNext()
{
    while (m_asked.size() < m_pipelining && HasNext() && m_state == ClientState::TRANSFERRING)
    {
        const FileChunk chunk{m_offset, GetNextBytes(), m_files->GetBytes()};
        const uint64_t index = m_chunks.size() + m_asked.size();
        m_asked.push_back(chunk);
        m_offset = chunk.GetEnd();
        m_interpreter->SetDirection(m_direction);
        m_interpreter->Transfer(index,
                                chunk.offset,
                                chunk.bytes,
                                m_parallelism,
                                m_held,
                                m_pairTuning.GetParallelism());
    }
    if (m_asked.empty() && m_state == ClientState::TRANSFERRING)
    {
        SetState(ClientState::QUITTING);
        m_interpreter->Quit();
    }
}

void
Client::HandleReady()
{
    switch (m_state)
    {
    case ClientState::LOGGING_IN:
        SetState(ClientState::TRANSFERRING);
        TransferNext();
        break;
    case ClientState::TRANSFERRING:
        RecordChunk();
        TransferNext();
        break;
    default:
        SetState(ClientState::DONE);
    }
}

void
Client::HandleStarted()
{
    m_chunkStart = m_chunkStart.value_or(Simulator::Now());
    m_chunkStarted(m_chunks.size());
}

} // namespace ns3::gridftp
