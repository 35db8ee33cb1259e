/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-local.h"

#include "gridftp-simulation-time.h"
#include "gridftp-stall-text.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataTransferLocal");

NS_OBJECT_ENSURE_REGISTERED(DataTransfer);
NS_OBJECT_ENSURE_REGISTERED(LocalDataTransfer);

namespace
{
const std::string DIED = "the DTP died";
const std::string DOWN = "the DTP is down";
} // namespace

TypeId
DataTransfer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::DataTransfer").SetParent<Object>().SetGroupName("GridFtp");
    return tid;
}

TypeId
LocalDataTransfer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::LocalDataTransfer")
                            .SetParent<DataTransfer>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<LocalDataTransfer>();
    return tid;
}

LocalDataTransfer::LocalDataTransfer()
    : m_sender(CreateObject<DataSender>()),
      m_receiver(CreateObject<DataReceiver>())
{
}

void
LocalDataTransfer::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_markerEvent.Cancel();
    m_stall.Stop();
    m_receiver->Dispose();
    m_sender->Dispose();
    DataTransfer::DoDispose();
}

void
LocalDataTransfer::Configure(const DataTransferSettings& settings,
                             DataTransferOwner& owner,
                             uint32_t stripe)
{
    m_owner = &owner;
    m_stripe = stripe;
    m_markerInterval = settings.markerInterval;
    const auto failed = MakeCallback(&LocalDataTransfer::HandleConnectionFailed, this);
    m_receiver->Configure(settings.node,
                          settings.tcp,
                          MakeCallback(&LocalDataTransfer::HandleReceived, this),
                          failed);
    GetReceiver()->GetMachine().SetBuffers(settings.buffers);
    GetReceiver()->GetMachine().SetSecurity(settings.security);
    m_sender->Configure(settings.node,
                        settings.tcp,
                        settings.monitor,
                        MakeCallback(&LocalDataTransfer::HandleSent, this),
                        failed);
    GetSender()->GetMachine().SetJitter(settings.jitter);
    GetSender()->GetMachine().SetBuffers(settings.buffers);
    GetSender()->GetMachine().SetSecurity(settings.security);
    if (settings.tellsRanges)
    {
        GetReceiver()->GetMachine().RecordRanges();
    }
    m_stall.Configure(
        settings.stallTimeout,
        [this] {
            return GetReceiver()->GetMachine().GetStoredBytes(GetSimulationTime()) +
                   GetReceiver()->GetMachine().GetBytes();
        },
        [this] {
            const int64_t limitNs = m_stall.GetLimit().GetNanoSeconds();
            HandleConnectionFailed(426,
                                   GetReceiver()->GetMachine().IsStoring(GetSimulationTime())
                                       ? MakeStandstillReason(limitNs)
                                       : MakeNoDataReason(limitNs));
        });
}

void
LocalDataTransfer::Trace(const Callback<void, Ptr<Socket>, uint64_t, uint32_t>& opened,
                         const Callback<void, Ptr<Socket>>& accepted)
{
    m_sender->TraceConnectWithoutContext("Connection", opened);
    m_receiver->TraceConnectWithoutContext("Accepted", accepted);
}

void
LocalDataTransfer::SetReceiveWindow(uint32_t bytes)
{
    GetReceiver()->GetMachine().SetWindow(bytes);
}

void
LocalDataTransfer::SetSendWindow(uint32_t bytes)
{
    GetSender()->GetMachine().SetWindow(bytes);
}

void
LocalDataTransfer::SetProtection(Protection protection)
{
    ProcessingSpec processing = GetReceiver()->GetMachine().GetBuffers().processing;
    processing.protection = protection;
    SetProcessing(processing);
}

void
LocalDataTransfer::SetModule(const ModuleCall& module, ModuleEnd end, uint64_t fileBytes)
{
    ProcessingSpec processing = GetReceiver()->GetMachine().GetBuffers().processing;
    processing.module = module.name;
    processing.values = module.values;
    processing.moduleAt = module ? end : ModuleEnd::NONE;
    processing.fileBytes = static_cast<int64_t>(fileBytes);
    SetProcessing(processing);
}

