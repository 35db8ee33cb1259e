/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server.h"

#include "gridftp-control-script.h"
#include "gridftp-option-attribute.h"
#include "gridftp-simulation-time.h"
#include "gridftp-tcp-variant.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"

#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpServer");

NS_OBJECT_ENSURE_REGISTERED(Server);

TypeId
Server::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::Server")
            .SetParent<SecuredApplication>()
            .SetGroupName("GridFtp")
            .AddConstructor<Server>()
            .AddAttribute("Port",
                          "Port of the control connections.",
                          UintegerValue(CONTROL_PORT),
                          MakeUintegerAccessor(&Server::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("ControlTcp",
                          "TCP of the control connections: a TypeId that is a TcpSocketBase or a "
                          "TcpCongestionOps.",
                          TypeIdValue(TcpNewReno::GetTypeId()),
                          MakeTypeIdAccessor(&Server::m_controlTcp),
                          MakeTypeIdChecker())
            .AddAttribute("DataTcp",
                          "TCP of the data connections: a TypeId that is a TcpSocketBase or a "
                          "TcpCongestionOps.",
                          TypeIdValue(*FindTcpVariant(GetDefaultText("tcp"))),
                          MakeTypeIdAccessor(&Server::m_dataTcp),
                          MakeTypeIdChecker())
            .AddAttribute("FileSize",
                          "Size of the file that the server sends (download), bytes.",
                          OptionUinteger("file-size"),
                          MakeUintegerAccessor(&Server::m_fileBytes),
                          OptionUintegerChecker("file-size"))
            .AddAttribute("Layout",
                          OptionHelp("layout"),
                          EnumValue(Layout::DYNAMIC),
                          MakeEnumAccessor<Layout>(&Server::m_layout),
                          MakeEnumChecker(Layout::DYNAMIC, "dynamic", Layout::STATIC, "static"))
            .AddAttribute("BlockSize",
                          OptionHelp("block-size"),
                          OptionUinteger("block-size"),
                          MakeUintegerAccessor(&Server::m_blockBytes),
                          OptionUintegerChecker("block-size"))
            .AddAttribute("StripeBlock",
                          OptionHelp("stripe-block"),
                          OptionUinteger("stripe-block"),
                          MakeUintegerAccessor(&Server::m_stripeBlock),
                          OptionUintegerChecker("stripe-block"))
            .AddAttribute("StartJitter",
                          OptionHelp("start-jitter"),
                          OptionTime("start-jitter"),
                          MakeTimeAccessor(&Server::m_startJitter),
                          OptionTimeChecker("start-jitter"))
            .AddAttribute(
                "MarkerInterval",
                "Interval between two 112 markers of an upload; 0 sends only the last one.",
                TimeValue(Seconds(5)),
                MakeTimeAccessor(&Server::m_markerInterval),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "RangeMarkers",
                "Whether the server also sends a 111 marker with each round of 112 markers.",
                BooleanValue(false),
                MakeBooleanAccessor(&Server::m_rangeMarkers),
                MakeBooleanChecker())
            .AddAttribute("StallTimeout",
                          OptionHelp("stall-timeout"),
                          OptionTime("stall-timeout"),
                          MakeTimeAccessor(&Server::m_stallTimeout),
                          OptionTimeOrZeroChecker("stall-timeout"))
            .AddAttribute("RequestCpu",
                          OptionHelp("request-cpu"),
                          OptionTime("request-cpu"),
                          MakeTimeAccessor(&Server::m_requestCpu),
                          OptionTimeChecker("request-cpu"))
            .AddTraceSource("DataConnection",
                            "A data connection for sending is about to be opened.",
                            MakeTraceSourceAccessor(&Server::m_connection),
                            "ns3::gridftp::SessionSockets::OpenedTracedCallback")
            .AddTraceSource("DataAccepted",
                            "A data connection for receiving has been accepted.",
                            MakeTraceSourceAccessor(&Server::m_dataAccepted),
                            "ns3::gridftp::SessionSockets::AcceptedTracedCallback")
            .AddTraceSource("Accepted",
                            "A control connection has been accepted.",
                            MakeTraceSourceAccessor(&Server::m_accepted),
                            "ns3::gridftp::Server::AcceptedTracedCallback");
    return tid;
}

Server::Server() = default;

Server::~Server() = default;

void
Server::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StopApplication();
    m_interpreters.clear();
    if (m_control)
    {
        m_control->Dispose();
    }
    SecuredApplication::DoDispose();
}

