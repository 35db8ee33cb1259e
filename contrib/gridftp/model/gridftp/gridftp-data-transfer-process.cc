/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-process.h"

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
                            "ns3::gridftp::SessionSockets::OpenedTracedCallback")
            .AddTraceSource("DataAccepted",
                            "A data connection for receiving has been accepted.",
                            MakeTraceSourceAccessor(&DataTransferProcess::m_dataAccepted),
                            "ns3::gridftp::SessionSockets::AcceptedTracedCallback");
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
    if (m_control)
    {
        m_control->Dispose();
    }
    SecuredApplication::DoDispose();
}

std::vector<ConnectionTotals>
DataTransferProcess::GetPairTotals() const
{
    std::vector<ConnectionTotals> sums;
    for (const auto& connected : m_services)
    {
        AddPairTotals(sums, connected->service.GetDataTransfer().GetSender().GetPairTotals());
    }
    return sums;
}

BufferTally
DataTransferProcess::GetBufferTally() const
{
    BufferTally all;
    for (const auto& connected : m_services)
    {
        all.Add(connected->service.GetDataTransfer().GetReceiver().GetBufferTally());
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
    for (const auto& connected : m_services)
    {
        bytes += connected->service.GetDataTransfer().GetReceiver().GetAllStoredBytes(
            GetSimulationTime());
    }
    return bytes;
}

void
DataTransferProcess::AcceptForeign(Time duration)
{
    if (!m_services.empty())
    {
        m_services.back()->service.GetDataTransfer().GetReceiver().AcceptForeign(
            GetSimulationTime(),
            GetSimulationTime() + duration.GetNanoSeconds());
    }
}

void
DataTransferProcess::BreakAccepted(Ptr<Socket> socket)
{
    for (const auto& connected : m_services)
    {
        if (const DataStream* const stream = connected->sockets.FindAccepted(socket))
        {
            connected->service.GetDataTransfer().GetReceiver().BreakConnection(GetSimulationTime(),
                                                                               *stream);
        }
    }
}

void
DataTransferProcess::BreakOpened(uint32_t connection)
{
    for (const auto& connected : m_services)
    {
        connected->service.GetDataTransfer().GetSender().BreakConnection(GetSimulationTime(),
                                                                         connection);
    }
}

void
DataTransferProcess::Die(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_isDead = true;
    for (const auto& connected : m_services)
    {
        connected->service.Reset(GetSimulationTime());
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
DataTransferProcess::StopApplication()
{
    NS_LOG_FUNCTION(this);
    Simulator::Remove(m_revival);
    for (const auto& connected : m_services)
    {
        connected->service.Dispose(GetSimulationTime());
        connected->sockets.Dispose();
    }
    CloseListener();
}

void
DataTransferProcess::CloseListener()
{
    if (m_control)
    {
        m_control->StopListening();
    }
}

StreamUser*
DataTransferProcess::HandleAccepted(Nanoseconds /* now */, uint16_t /* port */, ByteStream& stream)
{
    NS_LOG_FUNCTION(this);
    if (m_isDead)
    {
        return nullptr; // its handshake was under way when the process was killed
    }
    m_services.push_back(std::make_unique<Connected>(GetNode(), *m_control, GetMonitor()));
    m_services.back()->sockets.Trace(
        MakeCallback(&TracedCallback<Ptr<Socket>, uint64_t, uint32_t>::operator(), &m_connection),
        MakeCallback(&TracedCallback<Ptr<Socket>>::operator(), &m_dataAccepted));
    return &m_services.back()->service.Start(
        {.data = {.tcp = m_dataTcp.GetName(),
                  .buffers = GetBuffers(),
                  .jitter = {.seed = RngSeedManager::GetSeed(),
                             .run = RngSeedManager::GetRun(),
                             .session = m_session,
                             .jitterNs = m_startJitter.GetNanoSeconds()},
                  .markerInterval = m_markerInterval.GetNanoSeconds(),
                  .recordsRanges = m_rangeMarkers,
                  .stallTimeout = m_stallTimeout.GetNanoSeconds(),
                  .security = GetDataSecurity()},
         .layout = m_layout,
         .blockBytes = m_blockBytes},
        stream);
}

} // namespace ns3::gridftp
