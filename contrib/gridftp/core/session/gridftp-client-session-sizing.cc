/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-session.h"

/**
 * @file
 * @ingroup gridftp
 * SBUF of a client while data flow (Gardner, Thulasidasan and Feng, Section 4.1.4): as the receiver
 * it requests sizes, as the sender it follows, between two servers it forwards.
 */

namespace ns3::gridftp
{

bool
ClientSession::HandleSizing(Nanoseconds now, Peer peer, const Reply& reply)
{
    Dialogue& dialogue = Of(peer);
    const auto message = FindSizing(reply);
    const bool isNotice = message && reply.code == SIZING_NOTICE;
    const bool isAnswer =
        !isNotice && dialogue.sizingsDue > 0 && (message || IsSizingRefusal(reply.code));
    if (!isNotice && !isAnswer)
    {
        return false;
    }
    dialogue.sizingsDue -= isAnswer ? 1 : 0;
    if (m_hasGivenUp)
    {
        return true;
    }
    if (isNotice)
    {
        HandleSizingNotice(now, *message);
    }
    else if (message)
    {
        HandleSizingAnswer(now, peer, *message);
    }
    else
    {
        m_sizer.HandleRefusal();
    }
    return true;
}

void
ClientSession::HandleSizingNotice(Nanoseconds now, const SizingMessage& message)
{
    if (!m_isTransferring)
    {
        return; // the receiver does not wait for it any more
    }
    if (m_settings.direction == Direction::THIRD_PARTY)
    {
        return SendSizing(now, Peer::SENDER, message);
    }
    if (m_settings.data.buffers.peer == SizingPeer::DRS)
    {
        if (m_settings.data.buffers.sendBuffer == 0)
        {
            m_data.GetLocal().GetSender().GrowSendBuffers(now, message.bytes);
        }
        SendSizing(now, Peer::RECEIVER, message);
    }
}

void
ClientSession::HandleSizingAnswer(Nanoseconds now, Peer peer, const SizingMessage& message)
{
    if (m_settings.direction == Direction::DOWNLOAD)
    {
        m_sizer.HandleAnswer(now, message.id);
    }
    else if (m_isTransferring && peer == Peer::SENDER)
    {
        SendSizing(now, Peer::RECEIVER, message);
    }
}

void
ClientSession::SendSizing(Nanoseconds now, Peer peer, const SizingMessage& message)
{
    Dialogue& dialogue = Of(peer);
    ++dialogue.sizingsDue;
    dialogue.lastSent = now;
    dialogue.control->Send(now, FormatCommand(MakeSizingCommand(message)));
}

} // namespace ns3::gridftp
