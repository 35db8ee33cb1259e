/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"

/**
 * @file
 * @ingroup gridftp
 * A session whose applications size the buffers of its data connection by SBUF on the control
 * connections: what ClientProtocolInterpreter and ServerProtocolInterpreter do in engine ns3.
 */

namespace ns3::gridftp
{

void
SegmentSession::BeginSizing(Nanoseconds now)
{
    const BufferSettings& buffers = m_dataTcp.buffers;
    if (buffers.GetChannel() != SizingChannel::CONTROL)
    {
        return;
    }
    if (!m_sizing)
    {
        m_sizing.emplace(buffers);
    }
    const DataConnections& data = GetData().GetFirstPair().GetData();
    const bool isKept = data.IsOpen(0);
    Tell(now, m_sizing->Begin(now, isKept ? data.Get(0).GetWindow()->GetSize() : buffers.window));
}

void
SegmentSession::EndSizing()
{
    if (m_sizing)
    {
        m_sizing->End();
    }
}

void
SegmentSession::HandleAlarm(Nanoseconds now)
{
    if (m_sizing->GetAlarm() != now)
    {
        return; // of a chunk that is complete
    }
    const DataConnections& data = GetData().GetFirstPair().GetData();
    const bool isOpen = data.IsOpen(0);
    const uint64_t bytes = isOpen ? data.Get(0).GetWindow()->GetSize() : m_dataTcp.buffers.window;
    const auto decision = m_sizing->HandleAlarm(now, GetData().GetRead(now), bytes);
    if (decision.bufferBytes > bytes)
    {
        static_cast<ClassicConnection&>(data.Get(0)).ResizeWindow(now, decision.bufferBytes);
    }
    Tell(now, decision.message);
}

void
SegmentSession::Tell(Nanoseconds now, const std::optional<SizingMessage>& message)
{
    m_context.data.front().clocks[TcpConnection::PASSIVE]->Schedule(*m_sizing->GetAlarm(),
                                                                    *this,
                                                                    SIZING);
    if (message && IsDownload())
    {
        GetServer(Peer::SENDER).OrderSizing(now, *message);
    }
    else if (message)
    {
        GetServer(Peer::RECEIVER).SaySizing(now, SIZING_NOTICE, *message);
    }
}

void
SegmentSession::GrowSendBuffers(Nanoseconds now, uint64_t bytes)
{
    const DataConnections& data = GetData().GetFirstPair().GetData();
    if (data.IsOpen(0) && m_spec->buffers.sendBuffer == 0)
    {
        static_cast<ClassicConnection&>(data.Get(0)).GrowSendBuffer(now, bytes);
    }
}

void
SegmentSession::HandleSizing(SegmentServer& server, Nanoseconds now, const SizingMessage& message)
{
    if (server.GetPeer() == Peer::RECEIVER)
    {
        const bool isKnown = m_sizing->HandleAnswer(now, message.id);
        return isKnown ? server.SaySizing(now, SIZING_ANSWER, message)
                       : server.Say(now, MakeUnknownSizingReply(message));
    }
    if (m_spec->buffers.peer == SizingPeer::STOCK)
    {
        return server.Say(now, MakeSizingRefusal(server.IsBusy(), FormatSizing(message)));
    }
    const auto granted = m_sizingServer.Accept(FormatSizing(message), m_dataTcp.buffers);
    GrowSendBuffers(now, granted->bytes);
    server.SaySizing(now, SIZING_ANSWER, *granted);
}

void
SegmentSession::HandleSizingReply(SegmentServer& server,
                                  Nanoseconds now,
                                  int code,
                                  const SizingMessage& message)
{
    if (IsOver() || m_givesUp)
    {
        return;
    }
    if (IsDownload())
    {
        return code == SIZING_ANSWER ? static_cast<void>(m_sizing->HandleAnswer(now, message.id))
                                     : m_sizing->HandleRefusal();
    }
    if (!m_transferring)
    {
        return; // the receiver does not wait for it any more
    }
    if (code == SIZING_ANSWER && server.GetPeer() == Peer::SENDER)
    {
        return GetServer(Peer::RECEIVER).OrderSizing(now, message);
    }
    if (code != SIZING_NOTICE)
    {
        return;
    }
    if (IsThirdParty())
    {
        return GetServer(Peer::SENDER).OrderSizing(now, message);
    }
    if (m_spec->buffers.peer == SizingPeer::DRS)
    {
        GrowSendBuffers(now, message.bytes);
        server.OrderSizing(now, message);
    }
}

} // namespace ns3::gridftp