void
LocalDataTransfer::SetProcessing(const ProcessingSpec& processing)
{
    GetReceiver()->GetMachine().SetProcessing(processing);
    GetSender()->GetMachine().SetProcessing(processing);
}

void
LocalDataTransfer::Listen(Ipv4Address own)
{
    if (IsDead())
    {
        return m_owner->HandleFailed(m_stripe, 425, DOWN);
    }
    m_hasForgotten = false;
    GetSender()->GetMachine().SetPeers(
        GetSimulationTime(),
        {}); // what it has sent before is over, and goes by other connections
    const auto port = GetReceiver()->GetMachine().Listen(GetSimulationTime());
    m_owner->HandleListening(m_stripe,
                             port ? std::optional(HostPort{own.Get(), *port}) : std::nullopt);
}

void
LocalDataTransfer::SetPeers(const std::vector<HostPort>& peers)
{
    GetReceiver()->GetMachine().Abort(
        GetSimulationTime()); // what it has received before is over, likewise
    GetSender()->GetMachine().SetPeers(GetSimulationTime(), peers);
}

void
LocalDataTransfer::Receive(const ReceiveOrder& order)
{
    if (IsDead() || m_hasForgotten)
    {
        return m_owner->HandleFailed(m_stripe, 425, DOWN);
    }
    m_busy = true;
    GetReceiver()->GetMachine().Expect(GetSimulationTime(), order);
    if (!m_markerInterval.IsZero())
    {
        m_markerEvent = Simulator::Schedule(m_markerInterval, &LocalDataTransfer::TellBytes, this);
    }
    m_stall.Start();
    m_owner->HandleReady(m_stripe);
}

void
LocalDataTransfer::Send(const SendOrder& order)
{
    if (IsDead())
    {
        return m_owner->HandleFailed(m_stripe, 425, DOWN);
    }
    m_busy = true;
    m_owner->HandleReady(m_stripe);
    GetSender()->GetMachine().Start(GetSimulationTime(), order);
}

void
LocalDataTransfer::Finish(bool keep)
{
    Rest();
    GetSender()->GetMachine().Finish(GetSimulationTime(), keep);
    GetReceiver()->GetMachine().Finish(keep);
}

void
LocalDataTransfer::Abort()
{
    Rest();
    GetReceiver()->GetMachine().Abort(GetSimulationTime());
    GetSender()->GetMachine().Abort(GetSimulationTime());
}

void
LocalDataTransfer::Reset()
{
    Rest();
    GetReceiver()->GetMachine().Reset(GetSimulationTime());
    GetSender()->GetMachine().Reset(GetSimulationTime());
}

void
LocalDataTransfer::Rest()
{
    m_busy = false;
    m_stall.Stop();
    m_markerEvent.Cancel();
}

void
LocalDataTransfer::Die(Time until)
{
    NS_LOG_FUNCTION(this << until);
    m_deadUntil = until;
    m_hasForgotten = true;
    const bool wasBusy = m_busy;
    Reset();
    if (wasBusy)
    {
        m_owner->HandleFailed(m_stripe, 426, DIED);
    }
}

bool
LocalDataTransfer::IsDead() const
{
    return Simulator::Now() < m_deadUntil;
}

void
LocalDataTransfer::TellBytes()
{
    m_owner->HandleBytes(m_stripe,
                         GetReceiver()->GetMachine().GetStoredBytes(GetSimulationTime()),
                         GetReceiver()->GetMachine().GetRanges(GetSimulationTime()));
    m_markerEvent = Simulator::Schedule(m_markerInterval, &LocalDataTransfer::TellBytes, this);
}

void
LocalDataTransfer::HandleReceived()
{
    Rest();
    m_owner->HandleDone(m_stripe,
                        GetReceiver()->GetMachine().GetStoredBytes(GetSimulationTime()),
                        {});
}

void
LocalDataTransfer::HandleSent()
{
    Rest();
    m_owner->HandleDone(m_stripe,
                        GetSender()->GetMachine().GetBytes(),
                        GetSender()->GetMachine().GetElapsedNs());
}

void
LocalDataTransfer::HandleConnectionFailed(int code, std::string reason)
{
    NS_LOG_FUNCTION(this << code << reason);
    Rest();
    m_owner->HandleFailed(m_stripe, code, reason);
}

} // namespace ns3::gridftp
