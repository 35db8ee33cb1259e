/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-service.h"

#include "ns3/log.h"

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataTransferService");

NS_OBJECT_ENSURE_REGISTERED(DataTransferService);

TypeId
DataTransferService::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::DataTransferService")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<DataTransferService>();
    return tid;
}

DataTransferService::DataTransferService()
    : m_control(CreateObject<ControlChannel>()),
      m_data(CreateObject<LocalDataTransfer>())
{
}

void
DataTransferService::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_control->Dispose();
    m_data->Dispose();
    m_settings.data.node = nullptr;
    Object::DoDispose();
}

void
DataTransferService::Start(const DataTransferServiceSettings& settings, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_settings = settings;
    m_data->Configure(settings.data, *this, 0);
    m_control->Attach(socket,
                      MakeCallback(&DataTransferService::HandleLine, this),
                      MakeCallback(&DataTransferService::HandleClosed, this));
}

void
DataTransferService::Say(DtpEvent event,
                         uint64_t number,
                         const std::string& reason,
                         const MarkerRanges& ranges)
{
    m_control->Send(FormatDtpNotice({event, number, reason, ranges}));
}

void
DataTransferService::Reset()
{
    m_control->Reset();
    m_data->Reset();
}

void
DataTransferService::HandleLine(const TextResult<std::string>& line)
{
    const auto command = line ? ParseDtpCommand(*line) : TextResult<DtpCommand>(line.GetError());
    if (!command)
    {
        const TextError& error = command.GetError();
        return HandleFailed(0, error.code, error.text);
    }
    Execute(*command);
}

void
DataTransferService::HandleClosed(std::string reason)
{
    NS_LOG_FUNCTION(this << reason);
    m_data->Reset();
}

void
DataTransferService::Execute(const DtpCommand& command)
{
    switch (command.verb)
    {
    case DtpVerb::LISTEN:
        m_data->SetReceiveWindow(command.window);
        return m_data->Listen(m_control->GetLocalAddress());
    case DtpVerb::RECEIVE:
        return m_data->Receive({command.bytes == 0 ? std::nullopt : std::optional(command.bytes),
                                command.offset,
                                command.stripe,
                                command.receivers,
                                MergeRanges(command.held)});
    case DtpVerb::SEND:
        return ExecuteSend(command.order);
    case DtpVerb::FINISH:
        return m_data->Finish(!command.closes);
    case DtpVerb::ABORT:
        return m_data->Reset();
    case DtpVerb::END:
        m_data->Abort();
        return m_control->Close();
    }
}

void
DataTransferService::ExecuteSend(const DtpOrder& order)
{
    m_data->SetSendWindow(order.window);
    m_data->SetPeers(order.receivers);
    m_data->Send({.chunk = m_sent++,
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
DataTransferService::HandleListening(uint32_t /* stripe */, const std::optional<HostPort>& listener)
{
    if (listener)
    {
        return Say(DtpEvent::PORT, listener->port);
    }
    Say(DtpEvent::FAIL, 425, "Cannot listen for data connections.");
}

void
DataTransferService::HandleReady(uint32_t /* stripe */)
{
    Say(DtpEvent::READY);
}

void
DataTransferService::HandleBytes(uint32_t /* stripe */, uint64_t bytes, const MarkerRanges& ranges)
{
    Say(DtpEvent::BYTES, bytes, "", ranges);
}

void
DataTransferService::HandleDone(uint32_t /* stripe */,
                                uint64_t bytes,
                                const std::vector<int64_t>& elapsedNs)
{
    m_control->Send(FormatDtpNotice({DtpEvent::DONE, bytes, "", {}, elapsedNs}));
}

void
DataTransferService::HandleFailed(uint32_t /* stripe */, int code, const std::string& reason)
{
    m_data->Reset();
    Say(DtpEvent::FAIL, static_cast<uint64_t>(code), reason);
}

} // namespace ns3::gridftp
