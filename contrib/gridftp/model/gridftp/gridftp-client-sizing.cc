/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-protocol-interpreter.h"
#include "gridftp-simulation-time.h"

/**
 * @file
 * @ingroup gridftp
 * What a client says and hears of buffers while data flow (Gardner, Thulasidasan and Feng, Section
 * 4.1.4): it receives and asks, it sends and follows, or it stands between two servers.
 */

namespace ns3::gridftp
{

bool
ClientProtocolInterpreter::HandleSizing(Peer peer, const Reply& reply)
{
    Dialogue& dialogue = Of(peer);
    const auto message = FindSizing(reply);
    const bool isNotice = message && reply.code == SIZING_NOTICE;
    const bool isAnswer =
        !isNotice && dialogue.sizingsOwed > 0 && (message || IsSizingRefusal(reply.code));
    if (!isNotice && !isAnswer)
    {
        return false;
    }
    dialogue.sizingsOwed -= isAnswer ? 1 : 0;
    if (m_givesUp)
    {
        return true;
    }
    if (isNotice)
    {
        HandleSizingNotice(*message);
    }
    else if (message)
    {
        HandleSizingAnswer(peer, *message);
    }
    else
    {
        m_sizer.HandleRefusal();
    }
    return true;
}

void
ClientProtocolInterpreter::HandleSizingNotice(const SizingMessage& message)
{
    if (!m_transferring)
    {
        return; // the receiver does not wait for it any more
    }
    if (m_settings.direction == Direction::THIRD_PARTY)
    {
        return SaySizing(Peer::SENDER, message);
    }
    if (m_settings.data.buffers.peer == SizingPeer::DRS)
    {
        if (m_settings.data.buffers.sendBuffer == 0)
        {
            m_data.GetLocal()->GetSender()->GetMachine().GrowSendBuffers(GetSimulationTime(),
                                                                         message.bytes);
        }
        SaySizing(Peer::RECEIVER, message);
    }
}

void
ClientProtocolInterpreter::HandleSizingAnswer(Peer peer, const SizingMessage& message)
{
    if (m_settings.direction == Direction::DOWNLOAD)
    {
        m_sizer.HandleAnswer(message.id);
    }
    else if (m_transferring && peer == Peer::SENDER)
    {
        SaySizing(Peer::RECEIVER, message);
    }
}

void
ClientProtocolInterpreter::SaySizing(Peer peer, const SizingMessage& message)
{
    Dialogue& dialogue = Of(peer);
    ++dialogue.sizingsOwed;
    dialogue.lastSaid = Simulator::Now();
    dialogue.control->Send(FormatCommand(MakeSizingCommand(message)));
}

} // namespace ns3::gridftp
