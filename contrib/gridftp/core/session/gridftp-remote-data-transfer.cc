/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-remote-data-transfer.h"

#include <utility>

namespace ns3::gridftp
{

RemoteDataTransfer::RemoteDataTransfer(DataHost& host,
                                       const RemoteSettings& settings,
                                       DataTransferOwner& owner,
                                       uint32_t stripe)
    : m_host(host),
      m_settings(settings),
      m_owner(owner),
      m_stripe(stripe),
      m_receiveWindow(settings.window),
      m_sendWindow(settings.window)
{
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
RemoteDataTransfer::Listen(Nanoseconds now, uint32_t /* own */)
{
    Say(now, {.verb = DtpVerb::LISTEN, .window = m_receiveWindow});
}

void
RemoteDataTransfer::SetPeers(Nanoseconds /* now */, const std::vector<HostPort>& peers)
{
    m_peers = peers;
}

void
RemoteDataTransfer::Receive(Nanoseconds now, const ReceiveOrder& order)
{
    Say(now,
        {.verb = DtpVerb::RECEIVE,
         .offset = order.offset,
         .bytes = order.bytes.value_or(0),
         .stripe = order.stripe,
         .receivers = order.receivers,
         .held = order.held});
}

void
RemoteDataTransfer::Send(Nanoseconds now, const SendOrder& order)
{
    Say(now,
        {.verb = DtpVerb::SEND,
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
RemoteDataTransfer::Finish(Nanoseconds now, bool keep)
{
    Say(now, {.verb = DtpVerb::FINISH, .closes = !keep});
}

void
RemoteDataTransfer::End(Nanoseconds now)
{
    Close(now, DtpVerb::END);
}

void
RemoteDataTransfer::Abort(Nanoseconds now)
{
    Close(now, DtpVerb::END);
}

void
RemoteDataTransfer::Reset(Nanoseconds now)
{
    Close(now, DtpVerb::ABORT);
}

void
RemoteDataTransfer::Kill(Nanoseconds now)
{
    if (m_channel)
    {
        m_channel->Reset(now);
    }
    m_channel = nullptr;
    m_isConnected = false;
    m_unsent.clear();
}

void
RemoteDataTransfer::Close(Nanoseconds now, DtpVerb verb)
{
    // Later orders use a new connection: no report under way is mistaken for an answer to them
    if (!m_channel)
    {
        return;
    }
    if (m_isConnected)
    {
        m_channel->Send(now, FormatDtpCommand({.verb = verb}));
    }
    std::exchange(m_channel, nullptr)->Close(now);
    m_isConnected = false;
    m_unsent.clear();
}

void
RemoteDataTransfer::Say(Nanoseconds now, const DtpCommand& command)
{
    if (!m_channel)
    {
        Connect(now);
    }
    const std::string line = FormatDtpCommand(command);
    if (m_isConnected)
    {
        m_channel->Send(now, line);
    }
    else
    {
        m_unsent += line;
    }
}

void
RemoteDataTransfer::Connect(Nanoseconds now)
{
    m_channel = ControlChannel::Make(
        {.line = [this](Nanoseconds at,
                        const TextResult<std::string>& line) { HandleLine(at, line); },
         .closed =
             [this](Nanoseconds at, StreamLoss loss) {
                 Fail(at,
                      loss == StreamLoss::REFUSED ? "its control connection was refused"
                                                  : MakeLossReason(loss));
             },
         .connected = [this](Nanoseconds at) { HandleConnected(at); }});
    const auto channel = m_channel; // which Fail() drops, where the host cannot connect
    channel->Connect(now, m_host, m_settings.address, m_settings.tcp);
}

void
RemoteDataTransfer::HandleConnected(Nanoseconds now)
{
    m_isConnected = true;
    m_channel->Send(now, std::exchange(m_unsent, ""));
}

void
RemoteDataTransfer::Fail(Nanoseconds now, const std::string& reason)
{
    constexpr int ABORTED = 426;
    Close(now, DtpVerb::ABORT);
    m_owner.HandleFailed(now,
                         m_stripe,
                         {ABORTED, "stripe " + std::to_string(m_stripe) + ": " + reason});
}

void
RemoteDataTransfer::HandleLine(Nanoseconds now, const TextResult<std::string>& line)
{
    const auto notice = line ? ParseDtpNotice(*line) : TextResult<DtpNotice>(line.GetError());
    if (!notice)
    {
        return Fail(now, "its data transfer process makes no sense");
    }
    HandleNotice(now, *notice);
}

void
RemoteDataTransfer::HandleNotice(Nanoseconds now, const DtpNotice& notice)
{
    switch (notice.event)
    {
    case DtpEvent::PORT:
        return m_owner.HandleListening(
            now,
            m_stripe,
            HostPort{m_settings.address.address, static_cast<uint16_t>(notice.number)});
    case DtpEvent::READY:
        return m_owner.HandleReady(now, m_stripe);
    case DtpEvent::BYTES:
        return m_owner.HandleBytes(now, m_stripe, notice.number, MergeRanges(notice.ranges));
    case DtpEvent::DONE:
        return m_owner.HandleDone(now, m_stripe, notice.number, notice.elapsedNs);
    case DtpEvent::FAIL:
        return m_owner.HandleFailed(now,
                                    m_stripe,
                                    {static_cast<int>(notice.number), notice.reason});
    }
}

} // namespace ns3::gridftp