BufferTally
Server::GetBufferTally() const
{
    BufferTally all;
    for (const auto& interpreter : m_interpreters)
    {
        all.Add(interpreter->GetSession().GetBufferTally());
    }
    return all;
}

int64_t
Server::AssignStreams(int64_t stream)
{
    // The draws of the start jitter depend on nothing but their key; the stream is part of it.
    m_session = static_cast<uint64_t>(stream);
    return 1;
}

void
Server::SetDataTransferProcesses(const std::vector<Address>& addresses)
{
    m_stripes.clear();
    for (const Address& address : addresses)
    {
        m_stripes.push_back(MakeHostPort(address));
    }
}

ConnectionTotals
Server::GetTotals() const
{
    ConnectionTotals sum;
    for (const auto& totals : GetPairTotals())
    {
        sum.Add(totals);
    }
    return sum;
}

std::vector<ConnectionTotals>
Server::GetPairTotals() const
{
    std::vector<ConnectionTotals> sums;
    for (const auto& interpreter : m_interpreters)
    {
        AddPairTotals(sums,
                      interpreter->GetSession().GetDataTransfer().GetSender().GetPairTotals());
    }
    return sums;
}

std::vector<ServerSpan>
Server::GetSpans() const
{
    std::vector<ServerSpan> spans;
    for (const auto& interpreter : m_interpreters)
    {
        const ServerSession& session = interpreter->GetSession();
        spans.push_back({session.GetBegin(), session.GetEnd(GetSimulationTime())});
    }
    return spans;
}

uint32_t
Server::GetAcceptedCount() const
{
    return static_cast<uint32_t>(m_interpreters.size());
}

void
Server::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_isDead)
    {
        Listen();
    }
}

void
Server::Listen()
{
    m_files.emplace(m_fileBytes);
    if (!m_control)
    {
        m_control = Create<SocketHost>(GetNode(), Ipv4Address());
    }
    m_control->Listen(GetSimulationTime(),
                      m_port,
                      StreamTerms::OfLines(m_controlTcp.GetName(), CONTROL_WINDOW),
                      *this);
}

void
Server::StopApplication()
{
    NS_LOG_FUNCTION(this);
    Simulator::Remove(m_revival);
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->Dispose();
    }
    CloseListener();
}

void
Server::CloseListener()
{
    if (m_control)
    {
        m_control->StopListening();
    }
}

ServerSettings
Server::MakeSettings()
{
    return {.data = {.tcp = m_dataTcp.GetName(),
                     .buffers = GetBuffers(),
                     .jitter = {.seed = RngSeedManager::GetSeed(),
                                .run = RngSeedManager::GetRun(),
                                .session = m_session,
                                .jitterNs = m_startJitter.GetNanoSeconds()},
                     .markerInterval = m_markerInterval.GetNanoSeconds(),
                     .recordsRanges = m_rangeMarkers,
                     .stallTimeout = m_stallTimeout.GetNanoSeconds(),
                     .security = GetDataSecurity()},
            .remote = {m_controlTcp.GetName(), m_stripes},
            .files = &*m_files,
            .layout = m_layout,
            .blockBytes = m_blockBytes,
            .stripeBlock = m_stripeBlock,
            .security = GetSecurity(),
            .requestCpu = m_requestCpu.GetNanoSeconds()};
}

StreamUser*
Server::HandleAccepted(Nanoseconds /* now */, uint16_t /* port */, ByteStream& stream)
{
    NS_LOG_FUNCTION(this);
    if (m_failed || std::exchange(m_failsNext, false))
    {
        return nullptr;
    }
    auto interpreter = CreateObject<ServerProtocolInterpreter>();
    m_interpreters.push_back(interpreter);
    interpreter->Prepare(GetNode(), *m_control, GetMonitor());
    interpreter->GetSockets().Trace(
        MakeCallback(&TracedCallback<Ptr<Socket>, uint64_t, uint32_t>::operator(), &m_connection),
        MakeCallback(&TracedCallback<Ptr<Socket>>::operator(), &m_dataAccepted));
    m_accepted(interpreter);
    ServerSession& session = interpreter->GetSession();
    session.FallSilent(m_silentUntil.GetNanoSeconds());
    session.RefuseClients(m_refusesUntil.GetNanoSeconds());
    session.LoseReplies(m_repliesUntil.GetNanoSeconds());
    StreamUser& user = interpreter->Start(MakeSettings(), stream);
    session.GetDataTransfer().StayDead(m_dataDeadUntil.GetNanoSeconds());
    return &user;
}

} // namespace ns3::gridftp
