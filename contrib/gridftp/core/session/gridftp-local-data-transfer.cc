/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-local-data-transfer.h"

#include "gridftp-stall-text.h"

#include <optional>

namespace ns3::gridftp
{

namespace
{

constexpr int CANNOT_OPEN = 425;
constexpr int ABORTED = 426;

const TransferFailure DOWN{CANNOT_OPEN, "the DTP is down"};
const TransferFailure DIED{ABORTED, "the DTP died"};

} // namespace

LocalDataTransfer::LocalDataTransfer(DataHost& sender, DataHost& receiver)
    : m_host(receiver),
      m_sender(sender, *this),
      m_receiver(receiver, *this)
{
    m_markerAlarm.Bind(m_host, [this](Nanoseconds now) { ReportBytes(now); });
}

void
LocalDataTransfer::Configure(const DataTransferSettings& settings,
                             DataTransferOwner& owner,
                             uint32_t stripe)
{
    m_owner = &owner;
    m_stripe = stripe;
    m_markerInterval = settings.markerInterval;
    for (TransferMachine* const machine :
         {static_cast<TransferMachine*>(&m_receiver), static_cast<TransferMachine*>(&m_sender)})
    {
        machine->SetTcp(settings.tcp);
        machine->SetBuffers(settings.buffers);
        machine->SetSecurity(settings.security);
    }
    m_sender.SetJitter(settings.jitter);
    if (settings.recordsRanges)
    {
        m_receiver.RecordRanges();
    }
    m_stall.Configure(
        m_host,
        settings.stallTimeout,
        [this](Nanoseconds now) { return m_receiver.GetStoredBytes(now) + m_receiver.GetBytes(); },
        [this](Nanoseconds now) { HandleStalled(now); });
}

void
LocalDataTransfer::Dispose(Nanoseconds now)
{
    m_markerAlarm.Cancel();
    m_stall.Stop();
    m_receiver.Abort(now);
    m_sender.Abort(now);
}

void
LocalDataTransfer::SetReceiveWindow(uint32_t bytes)
{
    m_receiver.SetWindow(bytes);
}

void
LocalDataTransfer::SetSendWindow(uint32_t bytes)
{
    m_sender.SetWindow(bytes);
}

void
LocalDataTransfer::SetProtection(Protection protection)
{
    ProcessingSpec processing = m_receiver.GetBuffers().processing;
    processing.protection = protection;
    SetProcessing(processing);
}

void
LocalDataTransfer::SetModule(const ModuleCall& module, ModuleEnd end, uint64_t fileBytes)
{
    ProcessingSpec processing = m_receiver.GetBuffers().processing;
    processing.module = module.name;
    processing.values = module.values;
    processing.moduleAt = module ? end : ModuleEnd::NONE;
    processing.fileBytes = static_cast<int64_t>(fileBytes);
    SetProcessing(processing);
}

void
LocalDataTransfer::SetProcessing(const ProcessingSpec& processing)
{
    m_receiver.SetProcessing(processing);
    m_sender.SetProcessing(processing);
}

void
LocalDataTransfer::Listen(Nanoseconds now, uint32_t own)
{
    if (IsDead(now))
    {
        return m_owner->HandleFailed(now, m_stripe, DOWN);
    }
    m_lostListener = false;
    m_sender.SetPeers(now,
                      {}); // what it sent before is over; other transfers use other connections
    const auto port = m_receiver.Listen(now);
    m_owner->HandleListening(now,
                             m_stripe,
                             port ? std::optional(HostPort{own, *port}) : std::nullopt);
}

void
LocalDataTransfer::SetPeers(Nanoseconds now, const std::vector<HostPort>& peers)
{
    m_receiver.Abort(now); // what it received before is over, likewise
    m_sender.SetPeers(now, peers);
}

void
LocalDataTransfer::Receive(Nanoseconds now, const ReceiveOrder& order)
{
    if (IsDead(now) || m_lostListener)
    {
        return m_owner->HandleFailed(now, m_stripe, DOWN);
    }
    m_isBusy = true;
    m_receiver.Expect(now, order);
    if (m_markerInterval > 0)
    {
        m_markerAlarm.Set(now, now + m_markerInterval);
    }
    m_stall.Start(now);
    m_owner->HandleReady(now, m_stripe);
}

void
LocalDataTransfer::Send(Nanoseconds now, const SendOrder& order)
{
    if (IsDead(now))
    {
        return m_owner->HandleFailed(now, m_stripe, DOWN);
    }
    m_isBusy = true;
    m_owner->HandleReady(now, m_stripe);
    m_sender.Start(now, order);
}

void
LocalDataTransfer::Finish(Nanoseconds now, bool keep)
{
    Rest();
    m_sender.Finish(now, keep);
    m_receiver.Finish(keep);
}

void
LocalDataTransfer::Abort(Nanoseconds now)
{
    Rest();
    m_receiver.Abort(now);
    m_sender.Abort(now);
}

void
LocalDataTransfer::Reset(Nanoseconds now)
{
    Rest();
    m_receiver.Reset(now);
    m_sender.Reset(now);
}

void
LocalDataTransfer::Rest()
{
    m_isBusy = false;
    m_stall.Stop();
    m_markerAlarm.Cancel();
}

void
LocalDataTransfer::Die(Nanoseconds now, Nanoseconds until)
{
    m_deadUntil = until;
    m_lostListener = true;
    const bool wasBusy = m_isBusy;
    Reset(now);
    if (wasBusy)
    {
        m_owner->HandleFailed(now, m_stripe, DIED);
    }
}

void
LocalDataTransfer::ReportBytes(Nanoseconds now)
{
    m_owner->HandleBytes(now, m_stripe, m_receiver.GetStoredBytes(now), m_receiver.GetRanges(now));
    if (m_isBusy) // the owner may have given up inside
    {
        m_markerAlarm.Set(now, now + m_markerInterval);
    }
}

void
LocalDataTransfer::HandleReceived(Nanoseconds now)
{
    Rest();
    m_owner->HandleDone(now, m_stripe, m_receiver.GetStoredBytes(now), {});
}

void
LocalDataTransfer::HandleSent(Nanoseconds now)
{
    Rest();
    m_owner->HandleDone(now, m_stripe, m_sender.GetBytes(), m_sender.GetElapsedNs());
}

void
LocalDataTransfer::HandleStalled(Nanoseconds now)
{
    Fail(now,
         {ABORTED,
          m_receiver.IsStoring(now) ? MakeStandstillReason(m_stall.GetLimit())
                                    : MakeNoDataReason(m_stall.GetLimit())});
}

void
LocalDataTransfer::HandleSendFailed(Nanoseconds now, const TransferFailure& failure)
{
    Fail(now, failure);
}

void
LocalDataTransfer::HandleReceiveFailed(Nanoseconds now, const TransferFailure& failure)
{
    Fail(now, failure);
}

void
LocalDataTransfer::Fail(Nanoseconds now, const TransferFailure& failure)
{
    Rest();
    m_owner->HandleFailed(now, m_stripe, failure);
}

} // namespace ns3::gridftp
