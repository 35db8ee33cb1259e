/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-remote.h"

#include "gridftp-control-script.h"
#include "gridftp-tcp-variant.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataTransferRemote");

NS_OBJECT_ENSURE_REGISTERED(RemoteDataTransfer);

TypeId
RemoteDataTransfer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::RemoteDataTransfer")
                            .SetParent<DataTransfer>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<RemoteDataTransfer>();
    return tid;
}

RemoteDataTransfer::RemoteDataTransfer() = default;

void
RemoteDataTransfer::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Close(DtpVerb::END);
    m_settings.node = nullptr;
    DataTransfer::DoDispose();
}

void
RemoteDataTransfer::Configure(const RemoteSettings& settings,
                              DataTransferOwner& owner,
                              uint32_t stripe)
{
    m_settings = settings;
    m_owner = &owner;
    m_stripe = stripe;
    m_receiveWindow = m_sendWindow = settings.window;
}

void
RemoteDataTransfer::SetReceiveWindow(uint32_t bytes)
{
    m_receiveWindow = bytes;
}

void
RemoteDataTransfer::SetSendWindow(uint32_t bytes)
{
    m_sendWindow = bytes;
}

void
RemoteDataTransfer::Listen(Ipv4Address /* own */)
{
    Say({.verb = DtpVerb::LISTEN, .window = m_receiveWindow});
}

void
RemoteDataTransfer::SetPeers(const std::vector<HostPort>& peers)
{
    m_peers = peers;
}

void
RemoteDataTransfer::Receive(const ReceiveOrder& order)
{
    Say({.verb = DtpVerb::RECEIVE,
         .offset = order.offset,
         .bytes = order.bytes.value_or(0),
         .stripe = order.stripe,
         .receivers = order.receivers,
         .held = order.held});
}

void
RemoteDataTransfer::Send(const SendOrder& order)
{
    Say({.verb = DtpVerb::SEND,
         .order = {.offset = order.offset,
                   .length = order.bytes,
                   .stripe = order.stripe,
                   .senders = static_cast<uint32_t>(order.stripes.senders),
                   .layout = order.stripeLayout,
                   .blockBytes = order.stripeBlock,
                   .parallelism = order.parallelism,
                   .window = m_sendWindow,
                   .receivers = m_peers,
                   .held = order.held,
                   .pairs = order.pairs}});
}

void
RemoteDataTransfer::Finish(bool keep)
{
    Say({.verb = DtpVerb::FINISH, .closes = !keep});
}

void
RemoteDataTransfer::End()
{
    Close(DtpVerb::END);
}

void
RemoteDataTransfer::Abort()
{
    Close(DtpVerb::END);
}

void
RemoteDataTransfer::Reset()
{
    Close(DtpVerb::ABORT);
}

void
RemoteDataTransfer::Kill()
{
    if (m_channel)
    {
        m_channel->Reset();
    }
    m_channel = nullptr;
    m_connected = false;
    m_unsaid.clear();
}

void
RemoteDataTransfer::Close(DtpVerb verb)
{
    // With a new connection for what follows, nothing that is under way is taken for an answer
    if (!m_channel)
    {
        return;
    }
    if (m_connected)
    {
        m_channel->Send(FormatDtpCommand({.verb = verb}));
    }
    std::exchange(m_channel, nullptr)->Dispose();
    m_connected = false;
    m_unsaid.clear();
}

void
RemoteDataTransfer::Say(const DtpCommand& command)
{
    if (!m_channel)
    {
        Connect();
    }
    const std::string line = FormatDtpCommand(command);
    if (m_connected)
    {
        m_channel->Send(line);
    }
    else
    {
        m_unsaid += line;
    }
}

void
RemoteDataTransfer::Connect()
{
    NS_LOG_FUNCTION(this << m_stripe);
    m_channel = CreateObject<ControlChannel>();
    auto socket = CreateTcpSocket(m_settings.node, m_settings.tcp);
    SetTcpWindow(socket, CONTROL_WINDOW);
    m_channel->Attach(socket,
                      MakeCallback(&RemoteDataTransfer::HandleLine, this),
                      MakeCallback(&RemoteDataTransfer::HandleLost, this));
    socket->SetConnectCallback(MakeCallback(&RemoteDataTransfer::HandleConnected, this),
                               MakeCallback(&RemoteDataTransfer::HandleRefused, this));
    NS_ABORT_MSG_IF(socket->Bind() != 0 || socket->Connect(m_settings.address) != 0,
                    "a data transfer process cannot be at " << m_settings.address);
}

void
RemoteDataTransfer::HandleConnected(Ptr<Socket> /* socket */)
{
    m_connected = true;
    m_channel->Send(std::exchange(m_unsaid, ""));
}

void
RemoteDataTransfer::HandleRefused(Ptr<Socket> socket)
{
    // ns-3 goes on with the socket after this call, which gives it up: something has to keep it.
    Simulator::ScheduleNow([socket] {});
    HandleLost("its control connection was refused");
}

void
RemoteDataTransfer::HandleLost(std::string reason)
{
    NS_LOG_FUNCTION(this << reason);
    Close(DtpVerb::ABORT);
    m_owner->HandleFailed(m_stripe, 426, "stripe " + std::to_string(m_stripe) + ": " + reason);
}

void
RemoteDataTransfer::HandleLine(const TextResult<std::string>& line)
{
    const auto notice = line ? ParseDtpNotice(*line) : TextResult<DtpNotice>(line.GetError());
    if (!notice)
    {
        return HandleLost("its data transfer process makes no sense");
    }
    HandleNotice(*notice);
}

void
RemoteDataTransfer::HandleNotice(const DtpNotice& notice)
{
    switch (notice.event)
    {
    case DtpEvent::PORT: {
        const auto address = InetSocketAddress::ConvertFrom(m_settings.address).GetIpv4();
        return m_owner->HandleListening(
            m_stripe,
            HostPort{address.Get(), static_cast<uint16_t>(notice.number)});
    }
    case DtpEvent::READY:
        return m_owner->HandleReady(m_stripe);
    case DtpEvent::BYTES:
        return m_owner->HandleBytes(m_stripe, notice.number, MergeRanges(notice.ranges));
    case DtpEvent::DONE:
        return m_owner->HandleDone(m_stripe, notice.number, notice.elapsedNs);
    case DtpEvent::FAIL:
        return m_owner->HandleFailed(m_stripe, static_cast<int>(notice.number), notice.reason);
    }
}

} // namespace ns3::gridftp
