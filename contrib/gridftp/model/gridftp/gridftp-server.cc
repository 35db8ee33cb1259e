/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server.h"

#include "gridftp-control-script.h"
#include "gridftp-option-attribute.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
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
                            "ns3::gridftp::DataSender::ConnectionTracedCallback")
            .AddTraceSource("DataAccepted",
                            "A data connection for receiving has been accepted.",
                            MakeTraceSourceAccessor(&Server::m_dataAccepted),
                            "ns3::gridftp::DataReceiver::AcceptedTracedCallback")
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
    SecuredApplication::DoDispose();
}

BufferTally
Server::GetBufferTally() const
{
    BufferTally all;
    for (const auto& interpreter : m_interpreters)
    {
        all.Add(interpreter->GetBufferTally());
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
    m_stripes = addresses;
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
                      interpreter->GetDataTransfer()->GetSender()->GetMachine().GetPairTotals());
    }
    return sums;
}

std::vector<ServerSpan>
Server::GetSpans() const
{
    std::vector<ServerSpan> spans;
    for (const auto& interpreter : m_interpreters)
    {
        spans.push_back(interpreter->GetSpan());
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
    m_listener = CreateTcpSocket(GetNode(), m_controlTcp);
    SetTcpWindow(m_listener, CONTROL_WINDOW);
    const bool bound = m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) == 0 &&
                       m_listener->Listen() == 0;
    NS_ABORT_MSG_UNLESS(bound, "cannot listen on port " << m_port);
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&Server::HandleAccept, Ptr<Server>(this)));
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
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener->Close();
        m_listener = nullptr;
    }
}

ServerSettings
Server::MakeSettings() const
{
    return {.data = {.node = GetNode(),
                     .tcp = m_dataTcp,
                     .buffers = GetBuffers(),
                     .jitter = {.seed = RngSeedManager::GetSeed(),
                                .run = RngSeedManager::GetRun(),
                                .session = m_session,
                                .jitterNs = m_startJitter.GetNanoSeconds()},
                     .markerInterval = m_markerInterval,
                     .tellsRanges = m_rangeMarkers,
                     .stallTimeout = m_stallTimeout,
                     .security = GetDataSecurity(),
                     .monitor = GetMonitor()},
            .apart = {m_controlTcp, m_stripes},
            .fileBytes = m_fileBytes,
            .layout = m_layout,
            .blockBytes = m_blockBytes,
            .stripeBlock = m_stripeBlock,
            .security = GetSecurity(),
            .requestCpu = m_requestCpu};
}

void
Server::HandleAccept(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    if (m_failed || std::exchange(m_failsNext, false))
    {
        return ResetAcceptedConnection(socket);
    }
    if (!m_listener)
    {
        socket->Close(); // its handshake was under way when the server stopped
        return;
    }
    auto interpreter = CreateObject<ServerProtocolInterpreter>();
    m_interpreters.push_back(interpreter);
    interpreter->GetDataTransfer()->Trace(
        MakeCallback(&TracedCallback<Ptr<Socket>, uint64_t, uint32_t>::operator(), &m_connection),
        MakeCallback(&TracedCallback<Ptr<Socket>>::operator(), &m_dataAccepted));
    m_accepted(interpreter);
    interpreter->FallSilent(m_silentUntil);
    interpreter->RefuseClients(m_refusesUntil);
    interpreter->LoseReplies(m_repliesUntil);
    interpreter->Start(MakeSettings(), socket);
    interpreter->GetDataTransfer()->StayDead(m_dataDeadUntil);
}

} // namespace ns3::gridftp
