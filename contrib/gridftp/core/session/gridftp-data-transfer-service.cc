/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-service.h"

#include <optional>

namespace ns3::gridftp
{

DataTransferService::DataTransferService(const ChannelHosts& hosts)
    : m_data(hosts.sender, hosts.receiver)
{
    m_control = ControlChannel::Make(
        {.line = [this](Nanoseconds now,
                        const TextResult<std::string>& line) { HandleLine(now, line); },
         .closed = [this](Nanoseconds now, StreamLoss /* loss */) { m_data.Reset(now); }});
}

DataTransferService::~DataTransferService() = default;

StreamUser&
DataTransferService::Start(const DataTransferServiceSettings& settings, ByteStream& stream)
{
    m_settings = settings;
    m_data.Configure(settings.data, *this, 0);
    m_control->Accept(stream);
    return *m_control;
}

void
DataTransferService::Dispose(Nanoseconds now)
{
    m_control->Close(now);
    m_data.Dispose(now);
}

void
DataTransferService::Reset(Nanoseconds now)
{
    m_control->Reset(now);
    m_data.Reset(now);
}

void
DataTransferService::Report(Nanoseconds now, const DtpNotice& notice)
{
    m_control->Send(now, FormatDtpNotice(notice));
}

void
DataTransferService::HandleLine(Nanoseconds now, const TextResult<std::string>& line)
{
    const auto command = line ? ParseDtpCommand(*line) : TextResult<DtpCommand>(line.GetError());
    if (!command)
    {
        const TextError& error = command.GetError();
        return HandleFailed(now, 0, {error.code, error.text});
    }
    Execute(now, *command);
}

void
DataTransferService::Execute(Nanoseconds now, const DtpCommand& command)
{
    switch (command.verb)
    {
    case DtpVerb::LISTEN:
        m_data.SetReceiveWindow(command.window);
        return m_data.Listen(now, m_control->GetLocalAddress());
    case DtpVerb::RECEIVE:
        return m_data.Receive(now,
                              {command.bytes == 0 ? std::nullopt : std::optional(command.bytes),
                               command.offset,
                               command.stripe,
                               command.receivers,
                               MergeRanges(command.held)});
    case DtpVerb::SEND:
        return ExecuteSend(now, command.order);
    case DtpVerb::FINISH:
        return m_data.Finish(now, !command.closes);
    case DtpVerb::ABORT:
        return m_data.Reset(now);
    case DtpVerb::END:
        m_data.Abort(now);
        return m_control->Close(now);
    }
}

void
DataTransferService::ExecuteSend(Nanoseconds now, const DtpOrder& order)
{
    m_data.SetSendWindow(order.window);
    m_data.SetPeers(now, order.receivers);
    m_data.Send(now,
                {.chunk = m_sent++,
                 .offset = order.offset,
                 .bytes = order.length,
                 .parallelism = order.parallelism,
                 .layout = m_settings.layout,
                 .blockBytes = m_settings.blockBytes,
                 .stripeLayout = order.layout,
                 .stripeBlock = order.blockBytes,
                 .stripes = {order.senders, static_cast<int64_t>(order.receivers.size())},
                 .stripe = order.stripe,
                 .held = MergeRanges(order.held),
                 .pairs = order.pairs});
}

void
DataTransferService::HandleListening(Nanoseconds now,
                                     uint32_t /* stripe */,
                                     const std::optional<HostPort>& listener)
{
    constexpr uint64_t CANNOT_OPEN = 425;
    Report(now,
           listener
               ? DtpNotice{DtpEvent::PORT, listener->port}
               : DtpNotice{DtpEvent::FAIL, CANNOT_OPEN, "Cannot listen for data connections."});
}

void
DataTransferService::HandleReady(Nanoseconds now, uint32_t /* stripe */)
{
    Report(now, {DtpEvent::READY});
}

void
DataTransferService::HandleBytes(Nanoseconds now,
                                 uint32_t /* stripe */,
                                 uint64_t bytes,
                                 const MarkerRanges& ranges)
{
    Report(now, {DtpEvent::BYTES, bytes, "", ranges});
}

void
DataTransferService::HandleDone(Nanoseconds now,
                                uint32_t /* stripe */,
                                uint64_t bytes,
                                const std::vector<int64_t>& elapsedNs)
{
    Report(now, {DtpEvent::DONE, bytes, "", {}, elapsedNs});
}

void
DataTransferService::HandleFailed(Nanoseconds now,
                                  uint32_t /* stripe */,
                                  const TransferFailure& failure)
{
    m_data.Reset(now);
    Report(now, {DtpEvent::FAIL, static_cast<uint64_t>(failure.code), failure.reason});
}

} // namespace ns3::gridftp
