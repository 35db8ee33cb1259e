/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-process.h"

#include "gridftp-control-script.h"
#include "gridftp-option-attribute.h"
#include "gridftp-simulation-time.h"
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

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataTransferProcess");

NS_OBJECT_ENSURE_REGISTERED(DataTransferProcess);

TypeId
DataTransferProcess::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::DataTransferProcess")
            .SetParent<SecuredApplication>()
            .SetGroupName("GridFtp")
            .AddConstructor<DataTransferProcess>()
            .AddAttribute("Port",
                          "Port to which protocol interpreters connect.",
                          UintegerValue(DTP_PORT),
                          MakeUintegerAccessor(&DataTransferProcess::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("ControlTcp",
                          "TCP of the connections to protocol interpreters: a TypeId that is a "
                          "TcpSocketBase or a TcpCongestionOps.",
                          TypeIdValue(TcpNewReno::GetTypeId()),
                          MakeTypeIdAccessor(&DataTransferProcess::m_controlTcp),
                          MakeTypeIdChecker())
            .AddAttribute("DataTcp",
                          "TCP of the data connections: a TypeId that is a TcpSocketBase or a "
                          "TcpCongestionOps.",
                          TypeIdValue(*FindTcpVariant(GetDefaultText("tcp"))),
                          MakeTypeIdAccessor(&DataTransferProcess::m_dataTcp),
                          MakeTypeIdChecker())
            .AddAttribute("Layout",
                          OptionHelp("layout"),
                          EnumValue(Layout::DYNAMIC),
                          MakeEnumAccessor<Layout>(&DataTransferProcess::m_layout),
                          MakeEnumChecker(Layout::DYNAMIC, "dynamic", Layout::STATIC, "static"))
            .AddAttribute("BlockSize",
                          OptionHelp("block-size"),
                          OptionUinteger("block-size"),
                          MakeUintegerAccessor(&DataTransferProcess::m_blockBytes),
                          OptionUintegerChecker("block-size"))
            .AddAttribute("StartJitter",
                          OptionHelp("start-jitter"),
                          OptionTime("start-jitter"),
                          MakeTimeAccessor(&DataTransferProcess::m_startJitter),
                          OptionTimeChecker("start-jitter"))
            .AddAttribute("MarkerInterval",
                          "Interval between two reports of received bytes; 0: no reports.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&DataTransferProcess::m_markerInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RangeMarkers",
                          "Whether these reports also contain ranges.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DataTransferProcess::m_rangeMarkers),
                          MakeBooleanChecker())
            .AddAttribute("StallTimeout",
                          OptionHelp("stall-timeout"),
                          OptionTime("stall-timeout"),
                          MakeTimeAccessor(&DataTransferProcess::m_stallTimeout),
                          OptionTimeOrZeroChecker("stall-timeout"))
            .AddTraceSource("DataConnection",
                            "A data connection for sending is about to be opened.",
                            MakeTraceSourceAccessor(&DataTransferProcess::m_connection),
                            "ns3::gridftp::DataSender::ConnectionTracedCallback")
            .AddTraceSource("DataAccepted",
                            "A data connection for receiving has been accepted.",
                            MakeTraceSourceAccessor(&DataTransferProcess::m_dataAccepted),
                            "ns3::gridftp::DataReceiver::AcceptedTracedCallback");
    return tid;
}

DataTransferProcess::DataTransferProcess() = default;

DataTransferProcess::~DataTransferProcess() = default;

void
DataTransferProcess::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StopApplication();
    m_services.clear();
    SecuredApplication::DoDispose();
}

std::vector<ConnectionTotals>
DataTransferProcess::GetPairTotals() const
{
    std::vector<ConnectionTotals> sums;
    for (const auto& service : m_services)
    {
        AddPairTotals(sums, service->GetDataTransfer()->GetSender()->GetMachine().GetPairTotals());
    }
    return sums;
}

BufferTally
DataTransferProcess::GetBufferTally() const
{
    BufferTally all;
    for (const auto& service : m_services)
    {
        all.Add(service->GetDataTransfer()->GetReceiver()->GetMachine().GetBufferTally());
    }
    return all;
}

int64_t
DataTransferProcess::AssignStreams(int64_t stream)
{
    // The draws of the start jitter depend on nothing but their key; the stream is part of it.
    m_session = static_cast<uint64_t>(stream);
    return 1;
}

uint64_t
DataTransferProcess::GetStoredBytes() const
{
    uint64_t bytes = 0;
    for (const auto& service : m_services)
    {
        bytes += service->GetDataTransfer()->GetReceiver()->GetMachine().GetAllStoredBytes(
            GetSimulationTime());
    }
    return bytes;
}

void
DataTransferProcess::AcceptForeign(Time duration)
{
    if (!m_services.empty())
    {
        m_services.back()->GetDataTransfer()->GetReceiver()->GetMachine().AcceptForeign(
            GetSimulationTime(),
            GetSimulationTime() + duration.GetNanoSeconds());
    }
}

void
DataTransferProcess::BreakAccepted(Ptr<Socket> socket)
{
    for (const auto& service : m_services)
    {
        service->GetDataTransfer()->GetReceiver()->BreakConnection(socket);
    }
}

void
DataTransferProcess::BreakOpened(uint32_t connection)
{
    for (const auto& service : m_services)
    {
        service->GetDataTransfer()->GetSender()->GetMachine().BreakConnection(GetSimulationTime(),
                                                                              connection);
    }
}

void
DataTransferProcess::Die(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_isDead = true;
    for (const auto& service : m_services)
    {
        service->Reset();
    }
    CloseListener();
    if (duration.IsStrictlyPositive())
    {
        m_revival = Simulator::Schedule(duration, &DataTransferProcess::Revive, this);
    }
}

void
DataTransferProcess::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_isDead)
    {
        Listen();
    }
}

void
DataTransferProcess::Revive()
{
    NS_LOG_FUNCTION(this);
    m_isDead = false;
    Listen();
}

void
DataTransferProcess::Listen()
{
    m_listener = CreateTcpSocket(GetNode(), m_controlTcp);
    SetTcpWindow(m_listener, CONTROL_WINDOW);
    const bool bound = m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) == 0 &&
                       m_listener->Listen() == 0;
    NS_ABORT_MSG_UNLESS(bound, "cannot listen on port " << m_port);
    m_listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        MakeCallback(&DataTransferProcess::HandleAccept, Ptr<DataTransferProcess>(this)));
}

void
DataTransferProcess::StopApplication()
{
    NS_LOG_FUNCTION(this);
    Simulator::Remove(m_revival);
    for (const auto& service : m_services)
    {
        service->Dispose();
    }
    CloseListener();
}

void
DataTransferProcess::CloseListener()
{
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener->Close();
        m_listener = nullptr;
    }
}

void
DataTransferProcess::HandleAccept(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    if (m_isDead)
    {
        return ResetAcceptedConnection(socket); // its handshake was under way when it died
    }
    if (!m_listener)
    {
        socket->Close(); // its handshake was under way when it stopped
        return;
    }
    auto service = CreateObject<DataTransferService>();
    m_services.push_back(service);
    service->GetDataTransfer()->Trace(
        MakeCallback(&TracedCallback<Ptr<Socket>, uint64_t, uint32_t>::operator(), &m_connection),
        MakeCallback(&TracedCallback<Ptr<Socket>>::operator(), &m_dataAccepted));
    service->Start({.data = {.node = GetNode(),
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
                    .layout = m_layout,
                    .blockBytes = m_blockBytes},
                   socket);
}

} // namespace ns3::gridftp
